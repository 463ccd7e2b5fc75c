import { asChunkId, asNamespace, type Namespace } from '../../core/ids.ts'
import { dot } from '../../core/vectors.ts'
import type { Fact, GraphStore, Lease } from '../../memory/ports.ts'
import type { AllPoints, Follower } from './follow.ts'
import type { Neo4j } from './neo4j/connection.ts'
import { requireLease } from './neo4j/fences.ts'
import { graphQueries as queries } from './neo4j/graph-queries.ts'
import { entityOf, factOf, properties, uid } from './neo4j/rows.ts'
import { fadedParameters, listParameters, selectionParameters, stabilitySeconds } from './neo4j/selections.ts'
import { number, text } from './neo4j/values.ts'
import { inNamespace, inPersonas } from './qdrant/filters.ts'
import { createGraphScan, orWithout } from './scan.ts'

type Parameters = Readonly<Record<string, unknown>>

/** Long enough to go through every relationship of a large namespace. */
const decayLimitMs = 60_000

export function createServerGraphStore(neo4j: Neo4j, points: AllPoints, follower: Follower): GraphStore {
  const scan = createGraphScan(neo4j)
  async function count(query: string, parameters: Parameters): Promise<number> {
    const [row] = await neo4j.read(query, parameters)
    return row === undefined ? 0 : number(row, 'count')
  }
  async function factsByIds(namespace: Namespace, ids: readonly string[]): Promise<readonly Fact[]> {
    if (ids.length === 0) return []
    return (await neo4j.read(queries.byUids, { uids: ids.map((id) => uid(namespace, id)) })).map(factOf)
  }
  /** The rows name the facts that are gone and the chunks whose counts changed. */
  function removeFacts(namespace: Namespace, query: string, parameters: Parameters, lease?: Lease) {
    return follower.change(namespace, async (run) => {
      await requireLease(run, lease)
      const rows = await run(query, { namespace, ...parameters })
      const facts = [...new Set(rows.map((row) => text(row, 'id')))]
      const chunks = rows.flatMap((row) => (row.chunk === null ? [] : [text(row, 'chunk')]))
      return { result: facts.length, marked: { chunks: [...new Set(chunks)], facts, entities: [] } }
    })
  }

  return {
    async nearestEntities(namespace, vector, limit) {
      const found = await orWithout<readonly { id: string; cosine: number }[]>(
        () => points.entity.nearest(inNamespace(namespace), vector, limit),
        () => scan.entities(namespace, vector, limit),
      )
      const rows = await neo4j.read(queries.entitiesById, { namespace, ids: found.map(({ id }) => id) })
      const known = new Map(
        rows.map((row) => entityOf(properties(row, 'entity'))).map((entity) => [entity.id, entity]),
      )
      return found.flatMap(({ id, cosine }) => {
        const entity = known.get(id as never)
        return entity === undefined ? [] : [{ entity, cosine }]
      })
    },
    async entitiesNamed(namespace, keys) {
      const names = [...new Set([...keys, ...keys.map((key) => key.toLowerCase())])].map((name) =>
        uid(namespace, name),
      )
      const rows = await neo4j.read(queries.entitiesNamed, { namespace, names })
      return rows.map((row) => entityOf(properties(row, 'entity')))
    },
    async searchFacts(namespace, query) {
      const { vector, terms, personas, limit } = query
      const filter = inPersonas(namespace, personas)
      const found = await orWithout<readonly { id: string; bm25: number }[]>(
        async () =>
          (await points.fact.search(filter, { vector, terms, nearest: limit, lexical: limit })).points,
        () => scan.facts(namespace, query),
      )
      const scores = new Map(found.map(({ id, bm25 }) => [id, bm25]))
      const facts = await factsByIds(namespace, [...scores.keys()])
      const byId = new Map(
        facts.filter(({ closedAt }) => closedAt === null).map((fact) => [fact.id as string, fact]),
      )
      return [...scores].flatMap(([id, bm25]) => {
        const fact = byId.get(id)
        return fact === undefined ? [] : [{ fact, cosine: dot(vector, fact.vector), bm25 }]
      })
    },
    async expand(namespace, { entities, personas, limit, vector }) {
      const parameters = {
        namespace,
        ids: [...entities],
        personas: personas === null ? null : [...personas],
        limit: limit + 1,
      }
      const found = (await neo4j.read(queries.expand, parameters)).map(factOf)
      const edges = found.slice(0, limit)
      const cosines = vector === undefined ? [] : edges.map((edge) => dot(vector, edge.vector))
      return { edges, cosines, truncated: found.length > limit }
    },
    get: factsByIds,
    slotHistory: async (namespace, id) =>
      (await neo4j.read(queries.slotHistory, { uid: uid(namespace, id) })).map(factOf),
    factsOf: async (namespace, chunks) =>
      chunks.length === 0
        ? []
        : (await neo4j.read(queries.factsOf, { namespace, chunks: [...chunks] })).map(factOf),
    list: async (namespace, filter, page) =>
      (await neo4j.read(queries.list, listParameters(namespace, filter, page))).map(factOf),
    async ofRelation(namespace, { persona, subject, relation, limit }) {
      const slots = `${relation}|`
      const parameters = { namespace, persona, subject: uid(namespace, subject), slots, limit }
      return (await neo4j.read(queries.ofRelation, parameters)).map(factOf)
    },
    async touch(namespace, ids, now) {
      if (ids.length > 0) await neo4j.write(queries.touch, { uids: ids.map((id) => uid(namespace, id)), now })
    },
    async decay(namespace, { persona, halfLifeDays, now, lease }) {
      const parameters = { namespace, persona, now, stability: stabilitySeconds(halfLifeDays) }
      const [row] = await neo4j.transaction(async (run) => {
        await requireLease(run, lease)
        return run(queries.decay, parameters)
      }, decayLimitMs)
      if (row === undefined) return { decayed: 0, reinforced: 0 }
      return { decayed: number(row, 'decayed'), reinforced: number(row, 'reinforced') }
    },
    countRelationships: (namespace, persona) => count(queries.countRelationships, { namespace, persona }),
    countEntities: (namespace, persona) =>
      count(persona === null ? queries.countEntities : queries.countEntitiesOfPersona, {
        namespace,
        persona,
      }),
    countFaded: (namespace, query) => count(queries.countFaded, fadedParameters(namespace, query)),
    removeFaded: (namespace, query) =>
      removeFacts(namespace, queries.removeFaded, fadedParameters(namespace, query), query.lease),
    remove: (namespace, selection) =>
      removeFacts(namespace, queries.remove, selectionParameters(namespace, selection)),
    async removeEntity(namespace, key) {
      return follower.change(namespace, async (run) => {
        const rows = await run(queries.removeFactsOfEntity, { namespace, uid: uid(namespace, key) })
        const facts = [...new Set(rows.map((row) => text(row, 'id')))]
        const chunks = [
          ...new Set(rows.flatMap((row) => (row.chunk === null ? [] : [text(row, 'chunk')]))),
        ].sort()
        const gone = await run(queries.removeEntity, { uid: uid(namespace, key) })
        const entities = gone.map((row) => text(row, 'id'))
        const result = { relationships: facts.length, chunks: chunks.map(asChunkId) }
        return { result, marked: { chunks, facts, entities } }
      })
    },
    countOrphans: (namespace, faded) =>
      faded === undefined
        ? count(queries.countOrphans, { namespace })
        : count(queries.countOrphansSoon, fadedParameters(namespace, faded)),
    async removeOrphans(namespace) {
      return follower.change(namespace, async (run) => {
        const entities = (await run(queries.removeOrphans, { namespace })).map((row) => text(row, 'id'))
        return { result: entities.length, marked: { chunks: [], facts: [], entities } }
      })
    },
    namespaces: async () =>
      (await neo4j.read(queries.namespaces, {})).map((row) => asNamespace(text(row, 'namespace'))),
  }
}
