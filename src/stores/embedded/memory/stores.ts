import type { Namespace } from '../../../core/ids.ts'
import type { Vector } from '../../../core/vectors.ts'
import type {
  DocumentStore,
  EpisodicStore,
  GraphStore,
  GraphView,
  ItemWrite,
  Journal,
  LifecycleStore,
  MemoryStores,
  VectorMaintenance,
  WorkingMemory,
} from '../../../memory/ports.ts'
import { hotFacts, sessionSeconds } from '../../../memory/rules.ts'
import type { Engine } from '../engine/engine.ts'
import { unpackFacts } from './found-facts.ts'
import type { DecaySlice } from './graph-writes.ts'
import { unpackHits } from './hits.ts'
import { usualIndexBytes } from './index/budget.ts'
import { chunkOf, entityOf, factOf, hotFactOf, unpackRows } from './rows.ts'

export interface MemorySettings {
  /** Memory that search indexes may take; a namespace beyond it is read for every question. */
  readonly indexBudgetBytes: number
  /** A session ends when nothing was added for so long. */
  readonly sessionTtlSeconds: number
  /** Hot facts kept per session, the newest. */
  readonly hotFacts: number
}

const defaults: MemorySettings = {
  indexBudgetBytes: usualIndexBytes(),
  sessionTtlSeconds: sessionSeconds,
  hotFacts,
}

/** Every store of the memory on one embedded engine. The engine stays the caller's to close. */
export function createEmbeddedMemoryStores(
  engine: Engine,
  settings: Partial<MemorySettings> = {},
): MemoryStores {
  const parts = { ...defaults, ...settings }
  return {
    episodic: episodicStore(engine, parts),
    graph: graphStore(engine, parts),
    view: graphView(engine),
    working: workingMemory(engine, parts),
    journal: journal(engine, parts),
    lifecycle: lifecycleStore(engine),
    vectors: vectorMaintenance(engine),
    documents: documentStore(engine),
  }
}

/** A vector with memory of its own: of a view, the whole underlying memory would travel to the thread. */
function own(vector: Vector): Vector {
  return vector.byteLength === vector.buffer.byteLength ? vector : vector.slice()
}

const withOwn = <T extends { readonly vector: Vector }>(things: readonly T[]) =>
  things.map((thing) => ({ ...thing, vector: own(thing.vector) }))

/**
 * Rows that one write removes. What that adds to the log must fit into the space that is kept in reserve, even with the
 * largest metadata: on a full disk removing is what makes room. Other writes come between two slices.
 */
const removedAtOnce = 100

/** Removes rows slice by slice; says how many. With nothing to remove there is one empty slice: it asks for the lease. */
async function inSlices(
  seqs: readonly number[],
  remove: (slice: readonly number[]) => Promise<number>,
): Promise<number> {
  let removed = 0
  for (let at = 0; at === 0 || at < seqs.length; at += removedAtOnce) {
    removed += await remove(seqs.slice(at, at + removedAtOnce))
  }
  return removed
}

function episodicStore(engine: Engine, { indexBudgetBytes: budgetBytes }: MemorySettings): EpisodicStore {
  return {
    search: async (namespace, query) => {
      const asked = { ...query, vector: own(query.vector) }
      const found = await engine.read('episodic.search', { namespace, budgetBytes, query: asked })
      return { hits: unpackHits(found, query.tokens ?? null), idfSum: found.idfSum }
    },
    nearest: async (namespace, personas, vector, limit) => {
      const args = { namespace, budgetBytes, personas, vector: own(vector), limit }
      return unpackHits(await engine.read('episodic.nearest', args), null)
    },
    get: async (namespace, ids) => unpackRows(await engine.read('episodic.get', { namespace, ids }), chunkOf),
    standing: (namespace, ids, asOf) => engine.read('episodic.standing', { namespace, ids, asOf }),
    keyed: (namespace, persona, key) => engine.read('episodic.keyed', { namespace, persona, key }),
    list: async (namespace, filter, page) =>
      unpackRows(await engine.read('episodic.list', { namespace, filter, page }), chunkOf),
    touch: (namespace, ids, now, told) => engine.write('episodic.touch', { namespace, ids, now, told }),
    upgrade: (namespace, id, source, base, now) =>
      engine.write('episodic.upgrade', { namespace, id, source, base, now }),
    links: (namespace, id) => engine.read('episodic.links', { namespace, id }),
    pin: (namespace, id, pinned) => engine.write('episodic.pin', { namespace, id, pinned }),
    count: (namespace, selection) => engine.read('episodic.count', { namespace, selection }),
    countFaded: (namespace, query) => engine.read('episodic.countFaded', { namespace, query }),
    faded: async (namespace, query) => engine.read('episodic.fadedIds', { namespace, query }),
    removeFaded: async (namespace, query) =>
      inSlices(await engine.read('episodic.faded', { namespace, query }), (seqs) =>
        engine.write('episodic.removeFaded', { namespace, query, seqs }),
      ),
    remove: async (namespace, selection) =>
      inSlices(await engine.read('episodic.selected', { namespace, selection }), (seqs) =>
        engine.write('episodic.remove', { namespace, selection, seqs }),
      ),
  }
}

function graphView(engine: Engine): GraphView {
  return {
    entities: (namespace, query) => engine.read('view.entities', { namespace, query }),
    nodes: (namespace, ids, scope) => engine.read('view.nodes', { namespace, ids, scope }),
    edges: async (namespace, query) => unpackFacts(await engine.read('view.edges', { namespace, query })),
    pinned: async (namespace, personas, limit) => {
      const { chunks, facts } = await engine.read('view.pinned', { namespace, personas, limit })
      return { chunks, facts: unpackFacts(facts) }
    },
  }
}

/** Relationships that one write decays: some ten milliseconds, in which no ingest can be written. */
const decaySlice = 5_000

function graphStore(engine: Engine, { indexBudgetBytes: budgetBytes }: MemorySettings): GraphStore {
  return {
    nearestEntities: async (namespace, vector, limit, asOf) => {
      const args = { namespace, budgetBytes, vector: own(vector), limit, asOf: asOf ?? null }
      const { entities, cosines } = await engine.read('graph.nearestEntities', args)
      return unpackRows(entities, entityOf).map((entity, at) => ({ entity, cosine: cosines[at] ?? 0 }))
    },
    entitiesNamed: async (namespace, keys) =>
      unpackRows(await engine.read('graph.entitiesNamed', { namespace, keys }), entityOf),
    searchFacts: async (namespace, query) => {
      const asked = { ...query, vector: own(query.vector) }
      const found = await engine.read('graph.searchFacts', { namespace, budgetBytes, query: asked })
      const { cosines, bm25s } = found
      return unpackFacts(found).map((fact, at) => ({ fact, cosine: cosines[at] ?? 0, bm25: bm25s[at] ?? 0 }))
    },
    expand: async (namespace, query) => {
      const { vector } = query
      const asked = { ...query, ...(vector && { vector: own(vector) }) }
      const found = await engine.read('graph.expand', { namespace, budgetBytes, query: asked })
      const { cosines, crowds, truncated } = found
      return { edges: unpackFacts(found), cosines, crowds, truncated }
    },
    get: async (namespace, ids) => unpackRows(await engine.read('graph.get', { namespace, ids }), factOf),
    slotHistory: async (namespace, id) =>
      unpackRows(await engine.read('graph.slotHistory', { namespace, id }), factOf),
    factsOf: async (namespace, chunks) =>
      unpackRows(await engine.read('graph.factsOf', { namespace, chunks }), factOf),
    list: async (namespace, filter, page) =>
      unpackRows(await engine.read('graph.list', { namespace, filter, page }), factOf),
    rivals: async (namespace, query) =>
      unpackRows(await engine.read('graph.rivals', { namespace, query }), factOf),
    touch: (namespace, ids, now, told) => engine.write('graph.touch', { namespace, ids, now, told }),
    pin: (namespace, id, pinned) => engine.write('graph.pin', { namespace, id, pinned }),
    decay: async (namespace, query) => {
      const total = { decayed: 0, reinforced: 0 }
      let after: number | null = 0
      while (after !== null) {
        const slice: DecaySlice = await engine.write('graph.decay', {
          namespace,
          query,
          after,
          limit: decaySlice,
        })
        total.decayed += slice.decayed
        total.reinforced += slice.reinforced
        after = slice.last
      }
      return total
    },
    countRelationships: (namespace, persona) =>
      engine.read('graph.countRelationships', { namespace, persona }),
    countEntities: (namespace, persona) => engine.read('graph.countEntities', { namespace, persona }),
    countFaded: (namespace, query) => engine.read('graph.countFaded', { namespace, query }),
    faded: async (namespace, query) => engine.read('graph.fadedIds', { namespace, query }),
    removeFaded: async (namespace, query) =>
      inSlices(await engine.read('graph.faded', { namespace, query }), (seqs) =>
        engine.write('graph.removeFaded', { namespace, query, seqs }),
      ),
    remove: async (namespace, selection) =>
      inSlices(await engine.read('graph.selected', { namespace, selection }), (seqs) =>
        engine.write('graph.remove', { namespace, selection, seqs }),
      ),
    count: (namespace, selection) => engine.read('graph.count', { namespace, selection }),
    linkedTo: (namespace, key) => engine.read('graph.linkedTo', { namespace, key }),
    toldElsewhere: (namespace, chunks) => engine.read('graph.toldElsewhere', { namespace, chunks }),
    passOn: (namespace, chunks) => engine.write('graph.passOn', { namespace, chunks }),
    dropEvidence: async (namespace, ids) => {
      if (ids.length > 0) await engine.write('graph.dropEvidence', { namespace, ids })
    },
    countOrphans: (namespace, gone) =>
      engine.read('graph.countOrphans', { namespace, ...(gone && { gone }) }),
    removeOrphans: async (namespace) =>
      inSlices(await engine.read('graph.orphans', { namespace }), (seqs) =>
        engine.write('graph.removeOrphans', { namespace, seqs }),
      ),
    dropRoles: async (namespace) => {
      const roles = await engine.read('graph.untoldRoles', { namespace })
      return roles.length === 0 ? 0 : engine.write('graph.dropRoles', { namespace, roles })
    },
    namespaces: () => engine.read('graph.namespaces'),
  }
}

/** New facts after which the indexes follow: a question that comes then has at most this many to read first. */
const followedFacts = 1_000

function journal(engine: Engine, { indexBudgetBytes: budgetBytes }: MemorySettings): Journal {
  const unfollowed = new Map<Namespace, number>()
  const follow = (namespace: Namespace, facts: number) => {
    const waiting = (unfollowed.get(namespace) ?? 0) + facts
    unfollowed.set(namespace, waiting % followedFacts)
    if (waiting < followedFacts) return
    // What fails here fails again in the next search, which says so.
    engine.read('index.followWrites', { namespace, budgetBytes }).catch(() => undefined)
  }
  const owned = (item: ItemWrite): ItemWrite => ({
    ...item,
    entities: withOwn(item.entities),
    facts: withOwn(item.facts),
    chunks: withOwn(item.chunks),
  })
  return {
    async remember(namespace, item) {
      const remembered = await engine.write('journal.remember', { namespace, item: owned(item) })
      follow(namespace, item.facts.length)
      return remembered
    },
    removeKeyed: (namespace, persona, key) =>
      engine.write('journal.removeKeyed', { namespace, persona, key }),
  }
}

function workingMemory(engine: Engine, { sessionTtlSeconds, hotFacts }: MemorySettings): WorkingMemory {
  const ttlSeconds = sessionTtlSeconds
  return {
    observe: (namespace, observation) => {
      const { vector, facts } = observation
      const owned = { ...observation, vector: own(vector), facts: withOwn(facts) }
      return engine.write('working.observe', { namespace, observation: owned, ttlSeconds, hotFacts })
    },
    session: async (namespace, sessionId, now) => {
      const found = await engine.read('working.session', { namespace, sessionId, now, ttlSeconds })
      return found === null ? null : { topic: found.topic, facts: unpackRows(found.facts, hotFactOf) }
    },
    dropFacts: (namespace, ids) => engine.write('working.dropFacts', { namespace, ids }),
    forget: (namespace, sessionId) => engine.write('working.forget', { namespace, sessionId }),
  }
}

function lifecycleStore(engine: Engine): LifecycleStore {
  return {
    lastRun: (namespace, persona) => engine.read('lifecycle.lastRun', { namespace, persona }),
    recordRun: (namespace, persona, run) => engine.write('lifecycle.recordRun', { namespace, persona, run }),
    runs: (namespace, persona) => engine.read('lifecycle.runs', { namespace, persona }),
    acquire: (name, seconds, now) => engine.write('lifecycle.acquire', { name, seconds, now }),
    renew: (lease, seconds, now) => engine.write('lifecycle.renew', { lease, seconds, now }),
    release: (lease) => engine.write('lifecycle.release', lease),
  }
}

function vectorMaintenance(engine: Engine): VectorMaintenance {
  return {
    identity: () => engine.read('vectors.identity'),
    setIdentity: (identity) => engine.write('vectors.setIdentity', identity),
    countTexts: () => engine.read('vectors.count'),
    texts: (after, limit) => engine.read('vectors.texts', { after, limit }),
    replace: (vectors) => engine.write('vectors.replace', withOwn(vectors)),
  }
}

function documentStore(engine: Engine): DocumentStore {
  return {
    get: (namespace, persona, path) => engine.read('documents.get', { namespace, persona, path }),
    list: (namespace, persona, page) => engine.read('documents.list', { namespace, persona, page }),
    forget: (namespace, persona) => engine.write('documents.forget', { namespace, persona }),
  }
}
