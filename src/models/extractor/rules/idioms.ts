import type { Clause } from '../grammar/clause.ts'
import { membersOf, type Phrase } from '../grammar/phrase.ts'
import type { Sink } from './description.ts'
import { nameOf } from './entities.ts'
import { relationOf } from './relations.ts'

/** `something complicated`, where only the adjective is left. */
export const isBareAdjective = (object: Phrase, { naming: { tree } }: Sink) =>
  tree.xpos[object.at] === 'JJ' && object.determiner === null && /^\p{Ll}+$/u.test(object.text)

/** Objects that only fill a phrase: `make a difference`, `have a blast`. */
export const fillers: ReadonlySet<string> = new Set(
  `difference blast fun look go try way sense touch luck time stuff thing things chance impact lot part shot kick
  glimpse peek care minute second while favor favour effort progress sure smile laugh hug mark step leap turn finger fingers`.split(
    /\s+/,
  ),
)
const idiomNouns =
  /^(?:care|advantage|charge|control|part|use|rid|track|place|pride|interest|note|hold|photo|picture)$/

/** `takes care of my mother`, `took part in the race`: verb and noun are one relation. */
export function idiomFact(clause: Clause, name: string, object: Phrase, sink: Sink): boolean {
  const [modifier] = object.modifiers
  if (
    !modifier ||
    !idiomNouns.test(object.noun) ||
    object.indices.length > 1 + 2 + modifier.phrase.indices.length
  )
    return false
  for (const member of membersOf(modifier.phrase)) {
    const value = nameOf(member, 'object', sink.naming)
    if (value !== null)
      sink.add(name, `${relationOf(clause, null)}_${object.noun}_${modifier.preposition}`, value, 0.82, {
        at: object.at,
      })
  }
  return true
}
