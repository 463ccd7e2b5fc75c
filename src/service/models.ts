import path from 'node:path'
import type { Config } from '../config.ts'
import type { Embedder, Extractor, Llm } from '../memory/ports.ts'
import { createLocalEmbedder } from '../models/embedder/local-embedder.ts'
import { createStatisticalExtractor } from '../models/extractor/extractor.ts'
import { createOpenAiLlm } from '../models/llm/openai.ts'
import { errorFacts, type Log } from '../observe/log.ts'

/** The models, loaded. */
export interface Models {
  readonly embedder: Embedder
  readonly extractor: Extractor
  /** Null: none is configured. */
  readonly llm: Llm | null
  close(): Promise<void>
}

/** Loads the models that the configuration names. Rejects when one cannot be used; nothing stays open then. */
export async function loadModels(config: Config, log: Log): Promise<Models> {
  const embedder = await openEmbedder(config)
  const onFailure = (error: Error) => log.error(errorFacts(error), 'the extractor failed on a text')
  const extractor = await createStatisticalExtractor({ onFailure }).catch(async (error: unknown) => {
    await embedder.close()
    throw error
  })
  return {
    embedder,
    extractor,
    llm: config.llm === null ? null : createOpenAiLlm({ ...config.llm, random: Math.random }),
    close: async () => {
      await Promise.all([embedder.close(), extractor.close()])
    },
  }
}

/** The embedding model alone. */
export function openEmbedder(config: Config): Promise<Embedder & { close(): Promise<void> }> {
  return createLocalEmbedder({ cacheDir: path.join(config.dataDir, 'models') })
}
