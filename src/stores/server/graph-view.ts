import { documentKey } from '../../memory/keys.ts'
import type { CountedEntity, EdgeScope, FoundChunk, FoundFact, GraphView } from '../../memory/ports.ts'
import type { Neo4j, Row } from './neo4j/connection.ts'
import { chunkOf, entityOf, factColumns, factOf, properties } from './neo4j/rows.ts'
import { number } from './neo4j/values.ts'

const inScope = `f.namespace = $namespace AND ($closed OR f.closed_at IS NULL)
  AND ($personas IS NULL OR f.persona IN $personas)`

const hasName = (condition: (name: string) => string) =>
  `(${condition('e.key')} OR any(alias IN e.aliases WHERE ${condition('toLower(alias)')}))`

const queries = {
  entities: `
    MATCH (e:Entity {namespace: $namespace})
    WHERE e.key > $after AND ($type IS NULL OR e.type = $type)
      AND ($prefix IS NULL OR ${hasName((name) => `${name} STARTS WITH $prefix`)})
      AND ($text IS NULL OR ${hasName((name) => `${name} CONTAINS $text`)})
    WITH e ORDER BY e.key LIMIT toInteger($limit)
    RETURN e {.*} AS entity,
      COUNT { MATCH (e)-[f:FACT]-() WHERE f.namespace = $namespace AND f.closed_at IS NULL } AS facts
    ORDER BY e.key`,
  nodes: `
    UNWIND $ids AS id
    MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace
    RETURN e {.*} AS entity, COUNT { MATCH (e)-[f:FACT]-() WHERE ${inScope} } AS facts
    ORDER BY e.id`,
  edges: `
    UNWIND $ids AS id
    MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace
    CALL (e) {
      MATCH (e)-[f:FACT]-() WHERE ${inScope}
      RETURN f ORDER BY f.closed_at IS NOT NULL, f.closed_at DESC, f.confidence DESC, f.id LIMIT toInteger($perEntity)
    }
    WITH DISTINCT f, startNode(f) AS s, endNode(f) AS o
    RETURN ${factColumns} ORDER BY f.closed_at IS NOT NULL, f.closed_at DESC, f.confidence DESC, f.id`,
  pinnedChunks: `
    MATCH (c:Chunk) WHERE c.namespace = $namespace AND c.pinned AND ($personas IS NULL OR c.persona IN $personas)
      AND NOT coalesce(c.key, '') STARTS WITH '${documentKey('')}'
    RETURN c {.*} AS chunk ORDER BY c.created_at DESC, c.id DESC LIMIT toInteger($limit)`,
  pinnedFacts: `
    MATCH (s:Entity)-[f:FACT {namespace: $namespace}]->(o:Entity)
    WHERE f.pinned AND f.closed_at IS NULL AND ($personas IS NULL OR f.persona IN $personas)
    RETURN ${factColumns} ORDER BY f.created_at DESC, f.id DESC LIMIT toInteger($limit)`,
} as const

function counted(row: Row): CountedEntity {
  const { vector: _, ...entity } = entityOf(properties(row, 'entity'))
  return { entity, facts: number(row, 'facts') }
}

function foundFactOf(row: Row): FoundFact {
  const { vector: _, ...fact } = factOf(row)
  return fact
}

function foundChunkOf(row: Row): FoundChunk {
  const {
    vector: _vector,
    thread: _thread,
    tokens: _tokens,
    order: _order,
    ...chunk
  } = chunkOf(properties(row, 'chunk'))
  return chunk
}

const scopeParameters = ({ personas, closed }: EdgeScope) => ({
  personas: personas === null ? null : [...personas],
  closed,
})

/** The graph of Neo4j to be looked at. */
export function createServerGraphView(neo4j: Neo4j): GraphView {
  return {
    entities: async (namespace, query) =>
      (await neo4j.read(queries.entities, { namespace, ...query, after: query.after ?? '' })).map(counted),
    nodes: async (namespace, ids, scope) =>
      ids.length === 0
        ? []
        : (
            await neo4j.read(queries.nodes, {
              ...{ namespace, ids: [...new Set(ids)] },
              ...scopeParameters(scope),
            })
          ).map(counted),
    edges: async (namespace, query) =>
      query.entities.length === 0
        ? []
        : (
            await neo4j.read(queries.edges, {
              ...{ namespace, ids: [...new Set(query.entities)], perEntity: query.perEntity },
              ...scopeParameters(query),
            })
          ).map(foundFactOf),
    async pinned(namespace, personas, limit) {
      const parameters = { namespace, personas: personas === null ? null : [...personas], limit }
      const [chunks, facts] = await Promise.all([
        neo4j.read(queries.pinnedChunks, parameters),
        neo4j.read(queries.pinnedFacts, parameters),
      ])
      return { chunks: chunks.map(foundChunkOf), facts: facts.map(foundFactOf) }
    },
  }
}
