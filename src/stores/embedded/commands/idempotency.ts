import type { IdempotencyState } from '../../../accounts/ports.ts'
import { idempotencySeconds } from '../../../accounts/rules.ts'
import type { EngineContext } from '../engine/context.ts'

/** A reply is kept for a day. */

/** Old entries removed on the way, so that no sweep is needed and no single call pays for all of them. */
const removedPerCall = 50

interface Entry {
  readonly account: string
  readonly key: string
}

const removeExpired = `
DELETE FROM idempotency WHERE (account, key) IN (
  SELECT account, key FROM idempotency WHERE started_at <= :before ORDER BY started_at LIMIT :limit
)`

export const idempotencyWrites = {
  'idempotency.begin': (
    { prepare }: EngineContext,
    { account, key, bodyHash, now }: Entry & { bodyHash: string; now: number },
  ): IdempotencyState => {
    const before = now - idempotencySeconds
    prepare(removeExpired).run({ before, limit: removedPerCall })
    prepare('DELETE FROM idempotency WHERE account = ? AND key = ? AND started_at <= ?').run(
      account,
      key,
      before,
    )
    const row = prepare('SELECT body_hash, status, body FROM idempotency WHERE account = ? AND key = ?').get(
      account,
      key,
    )
    if (row === undefined) {
      prepare('INSERT INTO idempotency (account, key, body_hash, started_at) VALUES (?, ?, ?, ?)').run(
        account,
        key,
        bodyHash,
        now,
      )
      return { state: 'new' }
    }
    if (row.body_hash !== bodyHash) return { state: 'mismatch' }
    if (row.status === null) return { state: 'running' }
    return { state: 'done', status: Number(row.status), body: String(row.body) }
  },
  'idempotency.finish': (
    { prepare }: EngineContext,
    { account, key, status, body }: Entry & { status: number; body: string },
  ): void => {
    prepare('UPDATE idempotency SET status = ?, body = ? WHERE account = ? AND key = ?').run(
      status,
      body,
      account,
      key,
    )
  },
  'idempotency.abandon': ({ prepare }: EngineContext, { account, key }: Entry): void => {
    prepare('DELETE FROM idempotency WHERE account = ? AND key = ? AND status IS NULL').run(account, key)
  },
  'idempotency.abandonUnfinished': ({ prepare }: EngineContext): number =>
    Number(prepare('DELETE FROM idempotency WHERE status IS NULL').run().changes),
}
