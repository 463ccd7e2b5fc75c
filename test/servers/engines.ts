import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export type Engine = 'neo4j' | 'qdrant' | 'redis'
export const engines: readonly Engine[] = ['neo4j', 'qdrant', 'redis']

export const serversScript = path.resolve(import.meta.dirname, '../../scripts/servers')

/** Where scripts/servers keeps what it started; engines given by their addresses have none. */
export const engineFolder = (engine: Engine) =>
  path.join(process.env.SERVERS_DIR ?? path.join(tmpdir(), 'memoryd-servers'), engine)

export const pidFile = (engine: Engine) => path.join(engineFolder(engine), 'pid')
export const pidOf = (engine: Engine) => Number(readFileSync(pidFile(engine), 'utf8'))

/** For scripts/servers: engines that are given by address are never started by it. */
export function withoutAddresses(): NodeJS.ProcessEnv {
  const { NEO4J_URL: _n, QDRANT_URL: _q, REDIS_URL: _r, ...environment } = process.env
  return environment
}

/** Ends an engine's process at once; resolves when it is gone. */
export async function killEngine(engine: Engine): Promise<void> {
  const pid = pidOf(engine)
  process.kill(pid, 'SIGKILL')
  while (runs(pid)) await delay(20)
}

/** A killed process that nobody has waited for yet still has an entry; it does not run. */
function runs(pid: number): boolean {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
