export type Numbers = Uint8Array | Uint16Array | Int32Array | Uint32Array | Float32Array | Float64Array

/** The array itself while it is long enough, otherwise a copy of twice the length. */
export function grown<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array
  const Type = array.constructor as new (length: number) => T
  const larger = new Type(Math.max(length, array.length * 2, 16))
  larger.set(array)
  return larger
}
