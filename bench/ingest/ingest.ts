/**
 * Batch ingest against the embedder alone, on the same texts, in the same run:
 * SETS_DIR=… npm run bench -- ingest [--cache DIR --texts 600 --set locomo]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../../src/core/clock.ts'
import { asNamespace, randomId } from '../../src/core/ids.ts'
import { createMemory } from '../../src/memory/create-memory.ts'
import type { IngestItem } from '../../src/memory/memory.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { openModelThread } from '../../src/models/embedder/model-thread.ts'
import { createLocalExtractor } from '../../src/models/facts/local-extractor.ts'
import { createLocalRelation } from '../../src/models/relation/local-relation.ts'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'

const { values: options } = parseArgs({
  options: {
    texts: { type: 'string', default: '600' },
    set: { type: 'string', default: 'locomo' },
    batch: { type: 'string', default: '50' },
  },
})
const file = path.join(process.env.SETS_DIR ?? '.', options.set, 'dev', 'items.jsonl')
const lines = readFileSync(file, 'utf8').trim().split('\n')
const texts = [...new Set(lines.map((line): string => JSON.parse(line).text))].slice(0, Number(options.texts))
const batches = Array.from({ length: Math.ceil(texts.length / Number(options.batch)) }, (_, at) =>
  texts.slice(at * Number(options.batch), (at + 1) * Number(options.batch)),
)

const directory = mkdtempSync(path.join(os.tmpdir(), 'memoryd-bench-'))
// Two embedders, so that neither finds the other's vectors in its memory of recent texts.
const alone = await createLocalEmbedder()
// As in the service, one thread embeds a text and reads its facts.
const thread = await openModelThread({ facts: true })
const embedder = await createLocalEmbedder({ thread })
const extractor = await createLocalExtractor({ thread })
const relation = await createLocalRelation()
const engine = await openEngine({ directory: path.join(directory, 'data') })
const memory = createMemory({
  ...{ stores: createEmbeddedMemoryStores(engine), embedder, extractor, relation },
  ...{ llmExtractor: null, graphQa: null },
  ...{ compressContext: null, compressClusters: null, clock: systemClock, newId: randomId },
  settings: { halfLifeDays: 7, pruneThreshold: 0.05 },
})
const namespace = asNamespace('bench')
const item = (text: string): IngestItem => ({
  ...{ text, persona: 'shared', source: 'user', sessionId: null, useLlmExtraction: false, metadata: null },
})

interface Cost {
  seconds: number
  cpuSeconds: number
}

/** Adds what the work takes, on the clock and in CPU time of all threads. */
async function measured(cost: Cost, work: () => Promise<unknown>): Promise<void> {
  const start = performance.now()
  const cpu = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(cpu)
  cost.seconds += (performance.now() - start) / 1_000
  cost.cpuSeconds += (user + system) / 1e6
}

await alone.embed(['warm'])
await embedder.embed(['warm'])
const embedding: Cost = { seconds: 0, cpuSeconds: 0 }
const ingesting: Cost = { seconds: 0, cpuSeconds: 0 }
const counts = { facts: 0, chunks: 0, entities: 0 }
// Turn and turn about, so that other load on the machine falls on both.
for (const batch of batches) {
  await measured(embedding, () => alone.embed(batch))
  await measured(ingesting, async () => {
    const reply = await memory.ingestBatch(namespace, batch.map(item))
    counts.facts += reply.factsIngested
    counts.chunks += reply.episodicChunks
    counts.entities += reply.entitiesExtracted
    if (reply.failed > 0) console.log(reply.results.find((result) => 'error' in result))
  })
}
const told = ({ seconds, cpuSeconds }: Cost) =>
  `${(texts.length / seconds).toFixed(1)} texts/s, ${((1_000 * cpuSeconds) / texts.length).toFixed(1)} ms CPU a text`
console.log(
  `${texts.length} texts of ${options.set}: ${counts.chunks} chunks, ${counts.facts} facts, ${counts.entities} entities`,
)
console.log(`embedder alone: ${told(embedding)}`)
console.log(`batch ingest:   ${told(ingesting)}`)
console.log(
  `ratio: ${((100 * embedding.seconds) / ingesting.seconds).toFixed(0)} % (60 % wanted, on an idle machine)`,
)
await Promise.all([memory.close(), alone.close(), embedder.close(), extractor.close(), thread.close()])
await engine.close()
rmSync(directory, { recursive: true })
