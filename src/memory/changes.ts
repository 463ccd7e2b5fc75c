import { stem } from '../core/stem.ts'
import { canonicalKey } from './entities.ts'
import type { ExtractedChange, ExtractedFact } from './ports.ts'
import { isOneAtATime, slotOf, tasteOf } from './slots.ts'

/** A current fact that a change may mean. */
export interface ToldFact {
  readonly subject: string
  readonly relation: string
  readonly object: string
  readonly negated: boolean
  /** Told by the newest text: what a correction without a subject corrects. */
  readonly latest: boolean
}

/**
 * The facts that the changes of a text stand for: what was told and is over, and the values that corrections put in its
 * place. A change that fits nothing, or more than one thing loosely, gives none: side by side loses nothing.
 */
export function factsOfChanges(
  changes: readonly ExtractedChange[],
  told: readonly ToldFact[],
): readonly ExtractedFact[] {
  const positive = told.filter(({ negated }) => !negated)
  return changes.flatMap((change) => {
    if (change.kind === 'corrected') return correction(change, positive)
    const over = change.kind === 'replaced' ? replacedBy(change, positive) : endedBy(change, positive)
    return over.map((fact) => factOf(change, fact, true))
  })
}

function factOf(
  { start, end }: ExtractedChange,
  { subject, relation, object }: Pick<ToldFact, 'subject' | 'relation' | 'object'>,
  ended: boolean,
): ExtractedFact {
  const plain = { negated: false, hypothetical: false, when: null, confidence: 0.8 }
  return { ...plain, subject, relation, object, ended, start, end }
}

/** Of somebody, or of something of theirs: `user's car`. */
function isAbout(change: ExtractedChange, { subject }: ToldFact): boolean {
  const [whose, one] = [canonicalKey(change.subject), canonicalKey(subject)]
  return one === whose || one.startsWith(`${whose}'s `)
}

/** Ties that outlast everything, and facts that no later event undoes. */
const lasting =
  /^(?:from|born_.*|speaks|has_(?:name|nickname|birthday|age|nationality|degree.*|allergy|mother|mom|mum|father|dad|parent|sister|brother|sibling|son|daughter|child|kid|cousin|uncle|aunt|niece|nephew|grand\w+|twin|friend|best_friend|family|stepson|stepdaughter|stepmother|stepfather|half-\w+))$/

/** States that end, told in the present: `owns`, `works_at`, `is_on`. What happened once cannot be over. */
const state =
  /^(?:(?!was(?:_|$))\p{L}+s(?:_.*)?|favourite_.*|married_to|engaged_to|dates|enrolled_in|subscribed_to|interested_in|member_of|moving_to|\p{L}+ing_.*|[\p{L}_]+_(?:of|member))$/u

/** What is over by such a change. */
function canEnd({ kind, relation: only }: ExtractedChange, relation: string): boolean {
  if (only !== '') return relation === only
  const liking = tasteOf(relation) !== null || relation.startsWith('favourite_')
  if (kind === 'soured') return liking
  return !liking && !lasting.test(relation) && state.test(relation)
}

/** Nouns that only say what kind of thing a name stands for: `my Barclays account`. */
const kindNouns = new Set(
  `account subscription membership plan chapter job house home flat apartment place car bike phone laptop class lesson
  course degree diet team club band contract gig position role habit engagement relationship wedding app premium pass
  ticket policy scheme programme program session group shift practice training routine trip holiday visit appointment
  service box thing stuff idea project lease tenancy office company firm medication tablet pill internship placement wifi mobile shares membership fee`
    .split(/\s+/)
    .map(stem),
)

const small = new Set(
  `a an the my our his her their your its this that these those all both some any of at in on for with from to and or i
  we he she they it me us you is are am be been was were do does did not no more just really old whole entire own two
  s t m re ve ll about around anymore longer any every day after`.split(/\s+/),
)

function contentOf(text: string): ReadonlySet<string> {
  const words = canonicalKey(text).match(/[\p{L}\p{N}@.&+-]+/gu) ?? []
  return new Set(words.map((word) => stem(word.replace(/^[.-]+|[.-]+$/g, ''))).filter(isContent))
}

const isContent = (word: string) => word !== '' && !small.has(word)

type Fit = 'whole' | 'part' | 'none'

/** Whether the words name what the fact is about: all of it, a part of it (`the Yamaha` of a 1998 Yamaha), or not. */
function fitOf(words: string, { relation, object }: ToldFact): Fit {
  const [said, held] = [contentOf(words), contentOf(object)]
  const around = new Set(relation.split('_').map(stem))
  // `quit smoking` ends what the verb says, whatever of.
  if (said.size === 1 && [...said].every((word) => around.has(word))) return 'part'
  const idle = (word: string) => !held.has(word) && (kindNouns.has(word) || around.has(word))
  const named = [...said].filter((word) => !idle(word))
  if (named.length === 0 || held.size === 0 || !named.every((word) => held.has(word))) return 'none'
  return named.length === held.size ? 'whole' : 'part'
}

function endedBy(change: ExtractedChange, told: readonly ToldFact[]): readonly ToldFact[] {
  const ours = told.filter((fact) => isAbout(change, fact) && canEnd(change, fact.relation))
  const fits = (words: string, fit: Fit) => ours.filter((fact) => fitOf(words, fact) === fit)
  const whole = [...new Set([...fits(change.words, 'whole'), ...fits(change.around, 'whole')])]
  const part = fits(change.words, 'part')
  if (isDated(change)) return []
  const named = whole.length > 0 || new Set(part.map(({ object }) => leadOf(object))).size > 1 ? whole : part
  // `user has house in Galway` and `user has_house_in Galway` are one thing told twice.
  const relatives = ours.filter((fact) => named.some((other) => isSameThing(other, fact)))
  return named.length > 0 ? [...new Set([...named, ...relatives])] : ofKind(change, ours)
}

/** `my appointment on Friday` is one of several. */
const isDated = ({ around }: ExtractedChange) =>
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i.test(around) &&
  /\b(?:appointment|meeting|lesson|class|call|session|shift)\b/i.test(around)

/** The first words of what a fact is about, which its longer and shorter forms share. */
const leadOf = (object: string) => canonicalKey(object).split(' ')[0] ?? ''

function isSameThing(a: ToldFact, b: ToldFact): boolean {
  if (a.subject !== b.subject || a === b) return false
  const [one, other] = [a, b].map(({ relation, object }) =>
    contentOf(`${relation.replaceAll('_', ' ')} ${object}`),
  )
  if (one === undefined || other === undefined) return false
  return [...one].every((word) => other.has(word)) || [...other].every((word) => one.has(word))
}

/** `sold my car`, `quit my job`: the thing is not named, but only one can be meant. */
const kinds: readonly { readonly noun: RegExp; readonly relations: RegExp }[] = [
  { noun: /^(?:job|day job|position|post)$/, relations: /^works_(?:at|as|for|in)$/ },
  { noun: /^(?:car|van|truck|bike|motorbike|motorcycle)$/, relations: /^(?:drives|rides)$/ },
  { noun: /^(?:wife|husband|marriage|spouse)$/, relations: /^(?:married_to|has_(?:wife|husband|spouse))$/ },
  {
    noun: /^(?:girlfriend|boyfriend|partner|gf|bf|relationship)$/,
    relations: /^(?:dates|has_(?:girlfriend|boyfriend|partner))$/,
  },
  { noun: /^(?:fianc[ée]e?|engagement|wedding)$/, relations: /^(?:engaged_to|has_fianc[ée]e?)$/ },
  { noun: /^(?:diet)$/, relations: /^(?:follows|does|is)$/ },
  {
    noun: /^(?:studies|degree|university|college|uni|school)$/,
    relations: /^(?:studies_at|attends|goes_to)$/,
  },
]

function ofKind({ words }: ExtractedChange, ours: readonly ToldFact[]): readonly ToldFact[] {
  const noun = canonicalKey(words).replace(/^(?:my|our) (?:old )?/, '')
  const relations = kinds.find((kind) => kind.noun.test(noun))?.relations
  const meant = relations ? ours.filter(({ relation }) => relations.test(relation)) : []
  const eachOnce = new Set(meant.map(({ relation }) => relation)).size === meant.length
  return eachOnce ? meant : []
}

/** Relations of which people have several: that one is new says nothing of the others. */
const several =
  /^(?:has|owns|speaks|knows|learns|studies|plays|eats|drinks|takes|reads|uses|watches|does|is|is_a|can|prefers|(?:wants|needs|likes|loves|hates|enjoys)(?:_.*)?|allergic_to|afraid_of|good_at|fan_of|into|from|collects|teaches|suffers_from|member_of|volunteers_at|mentions|visited|has_(?:friend|colleague|coworker|co_worker|teammate|classmate|neighbou?r|student|client|customer|employee|hobby|allergy|goal|dream|tattoo|pet|dog|cat|horse|fish|rabbit|hamster|parrot|bird|turtle|\w+_(?:with|of|for|to|from))|has_\w+s)$/

/** Things whose looks and make change: `my car is green now`. */
const ownThing =
  /'s (?:\p{L}+ )?(?:car|van|bike|phone|laptop|computer|tablet|watch|hair|house|flat|apartment|room|bedroom|kitchen|door|camera|desk|office|tv|router|profile picture|ringtone|plan|team)$/u

/** `two kids` and `three kids`: the number alone is another. */
function differInNumber(a: string, b: string): boolean {
  const bare = (text: string) => canonicalKey(text).replace(amount, '#')
  return amount.test(canonicalKey(a)) && bare(a) === bare(b)
}
const amount = /\b(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b/

/** Whether of this relation one value holds at a time, going by what the text says of it. */
function takesPlace({ relation, subject, around }: ExtractedChange): boolean {
  if (lasting.test(relation) || !state.test(relation)) return false
  if (!several.test(relation)) return true
  if (relation === 'is' && ownThing.test(canonicalKey(subject))) return true
  return strong.test(around) && oneOfMany.test(relation)
}
const strong = /^(?:instead|switched|replaced|swapped|changed|no longer|anymore|correction|actually)$/
const oneOfMany = /^(?:uses|studies|plays|drinks|eats|takes|reads|does|learns|teaches|prefers|owns|has_\w+)$/

function replacedBy(change: ExtractedChange, told: readonly ToldFact[]): readonly ToldFact[] {
  const { subject, relation, words } = change
  if (relation === 'has_nickname') return replacedBy({ ...change, relation: 'has_name' }, told)
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
  if (isSingle && exact.length > 0) return []
  // `the wifi password is now …` means the only one there is, at the cabin or not.
  if (isSingle) return own.length === 1 ? own : isValue(relation) && rivals.length === 1 ? rivals : []
  const numbers = own.filter((fact) => differInNumber(fact.object, words))
  if (numbers.length === 1) return numbers
  const sameHead = own.filter((fact) => relation === 'is_a' && headOf(fact.object) === headOf(words))
  if (sameHead.length === 1) return sameHead
  return takesPlace(change) && own.length === 1 ? own : []
}

/** `the book club` may have been told as `our book club`. */
const bareThing = (subject: string) => canonicalKey(subject).replace(/^user's /, '')
const headOf = (text: string) => canonicalKey(text).split(' ').at(-1) ?? ''

/** Joining one leaves another of the same kind: a team, a school, a bank. */
const joinings: readonly { readonly relation: RegExp; readonly over: RegExp }[] = [
  {
    relation: /^(?:moved_to|transferred_to|reassigned_to|assigned_to|switched_to|is_on|is_in|promoted_to)$/,
    over: /^(?:is_on|is_in|is_at|works_in|works_on|plays_for|studies_at|attends|reassigned_to|transferred_to|member_of)$/,
  },
  {
    relation: /^(?:joined|signed_with|signed_for)$/,
    over: /^(?:plays_for|works_at|is_in|is_with|member_of|is_on)$/,
  },
  {
    relation: /^(?:is_with|went_over_to|jumped_to|switched_over_to|jumped_ship_to)$/,
    over: /^(?:works_at|is_with|banks_with|insured_with)$/,
  },
  { relation: /^is_at$/, over: /^(?:works_at|studies_at|attends|goes_to|is_at)$/ },
]

/** The one that was left: of a like noun (`the sales team` for `the support team`), or the only one with a name. */
function leftBy(
  { subject, relation, words }: ExtractedChange,
  told: readonly ToldFact[],
): readonly ToldFact[] {
  const over = joinings.find((joining) => joining.relation.test(relation))?.over
  if (!over) return []
  const own = told.filter(
    (fact) =>
      canonicalKey(fact.subject) === canonicalKey(subject) &&
      over.test(fact.relation) &&
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

const month = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/
const day = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day/
const numeral =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty)$/

/** What a value looks like: a correction is of the same kind as what it corrects. */
function shapeOf(value: string): string {
  const words = canonicalKey(value).split(/[\s-]+/)
  if (value.includes('@')) return 'address'
  if (words.some((word) => month.test(word) && word.length > 2) && /\d/.test(value)) return 'date'
  if (words.some((word) => day.test(word))) return 'day'
  if (/^\p{L}+[-_]?\d|\d\p{L}|\p{L}-\d/u.test(value.trim())) return 'code'
  if (/\d/.test(value) || words.some((word) => numeral.test(word))) return 'number'
  return /^\p{Lu}/u.test(value.trim()) ? 'name' : 'word'
}

/** Told of once, and over: no value that holds. */
const happened = /^(?!based|located|married|engaged|enrolled)(?:went|met|was|did|had|got|\p{L}+ed)(?:_|$)/u

/** The one value of the newest text that looks like the new one, and what was said of it, with the new one. */
function correction(change: ExtractedChange, told: readonly ToldFact[]): readonly ExtractedFact[] {
  const shape = shapeOf(change.words)
  const alike = told.filter(
    ({ latest, relation, object, subject }) =>
      latest &&
      shapeOf(object) === shape &&
      !canonicalKey(object).startsWith(`${canonicalKey(subject)}'s `) &&
      !happened.test(relation),
  )
  const single = alike.filter(({ relation }) => isOneAtATime(relation))
  const [wrong, ...others] = single.length > 0 ? single : alike
  if (!wrong || others.length > 0 || canonicalKey(wrong.object) === canonicalKey(change.words)) return []
  return [factOf(change, wrong, true), factOf(change, { ...wrong, object: change.words }, false)]
}
