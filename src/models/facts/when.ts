import * as chrono from 'chrono-node'
import type { Seconds } from '../../core/clock.ts'

const relative =
  /\b(?:today|tomorrow|yesterday|tonight|last|next|this|ago|morning|evening|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b/i
const repeated = /\b(?:every|each)\b/i

/** A time as the text says it; one that depends on when it was said is followed by its date: `yesterday (2023-05-07)`. */
export function datedTime(said: string, now: Seconds): string {
  if (!relative.test(said) || repeated.test(said)) return said
  const [found] = chrono.en.parse(said, { instant: new Date(now * 1000), timezone: 0 })
  if (found === undefined) return said
  const day = found.start.date().toISOString()
  const length = /\byears?\b/i.test(said) ? 4 : /\bmonths?\b/i.test(said) ? 7 : 10
  return `${said} (${day.slice(0, length)})`
}
