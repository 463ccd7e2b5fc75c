import { canonicalKey } from '../entities.ts'
import type { ExtractedChange } from '../ports.ts'
import { isOneAtATime, slotOf } from '../slots.ts'
import { lasting, state, type ToldFact } from './told.ts'

/** Relations that mostly hold one value at a time: one that is told as new takes the place of the only one there was. */
const mostlyOne = new RegExp(
  `^(?:${[
    'drives|rides|commutes_by|weighs|costs|charges|earns|pays',
    'attends|majors_in|reports_to|based_in|works_in|(?:plays|works|swims|races)_(?:for|under)',
    String.raw`(?:banks|trains|insured|lodges|shares_\p{L}+)_with`,
    '(?:teaches|trains|studies|practi[cs]es|stays|lodges)_(?:at|in)|(?:sleeps|sits|rents|enrolled)_(?:in|on|at)',
    'has_nickname(?:_.+)?|has_(?:desk|seat|room|office|hair|partner|teacher|tutor|landlord|landlady|mentor|trainer|coach)',
    'has_(?:dentist|doctor|gp|therapist|vet|accountant|lawyer|hairdresser|barber)',
  ].join('|')})$`,
  'u',
)
/** Where a thing or an event is. People are in many things at once. */
const placed = /^is_(?:on|at|in)$/

/** Things whose looks and make change: `my car is green now`. */
const ownThing =
  /'s (?:\p{L}+ )?(?:car|van|bike|phone|laptop|computer|tablet|watch|hair|house|flat|apartment|room|bedroom|kitchen|door|camera|desk|office|tv|router|profile picture|ringtone|plan|team)$/u

/** `two kids` and `three kids`: the number alone is another. */
function differInNumber(a: string, b: string): boolean {
  const bare = (text: string) => canonicalKey(text).replace(amount, '#').replace(/s$/, '')
  return amount.test(canonicalKey(a)) && bare(a) === bare(b)
}
const amount = /\b(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/

/** Whether of this relation one value holds at a time, going by what the text says of it. */
function takesPlace({ relation, subject, around }: ExtractedChange): boolean {
  if (lasting.test(relation) || !state.test(relation)) return false
  if (mostlyOne.test(relation)) return true
  const thing = canonicalKey(subject)
  if (placed.test(relation)) return thing !== 'user' && !/^\p{Lu}/u.test(subject)
  if (relation === 'is' && (ownThing.test(thing) || (strong.test(around) && thing.includes("'s "))))
    return true
  return strong.test(around) && oneOfMany.test(relation)
}
const strong = /^(?:instead|switched|replaced|swapped|changed|no longer|anymore|correction|actually)$/
const oneOfMany = /^(?:uses|studies|plays|drinks|eats|takes|reads|does|learns|teaches|prefers|owns|has_\w+)$/

/** The facts whose place a new one takes; none where several may hold beside each other. */
export function replacedBy(change: ExtractedChange, told: readonly ToldFact[]): readonly ToldFact[] {
  const { subject, relation, words } = change
  if (relation === 'has_nickname' && subject !== 'user')
    return told.filter((fact) => fact.relation === 'has_name' && fact.subject === subject)
  const left = leftBy(change, told)
  if (left.length > 0) return left
  const [key, slot] = [canonicalKey(words), slotOf(relation, canonicalKey(words))]
  const rivals = told.filter(
    (fact) =>
      canonicalKey(fact.object) !== key &&
      (fact.relation === relation || slotOf(fact.relation, canonicalKey(fact.object)) === slot),
  )
  const exact = rivals.filter((fact) => canonicalKey(fact.subject) === canonicalKey(subject))
  const own =
    exact.length > 0 ? exact : rivals.filter((fact) => bareThing(fact.subject) === bareThing(subject))
  const isSingle = isOneAtATime(relation) || !slot.endsWith(`|${key}`)
  const settled = exact.filter((fact) => slotOf(fact.relation, canonicalKey(fact.object)) === slot)
  // The store closes these itself; a value told twice (`the wifi password is …`) is closed with them.
  if (isSingle && settled.length > 0)
    return told.filter(
      (fact) => fact.relation === 'is' && settled.some(({ object }) => object === fact.object),
    )
  // `the wifi password is now …` means the only one there is, at the cabin or not.
  if (isSingle && exact.length === 0)
    return own.length === 1 ? own : isValue(relation) && rivals.length === 1 ? rivals : []
  const numbers = own.filter((fact) => differInNumber(fact.object, words))
  if (numbers.length === 1) return numbers
  const sameHead = own.filter(
    (fact) => /^(?:is_a|prefers)$/.test(relation) && headOf(fact.object) === headOf(words),
  )
  if (sameHead.length === 1) return sameHead
  return takesPlace(change) && own.length === 1 ? own : []
}

/** `the book club` may have been told as `our book club`. */
const bareThing = (subject: string) => canonicalKey(subject).replace(/^user's /, '')
const headOf = (text: string) => canonicalKey(text).split(' ').at(-1) ?? ''

/** Joining one leaves another of the same kind: a team, a school, a bank. */
const joinings: readonly { readonly relations: readonly string[]; readonly over: readonly string[] }[] = [
  {
    relations: 'moved_to transferred_to reassigned_to assigned_to switched_to is_on is_in promoted_to'.split(
      ' ',
    ),
    over: `is_on is_in is_at works_in works_on plays_for studies_at attends reassigned_to transferred_to
    member_of`.split(/\s+/),
  },
  {
    relations: 'joined signed_with signed_for'.split(' '),
    over: 'plays_for works_at is_in is_with member_of is_on'.split(' '),
  },
  {
    relations: 'is_with went_over_to jumped_to switched_over_to'.split(' '),
    over: 'works_at is_with banks_with insured_with'.split(' '),
  },
  {
    relations: 'is_at started_at goes_to attends studies_at enrolled_at enrolled_in'.split(' '),
    over: 'works_at studies_at attends goes_to is_at enrolled_at'.split(' '),
  },
  {
    relations: 'has_boss has_manager has_supervisor reports_to works_under'.split(' '),
    over: 'has_boss has_manager has_supervisor reports_to works_under'.split(' '),
  },
  {
    relations: 'lives_in has_address'.split(' '),
    over: 'has_flat_in has_apartment_in has_place_in has_room_in rents_flat_in rents_in located_in'.split(
      ' ',
    ),
  },
  { relations: 'works_at hired_by'.split(' '), over: 'is_with is_at teaches_at interns_at'.split(' ') },
]

/** The relations that what is left may have been told with, the new fact's own among them. */
export function relationsLeft(relation: string): readonly string[] {
  if (relation === 'has_nickname') return ['has_name']
  return joinings.find(({ relations }) => relations.includes(relation))?.over ?? []
}

/** Whether what it replaces may have been told of another subject, or with another verb. */
export const isToldElsewhere = ({ relation, words }: ExtractedChange): boolean =>
  relationsLeft(relation).length > 0 || isValue(relation) || isTimeSlot(relation, words)

const isTimeSlot = (relation: string, words: string) =>
  slotOf(relation, canonicalKey(words)).startsWith('when: ')

/** The one that was left: of a like noun (`the sales team` for `the support team`), or the only one with a name. */
function leftBy(
  { subject, relation, words }: ExtractedChange,
  told: readonly ToldFact[],
): readonly ToldFact[] {
  const over = relationsLeft(relation)
  const own = told.filter(
    (fact) =>
      canonicalKey(fact.subject) === canonicalKey(subject) &&
      over.includes(fact.relation) &&
      canonicalKey(fact.object) !== canonicalKey(words),
  )
  const alike = own.filter(({ object }) => headOf(object) === headOf(words))
  if (alike.length > 0) return alike.length === 1 ? alike : []
  const named = own.filter(({ object }) => isNamed(object) && isNamed(words))
  return named.length === 1 ? named : []
}

const isNamed = (text: string) => /^\p{Lu}/u.test(text.trim())

/** Values of things, which are told now with what they belong to and now without. */
const isValue = (relation: string) => /_(?:password|code|pin|passcode|combination|key)$/.test(relation)
