import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const root = resolve(import.meta.dirname, '../..')

/** The real service in a process of its own. */
export interface RunningService {
  readonly pid: number
  readonly address: string
  readonly firstKey: string
  /** With the first account's key, or the one given. */
  post(path: string, body: unknown, key?: string): Promise<unknown>
  stop(): Promise<void>
}

export interface ServiceOptions {
  /** Of Node. */
  readonly flags?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** File for the log. Absent: it is shown. */
  readonly log?: string
}

/** Resolves when the models are loaded; rejects when the process ends before that. */
export async function startService(
  dataDir: string,
  { flags = [], environment = {}, log }: ServiceOptions = {},
): Promise<RunningService> {
  const child = spawn(process.execPath, [...flags, join(root, 'src/main.ts')], {
    env: { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', log === undefined ? 'inherit' : openSync(log, 'w')],
  })
  const { stdout } = child
  if (stdout === null) throw new Error('The service has no output.')
  const ended = once(child, 'exit')
  // The banner is printed once everything is loaded.
  await Promise.race([
    once(stdout, 'data'),
    ended.then(() => Promise.reject(new Error(`The service ended. ${log ?? ''}`))),
  ])
  stdout.resume()
  const read = (name: string) => readFileSync(join(dataDir, name), 'utf8').trim()
  const [address, firstKey] = [read('address'), read('default-key')]
  return {
    pid: child.pid ?? 0,
    ...{ address, firstKey },
    post: async (path, body, key = firstKey) => {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const reply = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${await reply.text()}`)
      return reply.json()
    },
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Megabytes that the process holds: resident, and its own share of pages that others hold too. */
export function memoryOf(pid: number): { readonly resident: number; readonly proportional: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const field = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1_024
  return { resident: field('Rss'), proportional: field('Pss') }
}

/** The most megabytes that were resident at any moment. */
export function peakOf(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(text)?.[1]) / 1_024
}

/** Gives what runs in the background time to end. */
export const settle = () => wait(2_000)
