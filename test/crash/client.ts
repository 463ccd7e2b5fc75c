import { z } from 'zod'
import { issuedKeyReply } from '../../src/http/routes/account-replies.ts'
import { batchReply, ingestReply } from '../../src/http/routes/ingest-replies.ts'
import { listReply, retrieveReply, statsReply } from '../../src/http/routes/replies.ts'
import type { Item, Listed } from './items.ts'
import { adminToken } from './processes.ts'

/** What became of a request: an acknowledgement, a refusal, or nothing that can be relied on. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown'

/** One account's calls to a server. */
export interface Client {
  /** A single item goes to the single route, several to the batch route. */
  ingest(items: readonly Item[], idempotencyKey: string | null): Promise<Outcome>
  /** A consolidation, which rewrites what is being added, and a prune that finds nothing. */
  consolidate(): Promise<void>
  list(): Promise<readonly Listed[]>
  stats(): Promise<z.output<typeof statsReply>>
  /** What a question does with a memory: `returned`, the rule that leaves it out, or `not_found`. */
  outcome(query: string, id: string): Promise<string>
}

/** A new account on the server, with a monthly budget. */
export async function newAccount(address: string, account: string, monthlyOps: number): Promise<string> {
  const response = await fetch(`${address}/admin/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ account, tier: 'enterprise', monthly_ops: monthlyOps }),
  })
  return issuedKeyReply.parse(await response.json()).key
}

/** Changes what an account may spend in a month. */
export async function setBudget(address: string, account: string, monthlyOps: number): Promise<void> {
  const response = await fetch(`${address}/admin/accounts/${account}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ monthly_ops: monthlyOps }),
  })
  if (!response.ok) throw new Error(`the budget of ${account} cannot be set: ${response.status}`)
}

export function clientOf(address: string, key: string): Client {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, json: await response.json() }
  }
  return {
    ingest: async (items, idempotencyKey) => {
      const headers: Record<string, string> =
        idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }
      const bodies = items.map(({ name, text }) => ({ text, metadata: { item: name } }))
      const [only] = bodies
      try {
        const { status, json } =
          bodies.length === 1
            ? await call('POST', '/brain/ingest', only, headers)
            : await call('POST', '/brain/ingest/batch', { items: bodies }, headers)
        if (status === 429) return 'refused'
        if (status !== 200) return 'unknown'
        if (bodies.length === 1) ingestReply.parse(json)
        return bodies.length === 1 || batchReply.parse(json).failed === 0 ? 'acknowledged' : 'unknown'
      } catch (error) {
        if (error instanceof z.ZodError) throw error
        return 'unknown'
      }
    },
    consolidate: async () => {
      await call('POST', '/brain/consolidate', { force: true })
      await call('POST', '/brain/prune', { dry_run: false })
    },
    list: async () => {
      const memories: Listed[] = []
      let cursor: string | null = null
      do {
        const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
        const page: z.output<typeof listReply> = listReply.parse(
          (await call('GET', `/brain/memories?limit=100${query}`)).json,
        )
        memories.push(...page.memories)
        cursor = page.next_cursor
      } while (cursor !== null)
      return memories
    },
    stats: async () =>
      statsReply.parse((await call('POST', '/brain/stats', { user_id: 'x', persona: '*' })).json),
    outcome: async (query, id) => {
      const { json } = await call('POST', '/brain/retrieve', { query, k: 10, min_score: 0, explain: { id } })
      return retrieveReply.parse(json).explanation?.memory?.outcome ?? 'unknown'
    },
  }
}
