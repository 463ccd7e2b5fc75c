import { randomUUID } from 'node:crypto'
import type { IdempotencyStore } from '../../../accounts/ports.ts'
import { idempotencySeconds } from '../../../accounts/rules.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { RetryQueue } from '../engine/retry-queue.ts'
import type { Neo4j } from './connection.ts'
import { number, text } from './values.ts'

/**
 * Only one caller creates or renews the entry: `fresh` tells whether it was this one. A try whose answer was lost is
 * made again by the driver, and knows itself by its `attempt`.
 */
const queries = {
  begin: `
    MERGE (i:Idempotency {id: $id})
    SET i.locked = true
    WITH i, i.started_at IS NULL OR i.started_at <= $now - $kept
      OR (i.status IS NULL AND (i.began <= timestamp() - $abandonedMs OR i.attempt = $attempt)) AS fresh
    SET i.started_at = CASE WHEN fresh THEN $now ELSE i.started_at END,
        i.body_hash = CASE WHEN fresh THEN $bodyHash ELSE i.body_hash END,
        i.status = CASE WHEN fresh THEN null ELSE i.status END,
        i.body = CASE WHEN fresh THEN null ELSE i.body END,
        i.began = CASE WHEN fresh THEN timestamp() ELSE i.began END,
        i.attempt = CASE WHEN fresh THEN $attempt ELSE i.attempt END
    RETURN fresh, i.body_hash = $bodyHash AS same, i.status AS status, i.body AS body`,
  finish: 'MATCH (i:Idempotency {id: $id}) SET i.status = $status, i.body = $body',
  abandon: 'MATCH (i:Idempotency {id: $id}) WHERE i.status IS NULL DELETE i',
  abandonUnfinished: `
    MATCH (i:Idempotency) WHERE i.status IS NULL AND i.began <= timestamp() - $olderThanMs
    DELETE i RETURN count(*) AS count`,
} as const

const entryId = (account: string, key: string) => JSON.stringify([account, key])

/** Replies kept in Neo4j. An entry still running after `abandonedAfterMs` belongs to a process that died. */
export function createNeo4jIdempotencyStore(
  neo4j: Neo4j,
  retries: RetryQueue,
  { abandonedAfterMs = 60_000 } = {},
): IdempotencyStore {
  return {
    async begin({ account, key, bodyHash, now }) {
      const parameters = {
        id: entryId(account, key),
        bodyHash,
        now,
        kept: idempotencySeconds,
        abandonedMs: abandonedAfterMs + 60_000,
        attempt: randomUUID(),
      }
      const [row] = await neo4j.write(queries.begin, parameters)
      if (row === undefined) throw new Error('Neo4j did not return the idempotency entry.')
      if (row.fresh === true) return { state: 'new' }
      if (row.same !== true) return { state: 'mismatch' }
      if (row.status === null) return { state: 'running' }
      return { state: 'done', status: number(row, 'status'), body: text(row, 'body') }
    },
    // The work is done and charged: that its reply cannot be kept just now must not turn it into a failure.
    finish: ({ account, key, status, body }) =>
      retries
        .attempt(async () => {
          await neo4j.write(queries.finish, { id: entryId(account, key), status, body })
        })
        .catch((error: unknown) => {
          if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') throw error
        }),
    abandon: ({ account, key }) =>
      retries.attempt(async () => {
        await neo4j.write(queries.abandon, { id: entryId(account, key) })
      }),
    async abandonUnfinished() {
      const [row] = await neo4j.write(queries.abandonUnfinished, { olderThanMs: abandonedAfterMs })
      return row === undefined ? 0 : number(row, 'count')
    },
  }
}
