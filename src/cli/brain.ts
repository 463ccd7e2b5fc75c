import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import { CommandFailure } from './command.ts'
import type { Target } from './target.ts'

/** The API of a running server, as the commands for people use it. */
export interface Brain {
  call<Reply extends z.ZodType>(
    reply: Reply,
    method: string,
    path: string,
    body?: object,
  ): Promise<z.output<Reply>>
}

/** The server understood the request and refused it. */
export class Refused extends CommandFailure {
  readonly status: number
  /** The fields that are wrong. */
  readonly paths: readonly string[]

  constructor(message: string, status: number, paths: readonly string[]) {
    super(message)
    this.status = status
    this.paths = paths
  }
}

const problem = z.object({
  detail: z.string().default('it gives no reason'),
  error: z.string().default(''),
  errors: z.array(z.object({ path: z.string() })).default([]),
})

const mayComeRight = new Set([408, 409, 429, 500, 502, 503, 504])
const timeoutMs = 600_000
const noticedMs = 1_500

export interface Patience {
  readonly patienceMs: number
  /** Told why, and for how many seconds, when it takes longer. */
  readonly waiting: (reason: string, seconds: number) => void
}

const noPatience: Patience = { patienceMs: 0, waiting: () => {} }

/** Tries again what may come right, as long as the patience lasts; a write is done once, however often it is sent. */
export function brainAt({ url, key }: Target, { patienceMs, waiting }: Patience = noPatience): Brain {
  const send = (method: string, path: string, body: object | undefined, once: string) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        ...{ 'x-api-key': key, 'x-client': 'memoryd-cli', 'idempotency-key': once },
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
      // A redirect would carry texts and key to an address that nobody named.
      redirect: 'manual',
    })
  return {
    call: async (reply, method, path, body) => {
      const once = crypto.randomUUID()
      let waited = 0
      for (let attempt = 0; ; attempt++) {
        const backoff = Math.min(10_000, 250 * 2 ** attempt)
        const tried = await attempted(() => send(method, path, body, once))
        if (tried.ok) return reply.parse(tried.answer)
        // A server that says "now" again and again is not asked without a pause.
        const pause = Math.max(backoff, tried.retryAfter ?? 0)
        if (tried.isFinal || waited + pause > patienceMs)
          throw new Refused(`the server at ${url} ${tried.message}`, tried.status, tried.paths)
        if (pause > noticedMs) waiting(`the server at ${url} ${tried.message}`, Math.ceil(pause / 1000))
        await wait(pause)
        waited += pause
      }
    },
  }
}

type Tried =
  | { readonly ok: true; readonly answer: unknown }
  | {
      readonly ok: false
      readonly isFinal: boolean
      readonly status: number
      readonly message: string
      readonly paths: readonly string[]
      readonly retryAfter: number | null
    }

async function attempted(send: () => Promise<Response>): Promise<Tried> {
  try {
    const response = await send()
    const moved = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && moved !== null) {
      const message = `sends callers on to ${moved}; name that address with --url if it is yours`
      return { ok: false, isFinal: true, status: response.status, message, paths: [], retryAfter: null }
    }
    const answer: unknown = await response.json()
    if (response.ok) return { ok: true, answer }
    const { status, headers } = response
    const { detail, error, errors } = problem
      .catch({ detail: `answers ${status}`, error: '', errors: [] })
      .parse(answer)
    const isFinal = !mayComeRight.has(status) || error === 'monthly_limit_exceeded'
    const seconds = Number.parseFloat(headers.get('retry-after') ?? '')
    return {
      ...{ ok: false, isFinal, status, message: `says: ${detail}` },
      paths: errors.map(({ path }) => path),
      retryAfter: Number.isFinite(seconds) ? seconds * 1000 : null,
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const message = `does not answer (${cause instanceof Error ? cause.message : String(cause)})`
    return { ok: false, isFinal: false, status: 0, message, paths: [], retryAfter: null }
  }
}
