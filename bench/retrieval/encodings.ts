import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Embedder, Encoding } from '../../src/memory/ports.ts'
import { identityScale } from '../../src/models/embedder/common-scale.ts'
import { createLocalEmbedder, encoderScale } from '../../src/models/embedder/local-embedder.ts'

/** Texts sent to the model together. */
const batchSize = 16
const keyBytes = 16

/**
 * The shipped encoder with what it says kept on disk, so that a text is encoded once however often a bench runs. Vectors
 * are kept as the model gives them: a new common scale does not cost them.
 */
export async function openEncodings(directory: string): Promise<Embedder & { close(): Promise<void> }> {
  mkdirSync(directory, { recursive: true })
  const encoder = await createLocalEmbedder({ scale: identityScale })
  const { identity } = encoder
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 12)
  const path = join(directory, `${name}.encodings`)
  const known = readRecords(path, identity.dimensions)

  const fill = async (texts: readonly string[]) => {
    const missing = [...new Set(texts)].filter((text) => !known.has(keyOf(text)))
    missing.sort((a, b) => a.length - b.length)
    for (let start = 0; start < missing.length; start += batchSize) {
      const batch = missing.slice(start, start + batchSize)
      const made = await encoder.encode(batch)
      appendFileSync(path, Buffer.concat(batch.flatMap((text, i) => record(text, made[i]))))
      for (const [i, text] of batch.entries()) {
        const encoding = made[i]
        if (encoding !== undefined) known.set(keyOf(text), encoding)
      }
    }
  }
  const encode: Embedder['encode'] = async (texts) => {
    await fill(texts)
    return texts.map((text) => {
      const encoding = known.get(keyOf(text))
      if (encoding === undefined) throw new Error('the encoder gave nothing for a text')
      return { ...encoding, vector: encoderScale.map(encoding.vector) }
    })
  }
  return {
    identity: { ...identity, scale: encoderScale.version },
    encode,
    embed: async (texts) => (await encode(texts)).map(({ vector }) => vector),
    close: () => encoder.close(),
  }
}

function keyOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * keyBytes)
}

/** The key, the number of tokens, the vector, the importances, the token vectors. */
function record(text: string, encoding: Encoding | undefined): readonly Buffer[] {
  const tokens = encoding?.tokens
  if (encoding === undefined || !tokens) throw new Error('the encoder gave no token vectors')
  return [
    Buffer.from(keyOf(text), 'hex'),
    Buffer.from(Uint32Array.of(tokens.count).buffer),
    Buffer.from(Float32Array.from(encoding.vector).buffer),
    Buffer.from(Float32Array.from(tokens.importance).buffer),
    Buffer.from(Int8Array.from(tokens.codes).buffer),
  ]
}

const tokenWidth = 64

/** A record cut short by a killed run is left out. */
function readRecords(path: string, dimensions: number): Map<string, Encoding> {
  const known = new Map<string, Encoding>()
  if (!existsSync(path)) return known
  const bytes = readFileSync(path)
  const slice = (start: number, length: number) =>
    bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + start + length)
  for (let at = 0; at + keyBytes + 4 <= bytes.length; ) {
    const count = bytes.readUInt32LE(at + keyBytes)
    const vectorAt = at + keyBytes + 4
    const importanceAt = vectorAt + 4 * dimensions
    const codesAt = importanceAt + 4 * count
    const end = codesAt + tokenWidth * count
    if (end > bytes.length) break
    known.set(bytes.toString('hex', at, at + keyBytes), {
      vector: new Float32Array(slice(vectorAt, 4 * dimensions)),
      tokens: {
        count,
        importance: new Float32Array(slice(importanceAt, 4 * count)),
        codes: new Int8Array(slice(codesAt, tokenWidth * count)),
      },
    })
    at = end
  }
  return known
}
