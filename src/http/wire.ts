/** `dry_run` → `dryRun`. */
type Camel<Name> = Name extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Name

/** A value of the wire as the inside sees it: camelCase names, read only. Metadata belongs to the caller and stays. */
export type Inside<Wire> = Wire extends readonly (infer Item)[]
  ? readonly Inside<Item>[]
  : Wire extends object
    ? {
        readonly [Name in keyof Wire as Camel<Name>]: Name extends 'metadata'
          ? Wire[Name]
          : Inside<Wire[Name]>
      }
    : Wire

/** From the wire's snake_case to the inside's camelCase, at every depth but inside `metadata`. */
export function fromWire<Wire>(value: Wire): Inside<Wire> {
  return renamed(value, (name) =>
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
  ) as Inside<Wire>
}

/**
 * Digits after the point that mean something: the rest is the noise of binary fractions (0.6 * 0.68 is
 * 0.40800000000000003). Decay is promised to 1e-9, so what it leaves keeps one digit more.
 */
const decimals: Readonly<Record<string, number>> = {
  score: 6,
  confidence: 6,
  certainty: 6,
  similarity: 6,
  answerable: 6,
  retention: 10,
  latencyMs: 3,
}

/** From the inside's camelCase to the wire's snake_case, at every depth but inside `metadata`; measures are rounded. */
export function toWire(value: unknown): unknown {
  return renamed(
    value,
    (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    (name, number) => (Object.hasOwn(decimals, name) ? rounded(number, decimals[name] ?? 0) : number),
  )
}

function rounded(number: number, digits: number): number {
  return Math.round(number * 10 ** digits) / 10 ** digits
}

function renamed(
  value: unknown,
  rename: (name: string) => string,
  shown: (name: string, number: number) => number = (_, number) => number,
): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename, shown))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name === 'metadata') return [rename(name), item]
      return [rename(name), typeof item === 'number' ? shown(name, item) : renamed(item, rename, shown)]
    }),
  )
}
