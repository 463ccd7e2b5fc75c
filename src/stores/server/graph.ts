import { asChunkId, asNamespace, asRelationshipId, type Namespace } from '../../core/ids.ts'
import { dot } from '../../core/vectors.ts'
import type { Fact, GraphStore } from '../../memory/ports.ts'
import type { AllPoints, Follower } from './follow.ts'
import type { Neo4j, RunQuery } from './neo4j/connection.ts'
import { requireLease } from './neo4j/fences.ts'
import { graphQueries as queries } from './neo4j/graph-queries.ts'
import { lockNamespace } from './neo4j/keyed.ts'
import { passOnFacts, toldElsewhere } from './neo4j/pass-on.ts'
import { entityOf, factOf, properties, uid } from './neo4j/rows.ts'
import {
  fadedParameters,
  fadedRemoval,
  listParameters,
  selectionParameters,
  stabilitySeconds,
} from './neo4j/selections.ts'
import { type Touched, undoClosings } from './neo4j/undo-closings.ts'
import { list, number, text } from './neo4j/values.ts'
import { withinParameters } from './neo4j/within.ts'
import { inNamespace, inPersonas, seenBy, toldBy } from './qdrant/filters.ts'
import { createGraphScan, orWithout, type ScannedHit, searchWith } from './scan.ts'

type Parameters = Readonly<Record<string, unknown>>

/** Long enough to go through every relationship of a large namespace. */
const decayLimitMs = 60_000

export function createServerGraphStore(neo4j: Neo4j, points: AllPoints, follower: Follower): GraphStore {
  const scan = createGraphScan(neo4j)
  async function count(query: string, parameters: Parameters): Promise<number> {
    const [row] = await neo4j.readShared(query, parameters)
    return row === undefined ? 0 : number(row, 'count')
  }
  async function factsByIds(namespace: Namespace, ids: readonly string[]): Promise<readonly Fact[]> {
    if (ids.length === 0) return []
    return (await neo4j.read(queries.byUids, { asked: { uids: ids.map((id) => uid(namespace, id)) } })).map(
      factOf,
    )
  }
  /** The facts that are gone and the chunks whose counts changed. */
  async function removeFacts(run: RunQuery, query: string, parameters: Parameters) {
    const rows = await run(query, parameters)
    const facts = [...new Set(rows.map((row) => text(row, 'id')))]
    const chunks = new Set(rows.flatMap((row) => (row.chunk === null ? [] : [text(row, 'chunk')])))
    return { facts, chunks: [...chunks].sort() }
  }
  /** Undoes what the facts that `select` names have closed. */
  async function undo(run: RunQuery, namespace: Namespace, select: string, parameters: Parameters) {
    const ids = (await run(select, parameters)).map((row) => text(row, 'id'))
    return undoClosings(run, namespace, ids)
  }

  return {
    async nearestEntities(namespace, vector, limit, asOf) {
      const known = asOf === undefined ? inNamespace(namespace) : toldBy(inNamespace(namespace), asOf)
      const found = await orWithout<readonly { id: string; cosine: number }[]>(
        () => points.entity.nearest(known, vector, limit),
        () => scan.entities(namespace, vector, limit, asOf ?? null),
      )
      const rows = await neo4j.read(queries.entitiesById, { namespace, ids: found.map(({ id }) => id) })
      const byId = new Map(
        rows.map((row) => entityOf(properties(row, 'entity'))).map((entity) => [entity.id, entity]),
      )
      return found.flatMap(({ id, cosine }) => {
        const entity = byId.get(id as never)
        return entity === undefined ? [] : [{ entity, cosine }]
      })
    },
    async entitiesNamed(namespace, keys) {
      const names = [...new Set([...keys, ...keys.map((key) => key.toLowerCase())])].map((name) =>
        uid(namespace, name),
      )
      const rows = await neo4j.read(queries.entitiesNamed, { namespace, asked: { names } })
      return rows.map((row) => entityOf(properties(row, 'entity')))
    },
    async searchFacts(namespace, query) {
      const { vector, personas, within } = query
      const seen = await withinParameters(neo4j.read, 'f', namespace, within)
      const filter = await seenBy(inPersonas(namespace, personas), namespace, within, () =>
        neo4j.read(queries.seen, { namespace, ...seen }),
      )
      // Qdrant has the facts that are open now.
      const closedSince =
        within === undefined || within.asOf === null ? [] : await scan.closedSince(namespace, personas, seen)
      const found = await orWithout<readonly ScannedHit[]>(
        () => searchWith(points.fact, filter, query, closedSince),
        () => scan.facts(namespace, query, seen),
      )
      const scores = new Map(found.map(({ id, bm25 }) => [id, bm25]))
      const facts = await factsByIds(namespace, [...scores.keys()])
      const byId = new Map(
        facts
          .filter(({ closedAt }) => closedAt === null || closedAt > (seen.asOf ?? Number.POSITIVE_INFINITY))
          .map((fact) => [fact.id as string, fact]),
      )
      return [...scores].flatMap(([id, bm25]) => {
        const fact = byId.get(id)
        return fact === undefined ? [] : [{ fact, cosine: dot(vector, fact.vector), bm25 }]
      })
    },
    async expand(namespace, { entities, personas, limit, vector, nearest = limit, within, without = [] }) {
      const parameters = {
        namespace,
        ...(await withinParameters(neo4j.read, 'f', namespace, within)),
        ids: [...entities],
        personas: personas === null ? null : [...personas],
        without: [...without],
        limit: limit + 1,
      }
      const found = (await neo4j.read(queries.expand, parameters)).map(factOf)
      const given = new Set(entities)
      const looked = found.slice(0, limit).map((edge, at) => {
        const from = given.has(edge.subject) ? edge.subject : edge.object
        return { edge, at, from, cosine: vector === undefined ? 0 : dot(vector, edge.vector) }
      })
      const leaving = Map.groupBy(looked, ({ from }) => from)
      const kept = looked
        .toSorted((a, b) => b.cosine - a.cosine || a.at - b.at)
        .slice(0, nearest)
        .sort((a, b) => a.at - b.at)
      return {
        edges: kept.map(({ edge }) => edge),
        cosines: vector === undefined ? [] : kept.map(({ cosine }) => cosine),
        crowds: kept.map(({ from }) => leaving.get(from)?.length ?? 1),
        truncated: found.length > kept.length,
      }
    },
    get: factsByIds,
    slotHistory: async (namespace, id) =>
      (await neo4j.read(queries.slotHistory, { uid: uid(namespace, id) })).map(factOf),
    factsOf: async (namespace, chunks) =>
      chunks.length === 0
        ? []
        : (await neo4j.read(queries.factsOf, { namespace, chunks: [...chunks] })).map(factOf),
    list: async (namespace, filter, page) =>
      (await neo4j.read(queries.list, await listParameters(neo4j.read, 'f', namespace, filter, page))).map(
        factOf,
      ),
    async rivals(
      namespace,
      { subject, at = Number.POSITIVE_INFINITY, later = false, without = [], ...place },
    ) {
      const parameters = { namespace, ...place, subject: uid(namespace, subject), at, without: [...without] }
      return (await neo4j.read(later ? queries.laterRivals : queries.rivals, parameters)).map(factOf)
    },
    async touch(namespace, ids, now, told) {
      if (ids.length === 0) return
      const uids = ids.map((id) => uid(namespace, id))
      await neo4j.write(queries.touch, { uids, now })
      if (told !== undefined) await neo4j.write(queries.toldAgain, { uids, told })
    },
    pin: async (namespace, id, pinned) =>
      (await neo4j.write(queries.pin, { namespace, uid: uid(namespace, id), pinned })).length > 0,
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
    faded: async (namespace, query) =>
      (await neo4j.read(queries.faded, fadedRemoval(namespace, query))).map((row) =>
        asRelationshipId(text(row, 'id')),
      ),
    removeFaded: (namespace, query) =>
      follower.change(namespace, async (run) => {
        await lockNamespace(run, namespace)
        await requireLease(run, query.lease)
        const gone = await removeFacts(run, queries.removeFaded, fadedRemoval(namespace, query))
        return { result: gone.facts.length, marked: { ...gone, entities: [] } }
      }),
    remove: (namespace, selection) =>
      follower.change(namespace, async (run) => {
        const parameters = await selectionParameters(run, 'f', namespace, selection)
        const touched = await undo(run, namespace, queries.selected, parameters)
        const gone = await removeFacts(run, queries.remove, parameters)
        return { result: gone.facts.length, marked: { ...both(gone, touched), entities: [] } }
      }),
    count: async (namespace, selection) =>
      count(queries.count, await selectionParameters(neo4j.read, 'f', namespace, selection)),
    async linkedTo(namespace, key) {
      const rows = await neo4j.read(queries.linkedTo, { uid: uid(namespace, key) })
      const relationships = [...new Set(rows.map((row) => text(row, 'id')))]
      const chunks = new Set(rows.flatMap((row) => (row.chunk === null ? [] : [text(row, 'chunk')])))
      return {
        relationships: relationships.map(asRelationshipId),
        chunks: [...chunks].sort().map(asChunkId),
      }
    },
    toldElsewhere: (namespace, chunks) => toldElsewhere(neo4j.read, namespace, chunks),
    passOn: (namespace, chunks) =>
      follower.change(namespace, async (run) => {
        await lockNamespace(run, namespace)
        const facts = await passOnFacts(run, namespace, chunks)
        return { result: undefined, marked: { chunks: [], facts, entities: [] } }
      }),
    async dropEvidence(namespace, ids) {
      if (ids.length > 0)
        await neo4j.write(queries.dropEvidence, { uids: ids.map((id) => uid(namespace, id)) })
    },
    async countOrphans(namespace, gone) {
      if (gone === undefined) return count(queries.countOrphans, { namespace })
      return 'threshold' in gone
        ? count(queries.countOrphansFaded, fadedParameters(namespace, gone))
        : count(queries.countOrphansSelected, await selectionParameters(neo4j.read, 'f', namespace, gone))
    },
    async removeOrphans(namespace) {
      return follower.change(namespace, async (run) => {
        await lockNamespace(run, namespace)
        const entities = (await run(queries.removeOrphans, { namespace })).map((row) => text(row, 'id'))
        return { result: entities.length, marked: { chunks: [], facts: [], entities } }
      })
    },
    async dropRoles(namespace) {
      return follower.change(namespace, async (run) => {
        await lockNamespace(run, namespace)
        const rows = await run(queries.untoldRoles, { namespace })
        const dropped = rows.map((row) => {
          const aliases = list(row, 'aliases').map(String)
          const names = aliases.map((alias) => uid(namespace, alias.toLowerCase()))
          return { uid: text(row, 'uid'), aliases, names }
        })
        if (dropped.length > 0) await run(queries.dropRoles, { dropped })
        return { result: dropped.length, marked: { chunks: [], facts: [], entities: [] } }
      })
    },
    namespaces: async () =>
      (await neo4j.read(queries.namespaces, {})).map((row) => asNamespace(text(row, 'namespace'))),
  }
}

const both = (a: Touched, b: Touched): Touched => ({
  chunks: [...new Set([...a.chunks, ...b.chunks])],
  facts: [...new Set([...a.facts, ...b.facts])],
})
