import { parentPort, workerData } from 'node:worker_threads'
import { buildEncoder, type Precision } from './encoder-graph.ts'
import { ENCODER_HASHES, readModelFile, sha256, writeCache } from './model-files.ts'
import { readWeights } from './weights.ts'

/** What the builder is asked for. */
export interface BuildOrder {
  readonly precision: Precision
  readonly cacheDir: string | null
}

/** Its answer: the bytes, or null when they are in the cache. */
export type BuiltEncoder = Uint8Array | null

const { precision, cacheDir } = workerData as BuildOrder
const bytes = buildEncoder(readWeights(await readModelFile('onnx/model.onnx')), precision)
if (sha256(bytes) !== ENCODER_HASHES[precision]) {
  throw new Error(`Embedding model: the ${precision} encoder does not have its pinned hash`)
}
const cached = cacheDir !== null && (await writeCache(cacheDir, precision, bytes))
parentPort?.postMessage(cached ? null : bytes)
