import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Vector } from '../../src/core/vectors.ts'
import { identityScale } from '../../src/models/embedder/common-scale.ts'
import { gteSmallScale } from '../../src/models/embedder/gte-small-scale.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'

/** Texts sent to the model together. */
const batchSize = 16

/**
 * The shipped embedder with its vectors kept on disk, so that a text is embedded once however often a bench runs.
 * They are kept as the model gives them: a new common scale does not cost them.
 */
export async function openVectors(directory: string) {
  mkdirSync(directory, { recursive: true })
  const embedder = await createLocalEmbedder({ cacheDir: directory, scale: identityScale })
  const { identity } = embedder
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 12)
  const path = join(directory, `${name}.vectors`)
  const known = readRecords(path, identity.dimensions)

  const fill = async (texts: readonly string[]) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(text)))
    missing.sort((a, b) => a.length - b.length)
    for (let start = 0; start < missing.length; start += batchSize) {
      const batch = missing.slice(start, start + batchSize)
      const vectors = await embedder.embed(batch)
      const records = batch.map((text, i) => record(text, vectors[i] ?? new Float32Array()))
      appendFileSync(path, Buffer.concat(records))
      for (const [i, text] of batch.entries()) known.set(keyOf(text), vectors[i] ?? new Float32Array())
      if (start % (batchSize * 50) === 0 && missing.length > 500) {
        process.stderr.write(`  embedded ${start} of ${missing.length}\n`)
      }
    }
  }

  return {
    identity,
    async embed(texts: readonly string[]): Promise<readonly Vector[]> {
      await fill(texts)
      return texts.map((text) => gteSmallScale.map(known.get(keyOf(text)) ?? new Float32Array()))
    },
    close: () => embedder.close(),
  }
}

const keyBytes = 16

function keyOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * keyBytes)
}

function record(text: string, vector: Vector): Buffer {
  return Buffer.concat([Buffer.from(keyOf(text), 'hex'), Buffer.from(Float32Array.from(vector).buffer)])
}

/** A record cut short by a killed run is left out. */
function readRecords(path: string, dimensions: number): Map<string, Vector> {
  const known = new Map<string, Vector>()
  if (!existsSync(path)) return known
  const bytes = readFileSync(path)
  const size = keyBytes + 4 * dimensions
  for (let at = 0; at + size <= bytes.length; at += size) {
    const key = bytes.toString('hex', at, at + keyBytes)
    known.set(
      key,
      new Float32Array(bytes.buffer.slice(bytes.byteOffset + at + keyBytes, bytes.byteOffset + at + size)),
    )
  }
  return known
}
