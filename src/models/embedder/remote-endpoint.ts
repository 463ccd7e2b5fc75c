import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import type { Vector } from '../../core/vectors.ts'

export interface EndpointParts {
  /** Up to and including `/v1`. */
  readonly baseUrl: string
  /** Null: no Authorization header is sent. */
  readonly apiKey: string | null
  readonly model: string
  /** Sent along when given; models that cannot shorten their vectors refuse it. */
  readonly dimensions?: number
  /** For one attempt. */
  readonly timeoutMs: number
  /** 0 to 1, spreads the retries of many clients. */
  readonly random: () => number
  readonly fetch?: typeof globalThis.fetch
  /** Hears after every call why the endpoint cannot be used, or null when it answered. */
  readonly saw?: (problem: string | null) => void
}

/** One request to an OpenAI-compatible embeddings endpoint: the vectors as given, in the order of the texts. */
export type EmbeddingsEndpoint = (
  texts: readonly string[],
  signal: AbortSignal | undefined,
) => Promise<readonly Vector[]>

/** The wait before the only retry is between half of this and all of it. */
const RETRY_MS = 1_000

const replySchema = z.object({
  data: z.array(z.object({ index: z.int().min(0), embedding: z.array(z.number()) })),
})

interface Reply {
  readonly status: number
  /** Null unless the request succeeded. */
  readonly body: unknown
}

/** Whether nobody will be answered; other refusals are about one request, or pass by themselves. */
const isOutage = ({ status }: Reply): boolean => [401, 403, 404].includes(status) || status >= 500

const isWorthRetrying = ({ status }: Reply): boolean => status === 429 || status >= 500

function unavailable(what: string, cause?: unknown): ServiceError {
  const detail = `The embeddings endpoint ${what}.`
  return new ServiceError('embedder_unavailable', { detail, cause })
}

/** Throws when a vector is missing, given twice or too many. */
function inOrder(body: unknown, count: number): readonly Vector[] {
  const { data } = replySchema.parse(body)
  const byIndex = new Map(data.map((entry) => [entry.index, Float32Array.from(entry.embedding)]))
  const vectors = Array.from({ length: count }, (_, i) => byIndex.get(i)).filter(
    (vector) => vector !== undefined,
  )
  if (vectors.length !== count || data.length !== count) {
    throw new Error(`The embeddings endpoint gave ${data.length} vectors for ${count} texts`)
  }
  return vectors
}

function createSend(parts: EndpointParts) {
  const fetch = parts.fetch ?? globalThis.fetch
  const url = `${parts.baseUrl.replace(/\/+$/, '')}/embeddings`
  const headers = {
    'content-type': 'application/json',
    ...(parts.apiKey === null ? {} : { authorization: `Bearer ${parts.apiKey}` }),
  }
  return async (texts: readonly string[], signal: AbortSignal | undefined): Promise<Reply> => {
    const timeout = AbortSignal.timeout(parts.timeoutMs)
    const { model, dimensions } = parts
    const body = JSON.stringify({ model, input: texts, encoding_format: 'float', dimensions })
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout
    try {
      // A redirect would carry texts and key to an address that nobody configured.
      const reply = await fetch(url, { method: 'POST', headers, body, signal: either, redirect: 'error' })
      if (reply.ok) return { status: reply.status, body: await reply.json() }
      await reply.body?.cancel()
      return { status: reply.status, body: null }
    } catch (cause) {
      signal?.throwIfAborted()
      parts.saw?.(timeout.aborted ? 'did not answer in time' : 'cannot be reached or understood')
      if (!timeout.aborted) throw unavailable('cannot be reached or understood', cause)
      const detail = 'The embeddings endpoint did not answer in time.'
      throw new ServiceError('deadline_exceeded', { detail, cause })
    }
  }
}

/** Tries again once when the endpoint says 429 or 5xx; other failures are final. */
export function createEmbeddingsEndpoint(parts: EndpointParts): EmbeddingsEndpoint {
  const send = createSend(parts)
  return async (texts, signal) => {
    let reply = await send(texts, signal)
    if (isWorthRetrying(reply)) {
      await delay(RETRY_MS * (0.5 + parts.random() / 2), null, signal ? { signal } : {})
      reply = await send(texts, signal)
    }
    if (reply.body === null) {
      if (isOutage(reply)) parts.saw?.(`answered ${reply.status}`)
      throw unavailable(`answered ${reply.status}`)
    }
    parts.saw?.(null)
    return inOrder(reply.body, texts.length)
  }
}
