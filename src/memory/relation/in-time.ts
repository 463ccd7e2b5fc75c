import type { Seconds } from '../../core/clock.ts'
import type { Chunk, Retained } from '../model.ts'
import type { ItemWrite } from '../ports.ts'
import { toldTime, trust } from '../slots.ts'

/** Which of two was told first, where `since` says when the other was told, if later than the item. */
export const inTime = <T>(since: Seconds | null, own: T, other: T) =>
  since === null ? { older: other, newer: own } : { older: own, newer: other }
export const whenLater = (since: Seconds | null) => (since === null ? {} : { at: since })

/** A less trusted source never replaces what a more trusted one said. */
export const isTrusted = (newer: Pick<Chunk, 'source'>, older: Pick<Chunk, 'source'>) =>
  trust[newer.source] >= trust[older.source]

/** Whether what was told later may replace what was told earlier. */
export const isTrustedInTime = (item: ItemWrite, other: Pick<Chunk, 'source'>, since: Seconds | null) =>
  since === null ? isTrusted(item, other) : isTrusted(other, item)

/** When something was told again or first after the item was; null: it was told before. */
export function laterThan(item: ItemWrite, { createdAt, toldAt = createdAt }: Retained): Seconds | null {
  const told = toldTime(item)
  if (createdAt > told) return createdAt
  return toldAt > told ? toldAt : null
}

export function divided<T>(list: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((one) => !test(one))]
}
