import { normalize, type Vector } from '../../core/vectors.ts'
import type { Encoding, WeightedTokens } from '../../memory/ports.ts'

/** One window of a text as the model gave it, and how much of the text it stands for. */
export interface EncodedWindow {
  readonly vector: Vector
  /** The rows that no other window of the text has. */
  readonly tokens: WeightedTokens | null
  readonly weight: number
}

/** The mean of the windows' directions, long windows counting more. */
function combineVectors(windows: readonly EncodedWindow[]): Vector {
  const [first] = windows
  if (!first) throw new Error('Embedding model: a text without windows')
  if (windows.length === 1) return normalize(first.vector)
  const sum = new Float32Array(first.vector.length)
  for (const { vector, weight } of windows) {
    const direction = normalize(vector)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + weight * (direction[i] ?? 0)
  }
  return normalize(sum)
}

function joinTokens(parts: readonly WeightedTokens[]): WeightedTokens {
  const codes = new Int8Array(parts.reduce((sum, part) => sum + part.codes.length, 0))
  const importance = new Float32Array(parts.reduce((sum, part) => sum + part.count, 0))
  let [code, row] = [0, 0]
  for (const part of parts) {
    codes.set(part.codes, code)
    importance.set(part.importance, row)
    code += part.codes.length
    row += part.count
  }
  return { count: importance.length, codes, importance }
}

/** One unit vector for a text, and the rows of its windows in their order. */
export function combineWindows(windows: readonly EncodedWindow[]): Encoding {
  const parts = windows.map((window) => window.tokens).filter((tokens) => tokens !== null)
  const tokens = parts.length < windows.length ? null : joinTokens(parts)
  return { vector: combineVectors(windows), tokens }
}

/** Rejects what no comparison could be trusted with: a wrong length, NaN or infinity anywhere. */
export function assertSound(vector: Vector, dimensions: number): Vector {
  if (vector.length !== dimensions) {
    throw new Error(`The embedding model gave ${vector.length} dimensions instead of ${dimensions}`)
  }
  if (!vector.every(Number.isFinite)) throw new Error('The embedding model gave a vector that is not finite')
  return vector
}
