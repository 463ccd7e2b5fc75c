import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { z } from 'zod'
import type { Accounts } from '../accounts/accounts.ts'
import type { Caller } from '../accounts/gate.ts'
import type { TierName } from '../accounts/tiers.ts'
import type { AccountRecords, ExportPage } from '../archive/account-records.ts'
import type { Seconds } from '../core/clock.ts'
import { type FieldProblem, ServiceError } from '../core/errors.ts'
import type { Namespace } from '../core/ids.ts'
import type { Memory } from '../memory/memory.ts'
import type { Health } from './health.ts'
import { misspeltIn } from './misspelt.ts'
import type { usageReply } from './routes/account-replies.ts'
import { fromWire, type Inside, toWire } from './wire.ts'
import type { Line } from './work.ts'

/** A reply before it becomes HTTP. `body` is in the wire's names. */
export interface Answer {
  readonly status: ContentfulStatusCode | 304
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Sent as it is, in place of `body`; the headers say what it is. Empty: nothing is sent. */
  readonly raw?: string
  /** No work was done: it costs nothing. */
  readonly isIdle?: boolean
}

/** Who may call a route: anybody, a tenant with a key, or the operator with the admin token. */
export type Auth = 'none' | 'key' | 'admin'

/** What a route's work may use, by who may call it: an admin route cannot reach a memory, nor a tenant the accounts. */
export interface ContextOf {
  none: { readonly health: Health }
  key: {
    readonly caller: Caller
    readonly namespace: Namespace
    readonly memory: Memory
    readonly modelsLoaded: boolean
    /** What the caller has used, and what is left. */
    readonly usage: () => Promise<Inside<z.input<typeof usageReply>>>
    /** A page of everything that was told in its namespace. */
    readonly texts: (cursor: string | null) => Promise<ExportPage>
    readonly now: Seconds
    /** The request's own; an ETag that the caller has, for example. */
    readonly headers: Headers
    readonly signal: AbortSignal
  }
  admin: { readonly accounts: Accounts; readonly records: AccountRecords }
}

/** What arrived, parsed as JSON and as a query string, but not yet checked. */
export interface RawInput {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}

/** A checked request: what it costs, and the work itself. */
export interface Prepared<Context> {
  readonly ops: number
  /** Texts in it: what the plan's batch size limits, and how much of the server's capacity it takes. */
  readonly items: number
  /** The field that holds them. */
  readonly itemsField: string
  /** Calls of an LLM that it may make one after the other: the deadline grows by the time of each. */
  readonly llmCalls: number
  /** Equal for equal requests. */
  readonly fingerprint: string
  /** An answer that costs nothing, or null when work is needed. */
  free(context: Context): Promise<Answer | null>
  run(context: Context): Promise<Answer>
}

interface Method {
  GET: 'without body'
  DELETE: 'without body'
  POST: 'with body'
  PATCH: 'with body'
  PUT: 'with body'
}

/** A route as a value: it is mounted, documented and tested from this alone. */
export interface RouteOf<Kind extends Auth> {
  readonly method: keyof Method
  /** With parameters as `{id}`. */
  readonly path: `/${string}`
  readonly auth: Kind
  /** What clients made from the API document call it. */
  readonly operationId: string
  readonly summary: string
  readonly description: string
  /** The cost as the documentation says it. */
  readonly costText: string
  readonly requiredTier: TierName | null
  readonly status: ContentfulStatusCode
  readonly params: z.ZodType | null
  readonly query: z.ZodType | null
  readonly body: z.ZodType | null
  readonly bodyBytes: number
  /** An empty body means `{}`. */
  readonly mayBeEmpty: boolean
  /** Takes an `Idempotency-Key`. */
  readonly replayable: boolean
  /** An agent's hook: its reply keeps the agent's names, and a failure of the server, which must not stop the agent, is `{}`. */
  readonly isHook: boolean
  /** Without what an LLM takes, and without waiting for its turn. */
  readonly deadlineMs: number
  /** Where it waits for its turn. */
  readonly line: Line | null
  readonly reply: z.ZodType
  /** Where what is sent is not the reply as JSON: its type. */
  readonly rawType: string | null
  /** A request body, or a query where there is no body, that works as pasted; null where none is needed. */
  readonly example: unknown
  /** Throws `invalid_request` naming every field that is wrong. */
  prepare(raw: RawInput): Prepared<ContextOf[Kind]>
}

export type Route = { [Kind in Auth]: RouteOf<Kind> }[Auth]

type Schema = z.ZodType
type Output<S extends Schema | null> = S extends Schema ? Inside<z.output<S>> : null

interface Input<Params extends Schema | null, Query extends Schema | null, Body extends Schema | null> {
  readonly params: Output<Params>
  readonly query: Output<Query>
  readonly body: Output<Body>
}

/** Fields that every route states; those with a mark have a sensible default. */
interface Definition<
  Kind extends Auth,
  Verb extends keyof Method,
  Path extends `/${string}`,
  Params extends Schema | null,
  Query extends Schema | null,
  Body extends Schema | null,
  Reply extends Schema,
> {
  readonly method: Verb
  readonly path: Path
  readonly auth: Kind
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly cost: Kind extends 'key' ? number | Cost<Input<Params, Query, Body>> : 0
  readonly requiredTier?: TierName
  readonly status?: ContentfulStatusCode
  readonly params: Path extends `${string}{${string}` ? Params & Schema : null
  readonly query: Query
  readonly body: Method[Verb] extends 'with body' ? Body & Schema : null
  readonly bodyBytes?: number
  readonly mayBeEmpty?: boolean
  readonly replayable?: boolean
  readonly isHook?: boolean
  readonly deadlineMs?: number
  readonly line?: Line
  readonly reply: Reply
  readonly example?: unknown
  readonly items?: (input: Input<Params, Query, Body>) => number
  readonly itemsField?: string
  readonly llmCalls?: (input: Input<Params, Query, Body>) => number
  readonly free?: (
    input: Input<Params, Query, Body>,
    context: ContextOf[Kind],
  ) => Promise<Inside<z.input<Reply>> | null>
  readonly handle: (
    input: Input<Params, Query, Body>,
    context: ContextOf[Kind],
  ) => Promise<Inside<z.input<Reply>>> | Inside<z.input<Reply>>
  /** Whether a reply shows that no work was done: then the ops are given back. */
  readonly isIdle?: (reply: Inside<z.input<Reply>>) => boolean
  readonly headers?: (reply: Inside<z.input<Reply>>) => Readonly<Record<string, string>>
  /** What is sent in place of the reply as JSON, and with which status. */
  readonly raw?: (
    reply: Inside<z.input<Reply>>,
    context: ContextOf[Kind],
  ) => { readonly status: ContentfulStatusCode | 304; readonly text: string }
  /** The type of what `raw` sends. */
  readonly rawType?: string
}

interface Cost<Checked> {
  readonly text: string
  readonly of: (input: Checked) => number
}

const defaultBodyBytes = 256 * 1024
/** Longer than any honest single call takes on a slow machine, shorter than a client's patience. */
const defaultDeadlineMs = 60_000

/** Makes a route from its definition. Without a reply schema, a body schema (POST, PATCH) or a cost it does not compile. */
export function defineRoute<
  Kind extends Auth,
  Verb extends keyof Method,
  const Path extends `/${string}`,
  Params extends Schema | null,
  Query extends Schema | null,
  Body extends Schema | null,
  Reply extends Schema,
>(definition: Definition<Kind, Verb, Path, Params, Query, Body, Reply>): RouteOf<Kind> {
  const cost: number | Cost<Input<Params, Query, Body>> = definition.cost
  const { free, handle, headers, isIdle, items, itemsField = 'items', llmCalls, raw, ...facts } = definition
  const misspelt = [
    ...(definition.query === null ? [] : [{ of: 'query' as const, find: misspeltIn(definition.query) }]),
    ...(definition.body === null ? [] : [{ of: 'body' as const, find: misspeltIn(definition.body) }]),
  ]
  const answer = (
    reply: Inside<z.input<Reply>>,
    warnings: readonly string[],
    context: ContextOf[Kind],
  ): Answer => {
    const sent = raw?.(reply, context)
    return {
      status: sent?.status ?? definition.status ?? 200,
      headers: headers?.(reply) ?? {},
      body: definition.isHook ? reply : withWarnings(toWire(reply), warnings),
      ...(sent === undefined ? {} : { raw: sent.text }),
      ...(isIdle?.(reply) ? { isIdle: true } : {}),
    }
  }
  return {
    description: '',
    requiredTier: null,
    status: 200,
    bodyBytes: defaultBodyBytes,
    mayBeEmpty: false,
    replayable: false,
    isHook: false,
    deadlineMs: defaultDeadlineMs,
    line: null,
    example: null,
    rawType: null,
    ...facts,
    costText: typeof cost === 'number' ? String(cost) : cost.text,
    prepare: (raw) => {
      const warnings = misspelt.flatMap(({ of, find }) => find(raw[of]))
      const parsed = hinting(warnings, () => ({
        params: checked(definition.params, raw.params),
        query: checked(definition.query, raw.query),
        body: checked(definition.body, raw.body),
      }))
      const input = fromWire(parsed) as unknown as Input<Params, Query, Body>
      return {
        ops: typeof cost === 'number' ? cost : cost.of(input),
        items: items?.(input) ?? 1,
        itemsField,
        llmCalls: llmCalls?.(input) ?? 0,
        fingerprint: JSON.stringify([definition.path, parsed]),
        free: async (context) => {
          const reply = await free?.(input, context)
          return reply === null || reply === undefined ? null : answer(reply, warnings, context)
        },
        run: async (context) => answer(await handle(input, context), warnings, context),
      }
    },
  }
}

function withWarnings(body: unknown, warnings: readonly string[]): unknown {
  return warnings.length === 0 ? body : { ...(body as object), warnings }
}

/** What is refused says, too, which fields look misspelt: one of them may be what is missing. */
function hinting<Parsed>(hints: readonly string[], parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (error) {
    if (hints.length === 0 || !(error instanceof ServiceError)) throw error
    const { detail = '', ...facts } = error.facts
    throw new ServiceError(error.code, { ...facts, detail: [detail, ...hints].join(' ') })
  }
}

/** The value in the schema's form; throws `invalid_request` naming every field that is wrong. */
export function checked<Checked extends Schema | null>(
  schema: Checked,
  value: unknown,
): Checked extends Schema ? z.output<Checked> : null
export function checked(schema: Schema | null, value: unknown): unknown {
  if (schema === null) return null
  const outcome = schema.safeParse(value)
  if (outcome.success) return outcome.data
  const errors = outcome.error.issues.map(toFieldProblem)
  throw new ServiceError('invalid_request', { detail: sentence(errors), errors })
}

function toFieldProblem(issue: z.core.$ZodIssue): FieldProblem {
  return { path: issue.path.join('.'), message: issue.message }
}

/** One sentence a person can act on: the first problem, where it is, and how many more there are. */
function sentence(errors: readonly FieldProblem[]): string {
  const [first, ...others] = errors
  if (first === undefined) return 'The request is invalid.'
  const place = first.path.includes('.') ? ` (at ${first.path})` : ''
  const more =
    others.length === 0
      ? ''
      : ` There ${others.length === 1 ? 'is 1 more problem' : `are ${others.length} more problems`}.`
  return `${first.message}${place}.${more}`
}
