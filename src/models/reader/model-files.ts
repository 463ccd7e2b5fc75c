import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import descent from './descent.json' with { type: 'json' }
import manifest from './weights/manifest.json' with { type: 'json' }

/** What ships as weights: the files of each, with the sha256 that scripts/train/export_onnx.py noted. */
export type ModelName = keyof typeof manifest

const filesOf = (model: ModelName): Readonly<Record<string, string>> => manifest[model]

const pathOf = (file: string): string => fileURLToPath(new URL(`./weights/${file}`, import.meta.url))

const DIFFERS = 'is not the file that was shipped; restore it with `git checkout` or install memoryd again'

/** Values of models that the npm package keeps as their difference from another's (scripts/package.mjs). */
const descents: Readonly<Record<string, { readonly parent: string; readonly from: number }>> = descent

const isKeptWhole = (file: string): boolean => descents[file] === undefined || existsSync(pathOf(file))

async function restored(file: string): Promise<Uint8Array> {
  const { parent, from } = descents[file] ?? { parent: file, from: 0 }
  const parts = [`${file}.difference`, parent].map((part) => readFile(pathOf(part)))
  const [bytes = Buffer.of(), before] = await Promise.all(parts)
  return bytes.map((byte, at) => byte + (before?.[from + at] ?? 0))
}

async function fileHash(file: string): Promise<string> {
  const hash = createHash('sha256')
  if (!isKeptWhole(file)) return hash.update(await restored(file)).digest('hex')
  await pipeline(createReadStream(pathOf(file), { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}

export interface ModelFileReport {
  readonly file: string
  readonly ok: boolean
  /** What is wrong and what helps; null when nothing is. */
  readonly problem: string | null
}

async function verifyFile(file: string, expected: string): Promise<ModelFileReport> {
  const path = pathOf(file)
  try {
    const ok = (await fileHash(file)) === expected
    return { file: path, ok, problem: ok ? null : DIFFERS }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return { file: path, ok: false, problem: `cannot be read (${reason}); ${DIFFERS}` }
  }
}

const verify = (model: ModelName): Promise<readonly ModelFileReport[]> =>
  Promise.all(Object.entries(filesOf(model)).map(([file, hash]) => verifyFile(file, hash)))

/** Compares every file of the models with its hash. Never rejects. */
export async function verifyModelFiles(): Promise<readonly ModelFileReport[]> {
  const models = Object.keys(manifest) as ModelName[]
  return (await Promise.all(models.map(verify))).flat()
}

/** Where a model's graph is, once its files were found whole; rejects otherwise. */
export async function modelPath(model: ModelName): Promise<string> {
  for (const { file, ok, problem } of await verify(model)) {
    if (!ok) throw new Error(`Model: ${file} ${problem}`)
  }
  return pathOf(`${model}.onnx`)
}

/** The values of a model that no file holds as they are; of the others onnxruntime maps the file beside the graph. */
export async function valuesOf(model: ModelName): Promise<readonly { path: string; data: Uint8Array }[]> {
  const files = Object.keys(filesOf(model)).filter((file) => !isKeptWhole(file))
  return Promise.all(files.map(async (path) => ({ path, data: await restored(path) })))
}

/** A file of the tokenizer, found whole; rejects otherwise. */
export async function readTokenizerFile(name: keyof typeof manifest.tokenizer): Promise<object> {
  const bytes = await readFile(pathOf(name))
  if (createHash('sha256').update(bytes).digest('hex') !== manifest.tokenizer[name]) {
    throw new Error(`Model: ${pathOf(name)} ${DIFFERS}`)
  }
  return JSON.parse(bytes.toString('utf8'))
}

/** One hash for all that decides the vector of a text. */
export function encoderHash(): string {
  const parts: readonly ModelName[] = ['encoder-lower', 'encoder-upper', 'tokenizer']
  const files = parts.flatMap((part) => Object.entries(filesOf(part))).sort()
  return createHash('sha256').update(JSON.stringify(files)).digest('hex')
}
