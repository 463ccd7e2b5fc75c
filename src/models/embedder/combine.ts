import { normalize, type Vector } from '../../core/vectors.ts'

/** The vector of one window of a text, as the encoder gave it, and how much of the text it stands for. */
export interface WeightedVector {
  readonly vector: Vector
  readonly weight: number
}

/** One unit vector for a text: the mean of its windows' directions, long windows counting more. */
export function combineWindows(windows: readonly WeightedVector[]): Vector {
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

/** Rejects what no comparison could be trusted with: a wrong length, NaN or infinity anywhere. */
export function assertSound(vector: Vector, dimensions: number): Vector {
  if (vector.length !== dimensions) {
    throw new Error(`The embedding model gave ${vector.length} dimensions instead of ${dimensions}`)
  }
  if (!vector.every(Number.isFinite)) throw new Error('The embedding model gave a vector that is not finite')
  return vector
}
