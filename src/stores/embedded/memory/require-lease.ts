import { ServiceError } from '../../../core/errors.ts'
import type { Lease } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'

/** Rejects when somebody else has taken the lease since. Part of the transaction whose writes it guards. */
export function requireLease({ prepare }: EngineContext, lease: Lease | undefined): void {
  if (lease === undefined) return
  const fence = prepare('SELECT fence FROM lease WHERE name = ?').get(lease.name)?.fence
  if (fence === lease.fence) return
  throw new ServiceError('store_unavailable', {
    detail: 'Another consolidation has taken over from this one; its changes were refused.',
  })
}
