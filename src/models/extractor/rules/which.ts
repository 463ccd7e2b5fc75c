import type { Phrase } from '../grammar/phrase.ts'
import { cleanName } from './names.ts'

/** Things that people have several of at once, told apart by where, with whom or for what they are. */
const several =
  /^(?:flight|train|bus|ferry|trip|meeting|appointment|call|concert|gig|exam|test|class|lesson|party|game|match|race|deadline|wifi|session|interview|conference|workshop|course|dinner|lunch|breakfast|reservation|booking|visit|show|tour|event|ticket|shift|delivery|order|code|password|pin|key|alarm)$/
const tie = /^(?:to|from|with|at|in|for)$/

/** The name of such a thing with what tells it from its like: `user's flight to Rome`, `concert in Berlin`. */
export function withWhich({ kind, noun, modifiers }: Phrase, name: string): string {
  if (kind !== 'noun' || !several.test(noun)) return name
  const by = modifiers.find(({ preposition, phrase }) => tie.test(preposition) && !phrase.isTime)
  return by === undefined ? name : `${name} ${by.preposition} ${cleanName(by.phrase.text)}`
}
