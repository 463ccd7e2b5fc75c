import type { Seconds } from '../core/clock.ts'
import type { Namespace } from '../core/ids.ts'
import type { RetrieveRequest } from './memory.ts'
import type { FoundChunk, FoundFact, MemoryStores, Within } from './ports.ts'
import { toldAt } from './within.ts'

type Stores = Pick<MemoryStores, 'graph' | 'episodic' | 'working'>

/** What a question may see; null: everything. */
export function withinOf({
  since = null,
  until = null,
  asOf = null,
  filter = null,
}: RetrieveRequest): Within | null {
  const narrows = [since, until, asOf, filter].some((one) => one !== null)
  return narrows ? { since, until, asOf, filter } : null
}

/**
 * The stores as a question sees them. Searches find nothing outside of `within`. Lookups by id show the time that was
 * asked for, and what lies outside of the rest, too: what replaced a memory must be followed through it.
 */
export function viewOf(stores: Stores, within: Within | null): Stores {
  if (within === null) return stores
  const { graph, episodic } = stores
  const { asOf } = within
  const factsThen = <T extends FoundFact>(facts: readonly T[]) => (asOf === null ? facts : then(facts, asOf))
  const chunksThen = async <T extends FoundChunk>(namespace: Namespace, chunks: readonly T[]) =>
    asOf === null ? chunks : standing(episodic, namespace, chunks, asOf)
  return {
    ...stores,
    episodic: {
      ...episodic,
      search: async (namespace, query) => {
        const { hits, idfSum } = await episodic.search(namespace, { ...query, within })
        const chunks = await chunksThen(
          namespace,
          hits.map(({ chunk }) => chunk),
        )
        return { idfSum, hits: hits.map((hit, at) => ({ ...hit, chunk: chunks[at] ?? hit.chunk })) }
      },
      get: async (namespace, ids) => {
        const chunks = await episodic.get(namespace, ids)
        return chunksThen(namespace, asOf === null ? chunks : chunks.filter((one) => toldAt(one) <= asOf))
      },
    },
    graph: {
      ...graph,
      searchFacts: async (namespace, query) => {
        const hits = await graph.searchFacts(namespace, { ...query, within })
        const facts = factsThen(hits.map(({ fact }) => fact))
        return hits.map((hit, at) => ({ ...hit, fact: facts[at] ?? hit.fact }))
      },
      nearestEntities: (namespace, vector, limit) =>
        graph.nearestEntities(namespace, vector, limit, asOf ?? undefined),
      entitiesNamed: async (namespace, keys) => {
        const entities = await graph.entitiesNamed(namespace, keys)
        return asOf === null ? entities : entities.filter((one) => toldAt(one) <= asOf)
      },
      expand: async (namespace, query) => {
        const expansion = await graph.expand(namespace, { ...query, within })
        return { ...expansion, edges: factsThen(expansion.edges) }
      },
      get: async (namespace, ids) => factsThen(await graph.get(namespace, ids)),
      factsOf: async (namespace, chunks) => factsThen(await graph.factsOf(namespace, chunks)),
    },
  }
}

/** Facts as they stood: none that was told later, and open what was closed later. */
function then<T extends FoundFact>(facts: readonly T[], asOf: Seconds): readonly T[] {
  return facts
    .filter((fact) => toldAt(fact) <= asOf)
    .map((fact) =>
      fact.closedAt !== null && fact.closedAt > asOf
        ? { ...fact, closedAt: null, closedBy: null, closer: null }
        : fact,
    )
}

/** Chunks as they stood. Only what has changed since it was told is looked up. */
async function standing<T extends FoundChunk>(
  episodic: Stores['episodic'],
  namespace: Namespace,
  chunks: readonly T[],
  asOf: Seconds,
): Promise<readonly T[]> {
  const changed = chunks.filter(({ closedFactCount, replaced }) => closedFactCount > 0 || replaced !== null)
  if (changed.length === 0) return chunks
  const ids = changed.map(({ id }) => id)
  const known = new Map((await episodic.standing(namespace, ids, asOf)).map((one) => [one.id, one]))
  return chunks.map((chunk) => ({ ...chunk, ...known.get(chunk.id) }))
}
