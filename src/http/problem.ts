import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { type FailureCode, ServiceError } from '../core/errors.ts'
import { rateHeaders } from './callers.ts'
import type { Answer } from './route.ts'

interface Presentation {
  readonly status: ContentfulStatusCode
  readonly detail: string
  /** Seconds a client should wait, where the failure itself does not say. */
  readonly retryAfter?: number
  /** The `error` field, for failures that clients tell apart by it. */
  readonly error?: string
}

/** How each failure looks to a caller. A new one does not compile until it has a row. */
export const presentations: Record<FailureCode, Presentation> = {
  invalid_request: { status: 400, detail: 'The request is invalid.' },
  key_rejected: { status: 401, detail: 'Invalid or inactive API key; send one in the header x-api-key.' },
  admin_rejected: { status: 401, detail: 'Invalid admin credential.' },
  link_rejected: { status: 401, detail: 'This link was used before or is too old. Sign in with the key.' },
  host_refused: {
    status: 403,
    detail: 'This address answers under the names of its own machine alone; ALLOWED_HOSTS adds others.',
    error: 'host_refused',
  },
  origin_refused: {
    status: 403,
    detail: 'This address does not answer pages of other sites; ALLOWED_ORIGINS adds some.',
    error: 'origin_refused',
  },
  not_found: { status: 404, detail: 'There is nothing at this address; GET /docs lists what there is.' },
  method_not_allowed: { status: 405, detail: 'This address does not take this method.' },
  plan_required: { status: 403, detail: 'Your plan does not include this feature.', error: 'plan_required' },
  rate_limit_exceeded: {
    status: 429,
    detail: 'Too many requests in the last minute.',
    error: 'rate_limit_exceeded',
  },
  monthly_limit_exceeded: {
    status: 429,
    detail: 'The monthly operations of your plan are used up.',
    error: 'monthly_limit_exceeded',
  },
  unsupported_media_type: { status: 415, detail: 'Send the body as uncompressed application/json.' },
  body_too_large: { status: 413, detail: 'The body is too large.' },
  request_timeout: { status: 408, detail: 'The request took too long to arrive.' },
  idempotency_conflict: {
    status: 409,
    detail: 'A request with this Idempotency-Key is still running.',
    retryAfter: 1,
    error: 'idempotency_conflict',
  },
  idempotency_mismatch: {
    status: 422,
    detail: 'This Idempotency-Key was used with another body.',
    error: 'idempotency_mismatch',
  },
  models_loading: {
    status: 503,
    detail: 'Models are still loading; retry in about 30 seconds.',
    retryAfter: 30,
  },
  store_unavailable: {
    status: 503,
    detail: 'A store cannot be reached; retry shortly.',
    retryAfter: 5,
    error: 'store_unavailable',
  },
  storage_full: {
    status: 503,
    detail: 'The storage is full; nothing was stored.',
    retryAfter: 60,
    error: 'storage_full',
  },
  embedder_unavailable: {
    status: 503,
    detail: 'The embedding model cannot be reached; retry shortly.',
    retryAfter: 5,
    error: 'embedder_unavailable',
  },
  llm_unavailable: {
    status: 503,
    detail: 'The language model did not answer; retry shortly.',
    retryAfter: 5,
    error: 'llm_unavailable',
  },
  overloaded: {
    status: 503,
    detail: 'The server is busy; retry shortly.',
    retryAfter: 1,
    error: 'overloaded',
  },
  shutting_down: {
    status: 503,
    detail: 'The server is shutting down; retry shortly.',
    retryAfter: 5,
    error: 'shutting_down',
  },
  deadline_exceeded: {
    status: 503,
    detail: 'The work took too long and was stopped; retry shortly.',
    retryAfter: 5,
    error: 'deadline_exceeded',
  },
}

/** The reply to a failure we know. */
export function problemAnswer({ code, facts }: ServiceError): Answer {
  const { status, detail, retryAfter, error } = presentations[code]
  const wait = facts.retryAfterSeconds ?? retryAfter
  return {
    status,
    headers: {
      ...(wait === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(wait))) }),
      ...rateHeaders(facts.rate),
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
    },
    body: {
      detail: facts.detail ?? detail,
      ...(error === undefined ? {} : { error }),
      ...(facts.errors === undefined ? {} : { errors: facts.errors }),
      ...facts.extra,
    },
  }
}

/** The reply to anything else: a bug on our side, of which the caller learns the request id alone. */
export function bugAnswer(requestId: string): Answer {
  const detail = `Something went wrong on our side. If it happens again, report it with request id ${requestId}.`
  return { status: 500, headers: {}, body: { detail, request_id: requestId } }
}

/** True for failures that are the server's: the caller's operations are given back. */
export function isServerFailure(error: unknown): boolean {
  return !(error instanceof ServiceError) || presentations[error.code].status >= 500
}
