import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'

const main = path.resolve(import.meta.dirname, '..', 'src', 'main.ts')
const folder = mkdtempSync(path.join(tmpdir(), 'memoryd-first-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Makes the process take its standard output for a terminal. */
const asTerminal = ['--import', 'data:text/javascript,process.stdout.isTTY=true']

/** Starts the server, ends it as soon as it is ready, and gives what it printed. */
async function started(name: string, flags: readonly string[]): Promise<{ printed: string; key: string }> {
  const dataDir = path.join(folder, name)
  const server = spawn(process.execPath, [...flags, main], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  server.stdout.on('data', (data: Buffer) => {
    printed += data.toString()
    if (printed.includes('/brain/retrieve')) server.kill('SIGTERM')
  })
  const [code] = await once(server, 'close')
  assert.equal(code, 0)
  return { printed, key: readFileSync(path.join(dataDir, 'default-key'), 'utf8').trim() }
}

test('the key is shown on a terminal at the first start, and never again', async () => {
  const first = await started('shown', asTerminal)
  assert.ok(first.printed.includes(first.key))
  const second = await started('shown', asTerminal)
  assert.equal(second.key, first.key)
  assert.ok(!second.printed.includes(first.key))
  assert.match(second.printed, /default-key/)
})

test('the key is never printed into a pipe, at the first start either', async () => {
  const { printed, key } = await started('piped', [])
  assert.ok(!printed.includes(key))
  assert.match(printed, /default-key/)
})
