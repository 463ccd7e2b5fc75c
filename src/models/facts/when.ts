import * as chrono from 'chrono-node'
import type { Seconds } from '../../core/clock.ts'

const relative =
  /\b(?:today|tomorrow|yesterday|tonight|last|next|this|ago|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i
const repeated = /\b(?:every|each)\b/i

const chosen = /\b(?:last|next|this|past|coming|week|weeks)\b/i
const week = 7 * 86_400

/**
 * A time as the text says it; one that depends on when it was said is followed by its date: `yesterday (2023-05-07)`. A bare
 * weekday is the coming one of what is planned, else the one that was.
 */
export function datedTime(said: string, { now, future }: { now: Seconds; future: boolean }): string {
  if (!relative.test(said) || repeated.test(said)) return said
  const [found] = chrono.en.parse(said, { instant: new Date(now * 1000), timezone: 0 })
  if (found === undefined) return said
  const isBare = found.start.isCertain('weekday') && !found.start.isCertain('day') && !chosen.test(said)
  const day = isBare ? onThatSide(found.start.date(), now, future) : found.start.date()
  const length = /\byears?\b/i.test(said) ? 4 : /\bmonths?\b/i.test(said) ? 7 : 10
  return `${said} (${day.toISOString().slice(0, length)})`
}

function onThatSide(day: Date, now: Seconds, future: boolean): Date {
  const days = Math.floor(day.getTime() / 86_400_000) - Math.floor(now / 86_400)
  const shift = future && days < 0 ? week : !future && days > 0 ? -week : 0
  return new Date(day.getTime() + shift * 1000)
}
