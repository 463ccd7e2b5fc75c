import type { components } from './types.gen.ts'

/** What the server says about a failure. */
export type Problem = components['schemas']['Problem']

/** Every failure of this client. */
export class MemorydError extends Error {
  override readonly name: string = 'MemorydError'
}

/** No answer came: refused, cut off or never there. */
export class ConnectionError extends MemorydError {
  override readonly name: string = 'ConnectionError'
}

/** No answer came in time. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

/** The server answered that it did not do it. */
export class ApiError extends MemorydError {
  override readonly name: string = 'ApiError'
  readonly status: number
  readonly headers: Headers
  readonly problem: Problem

  constructor(status: number, headers: Headers, problem: Problem) {
    super(`${problem.detail} (HTTP ${status})`)
    this.status = status
    this.headers = headers
    this.problem = problem
  }

  /** The code for programs, such as `rate_limited`. */
  get code(): string | undefined {
    return this.problem.error
  }

  /** The fields that are wrong. */
  get fields(): NonNullable<Problem['errors']> {
    return this.problem.errors ?? []
  }

  get requestId(): string | null {
    return this.headers.get('x-request-id')
  }
}

/** 400: the request is wrong; `fields` names what. */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError'
}

/** 401: no key, or one that is not known. */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError'
}

/** 403: the plan or the origin does not allow it. */
export class PermissionError extends ApiError {
  override readonly name = 'PermissionError'
}

/** 404 */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError'
}

/** 409: the same request is still being worked on. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError'
}

/** 422: the idempotency key was used for another request. */
export class UnprocessableError extends ApiError {
  override readonly name = 'UnprocessableError'
}

/** 429: too many requests, or the month's operations are used up. */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError'
}

/** 5xx */
export class ServerError extends ApiError {
  override readonly name = 'ServerError'
}

const classes: Readonly<Record<number, typeof ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  422: UnprocessableError,
  429: RateLimitError,
}

export function apiError(status: number, headers: Headers, body: unknown): ApiError {
  const Class = classes[status] ?? (status >= 500 ? ServerError : ApiError)
  return new Class(status, headers, problemOf(body))
}

/** Something between client and server may answer in its own words. */
function problemOf(body: unknown): Problem {
  if (typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string')
    return body as Problem
  return { detail: typeof body === 'string' && body !== '' ? body.slice(0, 200) : 'no details were given' }
}
