/**
 * CPU time of retrieve at 10,000 memories, without the question's embedding, and what a hub of 100,000 edges costs:
 * npm run bench -- retrieve-cpu [--memories 10000 --edges 100000]
 */
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/core/clock.ts'
import { asChunkId, asItemId, asNamespace, asRelationshipId, randomId } from '../../src/core/ids.ts'
import { normalize, type Vector } from '../../src/core/vectors.ts'
import { createMemory } from '../../src/memory/create-memory.ts'
import type { Embedder, Extractor, ItemWrite, StatementRelation } from '../../src/memory/ports.ts'
import { openInlineEngine } from '../../src/stores/embedded/engine/inline.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { vectorsOnly } from '../../test/support/vectors-only.ts'

const { values: options } = parseArgs({
  options: { memories: { type: 'string', default: '10000' }, edges: { type: 'string', default: '100000' } },
})
const dimensions = 384
let seed = 1
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}
const vector = (): Vector => normalize(Float32Array.from({ length: dimensions }, () => random() - 0.5))
const vocabulary = Array.from({ length: 2_000 }, (_, at) => `word${at}`)
const words = (count: number) =>
  Array.from({ length: count }, () => vocabulary[Math.floor(random() ** 2 * vocabulary.length)]).join(' ')

const embedder: Embedder = {
  identity: { model: 'random', weights: 'none', scale: '1', dimensions },
  ...vectorsOnly(async (texts) => texts.map(() => vector())),
}
const relation: StatementRelation = { judge: async () => [] }
const extractor: Extractor = {
  extract: async (inputs) => inputs.map(() => ({ facts: [], entities: [], notice: null })),
}
const stores = createEmbeddedMemoryStores(openInlineEngine())
const memory = createMemory({
  ...{ stores, embedder, extractor, relation, llmExtractor: null, graphQa: null, compressContext: null },
  ...{ compressClusters: null, clock: systemClock, newId: randomId, timer: () => () => {} },
  settings: { halfLifeDays: 7, pruneThreshold: 0.05 },
})

/** One text with a chunk and facts about it. */
function anItem(at: number, facts: number, subjectOf: (fact: number) => string): ItemWrite {
  const now = systemClock.now()
  const text = words(20)
  const chunkId = asChunkId(randomId())
  const itemId = asItemId(randomId())
  const own = vector()
  return {
    ...{
      itemId,
      persona: 'shared',
      sessionId: `session ${at % 200}`,
      source: 'user',
      metadata: null,
      createdAt: now,
    },
    textHash: `${at}`,
    entities: [],
    links: [],
    chunks: [
      {
        ...{
          id: chunkId,
          itemId,
          persona: 'shared',
          sessionId: `session ${at % 200}`,
          source: 'user',
          speaker: null,
        },
        ...{ text, start: 0, end: text.length, metadata: null, vector: own, base: 1, createdAt: now },
        ...{ lastAccessAt: now, accessCount: 0, pinned: false },
      },
    ],
    facts: Array.from({ length: facts }, (_, fact) => ({
      ...{ id: asRelationshipId(randomId()), chunkId, subjectKey: subjectOf(fact), relation: 'knows' },
      ...{
        objectKey: `entity ${at} ${fact}`,
        slot: `knows|entity ${at} ${fact}`,
        negated: false,
        ended: false,
      },
      ...{
        fact: `${subjectOf(fact)} knows ${words(3)}`,
        evidence: text,
        extraction: 1,
        base: 1,
        when: null,
        vector: own,
      },
    })),
  }
}

const request = {
  ...{
    k: 5,
    persona: null,
    sessionId: null,
    includeEpisodic: true,
    includeSemantic: true,
    includeWorking: true,
  },
  ...{ maxHops: null, minScore: null, useCompression: false },
}

/** A server answers thousands of questions: what the compiler does during the first ones is not counted. */
const warmUpRuns = 100
const measuredRuns = 100

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

const median = (list: readonly number[]) =>
  list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN

const namespace = asNamespace('bench')
for (let at = 0; at < Number(options.memories) / 2; at++) {
  await stores.journal.remember(
    namespace,
    anItem(at, 1, () => `person ${at % 500}`),
  )
}
for (const maxHops of [null, 3]) {
  const costs: number[] = []
  for (let run = 0; run < warmUpRuns + measuredRuns; run++) {
    const query = `${words(4)} person ${run % 500}`
    costs.push(await cpuOf(() => memory.retrieve(namespace, { ...request, query, maxHops })))
  }
  const cost = median(costs.slice(warmUpRuns)).toFixed(1)
  console.log(`retrieve at ${options.memories} memories, max_hops ${maxHops}: ${cost} ms CPU at the median`)
}

const hub = asNamespace('hub')
for (let at = 0; at < Number(options.edges) / 500; at++)
  await stores.journal.remember(
    hub,
    anItem(at, 500, () => 'hub'),
  )
for (const maxHops of [2, 5]) {
  let truncated = false
  let wall = 0
  const cost = await cpuOf(async () => {
    const reply = await memory.retrieve(hub, { ...request, query: 'whom does hub know', maxHops })
    truncated = reply.truncated
    wall = reply.latencyMs
  })
  console.log(
    `hub of ${options.edges} edges, max_hops ${maxHops}: ${cost.toFixed(0)} ms CPU, ${wall.toFixed(0)} ms, truncated ${truncated}`,
  )
}
await memory.close()
