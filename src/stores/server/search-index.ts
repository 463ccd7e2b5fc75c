import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createTurns } from '../../core/batch.ts'
import { asNamespace } from '../../core/ids.ts'
import { entityPoint, factPoint } from './follow.ts'
import type { Neo4j, Row } from './neo4j/connection.ts'
import { chunkOf, entityOf, factColumns, factOf, properties } from './neo4j/rows.ts'
import { number, text } from './neo4j/values.ts'
import { chunkDraft } from './qdrant/chunks.ts'
import { type CollectionKind, collectionKinds, type Qdrant } from './qdrant/connection.ts'
import { createPoints, type PointDraft } from './qdrant/points.ts'

/** The searchable copy in Qdrant of what Neo4j holds: noticed when it is gone or differs, and made anew. */
export interface SearchIndex {
  /** Looks whether the copy is whole, and makes it anew when it is not, unless another process is at it. */
  tend(): Promise<'whole' | 'made anew' | 'missing'>
  /** Makes it anew when its vectors have another length; those of the old length wait for their replacement. */
  fit(dimensions: number): Promise<void>
  /** Null when it is whole, or when nobody is known to build it. */
  progress(): number | null
  /** Leaves an unfinished build to others. */
  release(): Promise<void>
}

export interface SearchIndexParts {
  readonly neo4j: Neo4j
  readonly qdrant: Qdrant
  readonly dimensions: number
  /** Whether to compare the numbers of memories on both sides. Not while vectors are being replaced. */
  readonly compares: boolean
}

const kindQueries: Record<CollectionKind, string> = {
  entity: `MATCH (e:Entity) WHERE e.uid > $after
    RETURN e.uid AS uid, e.namespace AS namespace, e {.*} AS entity ORDER BY e.uid LIMIT toInteger($limit)`,
  fact: `MATCH (s:Entity)-[f:FACT]->(o:Entity) WHERE f.uid > $after AND f.closed_at IS NULL
    RETURN f.uid AS uid, f.namespace AS namespace, ${factColumns} ORDER BY f.uid LIMIT toInteger($limit)`,
  chunk: `MATCH (c:Chunk) WHERE c.uid > $after
    RETURN c.uid AS uid, c.namespace AS namespace, c {.*} AS chunk ORDER BY c.uid LIMIT toInteger($limit)`,
}

const draftOf: Record<CollectionKind, (row: Row) => PointDraft> = {
  entity: (row) => entityPoint(entityOf(properties(row, 'entity'))),
  fact: (row) => factPoint(factOf(row)),
  chunk: (row) => chunkDraft(chunkOf(properties(row, 'chunk'))),
}

const queries = {
  name: `MERGE (i:SearchIndex {id: 'current'}) ON CREATE SET i.name = $fresh RETURN i.name AS name`,
  /** One builder at a time; one that has not been heard of for a while has died. */
  claim: `
    MATCH (i:SearchIndex {id: 'current'})
    SET i.locked = true
    WITH i, i.builder IS NULL OR i.builder = $builder OR i.heard < timestamp() - $silentMs AS claimed
    SET i.builder = CASE WHEN claimed THEN $builder ELSE i.builder END,
        i.heard = CASE WHEN claimed THEN timestamp() ELSE i.heard END,
        i.percent = CASE WHEN claimed THEN $percent ELSE i.percent END
    RETURN claimed, i.percent AS percent`,
  release: `MATCH (i:SearchIndex {id: 'current'}) WHERE i.builder = $builder SET i.builder = null`,
  counts: 'RETURN COUNT { (:Chunk) } AS chunk, COUNT { (:Entity) } AS entity',
  countFacts: 'MATCH ()-[f:FACT]->() WHERE f.closed_at IS NULL RETURN count(f) AS fact',
  pending: 'MATCH (p:Pending) RETURN p.marked AS marked LIMIT 1000',
} as const

const pageSize = 500
const pageLimitMs = 30_000
/** Longer than a page takes on a busy machine. */
const silentMs = 15_000
const compareEveryMs = 60_000
/** Longer than a write takes from one side to the other. */
const settleMs = 1_000

type Counts = Partial<Record<CollectionKind, number>>

export function createSearchIndex(parts: SearchIndexParts): SearchIndex {
  const { neo4j, qdrant, compares } = parts
  const builder = randomBytes(4).toString('hex')
  const inTurn = createTurns()
  let dimensions = parts.dimensions
  let name = randomBytes(4).toString('hex')
  let percent: number | null = null
  let comparedAt: number | null = null

  async function useName(): Promise<void> {
    const [row] = await neo4j.write(queries.name, { fresh: name })
    if (row === undefined) throw new Error('Neo4j did not name the search index.')
    name = text(row, 'name')
    qdrant.setIndex(name)
    await qdrant.guard.check()
  }

  async function claim(done: number): Promise<boolean> {
    const [row] = await neo4j.write(queries.claim, { builder, silentMs, percent: done })
    percent = row === undefined ? null : number(row, 'percent')
    return row?.claimed === true
  }

  /** False when another process is at it. */
  async function build(): Promise<boolean> {
    if (!(await claim(0))) return false
    const collectionOf = await qdrant.startBuild(builder, dimensions)
    const total = await inNeo4j(true)
    const all = (total.chunk ?? 0) + (total.entity ?? 0) + (total.fact ?? 0)
    let done = 0
    for (const kind of collectionKinds) {
      const points = createPoints(qdrant, kind, () => collectionOf(kind))
      for await (const rows of pagesOf(kind)) {
        for (const [namespace, group] of Map.groupBy(rows, (row) => text(row, 'namespace'))) {
          const drafts = group.map(draftOf[kind]).filter(({ vector }) => vector.length === dimensions)
          await points.save(asNamespace(namespace), drafts)
        }
        done += rows.length
        if (!(await claim(Math.min(99, Math.floor((100 * done) / Math.max(1, all)))))) return false
      }
    }
    await qdrant.finishBuild(builder)
    await neo4j.write(queries.release, { builder })
    percent = null
    return true
  }

  async function* pagesOf(kind: CollectionKind) {
    let after = ''
    while (true) {
      const rows = await neo4j.read(kindQueries[kind], { after, limit: pageSize }, pageLimitMs)
      const last = rows.at(-1)
      if (last === undefined) return
      yield rows
      after = text(last, 'uid')
    }
  }

  /** How many memories there are. Facts are counted one by one, so only where it is worth it. */
  async function inNeo4j(withFacts: boolean): Promise<Counts> {
    const [row] = await neo4j.read(queries.counts, {})
    if (row === undefined) throw new Error('Neo4j did not count.')
    const counts = { chunk: number(row, 'chunk'), entity: number(row, 'entity') }
    if (!withFacts) return counts
    const [facts] = await neo4j.read(queries.countFacts, {}, pageLimitMs)
    return { ...counts, fact: facts === undefined ? 0 : number(facts, 'fact') }
  }

  async function inQdrant(kind: CollectionKind): Promise<number> {
    const collection = qdrant.collection(kind)
    return (await qdrant.call((client) => client.count(collection, { exact: true }), pageLimitMs)).count
  }

  /** How many memories are on their way from one side to the other. */
  async function onTheirWay(): Promise<number> {
    const rows = await neo4j.read(queries.pending, {})
    return rows.reduce((sum, row) => {
      const { chunks, facts, entities } = JSON.parse(text(row, 'marked'))
      return sum + chunks.length + facts.length + entities.length
    }, 0)
  }

  /** Whether Qdrant holds more or fewer memories than Neo4j, apart from those on their way. */
  async function differs(withFacts: boolean): Promise<boolean> {
    const before = { moving: await onTheirWay(), counts: await inNeo4j(withFacts) }
    for (const kind of withFacts ? collectionKinds : (['entity', 'chunk'] as const)) {
      const copied = await inQdrant(kind)
      const after = { moving: await onTheirWay(), counts: await inNeo4j(withFacts) }
      const [first, second] = [before.counts[kind] ?? 0, after.counts[kind] ?? 0]
      const moving = before.moving + after.moving
      if (copied < Math.min(first, second) - moving || copied > Math.max(first, second) + moving) return true
    }
    return false
  }

  /** Whether it is time to compare, and both sides differ. What is written meanwhile can look like a difference once. */
  async function isOutOfStep(): Promise<boolean> {
    const isFirst = comparedAt === null
    if (!compares || performance.now() - (comparedAt ?? Number.NEGATIVE_INFINITY) < compareEveryMs)
      return false
    comparedAt = performance.now()
    if (!(await differs(isFirst))) return false
    await delay(settleMs)
    return differs(isFirst)
  }

  return {
    progress: () => (qdrant.isWhole() ? null : percent),
    tend: () =>
      inTurn('index', async () => {
        await useName()
        if (qdrant.isWhole() && !(await isOutOfStep())) return 'whole'
        return (await build()) ? 'made anew' : 'missing'
      }),
    fit: (length) =>
      inTurn('index', async () => {
        dimensions = length
        await useName()
        if (qdrant.isWhole() && (await qdrant.dimensions()) === length) return
        if (!(await build())) throw new Error('Another process is making the search index.')
      }),
    release: async () => {
      if (percent !== null) await neo4j.write(queries.release, { builder })
    },
  }
}
