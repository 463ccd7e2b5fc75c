import type { Clause } from '../grammar/clause.ts'
import type { Sink } from './description.ts'
import { cleanName } from './names.ts'
import { thirdPerson } from './relations.ts'

/** Verbs that say something lasting of a person without an object: `I don't smoke`, `she dances`. */
const habits = new Set(
  `smoke drink drive cook swim vape gamble snore meditate exercise jog dance sing paint knit garden ski surf sail skate
  snowboard fish hunt bake sew draw write read code blog journal commute camp hike cycle climb dive golf bowl box fence
  vote pray fast stutter lisp limp game stream freelance volunteer workout party`.split(/\s+/),
)

const isHabit = (lemma: string): boolean => habits.has(lemma)

/** `I don't smoke`, `my sister can't swim`, `I stopped smoking`. True: that is all the clause says. */
export function habitFact(clause: Clause, name: string, sink: Sink): boolean {
  if (!isHabit(clause.lemma) || clause.passive || clause.particle) return false
  if (clause.chain.join() === 'learn_to' && clause.tense === 'past' && !clause.negated) {
    sink.add(name, 'can', clause.lemma, 0.85)
    return false
  }
  const often = clause.obliques.some(({ phrase }) => /^(?:every|each)\b|s$/.test(phrase.text))
  if (clause.chain.length > 0 && !(clause.chain.join() === 'go' && often)) return false
  if (clause.objects.some(({ isTime }) => !isTime)) return false
  if (clause.obliques.some(({ phrase }) => !phrase.isTime)) return false
  const over = clause.tense === 'past' && !clause.ended
  if (over || clause.tense === 'future' || (clause.progressive && !clause.negated)) return false
  sink.add(name, clause.modal === 'can' ? 'can' : 'does', clause.lemma, clause.modal === 'can' ? 1 : 0.8)
  return true
}

/** `quit smoking cigarettes`, where the parser takes the activity for a noun: smoking them is over. */
export function stoppedActivity(clause: Clause, name: string, sink: Sink): boolean {
  const { tree } = sink.naming
  let told = false
  if (clause.chain.length > 0 || clause.hypothetical || clause.tense === 'future') return false
  for (const object of clause.objects) {
    const [first = '', ...rest] = object.text.split(' ')
    const verb = tree.lemmatise(first.toLowerCase(), 'VBG')
    if (!/ing$/i.test(first) || (rest.length === 0 && !isHabit(verb)) || clause.negated) continue
    const [relation, value] =
      rest.length === 0 ? ['does', verb] : [thirdPerson(verb), cleanName(rest.join(' '))]
    sink.add(name, relation, value, 0.85, { ended: true, at: object.at })
    told ||= rest.length > 0
  }
  return told
}
