import { isLoopback } from '../config.ts'
import { ServiceError } from '../core/errors.ts'

export interface AllowedNames {
  /** Host names, lower case, without a port. */
  readonly hosts: readonly string[]
  /** Origins as browsers send them: `https://app.example.com`. */
  readonly origins: readonly string[]
}

/** Addresses that a page in a browser of the same machine could call behind its user's back. */
export const guardedPaths = ['/mcp', '/hooks', '/console'] as const

/**
 * Throws when a request comes under a name that is not ours (a page whose domain was pointed at this machine), or from a
 * page of somebody else. Programs send no `Origin` and pass.
 */
export function guardBrowsers(request: Request, { hosts, origins }: AllowedNames): void {
  const host = request.headers.get('host') ?? new URL(request.url).host
  const name = hostNameOf(`http://${host}`)
  if (name === null || !(isLoopback(name) || hosts.includes(name))) throw new ServiceError('host_refused')
  const origin = request.headers.get('origin')
  if (origin === null || origins.includes(origin)) return
  const page = hostNameOf(origin)
  if (page === null || !(isLoopback(page) || page === name)) throw new ServiceError('origin_refused')
}

/** What browsers ask for before they let a page of another origin call, and read what is answered. */
export const crossOriginPaths = ['/brain', '/mcp'] as const

/** The headers for a page that may call and read, null for any other. */
export function crossOriginHeaders(request: Request, { origins }: AllowedNames) {
  const origin = request.headers.get('origin')
  if (origin === null || !origins.includes(origin)) return null
  return {
    'access-control-allow-origin': origin,
    vary: 'origin',
    ...(request.method === 'OPTIONS' ? preflightHeaders : { 'access-control-expose-headers': '*' }),
  }
}

const preflightHeaders = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  // A star stands for every header but this one.
  'access-control-allow-headers': 'authorization, *',
  'access-control-max-age': '600',
}

function hostNameOf(address: string): string | null {
  const url = URL.parse(address)
  return url === null || url.hostname === '' || url.username !== '' ? null : url.hostname
}
