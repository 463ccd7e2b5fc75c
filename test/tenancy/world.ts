import type { Random } from '../faults/support/random.ts'
import type { CallOptions, Reply, TestService } from '../harness.ts'
import { foreignCanaries, personas, sessions, type Tenant } from './tenants.ts'

/** The service, its tenants, and every promise that was found broken. */
export interface World {
  readonly service: TestService
  readonly random: Random
  readonly tenants: readonly Tenant[]
  readonly violations: string[]
  readonly counts: Map<string, number>
}

interface Listed {
  readonly memories: readonly Record<string, unknown>[]
  readonly next_cursor: string | null
}

/** A call of one tenant. Whatever it asks, the reply must be free of others' canaries and of server failures. */
export async function callAs(
  { service, violations, counts }: World,
  tenant: Tenant,
  method: string,
  path: string,
  options: Omit<CallOptions, 'key'> = {},
): Promise<Reply> {
  const reply = await service.call(method, path, { ...options, key: tenant.key })
  const address = path
    .replace(/\?.*/, '')
    .replace(/agent\/[^/]+/, 'agent/{name}')
    .replace(/documents\/.+/, 'documents/{path}')
  const route = `${method} ${address.replace(/memories\/(?!add\/|search\/)[^/]+/, 'memories/{id}')}`
  counts.set(route, (counts.get(route) ?? 0) + 1)
  const seen = foreignCanaries(reply.text, tenant)
  if (seen.length > 0) violations.push(`${route} showed ${tenant.canary} ${seen[0]}`)
  if (reply.status >= 500) {
    const reason = service.lines.findLast((line) => line.includes('"err')) ?? reply.text
    violations.push(`${route} answered ${reply.status}: ${reason.slice(0, 600)}`)
  }
  return reply
}

/** Ids that a reply shows become known: to their owner, and to everybody who guesses. */
export function noteIds(tenant: Tenant, shown: unknown): void {
  if (!Array.isArray(shown)) return
  for (const { id } of shown) if (typeof id === 'string') tenant.ids.push(id)
  if (tenant.ids.length > 60) tenant.ids.splice(0, tenant.ids.length - 60)
}

/** Everything that the lists show of a tenant. */
export async function listAll(world: World, tenant: Tenant): Promise<readonly Record<string, unknown>[]> {
  const memories: Record<string, unknown>[] = []
  let cursor: string | null = null
  do {
    const rest: string = cursor === null ? '' : `&cursor=${cursor}`
    const page = (await callAs(world, tenant, 'GET', `/brain/memories?limit=100${rest}`))
      .json as unknown as Listed
    memories.push(...(page.memories ?? []))
    cursor = page.next_cursor ?? null
  } while (cursor !== null)
  return memories
}

/** What must not change while a tenant is silent. */
export interface Snapshot {
  readonly memories: string
  readonly counts: string
  readonly sessions: string
}

/** Access counts are written in the background; a prune of anybody writes them all first. */
export async function settleAccesses(world: World): Promise<void> {
  const [first] = world.tenants
  if (first !== undefined) await callAs(world, first, 'POST', '/brain/prune', { body: { dry_run: true } })
}

/** What the store shows of a tenant, and whether its own numbers agree with each other. */
export async function snapshot(world: World, tenant: Tenant): Promise<Omit<Snapshot, 'sessions'>> {
  const memories = await listAll(world, tenant)
  const counts: Record<string, unknown> = {}
  for (const persona of [...personas, '*']) {
    const body = { user_id: 'me', persona }
    counts[persona] = (await callAs(world, tenant, 'POST', '/brain/stats', { body })).json
  }
  const whole = counts['*'] as Record<string, number>
  const names = new Set(
    memories.flatMap(({ triple }) => {
      const { subject = '', object = '' } = (triple ?? {}) as { subject?: string; object?: string }
      return triple === null ? [] : [subject.toLowerCase(), object.toLowerCase()]
    }),
  )
  const of = (type: string) => memories.filter((memory) => memory.type === type).length
  const agrees =
    whole.episodic_count === of('episodic') &&
    whole.semantic_relations === of('semantic') &&
    (whole.semantic_entities ?? 0) >= names.size
  if (!agrees) world.violations.push(`the counts of ${tenant.canary} and its list do not agree`)
  const lasting = memories.map(({ retention: _, ...memory }) => memory)
  return { memories: JSON.stringify(lasting), counts: JSON.stringify(counts) }
}

/** The hot facts of a tenant's sessions. Asking counts as an access. */
export async function sessionFacts(world: World, tenant: Tenant): Promise<string> {
  const found: unknown[] = []
  for (const session_id of sessions) {
    const body = { query: 'what was said', session_id, k: 20, min_score: 0 }
    const only = { include_episodic: false, include_semantic: false }
    const { json } = await callAs(world, tenant, 'POST', '/brain/retrieve', { body: { ...body, ...only } })
    const facts = Array.isArray(json.facts) ? json.facts : []
    found.push(facts.map(({ id, fact, score }) => ({ id, fact, score })))
  }
  return JSON.stringify(found)
}
