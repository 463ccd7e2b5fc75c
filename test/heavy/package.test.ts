// The package as somebody gets it who does not clone: packed, installed into an empty folder, run with npx, stopped.
// Needs a network to the npm registry, and no other host.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'memoryd-package-'))
const project = path.join(folder, 'project')
const dataDir = path.join(folder, 'data')

/** The machine's own programs: nothing of this checkout, and no setting that its scripts would make. */
const names = Object.keys(process.env).filter((name) => !/^npm_|^NODE|^ONNX/i.test(name))
const environment = {
  ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
  PATH: (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(path.delimiter),
  DATA_DIR: dataDir,
  PORT: '0',
}

after(() => rmSync(folder, { recursive: true, force: true }))

function install(...flags: string[]): void {
  rmSync(project, { recursive: true, force: true })
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), '{"private": true}')
  const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'))
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...flags,
    path.join(folder, archive),
  ]
  execFileSync('npm', args, { cwd: project, env: environment, stdio: ['ignore', 'inherit', 'inherit'] })
}

/** `npx memoryd serve`, once it is ready. */
async function serve(): Promise<{ child: ChildProcess; address: string; output: () => string }> {
  const child = spawn('npx', ['memoryd', 'serve'], {
    cwd: project,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => {
        output += data.toString()
        if (output.includes('is ready')) resolve()
      })
    }
    child.on('exit', (code) => reject(new Error(`npx ended with ${code}:\n${output}`)))
  })
  await ready
  return { child, address: readFileSync(path.join(dataDir, 'address'), 'utf8').trim(), output: () => output }
}

const answers = (address: string) =>
  fetch(`${address}/brain/health`).then(
    ({ ok }) => ok,
    () => false,
  )

async function isGone(address: string): Promise<boolean> {
  for (let tries = 0; tries < 60; tries++) {
    if (!(await answers(address))) return true
    await wait(250)
  }
  return false
}

describe('the packed package', () => {
  before(() => {
    execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root, env: environment })
  })

  test('packing leaves the checkout as it was', () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    assert.ok('onnxruntime-node' in manifest.dependencies)
    assert.ok(!readdirSync(path.join(root, 'src')).includes('node_modules'))
  })

  for (const flags of [[], ['--ignore-scripts']]) {
    test(`installs with ${flags.join(' ') || 'nothing but the registry'}, remembers and finds`, async () => {
      install(...flags)
      const { child, address, output } = await serve()
      const key = readFileSync(path.join(dataDir, 'default-key'), 'utf8').trim()
      const post = async (route: string, body: object) => {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' }
        const request = { method: 'POST', headers, body: JSON.stringify(body) }
        return (await fetch(`${address}/brain/${route}`, request)).text()
      }
      assert.match(await post('ingest', { text: 'My sister Maria lives in Lisbon.' }), /"facts_ingested":/)
      assert.match(await post('retrieve', { query: 'Where does Maria live?' }), /"context":"[^"]*Lisbon/)
      const told = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
      const bridge = execFileSync('npx', ['memoryd', 'mcp'], {
        cwd: project,
        env: { ...environment, MEMORYD_URL: address, MEMORYD_API_KEY: key },
        input: `${JSON.stringify(told)}\n`,
      })
      assert.match(bridge.toString(), /"recall"/)
      assert.ok(!output().includes(key), 'the key went into a pipe')
      assert.ok(!output().includes('Warning'), output())
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      assert.ok(await isGone(address), 'the server outlives npx')
    })
  }

  test('an interrupt, as a terminal sends it to the whole group, ends the server', async () => {
    const { child, address } = await serve()
    const ended = once(child, 'exit')
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await ended
    assert.ok(await isGone(address), 'the server outlives npx')
  })

  test('brings the tested version of what needs one', () => {
    const carried = path.join(project, 'node_modules', 'memoryd', 'src', 'node_modules')
    const versionOf = (place: string) =>
      JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8')).version
    for (const name of ['undici', 'onnxruntime-node', '@qdrant/js-client-rest'])
      assert.equal(
        versionOf(path.join(carried, name)),
        versionOf(path.join(root, 'node_modules', name)),
        name,
      )
  })
})
