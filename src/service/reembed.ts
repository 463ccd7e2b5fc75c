import type { Config } from '../config.ts'
import type { StoredText, VectorMaintenance } from '../memory/ports.ts'
import type { Log } from '../observe/log.ts'
import { openEmbedder } from './models.ts'
import { openStores } from './stores.ts'

/** Texts per step: enough for the model to batch, little enough that progress is seen. */
const stepTexts = 256

/** Remakes vectors. */
export interface Reembedding {
  /** Says how many texts were embedded. Stopped and started again, it does the whole again: vectors only change. */
  run(progress: (done: number) => void): Promise<number>
  close(): Promise<void>
}

/** Opens the store alone, so nothing else may use it, and the configured embedding model. */
export async function openReembedding(config: Config, log: Log): Promise<Reembedding> {
  const stores = await openStores(config, log)
  const embedder = await openEmbedder(config).catch(async (error: unknown) => {
    await stores.close()
    throw error
  })
  const { vectors } = stores.memory
  return {
    run: async (progress) => {
      let done = 0
      for await (const texts of pagesOf(vectors)) {
        const made = await embedder.embed(texts.map(({ text }) => text))
        await vectors.replace(
          texts.flatMap((text, at) => {
            const vector = made[at]
            return vector === undefined ? [] : [{ text, vector }]
          }),
        )
        done += texts.length
        progress(done)
      }
      await vectors.setIdentity(embedder.identity)
      return done
    },
    close: async () => {
      await embedder.close()
      await stores.close()
    },
  }
}

async function* pagesOf(vectors: VectorMaintenance): AsyncGenerator<readonly StoredText[]> {
  let cursor: string | null = null
  do {
    const page: Awaited<ReturnType<VectorMaintenance['texts']>> = await vectors.texts(cursor, stepTexts)
    if (page.texts.length > 0) yield page.texts
    cursor = page.cursor
  } while (cursor !== null)
}
