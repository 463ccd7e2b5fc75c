import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { TestService } from '../harness.ts'
import { engines, pidFile, serversScript, withoutAddresses } from './engines.ts'
import { smallOptions, startOnServers } from './open.ts'
import { openEngines, until } from './support.ts'

/** Engines that are given by address cannot be stopped here: they are used as they are. */
const canRestart = engines.every((engine) => existsSync(pidFile(engine)))
export const clients = 12
export const callsPerClient = 50

/** The limits of production: those of the other tests are wider. */
function productionOptions() {
  const options = smallOptions()
  const { limitMs: _wide, ...neo4j } = options.neo4j
  return { ...options, neo4j }
}

export async function restart(): Promise<void> {
  const run = (command: string) =>
    execFileSync(serversScript, [command], { env: withoutAddresses(), stdio: ['ignore', 'ignore', 'pipe'] })
  if (canRestart) run('down')
  if (canRestart) run('up')
  const looking = await openEngines(productionOptions())
  await looking.wipe()
  await looking.close()
}

interface Answer {
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly text: string
}

/** So many clients at once, each with its calls one after the other. */
export async function mixedCalls(service: TestService, key: string): Promise<Answer[]> {
  const answers: Answer[] = []
  const timed = async (method: string, route: string, body?: object) => {
    const started = performance.now()
    const { status, text } = await service.call(method, `/brain/${route}`, { key, body })
    answers.push({ route, status, ms: performance.now() - started, text })
  }
  const one = (client: number, call: number) => {
    const name = `${client}x${call}`
    const session_id = `s${client}`
    switch (call % 5) {
      case 0:
        return timed('POST', 'ingest', { text: `Person${name} likes Thing${name}.`, session_id })
      case 1:
        return timed('POST', 'retrieve', { query: `What does Person${client}x0 like?`, session_id, k: 5 })
      case 2:
        return timed('POST', 'ingest/batch', {
          items: [{ text: `Ana${name} lives in Rome${name}.` }, { text: `Ben${name} owns Boat${name}.` }],
        })
      case 3:
        return timed('GET', 'memories?limit=10')
      default:
        return timed('POST', 'stats', { user_id: 'x' })
    }
  }
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      for (let call = 0; call < callsPerClient; call++) await one(client, call)
    }),
  )
  return answers
}

export function report(name: string, answers: readonly Answer[]): void {
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b)
  const other = answers.filter(({ status }) => status !== 200).length
  const at = (share: number) => Math.round(times[Math.ceil(share * times.length) - 1] ?? 0)
  for (const [route, group] of Map.groupBy(answers, ({ route }) => route)) {
    const slowest = Math.max(...group.map(({ ms }) => ms))
    const failed = group.filter(({ status }) => status !== 200).map(({ status, text }) => `${status} ${text}`)
    console.log(`  ${route}: slowest ${Math.round(slowest)} ms ${[...new Set(failed)].join(' | ')}`)
  }
  console.log(
    `${name}: ${answers.length} answers, ${other} other than 200; median ${at(0.5)} ms, slowest ${at(1)} ms`,
  )
}

export async function whenReady(): Promise<TestService> {
  const service = await startOnServers(productionOptions())
  const isReady = async () => (await service.call('GET', '/brain/health')).json.ready === true
  await until(isReady, 120_000)
  return service
}
