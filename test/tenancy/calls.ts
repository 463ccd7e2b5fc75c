import { createHash } from 'node:crypto'
import { commonNames, commonTexts, ownText, personas, sessions, type Tenant } from './tenants.ts'
import { callAs, listAll, noteIds, type World } from './world.ts'

type Call = (world: World, tenant: Tenant) => Promise<void>

const anyOf = <T>(world: World, things: readonly T[]): T => world.random.pick(things)

/** Mostly somebody else. */
function otherThan(world: World, tenant: Tenant): Tenant {
  const other = anyOf(world, world.tenants)
  return other === tenant && world.tenants.length > 1 ? otherThan(world, tenant) : other
}

function anItem(world: World, tenant: Tenant, text: string) {
  const { random } = world
  return {
    text,
    persona: anyOf(world, personas),
    source: random.pick(['user', 'user', 'assistant', 'document']),
    session_id: random.chance(0.5) ? anyOf(world, sessions) : null,
    use_llm_extraction: random.chance(0.1),
    metadata: random.chance(0.5) ? { mark: tenant.canary } : null,
    user_id: otherThan(world, tenant).canary,
  }
}

const ingestOwn: Call = async (world, tenant) => {
  const body = anItem(world, tenant, ownText(tenant, world.random))
  if (!world.random.chance(0.4)) return void (await callAs(world, tenant, 'POST', '/brain/ingest', { body }))
  // Everybody uses the same few idempotency keys.
  const key = `key-${world.random.below(30)}`
  const reply = await callAs(world, tenant, 'POST', '/brain/ingest', {
    body,
    headers: { 'idempotency-key': key },
  })
  const isFirst = !tenant.idempotencyKeys.has(key)
  tenant.idempotencyKeys.add(key)
  if (isFirst && (reply.status !== 200 || reply.headers.has('idempotency-replayed'))) {
    world.violations.push(`the idempotency key of another tenant answered ${tenant.canary}: ${reply.status}`)
  }
}

const ingestCommon: Call = async (world, tenant) => {
  const body = anItem(world, tenant, anyOf(world, commonTexts))
  const { json } = await callAs(world, tenant, 'POST', '/brain/ingest', { body })
  const told = `${body.persona}: ${body.text}`
  if (!tenant.told.has(told) && json.deduplicated !== false) {
    world.violations.push(`${tenant.canary} told a common text first, and it was skipped`)
  }
  tenant.told.add(told)
}

const ingestBatch: Call = async (world, tenant) => {
  const items = Array.from({ length: 2 + world.random.below(3) }, () =>
    anItem(world, tenant, ownText(tenant, world.random)),
  )
  await callAs(world, tenant, 'POST', '/brain/ingest/batch', { body: { items } })
}

/** Names nobody else: it becomes part of a prompt, where only what was stored may put a canary. */
function anInnocentQuestion(world: World, tenant: Tenant): string {
  return world.random.pick([
    `Where is ${anyOf(world, commonNames)}, and what does ${anyOf(world, commonNames)} know?`,
    anyOf(world, commonTexts),
    ownText(tenant, world.random),
  ])
}

function aQuestion(world: World, tenant: Tenant): string {
  const other = otherThan(world, tenant)
  return world.random.pick([
    ownText(other, world.random),
    `What does ${other.canary} like?`,
    anInnocentQuestion(world, tenant),
  ])
}

const retrieve: Call = async (world, tenant) => {
  const { random } = world
  const use_compression = random.chance(0.1)
  const body = {
    query: use_compression ? anInnocentQuestion(world, tenant) : aQuestion(world, tenant),
    k: 1 + random.below(20),
    persona: random.chance(0.4) ? anyOf(world, personas) : null,
    session_id: random.chance(0.5) ? anyOf(world, sessions) : null,
    include_episodic: random.chance(0.8),
    include_semantic: random.chance(0.8),
    include_working: random.chance(0.8),
    max_hops: random.chance(0.5) ? 1 + random.below(5) : null,
    min_score: random.chance(0.6) ? 0 : null,
    use_compression,
    user_id: otherThan(world, tenant).canary,
  }
  noteIds(tenant, (await callAs(world, tenant, 'POST', '/brain/retrieve', { body })).json.facts)
}

const graphQa: Call = async (world, tenant) => {
  const persona = world.random.chance(0.4) ? anyOf(world, personas) : null
  const body = { query: anInnocentQuestion(world, tenant), persona, max_hops: 1 + world.random.below(5) }
  await callAs(world, tenant, 'POST', '/brain/retrieve/graph-qa', { body })
}

const list: Call = async (world, tenant) => {
  const { random } = world
  const query = new URLSearchParams({ limit: `${1 + random.below(50)}` })
  if (random.chance(0.4)) query.set('persona', anyOf(world, personas))
  if (random.chance(0.3)) query.set('session_id', anyOf(world, sessions))
  if (random.chance(0.3)) query.set('type', random.pick(['episodic', 'semantic']))
  if (random.chance(0.3)) query.set('source', random.pick(['user', 'assistant', 'document']))
  noteIds(tenant, (await callAs(world, tenant, 'GET', `/brain/memories?${query}`)).json.memories)
}

/** An id of somebody else, or one that could be computed: an entity's. */
function foreignId(world: World, tenant: Tenant): string {
  const { ids } = otherThan(world, tenant)
  if (ids.length > 0) return anyOf(world, ids)
  return createHash('sha256').update(tenant.canary).digest('hex').slice(0, 32)
}

const lookAtForeign: Call = async (world, tenant) => {
  const id = foreignId(world, tenant)
  const [method, path] = world.random.pick([
    ['GET', `/brain/memories/${id}`],
    ['GET', `/brain/memories/${id}/history`],
    ['DELETE', `/brain/memories/${id}`],
  ] as const)
  const { status } = await callAs(world, tenant, method, path)
  if (status !== 404) world.violations.push(`${method} of a foreign id answered ${status}`)
}

const lookAtOwn: Call = async (world, tenant) => {
  const id = tenant.ids.at(-1)
  if (id === undefined) return
  await callAs(world, tenant, 'GET', `/brain/memories/${id}`)
  await callAs(world, tenant, 'GET', `/brain/memories/${id}/history`)
  if (world.random.chance(0.2)) await callAs(world, tenant, 'DELETE', `/brain/memories/${id}`)
}

const forgetForeign: Call = async (world, tenant) => {
  const ids = [foreignId(world, tenant), foreignId(world, tenant)]
  const { json } = await callAs(world, tenant, 'POST', '/brain/forget', { body: { ids } })
  if (json.chunks !== 0 || json.relations !== 0) world.violations.push('foreign ids were forgotten')
  await callAs(world, tenant, 'POST', '/brain/forget', { body: { entity: otherThan(world, tenant).canary } })
}

const forgetEntity: Call = async (world, tenant) => {
  const entity = anyOf(world, commonNames)
  await callAs(world, tenant, 'POST', '/brain/forget', { body: { entity } })
  const left = (await listAll(world, tenant)).filter(({ triple }) => {
    const { subject, object } = (triple ?? {}) as { subject?: string; object?: string }
    return subject === entity || object === entity
  })
  if (left.length > 0) world.violations.push(`${tenant.canary} forgot ${entity} and still knows it`)
}

const forgetOwn: Call = async (world, tenant) => {
  const body = world.random.pick([
    { session_id: anyOf(world, sessions) },
    { session_id: anyOf(world, sessions) },
    { persona: anyOf(world, personas) },
    { everything: true },
  ])
  await callAs(world, tenant, 'POST', '/brain/forget', { body })
}

const stats: Call = async (world, tenant) => {
  const persona = anyOf(world, [...personas, '*'])
  const body = { user_id: otherThan(world, tenant).canary, persona }
  await callAs(world, tenant, 'POST', '/brain/stats', { body })
}

/** Ran for it, or for its whole account, in the last ten minutes. */
function ranRecently({ runs }: Tenant, persona: string | null, now: number): boolean {
  return [persona, null].some((scope) => now - (runs.get(scope) ?? Number.NEGATIVE_INFINITY) < 600)
}

const consolidate: Call = async (world, tenant) => {
  const persona = world.random.chance(0.4) ? anyOf(world, personas) : null
  const force = world.random.chance(0.3)
  const now = world.service.clock.now()
  const expected = !force && ranRecently(tenant, persona, now)
  const { json } = await callAs(world, tenant, 'POST', '/brain/consolidate', { body: { persona, force } })
  if (json.skipped !== expected) world.violations.push(`a run of ${tenant.canary}: skipped ${json.skipped}`)
  if (json.skipped === false) tenant.runs.set(persona, now)
}

const prune: Call = async (world, tenant) => {
  const { random } = world
  const persona = random.chance(0.6) ? anyOf(world, personas) : null
  const body = { threshold: random.pick([0.05, 0.5, 0.9, 1]), dry_run: random.chance(0.7), persona }
  await callAs(world, tenant, 'POST', '/brain/prune', { body })
}

/** What tenants do, and how often. */
const weights: readonly (readonly [weight: number, call: Call])[] = [
  [22, ingestOwn],
  [8, ingestCommon],
  [5, ingestBatch],
  [26, retrieve],
  [4, graphQa],
  [6, list],
  [10, lookAtForeign],
  [4, lookAtOwn],
  [3, forgetForeign],
  [1, forgetEntity],
  [2, forgetOwn],
  [3, stats],
  [4, consolidate],
  [2, prune],
]

const wheel = weights.flatMap(([weight, call]) => Array.from({ length: weight }, () => call))

/** Any call of a tenant. */
export function anyCall(world: World): Call {
  return anyOf(world, wheel)
}
