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

function hostNameOf(address: string): string | null {
  const url = URL.parse(address)
  return url === null || url.hostname === '' || url.username !== '' ? null : url.hostname
}
