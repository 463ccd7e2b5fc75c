import type { Metadata } from '../../memory/model.ts'
import type { MetadataFilter, MetadataValue } from '../../memory/ports.ts'

/** Whole numbers below a bound, the same row for the same seed. */
export type Dice = (below: number) => number

export function createDice(seed: number): Dice {
  let state = seed >>> 0
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const values: readonly MetadataValue[] = ['a', 'b', '1', 1, 0, true, false, null, 'é"\\', '']
const fields = ['kind', 'tags', 'place', 'place.city', 'place.near.by', 'dotted.name', 'other'] as const

const several = <T>(dice: Dice, least: number, one: () => T): T[] =>
  Array.from({ length: least + dice(3) }, one)

/** Metadata as callers have it: values, lists, an object inside, a name with a dot, or none at all. */
export function someMetadata(dice: Dice): Metadata | null {
  if (dice(7) === 0) return null
  const value = () => values[dice(values.length)] ?? null
  const inside = () => ({
    ...(dice(2) === 0 ? {} : { city: value() }),
    ...(dice(2) === 0 ? {} : { near: { by: value() } }),
  })
  return {
    ...(dice(3) === 0 ? {} : { kind: value() }),
    ...(dice(3) === 0 ? {} : { tags: several(dice, 0, value) }),
    ...(dice(3) === 0 ? {} : { place: dice(2) === 0 ? value() : inside() }),
    ...(dice(2) === 0 ? {} : { 'dotted.name': value() }),
  }
}

export function someFilter(dice: Dice, depth = 0): MetadataFilter {
  const field = fields[dice(fields.length)] ?? 'kind'
  const part = () => someFilter(dice, depth + 1)
  switch (dice(depth < 3 ? 7 : 4)) {
    case 0:
      return { field, exists: dice(2) === 0 }
    case 1:
    case 2:
    case 3:
      return { field, in: several(dice, 1, () => values[dice(values.length)] ?? null) }
    case 4:
      return { and: several(dice, 1, part) }
    case 5:
      return { or: several(dice, 1, part) }
    default:
      return { not: part() }
  }
}

/** The rules of the language once more, in another way: over everything that metadata states. */
export function matchesNaively(filter: MetadataFilter, metadata: Metadata | null): boolean {
  const stated = new Set(statements(metadata ?? {}, ''))
  const holds = (part: MetadataFilter): boolean => {
    if ('and' in part) return !part.and.some((one) => !holds(one))
    if ('or' in part) return part.or.filter(holds).length > 0
    if ('not' in part) return !holds(part.not)
    if ('exists' in part) return stated.has(part.field) === part.exists
    return part.in.some((one) => stated.has(`${part.field}=${JSON.stringify(one)}`))
  }
  return holds(filter)
}

/** Every field that is there, and every value it has. */
function statements(fields: Metadata, prefix: string): readonly string[] {
  return Object.entries(fields).flatMap(([name, found]) => {
    const path = `${prefix}${name}`
    if (Array.isArray(found)) return [path, ...found.map((one) => `${path}=${JSON.stringify(one)}`)]
    if (typeof found !== 'object' || found === null) return [path, `${path}=${JSON.stringify(found)}`]
    return [path, ...statements(found as Metadata, `${path}.`)]
  })
}
