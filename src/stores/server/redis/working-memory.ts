import type { Namespace } from '../../../core/ids.ts'
import type { HotFact, Session, WorkingMemory } from '../../../memory/ports.ts'
import { hotFacts, sessionSeconds } from '../../../memory/rules.ts'
import { blendTopic } from '../../../memory/topic.ts'
import type { Redis } from './connection.ts'
import { defineScript } from './script.ts'

/** Writers of one session that keep getting in each other's way; more than this is a broken Redis. */
const maxTries = 20

/**
 * Replaces a session only if nobody has changed it since it was read. The list of sessions holds those that live, by
 * their end; each hot fact (the keys from the third on) knows the sessions that hold it. All of it ends by itself.
 */
const replace = defineScript(`
if (redis.call('HGET', KEYS[1], 'version') or '') ~= ARGV[1] then return 0 end
local id, seconds, now = ARGV[5], tonumber(ARGV[4]), tonumber(redis.call('TIME')[1])
redis.call('HSET', KEYS[1], 'version', ARGV[2], 'session', ARGV[3])
redis.call('EXPIRE', KEYS[1], seconds)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
redis.call('ZADD', KEYS[2], now + seconds, id)
redis.call('EXPIRE', KEYS[2], seconds)
for at = 3, #KEYS do
  redis.call('SADD', KEYS[at], id)
  redis.call('EXPIRE', KEYS[at], seconds)
end
return 1
`)

const remove = defineScript(`
redis.call('ZREM', KEYS[2], ARGV[1])
return redis.call('DEL', KEYS[1])
`)

interface Stored {
  readonly version: string
  readonly seenAt: number
  readonly session: Session
}

const listKey = (namespace: Namespace) => `memoryd:session-ends:{${namespace}}`
const factKey = (namespace: Namespace, id: string) => `memoryd:session-of:{${namespace}}:${id}`
const sessionKey = (namespace: Namespace, sessionId: string) => `memoryd:session:{${namespace}}:${sessionId}`

/** Sessions in Redis: one value each, replaced whole, so that a reader never sees half of one. */
export function createRedisWorkingMemory(redis: Redis): WorkingMemory {
  async function read(namespace: Namespace, sessionId: string): Promise<Stored | null> {
    const reply = await redis.send(['HMGET', sessionKey(namespace, sessionId), 'version', 'session'])
    const [version, session] = Array.isArray(reply) ? reply : []
    return typeof session === 'string' ? { version: String(version), ...decode(session) } : null
  }

  /** False when somebody else was faster. */
  async function write(
    namespace: Namespace,
    sessionId: string,
    before: Stored | null,
    seenAt: number,
    session: Session,
  ) {
    const facts = session.facts.map(({ id }) => factKey(namespace, id))
    const keys = [sessionKey(namespace, sessionId), listKey(namespace), ...facts]
    const version = before?.version ?? ''
    const next = String(Number(version || '0') + 1)
    const args = [version, next, encode(seenAt, session), String(sessionSeconds), sessionId]
    return Number(await redis.script(replace, keys, args)) === 1
  }

  async function update(
    namespace: Namespace,
    sessionId: string,
    change: (before: Stored | null) => { seenAt: number; session: Session } | null,
  ): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      const before = await read(namespace, sessionId)
      const after = change(before)
      if (after === null || (await write(namespace, sessionId, before, after.seenAt, after.session))) return
    }
    throw new Error('A session in Redis changed under every try to update it.')
  }

  const sessionsOf = async (namespace: Namespace): Promise<string[]> => {
    return names(await redis.send(['ZRANGE', listKey(namespace), '0', '-1']))
  }

  return {
    observe: (namespace, { sessionId, vector, facts, now }) =>
      update(namespace, sessionId, (before) => {
        const live = before !== null && before.seenAt > now - sessionSeconds ? before : null
        const again = new Set(facts.map(({ id }) => id))
        const older = (live?.session.facts ?? []).filter(({ id }) => !again.has(id))
        const session = {
          topic: blendTopic(live?.session.topic ?? null, vector),
          facts: [...facts, ...older].slice(0, hotFacts),
        }
        return { seenAt: Math.max(live?.seenAt ?? now, now), session }
      }),

    async session(namespace, sessionId, now) {
      const stored = await read(namespace, sessionId)
      return stored === null || stored.seenAt <= now - sessionSeconds ? null : stored.session
    },

    async dropFacts(namespace, ids) {
      if (ids.length === 0) return
      const dropped = new Set(ids)
      const holding = await redis.send(['SUNION', ...ids.map((id) => factKey(namespace, id))])
      for (const sessionId of names(holding)) {
        await update(namespace, sessionId, (before) => {
          if (!before?.session.facts.some(({ id }) => dropped.has(id))) return null
          const facts = before.session.facts.filter(({ id }) => !dropped.has(id))
          return { seenAt: before.seenAt, session: { ...before.session, facts } }
        })
      }
    },

    async forget(namespace, sessionId) {
      let removed = 0
      for (const id of sessionId === null ? await sessionsOf(namespace) : [sessionId]) {
        const keys = [sessionKey(namespace, id), listKey(namespace)]
        removed += Number(await redis.script(remove, keys, [id]))
      }
      return removed
    },
  }
}

const names = (reply: unknown) => [...(reply as Iterable<unknown>)].map(String)
const base64 = (vector: Float32Array) => Buffer.from(vector.slice().buffer).toString('base64')
const vectorOf = (text: string) => new Float32Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)

function encode(seenAt: number, { topic, facts }: Session): string {
  const packed = facts.map((fact) => ({ ...fact, vector: base64(fact.vector) }))
  return JSON.stringify({ seenAt, topic: base64(topic), facts: packed })
}

function decode(text: string): { seenAt: number; session: Session } {
  const { seenAt, topic, facts } = JSON.parse(text) as {
    seenAt: number
    topic: string
    facts: readonly (Omit<HotFact, 'vector'> & { vector: string })[]
  }
  const unpacked = facts.map((fact) => ({ ...fact, vector: vectorOf(fact.vector) }))
  return { seenAt, session: { topic: vectorOf(topic), facts: unpacked } }
}
