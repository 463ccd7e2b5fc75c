import { ApiError, apiError, ConnectionError, MemorydError, TimeoutError } from './errors.ts'

/** What a single call may set for itself. */
export interface CallOptions {
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds for each try. */
  readonly timeout?: number | undefined
  /** Tries after the first one. */
  readonly maxRetries?: number | undefined
  /** Makes a write happen once. Each write has one of its own unless you give it. */
  readonly idempotencyKey?: string | undefined
}

export interface TransportSettings {
  readonly url: string
  readonly key: string
  readonly timeout: number
  readonly maxRetries: number
  readonly fetch: typeof globalThis.fetch
}

export interface Call extends CallOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>> | undefined
  readonly body?: unknown
  /** Sent as it is. */
  readonly content?: { readonly type: string; readonly data: string } | undefined
  /** How the reply is read; JSON unless said. */
  readonly as?: 'json' | 'text'
}

export interface Answer<T> {
  readonly data: T
  readonly headers: Headers
}

/** One request with its retries. Everything that fails is a `MemorydError`, except your own abort. */
export async function send<T>(settings: TransportSettings, call: Call): Promise<Answer<T>> {
  const retries = call.maxRetries ?? settings.maxRetries
  for (let attempt = 0; ; attempt++) {
    try {
      const response = await once(settings, call)
      if (isRedirect(response))
        throw new MemorydError(`${settings.url} leads to another address; name that one instead`)
      if (!response.ok) throw apiError(response.status, response.headers, await readProblem(response))
      return { data: (await readBody(response, call)) as T, headers: response.headers }
    } catch (error) {
      call.signal?.throwIfAborted()
      const wait = attempt < retries ? waitFor(error, attempt) : null
      if (wait === null) throw error
      await pause(wait, call.signal)
    }
  }
}

/** Milliseconds until the next try; null: there is no use in one. */
function waitFor(error: unknown, attempt: number): number | null {
  if (error instanceof ConnectionError) return backoff(attempt)
  if (!(error instanceof ApiError) || !mayRetry(error.status)) return null
  const wait = retryAfter(error.headers) ?? backoff(attempt)
  return wait > longestWait ? null : wait
}

/** A month's budget comes back later than anybody wants to wait. */
const longestWait = 60_000

/** Every write carries an idempotency key or is harmless to repeat, so a retry never does a thing twice. */
function mayRetry(status: number): boolean {
  return status === 408 || status === 409 || status === 429 || status >= 500
}

/** Half a second, doubled each time up to eight, less up to a quarter so that clients do not march in step. */
function backoff(attempt: number): number {
  return Math.min(8_000, 500 * 2 ** attempt) * (1 - Math.random() / 4)
}

function retryAfter(headers: Headers): number | null {
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '')
  return Number.isFinite(seconds) ? seconds * 1000 : null
}

async function once(settings: TransportSettings, call: Call): Promise<Response> {
  const { method, path, query, body, content, idempotencyKey } = call
  const timeout = AbortSignal.timeout(call.timeout ?? settings.timeout)
  const headers: Record<string, string> = { 'x-api-key': settings.key, accept: 'application/json' }
  if (content !== undefined) headers['content-type'] = content.type
  else if (body !== undefined) headers['content-type'] = 'application/json'
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  if (call.as === 'text') headers.accept = '*/*'
  try {
    return await settings.fetch(`${settings.url}${path}${queryString(query)}`, {
      method,
      headers,
      signal: call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]),
      // A redirect would carry texts and key to an address that nobody named. Not 'error', which the edge refuses.
      redirect: 'manual',
      ...(content !== undefined
        ? { body: content.data }
        : body === undefined
          ? {}
          : { body: JSON.stringify(body) }),
    })
  } catch (cause) {
    if (timeout.aborted) throw new TimeoutError(`no answer from ${settings.url} in time`, { cause })
    throw new ConnectionError(`no answer from ${settings.url}`, { cause })
  }
}

/** Browsers do not tell the status of one. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400)
}

function queryString(query: Call['query']): string {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  const text = ([name, value]: [string, unknown]): [string, string] => [
    name,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(text))}`
}

async function readBody(response: Response, { as = 'json' }: Call): Promise<unknown> {
  try {
    return as === 'text' ? await response.text() : await response.json()
  } catch (cause) {
    throw new ConnectionError('the answer broke off, or is not what memoryd sends', { cause })
  }
}

async function readProblem(response: Response): Promise<unknown> {
  const text = await response.text().catch(() => '')
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', end, { once: true })
  })
}
