// Everything the console asks of memoryd goes through its public API, with the client that everybody has.
import { computed, signal } from '@preact/signals'
import { ApiError, ConnectionError, Memoryd } from '../../clients/typescript/src/index.ts'
import { key, signOut } from './session.ts'

export type { components } from '../../clients/typescript/src/index.ts'

/** By route the stores that could not answer the last time. */
const missing = signal<ReadonlyMap<string, readonly string[]>>(new Map())

/** What the server says while it lets this key wait; null when it does not. */
export const limited = signal<string | null>(null)

/** The stores that something on the screen is missing of; empty when all is well. */
export const degraded = computed(() => [...new Set([...missing.value.values()].flat())])

async function send(headers: Headers, address: Parameters<typeof fetch>[0], init?: RequestInit) {
  headers.set('x-client', 'memoryd-console')
  const response = await fetch(address, { ...init, headers, cache: 'no-store', credentials: 'omit' })
  const { pathname } = new URL(response.url)
  const named = response.headers.get('x-degraded')
  if (named !== null || missing.value.has(pathname)) {
    const stores = named?.split(',').map((name) => name.trim()) ?? []
    missing.value = new Map([...missing.value, [pathname, stores]])
  }
  if (headers.get('x-api-key') === key.peek()) {
    // The key was revoked, or it never was one.
    if (response.status === 401) signOut('The key of this tab is not valid, or no longer. Sign in again.')
    limited.value = response.status === 429 ? (await response.clone().json()).detail : null
  }
  return response
}

/** A header cannot carry every sign, and the browser would only say that nothing was sent. */
function checked(credential: string): void {
  const odd = /[^ -~\u0080-\u00ff]/u.exec(credential)?.[0]
  if (odd !== undefined) throw new Error(`No key and no token has the sign “${odd}”. Copy it once more.`)
}

/** A client with any key. */
export function clientWith(key: string): Memoryd {
  checked(key)
  const own: typeof fetch = (address, init) => send(new Headers(init?.headers), address, init)
  return new Memoryd({ url: location.origin, key, fetch: own, maxRetries: 1 })
}

/** A client for what takes a bearer instead of a key: the admin token, the token of a sign-in link. */
export function bearerClient(token: string): Memoryd {
  checked(token)
  const own: typeof fetch = (address, init) => {
    const headers = new Headers(init?.headers)
    headers.delete('x-api-key')
    headers.set('authorization', `Bearer ${token}`)
    return send(headers, address, init)
  }
  return new Memoryd({ url: location.origin, key: 'none', fetch: own, maxRetries: 1 })
}

const current = computed(() => (key.value === null ? null : clientWith(key.value)))

/** The client of who is signed in. Screens are shown to nobody else. */
export function api(): Memoryd {
  const client = current.value
  if (client === null) throw new Error('nobody is signed in')
  return client
}

export const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404

/** One sentence for a person about anything that was thrown. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ApiError) return error.problem.detail
  if (error instanceof ConnectionError) return 'memoryd does not answer. Is it running?'
  return error instanceof Error ? error.message : String(error)
}
