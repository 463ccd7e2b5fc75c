import type { Config } from '../config.ts'
import type {
  AnswerReader,
  Embedder,
  EmbeddingIdentity,
  Extractor,
  Llm,
  StatementRelation,
} from '../memory/ports.ts'
import { createLocalEmbedder, localIdentity } from '../models/embedder/local-embedder.ts'
import { openModelThread } from '../models/embedder/model-thread.ts'
import { createLocalExtractor } from '../models/facts/local-extractor.ts'
import { createLocalRelation } from '../models/relation/local-relation.ts'
import { errorFacts, type Log } from '../observe/log.ts'

/** The models, loaded. */
export interface Models {
  readonly embedder: Embedder
  readonly extractor: Extractor
  readonly relation: StatementRelation
  readonly answerReader?: AnswerReader
  /** Null: none is configured. */
  readonly llm: Llm | null
  close(): Promise<void>
}

/** Loads the models that the configuration names, side by side. Rejects when one cannot be used; nothing stays open then. */
export async function loadModels(config: Config, log: Log): Promise<Models> {
  const onLost = (error: Error) =>
    log.error(errorFacts(error), 'the thread of the models ended; it is started again')
  const remote = config.embeddings === null ? [] : [openEmbedder(config)]
  const parts = [openModelThread({ facts: true }, onLost), createLocalRelation(), ...remote] as const
  try {
    const [thread, relation, other] = await Promise.all(parts)
    const embedder = other ?? (await createLocalEmbedder({ thread }))
    return {
      embedder,
      extractor: await createLocalExtractor({ thread }),
      ...{ relation, answerReader: relation },
      llm: await openLlm(config),
      close: async () => {
        await Promise.all([embedder.close(), thread.close(), relation.close()])
      },
    }
  } catch (error) {
    for (const outcome of await Promise.allSettled(parts)) {
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
export async function openEmbedder({ embeddings }: Config): Promise<Embedder & { close(): Promise<void> }> {
  if (embeddings === null) return createLocalEmbedder()
  const { createRemoteEmbedder } = await import('../models/embedder/remote-embedder.ts')
  return createRemoteEmbedder({ ...embeddings, timeoutMs: embeddingTimeoutMs, random: Math.random })
}

/** The name of the configured model, before it is loaded. */
export const embedderName = ({ embeddings }: Config): string => embeddings?.model ?? localIdentity().model

/** The identity of the configured vectors: a remote model is asked for one, the built-in one is known. */
export async function identityOf(config: Config): Promise<EmbeddingIdentity> {
  if (config.embeddings === null) return localIdentity()
  const embedder = await openEmbedder(config)
  await embedder.close()
  return embedder.identity
}
