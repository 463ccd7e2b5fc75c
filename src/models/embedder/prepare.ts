import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { BuildOrder, BuiltEncoder } from './build-worker.ts'
import type { Precision } from './encoder-graph.ts'
import { cachedEncoder, isCached } from './model-files.ts'

/**
 * The encoder's file, built on the first start and taken from the cache afterwards; its bytes where the cache
 * cannot be written. Building needs half a gigabyte for a moment, in a thread of its own that gives all of it back.
 */
export async function prepareEncoder(
  precision: Precision,
  cacheDir: string | null,
): Promise<string | Uint8Array> {
  if (cacheDir !== null && (await isCached(cacheDir, precision))) return cachedEncoder(cacheDir, precision)
  const order: BuildOrder = { precision, cacheDir }
  const worker = new Worker(new URL('./build-worker.ts', import.meta.url), { workerData: order })
  try {
    const [built] = (await once(worker, 'message')) as [BuiltEncoder]
    return built ?? cachedEncoder(cacheDir ?? '', precision)
  } finally {
    await worker.terminate()
  }
}
