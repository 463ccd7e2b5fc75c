import { ServiceError } from '../../../core/errors.ts'
import type { Lease, LifecycleStore } from '../../../memory/ports.ts'
import type { Neo4j, RunQuery } from './connection.ts'
import { number } from './values.ts'

type Leases = Pick<LifecycleStore, 'acquire' | 'renew' | 'release'>

const queries = {
  raise: `
    MERGE (l:Lease {name: $name})
    SET l.fence = CASE WHEN l.fence IS NULL OR l.fence < $fence THEN $fence ELSE l.fence END`,
  // Setting a property takes the lock: a later holder waits until the writes of this transaction are done.
  check: 'MATCH (l:Lease {name: $name}) SET l.locked = true RETURN l.fence AS fence',
} as const

/** Tells Neo4j of every new holder, so that it can refuse the late writes of the one before. */
export function withFences(neo4j: Neo4j, leases: Leases): Leases {
  return {
    ...leases,
    async acquire(name, seconds, now) {
      const lease = await leases.acquire(name, seconds, now)
      if (lease !== null) await neo4j.write(queries.raise, { ...lease })
      return lease
    },
  }
}

/** Rejects when somebody else has taken the lease since. Part of the transaction whose writes it guards. */
export async function requireLease(run: RunQuery, lease: Lease | undefined): Promise<void> {
  if (lease === undefined) return
  const [row] = await run(queries.check, { name: lease.name })
  if (row !== undefined && number(row, 'fence') === lease.fence) return
  throw new ServiceError('store_unavailable', {
    detail: 'Another consolidation has taken over from this one; its changes were refused.',
  })
}
