/** A repeatable source of randomness: the same seed gives the same numbers. */
export interface Random {
  /** 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, `limit`. */
  below(limit: number): number
  chance(share: number): boolean
  pick<T>(things: readonly [T, ...T[]] | readonly T[]): T
}

/** Mulberry32: small, fast, and good enough to choose what a test does. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (share) => next() < share,
    pick: (things) => {
      const thing = things[below(things.length)]
      if (thing === undefined) throw new Error('nothing to pick from')
      return thing
    },
  }
}

/** The seed from the environment variable SEED, else a new one; printed, so that a failure can be repeated. */
export function announceSeed(what: string): number {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`${what}: SEED=${seed}`)
  return seed
}

/** A whole number from the environment, or the default. */
export function sizeFrom(variable: string, fallback: number): number {
  const value = Number(process.env[variable] ?? fallback)
  if (!Number.isInteger(value) || value < 0) throw new Error(`${variable} must be a whole number`)
  return value
}
