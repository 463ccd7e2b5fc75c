import { normalize, type Vector } from '../../src/core/vectors.ts'

/** Pseudo-random numbers between 0 and 1, the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Vectors around centres, as the topics of a conversation make them: neighbours exist, and are close to each other. */
export function createVectors(dimensions: number, centres: number, random: () => number): () => Vector {
  const gauss = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const draw = () => Float32Array.from({ length: dimensions }, gauss)
  const middles = Array.from({ length: centres }, draw)
  return () => {
    const middle = middles[Math.floor(random() * centres)] ?? draw()
    return normalize(draw().map((value, at) => value + 0.7 * (middle[at] ?? 0)))
  }
}
