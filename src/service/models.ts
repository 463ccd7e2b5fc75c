import path from 'node:path'
import type { Config } from '../config.ts'
import type { Embedder, Extractor, Llm } from '../memory/ports.ts'
import { WIDTH } from '../models/embedder/encoder-graph.ts'
import { createLocalEmbedder } from '../models/embedder/local-embedder.ts'
import { readModelFile } from '../models/embedder/model-files.ts'
import { createStatisticalExtractor } from '../models/extractor/extractor.ts'
import { errorFacts, type Log } from '../observe/log.ts'

/** The models, loaded. */
export interface Models {
  readonly embedder: Embedder
  readonly extractor: Extractor
  /** Null: none is configured. */
  readonly llm: Llm | null
  /** Whether a word, in lower case, is one that the embedding model knows; null: cannot be told. */
  readonly knowsWord: ((word: string) => boolean) | null
  close(): Promise<void>
}

/** Loads the models that the configuration names, side by side. Rejects when one cannot be used; nothing stays open then. */
export async function loadModels(config: Config, log: Log): Promise<Models> {
  const onFailure = (error: Error) => log.error(errorFacts(error), 'the extractor failed on a text')
  const parts = [openEmbedder(config), createStatisticalExtractor({ onFailure }), readVocabulary()] as const
  try {
    const [embedder, extractor, words] = await Promise.all(parts)
    return {
      embedder,
      extractor,
      llm: await openLlm(config),
      knowsWord: (word) => words.has(word),
      close: async () => {
        await Promise.all([embedder.close(), extractor.close()])
      },
    }
  } catch (error) {
    for (const outcome of await Promise.allSettled([parts[0], parts[1]])) {
      if (outcome.status === 'fulfilled') await outcome.value.close()
    }
    throw error
  }
}

/** Loaded only where one is configured: its packages are large. */
async function openLlm({ llm }: Config): Promise<Llm | null> {
  if (llm === null) return null
  const { createOpenAiLlm } = await import('../models/llm/openai.ts')
  return createOpenAiLlm({ ...llm, random: Math.random })
}

/** For one request of up to 64 texts. */
const embeddingTimeoutMs = 30_000

/** The embedding model alone: the built-in one, or the configured endpoint. */
export async function openEmbedder({
  embeddings,
  dataDir,
}: Config): Promise<Embedder & { close(): Promise<void> }> {
  if (embeddings === null) return createLocalEmbedder({ cacheDir: path.join(dataDir, 'models') })
  const { createRemoteEmbedder } = await import('../models/embedder/remote-embedder.ts')
  return createRemoteEmbedder({ ...embeddings, timeoutMs: embeddingTimeoutMs, random: Math.random })
}

/** The length of the vectors: a remote model is asked, the built-in one is known. */
export async function dimensionsOf(config: Config): Promise<number> {
  if (config.embeddings === null) return WIDTH
  const embedder = await openEmbedder(config)
  await embedder.close()
  return embedder.identity.dimensions
}

/** The words of the built-in model's tokenizer: common English, whichever model embeds. */
async function readVocabulary(): Promise<ReadonlySet<string>> {
  const tokenizer: { model: { vocab: Record<string, number> } } = JSON.parse(
    (await readModelFile('tokenizer.json')).toString('utf8'),
  )
  return new Set(Object.keys(tokenizer.model.vocab))
}
