import type { Clause } from '../grammar/clause.ts'
import { isRolePhrase, type Phrase } from '../grammar/phrase.ts'
import { singular } from '../text/lemmas.ts'
import { fillers } from './idioms.ts'
import { snakeCase } from './names.ts'
import { isCanonical, relationOf } from './relations.ts'
import { emptyNouns, personNouns } from './vocabulary.ts'

/** Verbs that mean little without their object: `has_meeting_with`, `plans_trip_to`. */
export const light: ReadonlySet<string> = new Set(
  'have take make book plan get give do go schedule attend need want hold do start'.split(' '),
)

/** What a clause says with a preposition, and how much of it is told. */
interface Folded {
  readonly relation: string
  /** False: the object is missing from the relation, and what is left may say something else. */
  readonly whole: boolean
}

/**
 * `have a degree in economics`: the object belongs to the relation. A document keeps `built_in`, where the subject is
 * what was built; in talk `threw_at | house` would say nothing without the party.
 */
export function foldedRelation(clause: Clause, preposition: string, value: Phrase, talk: boolean): Folded {
  const plain = relationOf(clause, preposition)
  const [object] = clause.objects
  const company = isCompany(preposition, value)
  if (!object || clause.passive)
    return { relation: plain, whole: !talk || company || !missesPronoun(clause, preposition) }
  if (isCanonical(plain)) return { relation: plain, whole: clause.lemma !== 'move' }
  const noun = foldedNoun(object)
  if (
    noun !== null &&
    ((light.has(clause.lemma) && clause.chain.length === 0) || (talk && (!company || object.noun === 'time')))
  ) {
    return {
      relation: `${relationOf(clause, null)}_${noun}_${preposition}`,
      whole:
        !talk ||
        !(emptyNouns.has(object.noun) || (fillers.has(object.noun) && !light.has(clause.lemma))) ||
        object.noun === 'time',
    }
  }
  const place = object.kind === 'name' && preposition !== 'with'
  const together = (company || place) && shared.test(preposition) && !light.has(clause.lemma)
  return { relation: plain, whole: !talk || together || /^you$/i.test(object.text) }
}

/** The word for the object in a relation; null where it has none. */
function foldedNoun(object: Phrase): string | null {
  if (/^each other$/i.test(object.text)) return 'each_other'
  return object.kind === 'noun' && (!object.isTime || object.noun === 'time')
    ? snakeCase(singular(object.noun))
    : null
}

/** Whoever visited Rome with Ana was with her. */
const shared = /^(?:with|in|at|during|on|as)$/

/** `plays tennis with Marc`: what matters is with whom. */
const isCompany = (preposition: string, value: Phrase) =>
  preposition === 'with' && (value.kind === 'name' || isRolePhrase(value))

/** `worry about them in new places`: without them, it is another worry. */
function missesPronoun(clause: Clause, preposition: string): boolean {
  return clause.obliques.some(
    (other) =>
      other.preposition !== null &&
      other.preposition !== preposition &&
      /^(?:it|them|him|her|this|that|these|those)$/i.test(other.phrase.text),
  )
}

/** `took the kids to the museum`: nobody just took the kids. */
export function isCarried(clause: Clause, object: Phrase): boolean {
  const somebody = isRolePhrase(object) || personNouns.has(object.noun) || household.test(object.noun)
  if (somebody && /^(?:take|bring|drive|send|drop)$/.test(clause.lemma)) return true
  if (clause.lemma === 'keep' && clause.obliques.some(({ phrase }) => !phrase.isTime)) return true
  if (!/^(?:take|bring|drive|send|drop|put|keep|lead|get)$/.test(clause.lemma)) return false
  // Names may be medicines: one takes them for something.
  const goal =
    somebody || object.owner || object.kind === 'pronoun' ? anyGoal : object.kind === 'name' ? place : null
  return (
    goal !== null &&
    clause.obliques.some((oblique) => !oblique.phrase.isTime && goal.test(oblique.preposition ?? ''))
  )
}

const place = /^(?:to|into|on|through)$/
const anyGoal = /^(?:to|into|for|on|out_of|from|through)$/
const household = /^(?:fam|family|crew|gang|team)$/
