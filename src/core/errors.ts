/** Every failure the service knows. How each is shown to a caller is one table, in http/problem.ts. */
export type FailureCode =
  | 'invalid_request'
  | 'key_rejected'
  | 'admin_rejected'
  | 'link_rejected'
  | 'host_refused'
  | 'origin_refused'
  | 'not_found'
  | 'method_not_allowed'
  | 'plan_required'
  | 'rate_limit_exceeded'
  | 'monthly_limit_exceeded'
  | 'unsupported_media_type'
  | 'body_too_large'
  | 'request_timeout'
  | 'idempotency_conflict'
  | 'idempotency_mismatch'
  | 'models_loading'
  | 'store_unavailable'
  | 'storage_full'
  | 'embedder_unavailable'
  | 'llm_unavailable'
  | 'overloaded'
  | 'shutting_down'
  | 'deadline_exceeded'

export interface FieldProblem {
  /** Where in the request, as `items.3.text`. */
  readonly path: string
  readonly message: string
}

/** How near a caller is to its limit of requests per minute. */
export interface RateState {
  readonly limit: number
  /** Calls that would be admitted now. */
  readonly remaining: number
  /** Whole seconds until it is more. */
  readonly resetSeconds: number
}

export interface FailureFacts {
  /** One sentence for a person; the table's sentence when absent. */
  readonly detail?: string
  readonly errors?: readonly FieldProblem[]
  readonly retryAfterSeconds?: number
  /** Of a call that is one too many. */
  readonly rate?: RateState
  /** Further fields of the reply body, already in the wire's snake_case. */
  readonly extra?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

/** A failure we know. Anything else that is thrown is a bug: 500, and a request id for the caller. */
export class ServiceError extends Error {
  readonly code: FailureCode
  readonly facts: FailureFacts

  constructor(code: FailureCode, facts: FailureFacts = {}) {
    super(facts.detail ?? code, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.name = 'ServiceError'
    this.code = code
    this.facts = facts
  }
}

/** A request of which one field is wrong; the message begins with its name. */
export function invalidField(path: string, message: string): ServiceError {
  return new ServiceError('invalid_request', { detail: `${message}.`, errors: [{ path, message }] })
}
