// Asks a memoryd of its own every example of the reference, one after the other, and keeps the replies for it.
import crypto from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '../src/config.ts'
import { createManualClock } from '../src/core/clock.ts'
import { pathExamples } from '../src/http/docs/reference.ts'
import type { Route } from '../src/http/route.ts'
import { issuedKeyReply } from '../src/http/routes/account-replies.ts'
import { ingestReply } from '../src/http/routes/ingest-replies.ts'
import { routes } from '../src/http/routes/table.ts'
import type { Llm } from '../src/memory/ports.ts'
import { createLog } from '../src/observe/log.ts'
import { loadModels } from '../src/service/models.ts'
import { openService, type Service } from '../src/service.ts'

const file = path.join(import.meta.dirname, '..', 'src', 'http', 'docs', 'samples.json')
const adminToken = 'the-admin-token-of-the-samples'
/** The morning of 2 March 2026. */
const start = 1_772_438_400
const secondsPerDay = 86_400

/** Answers in place of a language model, which the server that is asked does not have. */
const llm: Llm = {
  text: async () => 'Maria works at the aquarium [1].',
  object: async (schema) => schema.parse({}),
}

async function record(): Promise<Record<string, unknown>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'memoryd-samples-'))
  const { config } = readConfig({ DATA_DIR: dataDir, ADMIN_TOKEN: adminToken })
  if (config === null) throw new Error('the configuration of the samples is invalid')
  const clock = createManualClock(start)
  const log = createLog('silent')
  const models = async () => ({ ...(await loadModels(config, log)), llm })
  const service = await openService(config, { log, clock, models })
  try {
    await service.loadModels()
    return await story(service, (seconds) => clock.advance(seconds))
  } finally {
    await service.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** The calls in an order in which each has something to answer. */
async function story({ app }: Service, wait: (seconds: number) => void): Promise<Record<string, unknown>> {
  const taken: Record<string, unknown> = {}
  let key = ''
  const send = async (route: Route, id: string, body = route.example) => {
    wait(60)
    const response = await app.request(requestOf(route, { id, key, body }))
    const text = await response.text()
    if (response.status !== route.status) throw new Error(`${route.operationId}: ${response.status} ${text}`)
    return route.rawType === null ? JSON.parse(text) : text
  }
  const take = async (operationId: string, id = '') => {
    const reply = await send(routeOf(operationId), id)
    taken[operationId] = reply
    return reply
  }
  const takeAll = async (...operationIds: readonly string[]) => {
    for (const operationId of operationIds) await take(operationId)
  }

  const issued = issuedKeyReply.parse(await take('createKey'))
  key = issued.key
  await takeAll('ingest', 'ingestBatch', 'known', 'retrieve', 'graphQa', 'extract')
  const told = ingestReply.parse(await send(routeOf('ingest'), '', { text: 'I live in Lisbon.' }))
  await takeAll('listEntities', 'graph', 'profile', 'stats', 'health', 'listMemories')
  const id = told.ids?.[0] ?? ''
  for (const operationId of ['getMemory', 'patchMemory', 'memoryHistory', 'deleteMemory'])
    await take(operationId, id)
  await takeAll('putDocument', 'getDocument', 'listDocuments', 'deleteDocument')
  await takeAll('exportTexts', 'forget', 'consolidate', 'lifecycle', 'claudeCodeHook', 'codexHook', 'usage')
  await takeAll('listKeys', 'exportAccount', 'patchAccount')
  wait(31 * secondsPerDay)
  await take('prune')
  await take('rotateKey', issued.id)
  await take('revokeKey', issued.id)
  await take('eraseAccount')
  return Object.fromEntries(routes.map(({ operationId }) => [operationId, taken[operationId]]))
}

function routeOf(operationId: string): Route {
  const route = routes.find((candidate) => candidate.operationId === operationId)
  if (route === undefined) throw new Error(`there is no route ${operationId}`)
  return route
}

/** The request that the reference shows for a route. */
function requestOf(route: Route, { id, key, body }: { id: string; key: string; body: unknown }): Request {
  const values: Readonly<Record<string, string>> = { ...pathExamples, id }
  const place = route.path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
  const query = route.body === null ? `?${new URLSearchParams((body ?? {}) as Record<string, string>)}` : ''
  return new Request(`http://127.0.0.1${place}${query}`, {
    method: route.method,
    headers: {
      authorization: `Bearer ${route.auth === 'admin' ? adminToken : key}`,
      'content-type': 'application/json',
      'x-client': 'my-agent',
    },
    ...(route.body === null ? {} : { body: JSON.stringify(body) }),
  })
}

/** What is secret or measured is replaced, and numbers are rounded: machines differ in the last digits. */
function settled(recorded: Record<string, unknown>): Record<string, unknown> {
  const fixed: Readonly<Record<string, unknown>> = {
    latency_ms: 24.5,
    key: 'mem_EXAMPLE00000000000000000000000000',
    last_four: '0000',
    next_cursor: 'WzIsIm9wYXF1ZSJd',
  }
  const settle = (name: string, value: unknown): unknown => {
    if (value === null) return null
    if (Object.hasOwn(fixed, name)) return fixed[name]
    if (Array.isArray(value)) return value.map((item) => settle('', item))
    if (typeof value === 'object')
      return Object.fromEntries(Object.entries(value).map(([inner, item]) => [inner, settle(inner, item)]))
    if (typeof value === 'number') return Math.round(value * 1_000) / 1_000
    return typeof value === 'string' ? value.replace(/(\d\.\d{3})\d+/g, '$1') : value
  }
  return settle('', recorded) as Record<string, unknown>
}

// Ids decide between equals: with the same ones every recording is the same.
let made = 0
crypto.randomUUID = () => {
  const digits = crypto.createHash('sha256').update(`sample ${made++}`).digest('hex')
  const parts = [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(12, 15)}`]
  return `${parts[0]}-${parts[1]}-${parts[2]}-8${digits.slice(15, 18)}-${digits.slice(18, 30)}`
}
syncBuiltinESMExports()

writeFileSync(file, `${JSON.stringify(settled(await record()), null, 2)}\n`)
