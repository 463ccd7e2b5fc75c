// npm run suite docs: every fenced block of the pages, run against a memoryd process with the models that ship.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { parse } from 'yaml'
import { chatExport } from '../support/chat-export.ts'
import { zipOf } from '../support/zip.ts'
import { type Block, blocks, root, runsElsewhere } from './pages.ts'
import { sameJson, shapeOf } from './shapes.ts'
import { startShell } from './shell.ts'

/** Where a reader is: a home that is also the current directory, with the data of a running server in it. */
const home = realpathSync(mkdtempSync(path.join(tmpdir(), 'memoryd-docs-')))
const dataDir = path.join(home, 'memoryd-data')
const kept = (name: string) => readFileSync(path.join(dataDir, name), 'utf8').trim()
const printedAddress = 'http://127.0.0.1:7420'
let server: ChildProcess
let address: string

before(async () => {
  writeExports()
  server = spawn(process.execPath, [path.join(root, 'src/main.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!existsSync(path.join(dataDir, 'address'))) await alive()
  address = kept('address')
  while ((await call('GET', '/brain/health')).ready !== true) await alive()
})

after(async () => {
  if (server.exitCode === null) {
    server.kill()
    await once(server, 'exit')
  }
  rmSync(home, { recursive: true, force: true })
})

async function alive(): Promise<void> {
  assert.equal(server.exitCode, null, 'the server ended')
  await wait(100)
}

/** The export that docs/import.md brings in, of fewer messages. */
function writeExports(): void {
  const words = (index: number) =>
    index === 0
      ? 'I have moved from Lisbon to Berlin.'
      : `Ship ${index} reached harbour ${index * 3} on day ${index}.`
  const files = { 'conversations.json': JSON.stringify(chatExport(12, words)), 'user.json': '{}' }
  mkdirSync(path.join(home, 'Downloads'))
  for (const folder of ['.', 'Downloads']) {
    writeFileSync(path.join(home, folder, 'chatgpt-export.zip'), zipOf(files))
  }
  const client = path.join(home, 'node_modules/@memoryd/client')
  mkdirSync(client, { recursive: true })
  writeFileSync(path.join(client, 'package.json'), '{"type":"module","exports":"./index.js"}')
  writeFileSync(path.join(client, 'index.js'), `export * from '${root}/clients/typescript/src/index.ts'`)
}

async function call(method: string, place: string, body?: object): Promise<Record<string, unknown>> {
  const credential = place.startsWith('/admin')
    ? `Bearer ${kept('admin-token')}`
    : `Bearer ${kept('default-key')}`
  const headers = { authorization: credential, 'content-type': 'application/json' }
  const reply = await fetch(`${address}${place}`, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  assert.ok(reply.ok, `${method} ${place}: ${reply.status} ${text}`)
  return JSON.parse(text)
}

/** Every page begins with a server that knows nothing and nobody else. */
async function forgetAll(): Promise<void> {
  await call('POST', '/brain/forget', { everything: true })
  const { accounts } = (await call('GET', '/admin/keys')) as { accounts: { account: string }[] }
  for (const { account } of accounts) {
    if (account !== 'default') await call('DELETE', `/admin/accounts/${account}`)
  }
}

/** What a page takes for granted. */
const given: Readonly<Record<string, string>> = {
  'docs/api.md': 'export ADMIN_TOKEN=$(cat memoryd-data/admin-token)',
  'docs/backup.md': 'memoryd remember "I live in Lisbon."',
  'docs/operations.md':
    'memoryd remember "I live in Lisbon." --key $(memoryd keys create acme --tier pro | head -1)',
  'docs/upgrade.md': 'memoryd backup before-upgrade.backup && export DATA_DIR=$PWD/older',
}

/** The reference says ID for what a reader has: a memory, a document, a key or an account that is there. */
async function withId(text: string): Promise<string> {
  const name = `it-${Math.random().toString(36).slice(2)}`
  if (text.includes('/brain/memories/ID')) {
    const { ids } = await call('POST', '/brain/ingest', { text: `The code word is ${name}.` })
    return text.replace('ID', String((ids as string[])[0]))
  }
  if (text.includes('/brain/documents/ID')) {
    await call('PUT', `/brain/documents/${name}`, { content: 'The red boat lies in Porto.' })
    return text.replace('ID', name)
  }
  // One that an example above has erased is there for the next reader.
  if (text.includes('/admin/accounts/acme')) await call('POST', '/admin/keys', { account: 'acme' })
  if (!/\/admin\/\w+\/ID/.test(text)) return text
  const { id } = await call('POST', '/admin/keys', { account: name })
  return text.replace('ID', text.includes('/admin/keys/') ? String(id) : name)
}

const isData = ({ language }: Block) => ['json', 'jsonl', 'yaml'].includes(language)

for (const [page, all] of Object.entries(Object.groupBy(blocks, (block) => block.page))) {
  const own = (all ?? []).filter((block) => !runsElsewhere(block) || block.language === 'python')
  if (own.length === 0) continue
  describe(page, () => {
    let shell: ReturnType<typeof startShell>
    const printed = new Map<Block, string>()
    before(async () => {
      if (own.every(isData)) return
      await forgetAll()
      shell = startShell(home, { MEMORYD_URL: address, MEMORYD_API_KEY: kept('default-key') })
      const { failed, output } = await shell.run(given[page] ?? '')
      assert.equal(failed, false, output)
    })
    after(() => shell?.end())

    const here = (text: string) => text.replaceAll(printedAddress, address)
    const there = (text: string) => text.replaceAll(address, printedAddress).replaceAll(home, '/home/me')

    const runners: Readonly<Record<string, (block: Block) => Promise<void> | void>> = {
      sh: async (block) => {
        const { failed, output } = await shell.run(here(await withId(block.text)))
        assert.equal(failed, false, output)
        printed.set(block, there(output))
      },
      console: async ({ text }) => {
        for (const [, command = '', expected = ''] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
          const { failed, output } = await shell.run(here(command))
          assert.equal(failed, /^memoryd: /m.test(expected), output)
          assert.deepEqual(shapeOf(there(output)), shapeOf(expected), `$ ${command}\n${output}`)
        }
      },
      text: ({ above, text }) => {
        assert.ok(above !== null)
        assert.deepEqual(shapeOf(printed.get(above) ?? ''), shapeOf(text))
      },
      json: ({ above, text }) => {
        const shown = JSON.parse(text)
        if (above !== null) sameJson(JSON.parse(printed.get(above)?.trim().split('\n').at(-1) ?? ''), shown)
      },
      jsonl: async ({ text }) => {
        writeFileSync(path.join(home, 'own.jsonl'), text)
        const { failed, output } = await shell.run('memoryd import own.jsonl --dry-run')
        assert.equal(failed, false, output)
        assert.match(output, new RegExp(`^Costs ${5 * text.trim().split('\n').length} operations`, 'm'))
      },
      yaml: ({ text }) => {
        parse(text)
      },
      ts: async ({ text }) => {
        writeFileSync(path.join(home, 'block.ts'), text)
        const { failed, output } = await shell.run(`'${process.execPath}' block.ts`)
        assert.equal(failed, false, output)
        assert.notEqual(output.trim(), '')
      },
      // Run by the suites clients and mem0, with the packages that they need.
      python: ({ text, page: place }) => {
        const program = 'import sys; compile(sys.stdin.read(), sys.argv[1], "exec")'
        const { status, stderr } = spawnSync('python3', ['-c', program, place], {
          input: text,
          encoding: 'utf8',
        })
        assert.equal(status, 0, stderr)
      },
    }

    for (const block of own) {
      test(`line ${block.line}: ${block.text.split('\n')[0]}`, async () => {
        const runner = runners[block.language]
        assert.ok(runner !== undefined, `${block.language} is no language that is run`)
        await runner(block)
      })
    }
  })
}
