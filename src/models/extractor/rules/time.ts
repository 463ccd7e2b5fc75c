import * as chrono from 'chrono-node'
import type { Clause } from '../grammar/clause.ts'
import { cleanName } from './names.ts'

/** Phrases longer than this are no dates. */
const longestPhrase = 60
const relative =
  /\b(?:today|tomorrow|yesterday|tonight|last|next|this|ago|morning|evening|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b/i

const bareUnit = /^(?:day|moment|week|month|year|time|hour|age|days|weeks)$/i

/** When a clause holds, in its own words; a relative time is followed by its date: `yesterday (2023-05-07)`. */
export function timeOf(clause: Clause, nowSeconds: number): string | null {
  const phrases = [
    ...clause.obliques
      .filter(({ phrase }) => phrase.isTime && !bareUnit.test(phrase.text))
      .map(
        ({ preposition, phrase }) =>
          `${preposition ? `${preposition.replaceAll('_', ' ')} ` : ''}${cleanName(phrase.text)}`,
      ),
    ...clause.objects
      .filter(({ isTime }) => isTime && clause.objects.length > 1)
      .map(({ text }) => cleanName(text)),
  ]
  if (phrases.length === 0) return null
  const text = phrases.join(', ').slice(0, longestPhrase)
  const date = relative.test(text) ? dateOf(text, nowSeconds) : null
  return date ? `${text} (${date})` : text
}

/** The day that a relative phrase means, as YYYY-MM-DD or shorter when it says no day; null when it means none. */
function dateOf(text: string, nowSeconds: number): string | null {
  if (/\bevery\b|\beach\b/i.test(text)) return null
  const [found] = chrono.en.parse(text, { instant: new Date(nowSeconds * 1000), timezone: 0 })
  if (!found) return null
  const { start } = found
  const day = start.date().toISOString()
  if (/\byears?\b/i.test(text)) return day.slice(0, 4)
  return /\bmonths?\b/i.test(text) ? day.slice(0, 7) : day.slice(0, 10)
}
