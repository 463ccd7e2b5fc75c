import { asNamespace, type Namespace } from '../../core/ids.ts'
import type { EmbeddingIdentity, StoredText, VectorMaintenance } from '../../memory/ports.ts'
import type { Follower } from './follow.ts'
import type { Neo4j, Row } from './neo4j/connection.ts'
import { uid, vectorBytes } from './neo4j/rows.ts'
import { number, text } from './neo4j/values.ts'
import type { Redis } from './redis/connection.ts'
import type { SearchIndex } from './search-index.ts'

const queries = {
  identity: `MATCH (i:EmbeddingIdentity {id: 'current'})
    RETURN i.model AS model, i.weights AS weights, i.scale AS scale, i.dimensions AS dimensions`,
  setIdentity: `MERGE (i:EmbeddingIdentity {id: 'current'})
    SET i.model = $model, i.weights = $weights, i.scale = $scale, i.dimensions = $dimensions`,
  count: `RETURN COUNT { (:Chunk) } + COUNT { (:Entity) } + COUNT { ()-[:FACT]->() } AS count`,
  chunks: `MATCH (c:Chunk) WHERE c.uid > $after
    RETURN c.uid AS uid, c.namespace AS namespace, c.id AS id, c.text AS text ORDER BY c.uid LIMIT toInteger($limit)`,
  // Of a text that is one chunk, facts have its vector; otherwise that of their sentence.
  facts: `MATCH ()-[f:FACT]->() WHERE f.uid > $after WITH f ORDER BY f.uid LIMIT toInteger($limit)
    OPTIONAL MATCH (own:Chunk) WHERE own.namespace = f.namespace AND own.id = f.chunk_id
    WITH f, own, COUNT { MATCH (k:Chunk) WHERE k.item_uid = own.item_uid } AS chunks
    RETURN f.uid AS uid, f.namespace AS namespace, f.id AS id,
      CASE WHEN chunks = 1 THEN own.text WHEN f.evidence <> '' THEN f.evidence ELSE f.fact END AS text
    ORDER BY f.uid`,
  entities: `MATCH (e:Entity) WHERE e.uid > $after
    RETURN e.uid AS uid, e.namespace AS namespace, e.id AS id, e.name AS text ORDER BY e.uid LIMIT toInteger($limit)`,
  replaceChunks:
    'UNWIND $rows AS row MATCH (c:Chunk {uid: row.uid}) SET c.vector = row.vector, c.tokens = row.tokens',
  replaceFacts: 'UNWIND $rows AS row MATCH ()-[f:FACT {uid: row.uid}]->() SET f.vector = row.vector',
  replaceEntities: `UNWIND $rows AS row MATCH (e:Entity {id: row.id}) WHERE e.namespace = $namespace
    SET e.vector = row.vector`,
} as const

/** The three kinds one after the other, each by its uid: a cursor is a kind and the last uid of it. */
const kinds = ['chunk', 'fact', 'entity'] as const
const pages = { chunk: queries.chunks, fact: queries.facts, entity: queries.entities }

export interface MaintenanceParts {
  readonly neo4j: Neo4j
  readonly index: SearchIndex
  readonly redis: Redis
  readonly follower: Follower
}

export function createServerVectorMaintenance({
  neo4j,
  index,
  redis,
  follower,
}: MaintenanceParts): VectorMaintenance {
  async function identity(): Promise<EmbeddingIdentity | null> {
    const [row] = await neo4j.read(queries.identity, {})
    return row === undefined ? null : identityOf(row)
  }

  return {
    identity,
    async setIdentity(made) {
      const before = await identity()
      const isNew = before !== null && JSON.stringify(before) !== JSON.stringify(identityOf({ ...made }))
      // A session's vectors cannot be made again from its texts; it is short-lived and starts anew.
      if (isNew) await forgetSessions(redis)
      await index.fit(made.dimensions)
      await neo4j.write(queries.setIdentity, { ...made })
    },
    async countTexts() {
      const [row] = await neo4j.read(queries.count, {})
      return row === undefined ? 0 : number(row, 'count')
    },
    async texts(after, limit) {
      const [kind, last] =
        after === null ? [kinds[0], ''] : (JSON.parse(after) as [StoredText['kind'], string])
      for (let at = kinds.indexOf(kind), from = last; at < kinds.length; at += 1, from = '') {
        const name = kinds[at]
        if (name === undefined) break
        const rows = await neo4j.read(pages[name], { after: from, limit })
        const end = rows.at(-1)
        if (end !== undefined)
          return {
            texts: rows.map((row) => textOf(name, row)),
            cursor: JSON.stringify([name, text(end, 'uid')]),
          }
      }
      return { texts: [], cursor: null }
    },
    async replace(vectors) {
      const byNamespace = Map.groupBy(vectors, ({ text: { namespace } }) => namespace)
      for (const [namespace, group] of byNamespace) {
        const rows = (kind: StoredText['kind']) =>
          group
            .filter(({ text: stored }) => stored.kind === kind)
            .map(({ text: { id }, vector, tokens }) => ({
              id,
              uid: uid(namespace as Namespace, id),
              vector: vectorBytes(vector),
              tokens: tokens?.codes ?? null,
            }))
        await follower.change(namespace, async (run) => {
          await run(queries.replaceChunks, { rows: rows('chunk') })
          await run(queries.replaceFacts, { rows: rows('fact') })
          await run(queries.replaceEntities, { rows: rows('entity'), namespace })
          const ids = (kind: StoredText['kind']) => rows(kind).map(({ id }) => id)
          return {
            result: undefined,
            marked: { chunks: ids('chunk'), facts: ids('fact'), entities: ids('entity') },
          }
        })
      }
    },
  }
}

export function identityOf(row: Row): EmbeddingIdentity {
  return {
    model: text(row, 'model'),
    weights: text(row, 'weights'),
    scale: text(row, 'scale'),
    dimensions: number(row, 'dimensions'),
  }
}

function textOf(kind: StoredText['kind'], row: Row): StoredText {
  return {
    kind,
    namespace: asNamespace(text(row, 'namespace')),
    id: text(row, 'id'),
    text: text(row, 'text'),
  }
}

async function forgetSessions(redis: Redis): Promise<void> {
  let cursor = '0'
  do {
    const reply = await redis.send(['SCAN', cursor, 'MATCH', 'memoryd:session*', 'COUNT', '1000'])
    const [next, keys] = reply as [unknown, unknown[]]
    if (keys.length > 0) await redis.send(['DEL', ...keys.map(String)])
    cursor = String(next)
  } while (cursor !== '0')
}
