import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '../../../src/config.ts'
import type { Embedder } from '../../../src/memory/ports.ts'
import { createLog } from '../../../src/observe/log.ts'
import { openStores } from '../../../src/service/stores.ts'
import { openService, type Service } from '../../../src/service.ts'
import { adminToken, hashingEmbedder, indifferentRelation, threeWordExtractor } from '../../harness.ts'
import { vectorsOnly } from '../../support/vectors-only.ts'

/** The service on a real data directory, with threads and files, and small models. */
export interface DirectoryService {
  readonly service: Service
  /** A new account's key. */
  newKey(account: string, monthlyOps?: number): Promise<string>
  post(key: string, path: string, body: unknown): Promise<{ status: number; json: Record<string, unknown> }>
  close(): Promise<void>
}

export async function openDirectoryService(
  dataDir: string,
  embedder: Embedder = hashingEmbedder,
): Promise<DirectoryService> {
  const { config } = readConfig({ DATA_DIR: dataDir, ADMIN_TOKEN: adminToken })
  if (config === null) throw new Error('the configuration is invalid')
  const log = createLog('silent')
  const stores = await openStores(config, log)
  const models = async () => ({
    ...{ embedder, extractor: threeWordExtractor, relation: indifferentRelation, llm: null },
    close: async () => {},
  })
  const service = await openService(config, { log, stores, models })
  await service.loadModels()
  const request = async (address: string, headers: Record<string, string>, body: unknown) => {
    const response = await service.app.request(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const json = (await response.json()) as Record<string, unknown>
    return { status: response.status, json }
  }
  return {
    service,
    newKey: async (account, monthlyOps) => {
      const body = {
        account,
        tier: 'enterprise',
        ...(monthlyOps === undefined ? {} : { monthly_ops: monthlyOps }),
      }
      const { json } = await request('/admin/keys', { authorization: `Bearer ${adminToken}` }, body)
      return String(json.key)
    },
    post: (key, address, body) => request(address, { 'x-api-key': key }, body),
    close: () => service.close(),
  }
}

/** Runs with an empty directory that is gone afterwards. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), 'memoryd-fault-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** An embedder that answers when it is told to. */
export interface HeldEmbedder extends Embedder {
  /** Resolves when a call waits. */
  readonly asked: Promise<void>
  release(): void
}

/** Waits from its first call on until it is released; a signal ends the waiting, as it does with real models. */
export function createHeldEmbedder(): HeldEmbedder {
  const asked = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  return {
    identity: hashingEmbedder.identity,
    asked: asked.promise,
    release: () => gate.resolve(),
    ...vectorsOnly(async (texts, signal) => {
      asked.resolve()
      const ended = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      await Promise.race([gate.promise, ended])
      return hashingEmbedder.embed(texts, signal)
    }),
  }
}
