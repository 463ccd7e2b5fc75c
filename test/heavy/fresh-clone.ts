// A stranger's first minutes: clones the repository, runs `npm start` with the machine's own Node on a line of 20 Mbit/s,
// pastes the printed example, starts a second time. Needs a network to the npm registry, faster than that and without a
// proxy. Prints what each step took; the clone comes from this disk and is not counted.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSlowLine } from './slow-line.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'memoryd-fresh-'))
const clone = path.join(folder, 'memoryd')

/** The machine's own programs: nothing of this checkout's node_modules. */
const ownPath = (process.env.PATH ?? '')
  .split(path.delimiter)
  .filter((entry) => !entry.includes('node_modules'))
  .join(path.delimiter)
const names = Object.keys(process.env).filter((name) => !/^npm_|^NODE/.test(name))
/** Empty, as a stranger's is: everything is downloaded. */
const cache = path.join(folder, 'cache')
const line = await openSlowLine(20e6)
const environment = {
  ...Object.fromEntries(names.map((name) => [name, process.env[name]])),
  PATH: ownPath,
  npm_config_cache: cache,
  npm_config_https_proxy: line.address,
  npm_config_noproxy: '',
}
/** Until it answers, installation included, on two cores with nothing else to do: what the line and the cores need for it. */
const secondsLimit = 120
const cores = 2
/** With Node; 128 where the machine has one that is new enough. */
const downloadLimit = 190e6

const version = execFileSync('node', ['--version'], { env: environment, encoding: 'utf8' }).trim()
console.log(`the machine's Node: ${version}`)
execFileSync('git', ['clone', '--quiet', root, clone])
const port = await freePort()
try {
  const first = await start()
  const through = line.bytes()
  const lineSeconds = (through * 8) / 20e6
  const { cpuSeconds } = first
  console.log(
    `first npm start, with installation over 20 Mbit/s: ${first.seconds.toFixed(1)} s here; the line needs ` +
      `${lineSeconds.toFixed(1)} s, the processor ${cpuSeconds.toFixed(1)} s`,
  )
  pasteExample(first.output)
  await first.stop()
  const bytes = downloaded()
  console.log(`downloaded: ${(bytes / 1e6).toFixed(1)} MB`)
  assert.ok(bytes > 0 && bytes <= downloadLimit, `${bytes} bytes were downloaded`)
  assert.ok(through >= bytes, `only ${through} of ${bytes} bytes came over the line`)
  // The machine that runs this may have other work, so its clock says nothing.
  const needed = lineSeconds + cpuSeconds / cores
  assert.ok(needed <= secondsLimit, `${needed.toFixed(1)} s are needed until it is ready`)
  const second = await start()
  console.log(`second npm start: ${second.seconds.toFixed(1)} s`)
  pasteExample(second.output)
  await second.stop()
  console.log('fresh clone: ok')
} finally {
  line.close()
  rmSync(folder, { recursive: true, force: true })
}

async function start() {
  const began = performance.now()
  const server = spawn('npm', ['start'], {
    cwd: clone,
    env: { ...environment, PORT: String(port), LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  let output = ''
  const ready = new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      if (/\/brain\/retrieve[\s\S]*echo\n/.test(output)) resolve()
    })
    server.on('exit', (code) => reject(new Error(`npm start ended with ${code}:\n${output}`)))
  })
  await ready
  const seconds = (performance.now() - began) / 1000
  const cpuSeconds = cpuOfGroup(server.pid ?? 0)
  const stop = async () => {
    const ended = once(server, 'exit')
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
    await ended
  }
  return { seconds, cpuSeconds, output, stop }
}

/** What a group of processes has computed so far, those that it has waited for included. */
function cpuOfGroup(group: number): number {
  const ticksPerSecond = 100
  const ticks = globSync('/proc/[0-9]*/stat').flatMap((file) => {
    try {
      const [, , own, ...rest] = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      return Number(own) === group ? rest.slice(8, 12).map(Number) : []
    } catch {
      return [] // It ended meanwhile.
    }
  })
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond
}

/** The packages in npm's cache, as large as they came. */
function downloaded(): number {
  const index = path.join(cache, '_cacache', 'index-v5')
  const entries = globSync('*/*/*', { cwd: index }).flatMap((file) =>
    readFileSync(path.join(index, file), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line): { key: string; size?: number } => JSON.parse(line.slice(line.indexOf('\t') + 1))),
  )
  const sizes = new Map(
    entries.filter(({ key }) => key.endsWith('.tgz')).map(({ key, size }) => [key, size ?? 0]),
  )
  return [...sizes.values()].reduce((sum, size) => sum + size, 0)
}

/** What a person would do: copies the commands and runs them in a shell. */
function pasteExample(output: string): void {
  const commands = output.slice(output.indexOf('curl'))
  const answers = execFileSync('bash', ['-c', commands], { cwd: clone, encoding: 'utf8' })
  assert.match(answers, /"facts_ingested":/)
  assert.match(answers, /"context":"[^"]*Lisbon/)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port: free } = probe.address() as AddressInfo
  probe.close()
  return free
}
