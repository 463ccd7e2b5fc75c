import type { Clause } from '../grammar/clause.ts'
import { isRolePhrase, membersOf, type Phrase } from '../grammar/phrase.ts'
import { type Naming, nameOf } from './entities.ts'
import { isGivenName } from './given-names.ts'
import { cleanName, snakeCase } from './names.ts'
import { nationalityIn } from './nationalities.ts'
import { emptyNouns, isOccupation } from './vocabulary.ts'

/** Where the facts of a clause go; flags, time and support of the clause are added there. */
export interface Sink {
  readonly naming: Naming
  add(subject: string, relation: string, object: string, base: number, options?: AddOptions): void
}

export interface AddOptions {
  readonly negated?: boolean
  readonly ended?: boolean
  readonly when?: string | null
  /** The word that the object hangs on; its parse must hold too. */
  readonly at?: number
}

/** Nouns of `X is the N of Y` that are said of the thing itself: `fan of jazz` is a taste. */
const tastes = /^(?:fan|lover|admirer|enthusiast|supporter|follower)$/

/** `a bad driver`, `an aspiring singer`: what one is like, or wants to be, is no job. */
const opinion =
  /^(?:(?:very|really|pretty|quite) )?(?:good|bad|great|terrible|awful|aspiring|amateur|wannabe|decent|excellent|horrible|lousy|avid|careful|slow|fast) /i

/** Whether a word that the parser takes for a name can be one's own: `I'm Peruvian` and `I'm a repairer` name nobody. */
const isOwnName = (text: string) =>
  nationalityIn(text) === null && (/^\p{Lu}/u.test(text) || isGivenName(text.split(' ')[0] ?? ''))

/** Facts of a noun said of somebody or something: `a nurse at St. Mary's`, `the CEO of Apple`, `a 1964 film`. */
export function describeWith(clause: Clause, name: string, subject: Phrase, value: Phrase, sink: Sink): void {
  const of = value.modifiers.find(({ preposition }) => preposition === 'of')
  const role = headText(value, of !== undefined)
  if (of && ofFact(name, value, role, of.phrase, sink)) {
    otherModifiers(name, value, role, clause, sink)
    return
  }
  const liked = tastes.test(value.noun)
    ? /^(?:(?:big|huge|massive|lifelong|avid|great|real) )?(.+) \p{L}+$/u.exec(role)?.[1]
    : undefined
  if (liked && /^\p{Lu}/u.test(liked)) {
    sink.add(name, 'fan_of', liked, 0.88)
    return
  }
  if (value.kind === 'name') {
    const isMe = name === sink.naming.discourse.me && subject.kind === 'pronoun'
    const own = isMe && value.determiner === null && isOwnName(cleanName(value.text))
    sink.add(name, own ? 'has_name' : 'is', cleanName(value.text), own ? 0.85 : 0.75)
    // `I'm Priya, a data analyst at Deloitte`
    if (own)
      for (const more of value.appositions)
        if (more.kind === 'noun') describeWith(clause, name, subject, more, sink)
    return
  }
  const isSet =
    subject.owner !== null ||
    /\d/.test(value.text) ||
    (subject.determiner === 'the' && /day\b/i.test(value.text))
  if (value.isTime && subject.kind === 'noun' && isSet)
    sink.add(name, 'is', cleanName(value.text), 0.8, { when: null })
  if (value.isTime || emptyNouns.has(value.noun) || value.kind === 'activity') return
  if (/^(?:it|that|this)$/i.test(subject.text) && value.kind === 'noun' && !isOccupation(value.noun)) return
  const occupation = isOccupation(value.noun) && !opinion.test(role)
  const told = occupation ? role : cleanName(value.text)
  const age = /^(\d{1,3})-year-old /i.exec(told)
  if (age?.[1]) sink.add(name, 'has_age', age[1], 0.85)
  const text = age ? told.slice(age[0].length) : told
  if (!text) return
  if (value.owner) {
    ownedFact(name, value, text, sink)
    return
  }
  sink.add(
    name,
    occupation ? 'works_as' : value.kind === 'number' ? 'is' : 'is_a',
    text,
    occupation ? 0.9 : value.determiner === null && !value.plural && value.kind === 'noun' ? 0.6 : 0.75,
  )
  classFact(name, value, text, sink)
  if (value.determiner !== null && !occupation) sink.naming.discourse.classes.set(value.noun, name)
  otherModifiers(name, value, role, clause, sink)
}

/** `a 1964 drama film` is a film: documents are joined by what their topics are. */
function classFact(name: string, value: Phrase, text: string, sink: Sink): void {
  if (name !== sink.naming.discourse.topic || value.plural) return
  const nationality = nationalityIn(text)
  if (nationality !== null) sink.add(name, 'has_nationality', nationality, 0.8)
  if (text.toLowerCase() === value.noun) return
  sink.add(name, 'is_a', value.noun, 0.75)
}

/** `Toby is the director's cut`, `this is Ana's car`: a thing of somebody. */
function ownedFact(name: string, value: Phrase, text: string, sink: Sink): void {
  const owner = value.owner ? nameOf(value.owner, 'owner', sink.naming) : null
  if (owner === null || owner === name) return
  sink.add(name, 'is', `${owner}'s ${text}`, 0.65)
}

/** The noun with what stands before it, without `of …`. */
function headText(value: Phrase, hasOf: boolean): string {
  const text = cleanName(value.text)
  const cut = hasOf ? text.toLowerCase().indexOf(' of ') : -1
  return cut > 0 ? text.slice(0, cut) : text
}

function ofFact(name: string, value: Phrase, role: string, whole: Phrase, sink: Sink): boolean {
  if (whole.isTime || (whole.kind === 'pronoun' && !whole.text)) return false
  const worthIt =
    isOccupation(value.noun) ||
    isRolePhrase(value) ||
    whole.kind === 'name' ||
    tastes.test(value.noun) ||
    value.noun === 'member'
  if (!worthIt) return false
  let told = false
  for (const part of membersOf(whole)) {
    const object = nameOf(part, 'object', sink.naming)
    if (object === null) continue
    sink.add(name, tastes.test(value.noun) ? 'fan_of' : `${snakeCase(role)}_of`, object, 0.9)
    told = true
  }
  return told
}

/** Things that stand somewhere. */
const sited =
  /^(?:town|city|village|community|district|county|gmina|township|river|lake|mountain|island|station|school|museum|building|church|hospital|university|college|park|bridge|castle|settlement|municipality|commune|suburb|neighborhood|neighbourhood|airport|hotel|restaurant|stadium|hill|peak|creek|stream|valley|region|province|capital|cathedral|temple|monastery|farm|ranch|cemetery|library|theatre|theater|prison|parish|locality|borough|place|area|house|street|road|square|garden|zoo|palace|fort|tower|port|bay|beach)$/

/** `… at ORG`, `… from Madrid`, `… in Berlin`. */
function otherModifiers(name: string, value: Phrase, role: string, clause: Clause, sink: Sink): void {
  const occupation = isOccupation(value.noun)
  const around = [
    ...value.modifiers,
    ...clause.obliques.map(({ preposition, phrase }) => ({ preposition: preposition ?? '', phrase })),
  ]
  for (const { preposition, phrase } of around) {
    if (preposition === 'of' || preposition === '' || phrase.isTime) continue
    for (const part of membersOf(phrase)) {
      const object = nameOf(part, 'object', sink.naming)
      if (object === null) continue
      if (occupation && /^(?:at|for|with)$/.test(preposition))
        sink.add(name, value.noun === 'student' ? 'studies_at' : 'works_at', object, 0.88)
      else if (preposition === 'from') sink.add(name, 'from', object, 0.8)
      else if (preposition === 'in' && sited.test(value.noun) && part.kind === 'name')
        sink.add(name, 'located_in', object, 0.82)
      else if (part.kind === 'name') sink.add(name, `${snakeCase(role)}_${preposition}`, object, 0.7)
    }
  }
}
