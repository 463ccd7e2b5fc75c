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

/** From the inside's camelCase to the wire's snake_case, at every depth but inside `metadata`. */
export function toWire(value: unknown): unknown {
  return renamed(value, (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      rename(name),
      name === 'metadata' ? item : renamed(item, rename),
    ]),
  )
}
