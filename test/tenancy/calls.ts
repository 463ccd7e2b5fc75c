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

/** Shows what is stored beside the text: what it repeats and replaces. */
const extract: Call = async (world, tenant) => {
  const other = otherThan(world, tenant)
  const text = world.random.pick([anyOf(world, commonTexts), ownText(tenant, world.random)])
  const body = { ...anItem(world, tenant, text), use_llm_extraction: false, user_id: other.canary }
  await callAs(world, tenant, 'POST', '/brain/extract', { body })
}

/** Names that every tenant gives to its own things. */
const externalIds = ['note-1', 'note-2', 'mail']
const paths = ['notes/today.md', 'notes/plan.md', 'readme']

/** Under the same ids as everybody, of the past, or as a conversation. */
const ingestNamed: Call = async (world, tenant) => {
  const { random, service } = world
  const { text, source: _source, ...shared } = anItem(world, tenant, ownText(tenant, random))
  const said = ownText(tenant, random)
  const form = random.pick([
    { text },
    {
      messages: [
        { role: 'user', content: text },
        { role: 'assistant', content: said, name: 'Nickname' },
      ],
    },
  ])
  const body = {
    ...{ ...shared, ...form, external_id: random.chance(0.7) ? anyOf(world, externalIds) : null },
    occurred_at: random.chance(0.5) ? service.clock.now() - random.below(1_000_000) : null,
  }
  const { json } = await callAs(world, tenant, 'POST', '/brain/ingest', { body })
  noteIds(tenant, json.facts)
}

/** Everybody keeps, reads and deletes documents of the same names. */
const documents: Call = async (world, tenant) => {
  const { random } = world
  const path = `/brain/documents/${anyOf(world, paths)}?persona=${anyOf(world, personas)}`
  const content = `# ${tenant.canary}\n\n${ownText(tenant, random)}\n`
  const way = random.below(10)
  if (way < 4) await callAs(world, tenant, 'PUT', path, { body: { content } })
  else if (way < 8) {
    const { status, text } = await callAs(world, tenant, 'GET', path)
    if (status === 200 && !text.includes(tenant.canary)) world.violations.push(`${path} is not its own`)
  } else if (way === 8) await callAs(world, tenant, 'GET', '/brain/documents?prefix=notes/')
  else await callAs(world, tenant, 'DELETE', path)
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

/** Finds one's own mark, another's, or what has none. */
function aFilter(world: World, tenant: Tenant) {
  return world.random.pick([
    { mark: tenant.canary },
    { mark: otherThan(world, tenant).canary },
    { mark: { in: [tenant.canary, otherThan(world, tenant).canary] } },
    { mark: { exists: false } },
    { not: { mark: tenant.canary } },
    { or: [{ mark: otherThan(world, tenant).canary }, { mark: { exists: true } }] },
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
    since: random.chance(0.2) ? world.service.clock.now() - random.below(5_000) : null,
    until: random.chance(0.1) ? world.service.clock.now() - random.below(500) : null,
    as_of: random.chance(0.2) ? world.service.clock.now() - random.below(5_000) : null,
    filter: random.chance(0.3) ? aFilter(world, tenant) : null,
    max_tokens: random.chance(0.2) ? 1 + random.below(400) : null,
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
  if (random.chance(0.3)) query.set('filter', JSON.stringify(aFilter(world, tenant)))
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
  const [method, path, body] = world.random.pick([
    ['GET', `/brain/memories/${id}`],
    ['GET', `/brain/memories/${id}/history`],
    ['DELETE', `/brain/memories/${id}`],
    ['PATCH', `/brain/memories/${id}`, { pinned: true }],
    ['PATCH', `/brain/memories/${id}`, { text: ownText(tenant, world.random) }],
  ] as const)
  const { status } = await callAs(world, tenant, method, path, body === undefined ? {} : { body })
  if (status !== 404) world.violations.push(`${method} of a foreign id answered ${status}`)
}

const lookAtOwn: Call = async (world, tenant) => {
  const id = tenant.ids.at(-1)
  if (id === undefined) return
  await callAs(world, tenant, 'GET', `/brain/memories/${id}`)
  await callAs(world, tenant, 'GET', `/brain/memories/${id}/history`)
  const body = world.random.pick([
    { pinned: true },
    { pinned: false },
    { text: ownText(tenant, world.random) },
  ])
  if (world.random.chance(0.3)) await callAs(world, tenant, 'PATCH', `/brain/memories/${id}`, { body })
  if (world.random.chance(0.2)) await callAs(world, tenant, 'DELETE', `/brain/memories/${id}`)
}

/** Everybody has the same users and runs, and agents of their own. */
function mem0Scope(world: World, agent_id: string) {
  const { random } = world
  return {
    ...(random.chance(0.6) ? { user_id: random.pick(['work', 'home']) } : {}),
    ...(random.chance(0.4) ? { run_id: anyOf(world, sessions) } : {}),
    ...(random.chance(0.3) ? { agent_id } : {}),
  }
}

const mem0: Call = async (world, tenant) => {
  const { random } = world
  const filters = mem0Scope(world, random.pick([tenant, otherThan(world, tenant)]).canary)
  const own = tenant.ids.at(-1) ?? 'none'
  const [method, path, body] = random.pick([
    [
      'POST',
      'v3/memories/add/',
      {
        ...mem0Scope(world, tenant.canary),
        messages: [{ role: 'user', content: ownText(tenant, random) }],
        metadata: { mark: tenant.canary },
        infer: random.chance(0.8),
      },
    ],
    ['POST', 'v3/memories/search/', { query: aQuestion(world, tenant), filters, threshold: 0, top_k: 20 }],
    ['POST', 'v3/memories/', { filters }],
    ['GET', 'v1/ping/'],
    ['GET', 'v1/entities/'],
    ['GET', `v1/memories/${own}/`],
    ['GET', `v1/memories/${own}/history/`],
    ['PUT', `v1/memories/${own}/`, { text: ownText(tenant, random) }],
  ] as const)
  const options = body === undefined ? {} : { body }
  const { json } = await callAs(world, tenant, method, `/compat/mem0/${path}`, options)
  if (path !== 'v1/entities/') noteIds(tenant, json.results)
}

const mem0Delete: Call = async (world, tenant) => {
  const scope = new URLSearchParams({ agent_id: tenant.canary, ...mem0Scope(world, tenant.canary) })
  const path = world.random.pick([`memories/?${scope}`, `memories/${tenant.ids.at(-1) ?? 'none'}/`])
  await callAs(world, tenant, 'DELETE', `/compat/mem0/v1/${path}`)
}

const mem0Foreign: Call = async (world, tenant) => {
  const id = foreignId(world, tenant)
  const agent = otherThan(world, tenant).canary
  await callAs(world, tenant, 'DELETE', `/compat/mem0/v1/memories/?agent_id=${agent}`)
  const [method, path, body] = world.random.pick([
    ['GET', `v1/memories/${id}/`],
    ['GET', `v1/memories/${id}/history/`],
    ['PUT', `v1/memories/${id}/`, { text: ownText(tenant, world.random) }],
    ['DELETE', `v1/memories/${id}/`],
    ['DELETE', `v2/entities/agent/${agent}/`],
  ] as const)
  const options = body === undefined ? {} : { body }
  const { status } = await callAs(world, tenant, method, `/compat/mem0/${path}`, options)
  if (status !== 404) world.violations.push(`mem0: ${method} of what is foreign answered ${status}`)
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
    { filter: aFilter(world, tenant), session_id: anyOf(world, sessions) },
    { everything: true },
  ])
  await callAs(world, tenant, 'POST', '/brain/forget', { body })
}

/** Shows texts and facts, so it could show another's. */
const previewForget: Call = async (world, tenant) => {
  const body = world.random.pick([
    { ids: [foreignId(world, tenant), tenant.ids.at(-1) ?? 'none'] },
    { entity: anyOf(world, commonNames) },
    { session_id: anyOf(world, sessions) },
    { persona: anyOf(world, personas) },
    { filter: aFilter(world, tenant) },
    { everything: true },
  ])
  await callAs(world, tenant, 'POST', '/brain/forget', { body: { ...body, dry_run: true } })
}

const stats: Call = async (world, tenant) => {
  const persona = anyOf(world, [...personas, '*'])
  const body = { user_id: otherThan(world, tenant).canary, persona }
  await callAs(world, tenant, 'POST', '/brain/stats', { body })
}

const look: Call = async (world, tenant) => {
  const { random } = world
  const other = otherThan(world, tenant)
  const name = random.pick([tenant.canary, other.canary, 'nickname', anyOf(world, commonNames)])
  const id = foreignId(world, tenant)
  const query = new URLSearchParams({ limit: `${1 + random.below(100)}` })
  if (random.chance(0.5)) query.set(random.pick(['prefix', 'text']), name.slice(0, 1 + random.below(9)))
  noteIds(tenant, (await callAs(world, tenant, 'GET', `/brain/entities?${query}`)).json.entities)
  const around = new URLSearchParams({ hops: `${1 + random.below(3)}` })
  if (random.chance(0.5)) around.set('entity', random.chance(0.5) ? name : id)
  else around.set('query', aQuestion(world, tenant))
  if (random.chance(0.5)) around.set('include_superseded', 'true')
  if (random.chance(0.3)) around.set('persona', anyOf(world, personas))
  const { status } = await callAs(world, tenant, 'GET', `/brain/graph?${around}`)
  const isForeign = around.get('entity') === id || around.get('entity') === other.canary
  if (isForeign && other !== tenant && status !== 404)
    world.violations.push(`the graph around a foreign entity answered ${status}`)
}

const profile: Call = async (world, tenant) => {
  const query = new URLSearchParams({ max_tokens: '5000' })
  if (world.random.chance(0.4)) query.set('persona', anyOf(world, personas))
  await callAs(world, tenant, 'GET', `/brain/profile?${query}`)
}

/** The programs that called are named by their callers: another's would show. */
const usage: Call = async (world, tenant) => {
  await callAs(world, tenant, 'GET', '/brain/usage', { headers: { 'x-client': tenant.canary } })
}

/** Everything that was told, page by page, and what of it is known: under the ids that everybody uses. */
const bring: Call = async (world, tenant) => {
  const cursors: unknown[] = []
  for (let cursor: unknown = ''; cursor !== null && cursor !== undefined; ) {
    const query = cursor === '' ? '' : `?cursor=${cursor}`
    cursor = (await callAs(world, tenant, 'GET', `/brain/export${query}`)).json.next_cursor
    if (typeof cursor === 'string') cursors.push(cursor)
  }
  const other = otherThan(world, tenant)
  const { status } = await callAs(world, other, 'GET', `/brain/export?cursor=${cursors[0]}`)
  if (other !== tenant && status !== 400) world.violations.push(`a foreign cursor answered ${status}`)
  const items = externalIds.map((external_id) => ({ text: ownText(other, world.random), external_id }))
  const { json } = await callAs(world, tenant, 'POST', '/brain/known', { body: { items } })
  if (other !== tenant && JSON.stringify(json.known) !== '[null,null,null]')
    world.violations.push(`${tenant.canary} knows the texts of another`)
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
  const dry = { dry_run: true, in_days: random.pick([0, 30]), limit: random.pick([0, 100]) }
  const how = random.chance(0.7) ? dry : { dry_run: false }
  const body = { threshold: random.pick([0.05, 0.5, 0.9, 1]), persona, ...how }
  await callAs(world, tenant, 'POST', '/brain/prune', { body })
}

/** Told are runs of one's own alone. One that is just ending, at this time of the clock, may be told or not. */
const lifecycle: Call = async (world, tenant) => {
  const persona = world.random.chance(0.4) ? anyOf(world, personas) : null
  const query = persona === null ? '' : `?${new URLSearchParams({ persona })}`
  const before = tenant.runs.get(persona) ?? null
  const { json } = await callAs(world, tenant, 'GET', `/brain/lifecycle${query}`)
  const last = (json.runs as readonly { readonly at: number }[])[0]?.at ?? null
  if (last !== before && last !== world.service.clock.now())
    world.violations.push(`the last run of ${tenant.canary} was said to be at ${last}`)
}

/** A tool of the Model Context Protocol, as an older client calls it; newer ones reach the same code. */
async function callTool(
  world: World,
  tenant: Tenant,
  name: string,
  input: Readonly<Record<string, unknown>>,
) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
  const accept = 'application/json, text/event-stream'
  const scope = world.random.chance(0.3) ? `?persona=${anyOf(world, personas)}` : ''
  const reply = await callAs(world, tenant, 'POST', `/mcp${scope}`, { body, headers: { accept } })
  const [, json = 'null'] = reply.text.match(/^data: (.+)$/m) ?? []
  return JSON.parse(json)?.result?.structuredContent as Readonly<Record<string, unknown>> | undefined
}

const mcp: Call = async (world, tenant) => {
  const session_id = anyOf(world, sessions)
  const [name, input] = world.random.pick([
    ['remember', { text: ownText(tenant, world.random), session_id }],
    ['recall', { query: aQuestion(world, tenant), k: 20, session_id }],
    ['list', { limit: 20 }],
    ['ask', { query: anInnocentQuestion(world, tenant) }],
    ['forget', { entity: otherThan(world, tenant).canary }],
    ['forget', { session_id }],
  ] as const)
  const found = await callTool(world, tenant, name, input)
  if (found === undefined) world.violations.push(`the tool ${name} did not answer ${tenant.canary}`)
  noteIds(tenant, found?.facts ?? found?.memories)
}

const mcpForeign: Call = async (world, tenant) => {
  const ids = [foreignId(world, tenant), foreignId(world, tenant)]
  const shown = await callTool(world, tenant, 'forget', { ids })
  const gone = await callTool(world, tenant, 'forget', { ids, confirm: shown?.confirm })
  for (const reply of [shown, gone]) {
    if (reply?.texts !== 0 || reply.facts !== 0)
      world.violations.push('the tool forget took foreign ids for own')
  }
}

const hook: Call = async (world, tenant) => {
  // It is stored as the tenant's own words.
  const said = ownText(tenant, world.random)
  const body = world.random.pick([
    { hook_event_name: 'UserPromptSubmit', prompt: said },
    { hook_event_name: 'Stop', last_assistant_message: ownText(tenant, world.random) },
  ])
  const path = anyOf(world, ['/hooks/claude-code', '/hooks/codex'])
  const own = { ...body, session_id: anyOf(world, sessions) }
  await callAs(world, tenant, 'POST', `${path}?persona=${anyOf(world, personas)}`, { body: own })
}

/** What tenants do, and how often. */
const weights: readonly (readonly [weight: number, call: Call])[] = [
  [22, ingestOwn],
  [8, ingestCommon],
  [5, ingestBatch],
  [3, extract],
  [6, ingestNamed],
  [6, documents],
  [26, retrieve],
  [4, graphQa],
  [6, list],
  [10, lookAtForeign],
  [4, lookAtOwn],
  [10, mem0],
  [2, mem0Delete],
  [4, mem0Foreign],
  [3, forgetForeign],
  [1, forgetEntity],
  [2, forgetOwn],
  [2, previewForget],
  [3, stats],
  [2, usage],
  [3, bring],
  [4, look],
  [2, profile],
  [4, consolidate],
  [2, prune],
  [2, lifecycle],
  [4, hook],
  [8, mcp],
  [3, mcpForeign],
]

const wheel = weights.flatMap(([weight, call]) => Array.from({ length: weight }, () => call))

/** Any call of a tenant. */
export function anyCall(world: World): Call {
  return anyOf(world, wheel)
}
