import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/core/clock.ts'
import { asNamespace, randomId } from '../../src/core/ids.ts'
import { createMemory } from '../../src/memory/create-memory.ts'
import type { Embedder, Extractor, MemoryStores, StatementRelation } from '../../src/memory/ports.ts'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { vectorsOnly } from '../../test/support/vectors-only.ts'
import { createRandom, createVectors } from '../vector-search/data.ts'
import { fill } from './filled.ts'

// One entity with 100,000 edges: what does a retrieve with max_hops 3 that starts there cost, on the store as the
// service runs it? Exits with 1 over 500 ms CPU, or when the answer does not say that it is partial. EDGES sets the size.

const edges = Number(process.env.EDGES ?? 100_000)
const factsPerChunk = 500
const limitMs = 500
const runs = 5

const namespace = asNamespace('hub')
const nextVector = createVectors(384, 400, createRandom(7))
const embedder: Embedder = {
  identity: { model: 'random', weights: 'none', scale: '1', dimensions: 384 },
  ...vectorsOnly(async (texts) => texts.map(nextVector)),
}
const relation: StatementRelation = { judge: async () => [] }
const extractor: Extractor = {
  extract: async (inputs) => inputs.map(() => ({ facts: [], entities: [], notice: null })),
}

async function measure(stores: MemoryStores): Promise<void> {
  const memory = createMemory({
    ...{ stores, embedder, extractor, relation, llmExtractor: null, graphQa: null, compressContext: null },
    ...{ compressClusters: null, clock: systemClock, newId: randomId, timer: () => () => {} },
    settings: { halfLifeDays: 7, pruneThreshold: 0.05 },
  })
  const request = {
    ...{ k: 5, persona: null, sessionId: null, includeEpisodic: true, includeSemantic: true },
    ...{ includeWorking: true, minScore: null, useCompression: false, maxHops: 3 },
  }
  for (let run = 0; run < runs; run++) {
    const before = process.cpuUsage()
    const reply = await memory.retrieve(namespace, { ...request, query: 'Whom does Hub know?' })
    const { user, system } = process.cpuUsage(before)
    const cpuMs = (user + system) / 1_000
    const first = run === 0 ? ', loads the index' : ''
    console.log(
      `hub of ${edges} edges, max_hops 3: ${cpuMs.toFixed(0)} ms CPU, ${reply.latencyMs.toFixed(0)} ms, truncated ${reply.truncated}, ${reply.reasoningChain?.length ?? 0} steps shown${first}`,
    )
    if (run > 0 && (cpuMs >= limitMs || !reply.truncated)) process.exitCode = 1
  }
  await memory.close()
}

const directory = await mkdtemp(join(tmpdir(), 'memoryd-hub-'))
try {
  const engine = await openEngine({ directory })
  const stores = createEmbeddedMemoryStores(engine)
  const chunks = Math.ceil(edges / factsPerChunk)
  await fill(stores, namespace, { chunks, factsPerChunk, nextVector, subjectOf: () => 'hub' })
  await measure(stores)
  await engine.close()
} finally {
  await rm(directory, { recursive: true })
}
