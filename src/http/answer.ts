import { createHash } from 'node:crypto'
import type { Accounts } from '../accounts/accounts.ts'
import type { ClientCounts } from '../accounts/client-counts.ts'
import type { Caller, Gate } from '../accounts/gate.ts'
import type { IdempotencyStore } from '../accounts/ports.ts'
import { tiers } from '../accounts/tiers.ts'
import type { AccountRecords } from '../archive/account-records.ts'
import type { Clock } from '../core/clock.ts'
import { invalidField, type RateState, ServiceError } from '../core/errors.ts'
import type { Memory } from '../memory/memory.ts'
import type { Metrics } from '../observe/metrics.ts'
import { readJson } from './body.ts'
import { clientOf } from './callers.ts'
import { keysOf } from './credentials.ts'
import type { Health } from './health.ts'
import { isServerFailure } from './problem.ts'
import type { Answer, ContextOf, Prepared, RawInput, Route, RouteOf } from './route.ts'
import { type Capacity, type Line, type Queued, withDeadline } from './work.ts'

/** What the checks before the work need. */
export interface GateParts {
  readonly gate: Gate
  readonly accounts: Accounts
  readonly records: AccountRecords
  readonly clients: ClientCounts
  readonly idempotency: IdempotencyStore
  readonly health: Health
  /** Null while the models are loading. */
  readonly memory: () => Memory | null
  readonly capacity: Capacity
  readonly metrics: Metrics
  readonly clock: Clock
  /** How long one call of the LLM may take; 0 without one. */
  readonly llmTimeoutMs: number
}

/** A request whose route is known. */
export interface Arrival {
  readonly request: Request
  readonly params: Readonly<Record<string, string>>
  /** Told who is asking, as soon as that is known. */
  readonly identified: (account: string) => void
  /** Told how near the caller is to its rate limit, as soon as that is known. */
  readonly rated: (rate: RateState | null) => void
}

export type KeyContext = ContextOf['key']

/**
 * A tenant's request, through the checks in their order: key, loading, rate, plan, form, batch size, free answers,
 * budget, work. The first four look at the head alone: the body of a refused request is never read.
 */
export async function answerTenant(
  parts: GateParts,
  route: RouteOf<'key'>,
  arrival: Arrival,
): Promise<Answer> {
  // What an LLM reads takes seconds, in which a place would stand empty. Only the body says whether it is asked for.
  const context = await admitted(parts, arrival, parts.llmTimeoutMs > 0 ? null : route.line)
  requirePlan(parts, route, context)
  const replayKey = route.replayable ? replayKeyOf(arrival.request.headers) : null
  return work(parts, route, await readInput(route, arrival), context, replayKey)
}

/** A route's work for a caller that has been admitted already, as by a request that holds several calls. */
export async function answerAdmitted(
  parts: GateParts,
  route: RouteOf<'key'>,
  input: RawInput,
  context: KeyContext,
): Promise<Answer> {
  requirePlan(parts, route, context)
  return work(parts, route, input, context, null)
}

/** Key, loading, rate. Refuses what has no room in its line, if it is known. */
export async function admitted(
  parts: GateParts,
  { request, identified, rated }: Omit<Arrival, 'params'>,
  line: Line | null = null,
): Promise<KeyContext> {
  const caller = await parts.gate.authenticate(keysOf(request.headers))
  identified(caller.account)
  const memory = requireAvailable(parts, { line, account: caller.account })
  const rate = await parts.gate.admit(caller)
  rated(rate)
  parts.clients.note(caller.account, clientOf(request.headers))
  return {
    ...{ caller, namespace: caller.namespace, memory, modelsLoaded: true },
    ...{ now: parts.clock.now(), headers: request.headers, signal: request.signal },
    usage: () => usageOf(parts, caller, rate),
    texts: (cursor) => parts.records.texts(caller.namespace, cursor),
  }
}

function requirePlan({ gate }: GateParts, { requiredTier }: RouteOf<'key'>, { caller }: KeyContext): void {
  if (requiredTier !== null) gate.requirePlan(caller, requiredTier)
}

async function work(
  parts: GateParts,
  route: RouteOf<'key'>,
  input: RawInput,
  context: KeyContext,
  replayKey: string | null,
): Promise<Answer> {
  const prepared = route.prepare(input)
  requireBatchSize(context.caller.tier, prepared)
  const free = await prepared.free(context)
  if (free !== null) return free
  const line = prepared.llmCalls > 0 && parts.llmTimeoutMs > 0 ? null : route.line
  const load = { weight: prepared.items, line, account: context.caller.account, signal: context.signal }
  return parts.capacity.run(load, () =>
    replayKey === null
      ? charged(parts, route, prepared, context)
      : replayed(parts, replayKey, prepared, context, () => charged(parts, route, prepared, context)),
  )
}

async function usageOf({ accounts, clients }: GateParts, { account }: Caller, rate: RateState | null) {
  const used = await accounts.usage(account)
  if (used === null) throw new ServiceError('key_rejected')
  return {
    ...{ account, tier: used.tier, month: used.month, opsUsed: used.used, opsLimit: used.limit },
    opsRemaining: used.limit === null ? null : Math.max(0, used.limit - used.used),
    resetsAt: used.resetsAt,
    batchItems: tiers[used.tier].batchItems,
    rate,
    clients: (await clients.of(account)).map(({ client, calls, lastAt }) => ({
      ...{ client, calls, lastCallAt: lastAt },
    })),
  }
}

function requireAvailable({ memory, capacity, health }: GateParts, queued: Queued): Memory {
  const loaded = memory()
  if (loaded === null)
    throw new ServiceError(health.models() === 'loaded' ? 'store_unavailable' : 'models_loading')
  capacity.check(queued)
  return loaded
}

/** Path, query and body, as far as the route takes them. */
export async function readInput(route: Route, { request, params }: Arrival): Promise<RawInput> {
  return {
    params,
    query: route.query === null ? null : queryOf(request.url),
    body: route.body === null ? null : await readJson(request, route),
  }
}

function queryOf(address: string): Record<string, string> {
  const pairs = new URL(address).searchParams
  const query: Record<string, string> = Object.create(null)
  for (const [name, value] of pairs) {
    if (name in query) {
      throw invalidField(name, `${name} is given more than once`)
    }
    query[name] = value
  }
  return { ...query }
}

function requireBatchSize(
  tier: keyof typeof tiers,
  { items, itemsField: path }: Pick<Prepared<KeyContext>, 'items' | 'itemsField'>,
): void {
  const { title, batchItems } = tiers[tier]
  if (items >= 1 && items <= batchItems) return
  const message =
    items === 0
      ? `${path} is empty: a batch on tier ${title} takes 1 to ${batchItems} items`
      : `${path} has ${items} entries: a batch on tier ${title} takes at most ${batchItems} items`
  throw invalidField(path, message)
}

/** Takes the ops, works, and gives them back when the server failed or there was nothing to do. */
async function charged(
  { gate, metrics, llmTimeoutMs }: GateParts,
  route: RouteOf<'key'>,
  prepared: Prepared<KeyContext>,
  context: KeyContext,
): Promise<Answer> {
  const reservation = await gate.reserve(context.caller, prepared.ops)
  metrics.charged(prepared.ops)
  const giveBack = async () => {
    await reservation.refund()
    metrics.refunded(prepared.ops)
  }
  try {
    const deadlineMs = route.deadlineMs + prepared.llmCalls * llmTimeoutMs
    const answer = await withDeadline(context.signal, deadlineMs, (signal) =>
      prepared.run({ ...context, signal }),
    )
    if (!answer.isIdle) reservation.settle()
    else await giveBack()
    return answer
  } catch (error) {
    // A caller that hangs up pays for the work it asked for; everything that is our fault is free.
    if (!isServerFailure(error) || context.signal.aborted) reservation.settle()
    else await giveBack()
    throw error
  }
}

/** The request's `Idempotency-Key`; null without one. */
function replayKeyOf(headers: Headers): string | null {
  const key = headers.get('idempotency-key')
  if (key === null) return null
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw invalidField('Idempotency-Key', 'Idempotency-Key must be 1 to 255 printable ASCII characters')
}

/** Does the work once per key: the same request again gets the same reply, and costs nothing. */
async function replayed(
  { idempotency, clock }: GateParts,
  key: string,
  prepared: Prepared<KeyContext>,
  { caller: { account } }: KeyContext,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const bodyHash = createHash('sha256').update(prepared.fingerprint).digest('hex')
  const entry = await idempotency.begin({ account, key, bodyHash, now: clock.now() })
  if (entry.state === 'running') throw new ServiceError('idempotency_conflict')
  if (entry.state === 'mismatch') throw new ServiceError('idempotency_mismatch')
  if (entry.state === 'done') {
    return {
      status: entry.status as Answer['status'],
      headers: { 'idempotency-replayed': 'true' },
      body: JSON.parse(entry.body),
    }
  }
  try {
    const answer = await work()
    await idempotency.finish({ account, key, status: answer.status, body: JSON.stringify(answer.body) })
    return answer
  } catch (error) {
    await idempotency.abandon({ account, key })
    throw error
  }
}
