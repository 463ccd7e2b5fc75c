/** A unit-length embedding on the common scale: unrelated texts near 0, the same text at 1. */
export type Vector = Float32Array

export function dot(a: Vector, b: Vector): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** The same direction with length 1; the zero vector stays zero. */
export function normalize(vector: Vector): Vector {
  const length = Math.sqrt(dot(vector, vector))
  return length === 0 ? vector.slice() : vector.map((value) => value / length)
}
