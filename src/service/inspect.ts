import type { Config, LlmConfig } from '../config.ts'
import type { StoreState } from '../http/health.ts'
import type { StoreName } from '../memory/memory.ts'
import type { EmbeddingIdentity } from '../memory/ports.ts'
import type { Log } from '../observe/log.ts'
import { hadStore } from '../stores/embedded/engine/directory.ts'
import { openEngine } from '../stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../stores/embedded/memory/stores.ts'
import { openStores, settled } from './stores.ts'

export { mismatchOf } from './memory.ts'
export { identityOf } from './models.ts'

export interface ServerInspection {
  readonly states: Readonly<Record<StoreName, StoreState>>
  /** Of the stored vectors; null when there are none yet, or nobody can be asked. */
  readonly identity: EmbeddingIdentity | null
}

/** How the three engines are, as far as they can be reached from here. */
export async function inspectServers(config: Config, log: Log): Promise<ServerInspection> {
  const stores = await openStores(config, log)
  try {
    await settled(stores)
    const states = stores.states()
    const identity = states.neo4j === 'connected' ? await stores.memory.vectors.identity() : null
    return { states, identity }
  } finally {
    await stores.close()
  }
}

export { verifyModelFiles } from '../models/reader/model-files.ts'

export type StoreInspection =
  | { readonly state: 'absent' }
  | { readonly state: 'sound'; readonly identity: EmbeddingIdentity | null }
  | { readonly state: 'in use'; readonly message: string }
  | { readonly state: 'refused'; readonly message: string }

/** Whether the embedded store in a directory would open: lock, integrity and version are checked by opening it. */
export async function inspectStore(directory: string): Promise<StoreInspection> {
  if (!hadStore(directory)) return { state: 'absent' }
  try {
    const engine = await openEngine({ directory })
    try {
      return { state: 'sound', identity: await createEmbeddedMemoryStores(engine).vectors.identity() }
    } finally {
      await engine.close()
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const inUse = 'reason' in error && error.reason === 'in_use'
    return { state: inUse ? 'in use' : 'refused', message: error.message }
  }
}

/** Asks the language model for one token. Says what is wrong with its endpoint; null when it answers. */
export async function llmProblem({ baseUrl, apiKey, model, timeoutMs }: LlmConfig): Promise<string | null> {
  try {
    const reply = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({ model, max_tokens: 1, messages: [{ role: 'user', content: 'Hello' }] }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await reply.body?.cancel()
    return reply.ok ? null : `answered ${reply.status}`
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return isLate ? `did not answer within ${timeoutMs} ms` : 'cannot be reached'
  }
}
