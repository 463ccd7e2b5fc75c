import type { Seconds } from '../core/clock.ts'
import type { Metadata } from './model.ts'
import type { MetadataFilter, MetadataValue, Within } from './ports.ts'

/** A memory, as far as it matters whether a question may see it. */
interface Told {
  readonly createdAt: Seconds
  readonly metadata: Metadata | null
}

/** When it was told. */
export const toldAt = ({ createdAt }: Pick<Told, 'createdAt'>): Seconds => createdAt

/** Whether a question may see it. */
export function isWithin({ since, until, asOf, filter }: Within, memory: Told): boolean {
  const told = toldAt(memory)
  return (
    told >= (since ?? Number.NEGATIVE_INFINITY) &&
    told < (until ?? Number.POSITIVE_INFINITY) &&
    told <= (asOf ?? Number.POSITIVE_INFINITY) &&
    (filter === null || matchesFilter(filter, memory.metadata))
  )
}

/** Whether metadata is as a filter asks. A memory without metadata has no fields. */
export function matchesFilter(filter: MetadataFilter, metadata: Metadata | null): boolean {
  if ('and' in filter) return filter.and.every((part) => matchesFilter(part, metadata))
  if ('or' in filter) return filter.or.some((part) => matchesFilter(part, metadata))
  if ('not' in filter) return !matchesFilter(filter.not, metadata)
  const value = fieldOf(metadata, filter.field)
  if ('exists' in filter) return (value !== undefined) === filter.exists
  return filter.in.some((wanted) => equals(value, wanted))
}

/** A name as it stands, or the way to a field inside others: `a.b` is the key `a.b`, else `b` of the object in `a`. */
function fieldOf(container: unknown, name: string): unknown {
  if (typeof container !== 'object' || container === null || Array.isArray(container)) return undefined
  const fields = container as Metadata
  if (Object.hasOwn(fields, name)) return fields[name]
  const dot = name.indexOf('.')
  const first = name.slice(0, dot)
  return dot < 0 || !Object.hasOwn(fields, first) ? undefined : fieldOf(fields[first], name.slice(dot + 1))
}

/** A list equals what one of its entries is. No kind of value equals another: 1 is not "1". */
function equals(value: unknown, wanted: MetadataValue): boolean {
  return Array.isArray(value) ? value.includes(wanted) : value === wanted
}
