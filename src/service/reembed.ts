import path from 'node:path'
import type { Config } from '../config.ts'
import type { EmbeddingIdentity, Encoding, VectorMaintenance } from '../memory/ports.ts'
import type { Log } from '../observe/log.ts'
import { openEmbedder } from './models.ts'
import { type SavedState, savedState } from './saved-state.ts'
import { openStores, settled } from './stores.ts'

/** Texts per step: enough for the model to batch, little enough that progress is seen. */
const stepTexts = 256

/** How far it has come: the model it is for, the position after the last step, and the texts done. */
interface Progress {
  readonly identity: EmbeddingIdentity
  readonly cursor: string | null
  readonly done: number
}

/** Remakes vectors. */
export interface Reembedding {
  /** Says how many texts there are now with vectors of the configured model. Interrupted, it goes on where it stopped. */
  run(progress: (done: number, total: number) => void): Promise<number>
  close(): Promise<void>
}

/** Opens the store alone, so nothing else may use it, and the configured embedding model. */
export async function openReembedding(config: Config, log: Log): Promise<Reembedding> {
  const stores = await openStores(config, log, { limitMs: patienceMs })
  await settled(stores)
  const embedder = await openEmbedder(config).catch(async (error: unknown) => {
    await stores.close()
    throw error
  })
  const { vectors } = stores.memory
  const state = savedState<Progress>(path.join(config.dataDir, 'reembed.json'))
  return {
    run: async (progress) => {
      const total = await vectors.countTexts()
      let at = await begin(vectors, embedder.identity, state)
      while (true) {
        const { texts, cursor } = await vectors.texts(at.cursor, stepTexts)
        if (texts.length === 0) break
        const made = await embedder.encode(texts.map(({ text }) => text))
        await vectors.replace(texts.map((text, place) => ({ text, ...encodingAt(made, place) })))
        at = { ...at, cursor, done: at.done + texts.length }
        await state.write(at)
        progress(at.done, total)
        if (cursor === null) break
      }
      await vectors.setIdentity(embedder.identity)
      await state.clear()
      return at.done
    },
    close: async () => {
      await embedder.close()
      await stores.close()
    },
  }
}

/** Nobody waits for a step, and a step is large. */
const patienceMs = 60_000

/** While vectors of two models stand side by side, the store belongs to neither: no server starts on it. */
const unfinished = (identity: EmbeddingIdentity): EmbeddingIdentity => ({
  ...identity,
  scale: `${identity.scale}, reembedding unfinished`,
})

async function begin(
  vectors: VectorMaintenance,
  identity: EmbeddingIdentity,
  state: SavedState<Progress>,
): Promise<Progress> {
  const stored = await vectors.identity()
  const saved = await state.read()
  const isSame = (a: EmbeddingIdentity | undefined | null, b: EmbeddingIdentity) =>
    a != null && a.model === b.model && a.weights === b.weights && a.scale === b.scale
  if (saved !== null && isSame(saved.identity, identity) && isSame(stored, unfinished(identity))) return saved
  await vectors.setIdentity(unfinished(identity))
  const progress = { identity, cursor: null, done: 0 }
  await state.write(progress)
  return progress
}

function encodingAt(encodings: readonly Encoding[], place: number): Encoding {
  const encoding = encodings[place]
  if (encoding === undefined) throw new Error('The embedding model returned fewer vectors than texts.')
  return encoding
}
