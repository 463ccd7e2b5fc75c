import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock } from '../../src/core/clock.ts'
import { asNamespace, type Namespace } from '../../src/core/ids.ts'
import { createMemory } from '../../src/memory/create-memory.ts'
import type { Embedder, Extractor, MemoryStores, StatementRelation } from '../../src/memory/ports.ts'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import type { Group } from './sets.ts'

/** When the first text was told: any time would do. */
const startTime = 1_780_000_000
const secondsPerTurn = 60
const batchSize = 50

/** Nothing is taken for out of date: the ranking is fitted on texts that all hold. */
const besideAlways: StatementRelation = {
  judge: async (pairs) => pairs.map(() => ({ same: 0, replaces: 0, ends: 0, beside: 1 })),
}

export interface SetStore {
  readonly stores: MemoryStores
  readonly now: number
  namespaceOf(group: Group): Namespace
  close(): Promise<void>
}

/** A set in a real store, with facts and sessions, one namespace a group. Made once and kept on disk. */
export async function openSetStore(
  directory: string,
  groups: readonly Group[],
  models: { readonly embedder: Embedder; readonly extractor: () => Promise<Extractor> },
): Promise<SetStore> {
  const [set = 'none'] = groups.map((group) => group.set)
  const place = join(directory, `${set}-${groups.length}`)
  const done = join(place, 'complete')
  if (!existsSync(done)) rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  const engine = await openEngine({ directory: join(place, 'data') })
  const stores = createEmbeddedMemoryStores(engine)
  const clock = createManualClock(startTime)
  const namespaceOf = ({ name }: Group) => asNamespace(name)
  if (!existsSync(done)) {
    const memory = createMemory({
      ...{ stores, embedder: models.embedder, extractor: await models.extractor(), relation: besideAlways },
      ...{ llmExtractor: null, graphQa: null, compressContext: null, compressClusters: null, clock },
      newId: counter(),
      settings: { halfLifeDays: 7, pruneThreshold: 0.05 },
    })
    for (const group of groups) {
      for (let at = 0; at < group.items.length; at += batchSize) {
        const items = group.items.slice(at, at + batchSize).map(({ id, text, session, source }) => ({
          ...{ text, persona: 'shared', source, sessionId: session, useLlmExtraction: false },
          metadata: { id },
        }))
        await memory.ingestBatch(namespaceOf(group), items)
        clock.advance(secondsPerTurn)
      }
      process.stderr.write(`  stored ${set} ${group.name}\n`)
    }
    await memory.close()
    writeFileSync(done, '')
  }
  return { stores, now: startTime, namespaceOf, close: () => engine.close() }
}

function counter(): () => string {
  let next = 0
  return () => `id-${String(next++).padStart(8, '0')}`
}
