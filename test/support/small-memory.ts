import { createManualClock, type ManualClock } from '../../src/core/clock.ts'
import { ServiceError } from '../../src/core/errors.ts'
import { asNamespace, type Namespace } from '../../src/core/ids.ts'
import { createMemory, type MemoryParts, type OwnedMemory } from '../../src/memory/create-memory.ts'
import type { IngestItem, IngestReply, RetrieveReply, RetrieveRequest } from '../../src/memory/memory.ts'
import type { MemoryStores } from '../../src/memory/ports.ts'
import { openInlineEngine } from '../../src/stores/embedded/engine/inline.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { createPatternExtractor, createWordEmbedder, createWordRelation } from './small-models.ts'

export const aNamespace: Namespace = asNamespace('account')

/** The middle of 2026: any time would do. */
const startTime = 1_780_000_000

/** A memory on the real embedded store in this process, with models small enough to reason about. */
export interface SmallMemory {
  readonly memory: OwnedMemory
  readonly stores: MemoryStores
  readonly clock: ManualClock
  readonly embedder: ReturnType<typeof createWordEmbedder>
  readonly extractor: ReturnType<typeof createPatternExtractor>
  readonly relation: ReturnType<typeof createWordRelation>
  /** Failures in the background. */
  readonly reported: unknown[]
  ingest(text: string, item?: Partial<IngestItem>): Promise<IngestReply>
  retrieve(query: string, request?: Partial<RetrieveRequest>): Promise<RetrieveReply>
  /** The texts that a question finds, best first. */
  find(query: string, request?: Partial<RetrieveRequest>): Promise<string[]>
}

export interface SmallMemoryOptions {
  readonly parts?: Partial<MemoryParts>
  /** Stands between the memory and its stores, to fail or to count. */
  readonly around?: (stores: MemoryStores) => MemoryStores
  readonly namespace?: Namespace
}

/** The item with the specification's defaults. */
export function anItem(text: string, item: Partial<IngestItem> = {}): IngestItem {
  return {
    text,
    persona: 'shared',
    source: 'user',
    sessionId: null,
    useLlmExtraction: false,
    metadata: null,
    ...item,
  }
}

/** The request with the specification's defaults. */
export function aRequest(query: string, request: Partial<RetrieveRequest> = {}): RetrieveRequest {
  return {
    ...{ query, k: 5, persona: null, sessionId: null, includeEpisodic: true, includeSemantic: true },
    ...{ includeWorking: true, maxHops: null, minScore: null, useCompression: false },
    ...request,
  }
}

export function openSmallMemory(options: SmallMemoryOptions = {}): SmallMemory {
  const { parts = {}, around = (stores) => stores, namespace = aNamespace } = options
  const clock = createManualClock(startTime)
  const stores = around(createEmbeddedMemoryStores(openInlineEngine()))
  const embedder = createWordEmbedder()
  const extractor = createPatternExtractor()
  const relation = createWordRelation()
  const reported: unknown[] = []
  let next = 0
  const memory = createMemory({
    ...{ stores, embedder, extractor, relation, llmExtractor: null, graphQa: null, compressContext: null },
    ...{ compressClusters: null, clock, settings: { halfLifeDays: 7, pruneThreshold: 0.05 } },
    newId: () => `id-${String(next++).padStart(6, '0')}`,
    report: (error) => reported.push(error),
    timer: () => () => {},
    ...parts,
  })
  const retrieve: SmallMemory['retrieve'] = (query, request) =>
    memory.retrieve(namespace, aRequest(query, request))
  return {
    ...{ memory, stores, clock, embedder, extractor, relation, reported, retrieve },
    ingest: (text, item) => memory.ingest(namespace, anItem(text, item)),
    find: async (query, request) => {
      const { facts } = await retrieve(query, request)
      return facts.toSorted((a, b) => a.rank - b.rank).map(({ fact }) => fact)
    },
  }
}

const down = () => Promise.reject(new ServiceError('store_unavailable'))

/** Every method of a port rejects as an engine that cannot be reached. */
function unreachable<T extends object>(port: T): T {
  return Object.fromEntries(Object.keys(port).map((name) => [name, down])) as T
}

type Port = 'graph' | 'episodic' | 'working'

/** Stores of which some can be switched off once they hold something. */
export function switchable() {
  const off = new Set<Port>()
  const around = (stores: MemoryStores): MemoryStores => {
    const port = <P extends Port>(name: P): MemoryStores[P] =>
      new Proxy(stores[name], {
        get: (target, method) => Reflect.get(off.has(name) ? unreachable(target) : target, method),
      })
    return { ...stores, graph: port('graph'), episodic: port('episodic'), working: port('working') }
  }
  return { off, around }
}

/** A memory that knows where the user lives and what he likes. */
export async function withLisbon(small: SmallMemory): Promise<SmallMemory> {
  await small.ingest('I live in Lisbon.', { metadata: { id: 'm1' } })
  await small.ingest('I like sardines.')
  return small
}
