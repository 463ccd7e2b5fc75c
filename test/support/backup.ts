import assert from 'node:assert/strict'
import { type Archive, type ArchiveKind, type ArchiveRecord, pagesOf } from '../../src/archive/archive.ts'
import type { TestService } from '../harness.ts'

export interface Writers {
  /** Texts that were acknowledged so far. */
  readonly acknowledged: readonly string[]
  stop(): Promise<void>
}

/** Four that tell a fact each, one after the other, until they are stopped; the fifth forgets some of them. */
export function startWriters({ call }: TestService, key: string, name: string): Writers {
  const acknowledged: string[] = []
  let stopped = false
  const write = async (writer: number) => {
    for (let at = 0; !stopped; at++) {
      const text = `Person${name}${writer}x${at} likes Place${name}${writer}y${at}.`
      const { status, json } = await call('POST', '/brain/ingest', { key, body: { text } })
      assert.equal(status, 200, JSON.stringify(json))
      if (json.deduplicated === false) acknowledged.push(text)
    }
  }
  const forget = async () => {
    for (let at = 0; !stopped; at++) {
      const body = { text: `Passing${name}${at} likes Weather${name}${at}.`, session_id: `passing-${name}` }
      assert.equal((await call('POST', '/brain/ingest', { key, body })).status, 200)
      const gone = await call('POST', '/brain/forget', {
        key,
        body: { session_id: `passing-${name}`, dry_run: false },
      })
      assert.equal(gone.status, 200, gone.text)
    }
  }
  const running = [...[0, 1, 2, 3].map(write), forget()]
  return {
    acknowledged,
    stop: async () => {
      stopped = true
      await Promise.all(running)
    },
  }
}

/** Every record of a kind. */
export async function recordsOf<Kind extends ArchiveKind>(archive: Archive, kind: Kind) {
  const found: ArchiveRecord[] = []
  for await (const { records } of pagesOf(archive, kind, null, 500)) found.push(...records)
  return found as Extract<ArchiveRecord, { kind: Kind }>[]
}

/** Every text has its fact and the other way round, and every fact its two entities: nothing is half there. */
export async function assertWhole(archive: Archive, expected: readonly string[]): Promise<void> {
  const [chunks, facts, entities] = await Promise.all([
    recordsOf(archive, 'chunk'),
    recordsOf(archive, 'fact'),
    recordsOf(archive, 'entity'),
  ])
  const texts = new Set(chunks.map(({ chunk }) => chunk.text))
  assert.deepEqual(
    expected.filter((text) => !texts.has(text)),
    [],
    'acknowledged before the start, and missing',
  )
  // Forgetting takes a text before its facts: what is on its way out may be met in between.
  const stays = (text: string) => !text.startsWith('Passing')
  const told = new Set<string>(facts.map(({ fact }) => fact.chunkId))
  assert.deepEqual(
    chunks.filter(({ chunk }) => stays(chunk.text) && !told.has(chunk.id)).map(({ chunk }) => chunk.text),
    [],
    'texts without their facts',
  )
  const known = new Set<string>(chunks.map(({ chunk }) => chunk.id))
  const named = new Set<string>(entities.map(({ entity }) => entity.id))
  const loose = facts.filter(
    ({ fact }) =>
      (stays(fact.fact) && !known.has(fact.chunkId)) || !named.has(fact.subject) || !named.has(fact.object),
  )
  assert.deepEqual(
    loose.map(({ fact }) => fact.fact),
    [],
    'facts without their texts or entities',
  )
}

/** What an account is told: counts, and the answers to so many questions. */
export async function answers({ call }: TestService, key: string, texts: readonly string[], questions = 25) {
  const counted = await call('POST', '/brain/stats', { key, body: { user_id: 'u' } })
  assert.equal(counted.status, 200, counted.text)
  const asked = texts.filter((_, at) => at % Math.ceil(texts.length / questions) === 0)
  const replies = []
  for (const text of asked) {
    const [who = '', , what = ''] = text.slice(0, -1).split(' ')
    const body = { query: `What does ${who} like?`, max_hops: 2 }
    const { status, json } = await call('POST', '/brain/retrieve', { key, body })
    assert.equal(status, 200)
    const { latency_ms: _, ...reply } = json
    assert.ok(JSON.stringify(reply).includes(what), `${body.query} ${JSON.stringify(reply)}`)
    replies.push(reply)
  }
  return { stats: counted.json, replies }
}
