import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import type { Break } from './broken-stores.ts'

export const adminToken = 'crash-admin-token-0123456789'

/** A server process that answers. */
export interface RunningServer {
  readonly address: string
  /** From the moment it may open the store until it answers with everything loaded. */
  readonly readyMs: number
  /** CPU time until then, of a process that was started for it; null where its code was loaded before, or is unknown. */
  readonly readyCpuMs: number | null
  /** SIGKILL, and the process is gone when this resolves. */
  kill(): Promise<void>
}

/** Starts server processes on one data directory, one after the other. */
export interface ServerSource {
  next(): Promise<RunningServer>
  close(): Promise<void>
}

const root = path.resolve(import.meta.dirname, '../..')

/** How long a start may take before the test gives up on it. */
const startLimitMs = 120_000

function environmentOf(dataDir: string, cachesCode: boolean): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const compileCache = NODE_COMPILE_CACHE ?? path.join(dataDir, 'compile-cache')
  return {
    ...{ PATH, HOME, DATA_DIR: dataDir, PORT: '0', ADMIN_TOKEN: adminToken, LOG_LEVEL: 'fatal' },
    ...(cachesCode ? { NODE_COMPILE_CACHE: compileCache } : {}),
  }
}

function start(args: readonly string[], dataDir: string, cachesCode = true): ChildProcess {
  return spawn(process.execPath, args, {
    cwd: root,
    env: environmentOf(dataDir, cachesCode),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** Servers with small models. The code of the next one is loaded while the present one works. */
export function smallServers(dataDir: string, broken?: Break): ServerSource {
  const script = path.join(import.meta.dirname, 'server.ts')
  const prepare = () => {
    const child = start(broken === undefined ? [script] : [script, broken], dataDir)
    const lines = linesOf(child)
    return { child, lines, loaded: lines() }
  }
  let spare = prepare()
  return {
    next: async () => {
      const { child, lines, loaded } = spare
      await loaded
      const began = performance.now()
      child.stdin?.write('go\n')
      const address = await lines()
      const readyMs = performance.now() - began
      spare = prepare()
      // Its own end is told to whoever asks for it.
      spare.loaded.catch(() => {})
      return { address, readyMs, readyCpuMs: null, kill: () => kill(child) }
    },
    close: () => kill(spare.child),
  }
}

/** `memoryd` itself, as `npm start` runs it, with its own models. */
export function realServers(dataDir: string): ServerSource {
  return {
    next: async () => {
      const began = performance.now()
      const child = start([path.join(root, 'src/main.ts')], dataDir, false)
      const address = await announced(child)
      while (!(await isReady(address))) {
        if (performance.now() - began > startLimitMs) throw new Error('the server does not become ready')
        await wait(20)
      }
      const readyMs = performance.now() - began
      return { address, readyMs, readyCpuMs: cpuMsOf(child), kill: () => kill(child) }
    },
    close: async () => {},
  }
}

/** Where the system tells it. The kernel counts in hundredths of a second. */
function cpuMsOf({ pid }: ChildProcess): number | null {
  if (process.platform !== 'linux') return null
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')
  return (Number(fields?.[11]) + Number(fields?.[12])) * 10
}

async function isReady(address: string): Promise<boolean> {
  const health = await fetch(`${address}/brain/health`).then((response) => response.json())
  return typeof health === 'object' && health !== null && 'ready' in health && health.ready === true
}

/** The server tells its address on standard output once it is ready. */
async function announced(child: ChildProcess): Promise<string> {
  const lines = linesOf(child)
  for (;;) {
    const address = (await lines()).match(/http:\/\/127\.0\.0\.1:\d+/)?.[0]
    if (address !== undefined) return address
  }
}

/** The next line of a process's standard output; rejects when it ends instead. */
function linesOf(child: ChildProcess): () => Promise<string> {
  if (child.stdout === null) throw new Error('the process has no standard output')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}`)
    return value
  }
}
