// Ingests texts into the engines and ends itself with SIGKILL at a step of the journal. Arguments: namespace, the step,
// which of the texts it is for, the texts as JSON. Prints the number of every text that was acknowledged.
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { asNamespace, randomId } from '../../src/core/ids.ts'
import { createMemory } from '../../src/memory/create-memory.ts'
import { openServerStores } from '../../src/stores/server/stores.ts'
import { anItem } from '../support/small-memory.ts'
import { createPatternExtractor, createWordEmbedder, createWordRelation } from '../support/small-models.ts'
import { smallOptions } from './open.ts'

const [namespace = '', step = '', place = '', list = '[]'] = process.argv.slice(2)
const texts: readonly string[] = JSON.parse(list)
let at = 0

const stores = openServerStores(
  smallOptions({
    onStep: async (reached) => {
      if (reached === step && at === Number(place)) process.kill(process.pid, 'SIGKILL')
    },
  }),
)
const memory = createMemory({
  ...{ stores: stores.memory, embedder: createWordEmbedder(), extractor: createPatternExtractor() },
  relation: createWordRelation(),
  ...{ llmExtractor: null, graphQa: null, compressContext: null, compressClusters: null },
  clock: systemClock,
  newId: randomId,
  settings: { halfLifeDays: 7, pruneThreshold: 0.05 },
  report: () => undefined,
})
for (; at < texts.length; at++) {
  for (;;) {
    const isDone = await memory.ingest(asNamespace(namespace), anItem(texts[at] ?? '')).then(
      () => true,
      () => false,
    )
    if (isDone) break
    // The engines are not found yet.
    await delay(20)
  }
  process.stdout.write(`${at}\n`)
}
process.exit(0)
