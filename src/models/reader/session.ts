import { readFile } from 'node:fs/promises'
import { type ModelName, modelPath, valuesOf } from './model-files.ts'
import { InferenceSession, Tensor } from './onnx.ts'

/** Token ids of texts that all have the same length: nothing is padded. */
export type EqualTexts = readonly (readonly number[])[]

/** Texts by tokens. Throws when they are not of one length. */
export function tokenTensor(texts: EqualTexts): Tensor {
  const length = texts[0]?.length ?? 0
  if (texts.some((text) => text.length !== length)) throw new Error('Model: texts of unequal length')
  const ids = new BigInt64Array(texts.length * length)
  let at = 0
  for (const text of texts) for (const id of text) ids[at++] = BigInt(id)
  return new Tensor('int64', ids, [texts.length, length])
}

/**
 * Processors of the x86 family without VNNI add products of unsigned and signed bytes in 16 bits, which overflow.
 * onnxruntime has a slower exact way for them; it is taken wherever the processor does not say that it has VNNI.
 */
async function exactProducts(): Promise<Record<string, unknown>> {
  if (process.arch !== 'x64') return {}
  const processor = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  return /\bavx(512)?_vnni\b/.test(processor) ? {} : { extra: { session: { x64quantprecision: '1' } } }
}

/** Loads a model, its files found whole; the values beside its graph are mapped. */
export async function openModel(name: ModelName, threads: number): Promise<InferenceSession> {
  return InferenceSession.create(await modelPath(name), {
    externalData: await valuesOf(name),
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The arena never gives memory back; it stays small because no run is longer than one full window.
    enableCpuMemArena: true,
    // Errors alone.
    logSeverityLevel: 3,
    ...(await exactProducts()),
  })
}
