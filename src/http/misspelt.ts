import { z } from 'zod'

/** As much of a JSON schema as tells the names of fields. */
interface Fields {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Fields>>
  readonly items?: Fields
  readonly anyOf?: readonly Fields[]
}

type Finder = (value: unknown) => readonly string[]

const mostWarnings = 20
const longestName = 64

/** Finds fields of a request that are ignored and look like a known one that is not there: `sesion_id`, `maxHops`. */
export function misspeltIn(schema: z.ZodType): Finder {
  let known: { readonly fields: Fields; readonly named: Readonly<Record<string, Fields>> } | null = null
  return (value) => {
    known ??= readFields(schema)
    const found: string[] = []
    search(value, known.fields, known.named, '', found)
    return found.slice(0, mostWarnings)
  }
}

function readFields(schema: z.ZodType) {
  const { $defs = {}, ...fields } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return { fields: fields as Fields, named: $defs as Readonly<Record<string, Fields>> }
}

function search(
  value: unknown,
  schema: Fields,
  named: Readonly<Record<string, Fields>>,
  place: string,
  found: string[],
): void {
  if (typeof value !== 'object' || value === null || found.length >= mostWarnings) return
  const { properties, items } = resolved(schema, named)
  if (Array.isArray(value)) {
    if (items === undefined) return
    for (const [at, item] of value.entries()) search(item, items, named, `${place}${at}.`, found)
    return
  }
  if (properties === undefined) return
  const missing = Object.keys(properties).filter((name) => !Object.hasOwn(value, name))
  for (const [name, item] of Object.entries(value)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (field !== undefined) {
      search(item, field, named, `${place}${name}.`, found)
      continue
    }
    const meant = name.length > longestName ? undefined : missing.find((other) => looksLike(name, other))
    if (meant !== undefined) found.push(`${place}${name}: did you mean ${meant}?`)
  }
}

/** Behind references, and of a field that may be null or several things the one with fields. */
function resolved(schema: Fields, named: Readonly<Record<string, Fields>>): Fields {
  const referred = schema.$ref === undefined ? schema : (named[schema.$ref.replace('#/$defs/', '')] ?? {})
  const options = referred.anyOf?.map((option) => resolved(option, named)) ?? []
  return options.find(({ properties, items }) => properties !== undefined || items !== undefined) ?? referred
}

const bare = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

function looksLike(given: string, known: string): boolean {
  const [a, b] = [bare(given), bare(known)]
  // Of short names every other one is one letter away.
  const most = a.length < 4 ? 0 : a.length < 8 ? 1 : 2
  return a !== '' && Math.abs(a.length - b.length) <= most && distance(a, b) <= most
}

/** Letters to be put in, left out, changed, or swapped with their neighbour. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const at = (up: number, left: number) => (up === 0 ? row : rows[i - up])?.[j - left] ?? Infinity
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      row.push(
        Math.min(
          ...[at(1, 0) + 1, at(0, 1) + 1, at(1, 1) + (same ? 0 : 1)],
          swapped ? at(2, 2) + 1 : Infinity,
        ),
      )
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? Infinity
}
