import { fill } from '../../bench/memory/filled.ts'
import { createRandom, createVectors } from '../../bench/vector-search/data.ts'
import { asNamespace } from '../../src/core/ids.ts'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'

/** Puts memories, half of them chunks and half facts, into a new store that nobody serves yet. */
export async function fillStore(dataDir: string, memories: number): Promise<void> {
  const engine = await openEngine({ directory: dataDir })
  await fill(createEmbeddedMemoryStores(engine), asNamespace('filled'), {
    ...{ chunks: Math.ceil(memories / 2), factsPerChunk: 1, subjectOf: (chunk) => `person${chunk % 499}` },
    nextVector: createVectors(384, 400, createRandom(7)),
  })
  await engine.close()
}
