import { stem } from '../../core/stem.ts'
import { canonicalKey } from '../entities.ts'
import type { ExtractedChange } from '../ports.ts'
import { tasteOf } from '../slots.ts'
import { isAbout, lasting, state, type ToldFact } from './told.ts'

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
  policy scheme programme program group practice training routine trip holiday service box thing stuff idea
  project lease tenancy office company firm medication tablet pill internship placement wifi mobile shares fee
  allergy fear church faith belt kit gear collection lessons addiction intolerance`
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
function fitOf(words: string, around: string, { relation, object }: ToldFact): Fit {
  const [said, held] = [contentOf(words), contentOf(object)]
  const ofRelation = new Set(relation.split('_').map(stem))
  // `quit smoking` ends what the verb says, whatever of.
  const [verb = '', activity = ''] = relation.split('_')
  const doing = new Set([verb, ...(activity.endsWith('ing') ? [activity] : [])].map(stem))
  const isBare = [...contentOf(around)].every((word) => said.has(word) || held.has(word))
  if (said.size === 1 && isBare && [...said].every((word) => doing.has(word))) return 'part'
  const idle = (word: string) => !held.has(word) && (kindNouns.has(word) || ofRelation.has(word))
  const named = [...said].filter((word) => !idle(word))
  if (named.length === 0 || held.size === 0 || !named.every((word) => held.has(word))) return 'none'
  if (named.length === held.size) return 'whole'
  return isKnownBy(named, object) ? 'part' : 'none'
}

/** A thing is known by its noun or by a name in it: `football` is no football coach. */
function isKnownBy(named: readonly string[], object: string): boolean {
  const [before = ''] = object.split(/ (?:of|in|at|on|for|with|from|to|about) /)
  const words = canonicalKey(before).split(' ')
  const head = stem(words.findLast((word) => /\p{L}/u.test(word)) ?? '')
  const names = contentOf(object.match(/\S*\p{Lu}\S*/gu)?.join(' ') ?? '')
  return named.includes(head) || kindNouns.has(head) || named.some((word) => names.has(word))
}

/** The facts that an ending means: what its words name whole, or the only thing that they name a part of. */
export function endedBy(change: ExtractedChange, told: readonly ToldFact[]): readonly ToldFact[] {
  const ours = told.filter(
    (fact) => isAbout(change, fact) && canEnd(change, fact.relation) && !isOther(change, fact),
  )
  const fits = (words: string, fit: Fit) => ours.filter((fact) => fitOf(words, change.around, fact) === fit)
  // `my keys at the school` are not the school; `my account at the bank` is the one there.
  const isKind = [...contentOf(change.words)].every((word) => kindNouns.has(word))
  const whole = [
    ...new Set([...fits(change.words, 'whole'), ...(isKind ? fits(change.around, 'whole') : [])]),
  ]
  const part = fits(change.words, 'part')
  if (isDated(change)) return []
  const named = whole.length > 0 || new Set(part.map(({ object }) => leadOf(object))).size > 1 ? whole : part
  // `user has house in Galway` and `user has_house_in Galway` are one thing told twice.
  const relatives = ours.filter((fact) => named.some((other) => isSameThing(other, fact)))
  return named.length > 0 ? [...new Set([...named, ...relatives])] : ofKind(change, ours)
}

/** `the meeting with Eva` is not the one with Ben. */
function isOther({ around }: ExtractedChange, { relation, object }: ToldFact): boolean {
  const [, tie = '', name = ''] = /\b(with|at|for|of|from|in) (\p{Lu}\p{L}+)/u.exec(around) ?? []
  const told = ` ${relation.replaceAll('_', ' ')} ${object} `
  return tie !== '' && told.includes(` ${tie} `) && !told.includes(` ${name} `)
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
  if (contentOf(a.object).size === 0 || contentOf(b.object).size === 0) return false
  return [...one].every((word) => other.has(word)) || [...other].every((word) => one.has(word))
}

/** `sold my car`, `quit my job`: the thing is not named, but only one can be meant. */
const kinds: readonly { readonly noun: RegExp; readonly relations: readonly string[] }[] = [
  { noun: /^(?:job|day job|position|post)$/, relations: ['works_at', 'works_as', 'works_in'] },
  { noun: /^(?:car|van|truck|bike|motorbike|motorcycle)$/, relations: ['drives', 'rides'] },
  {
    noun: /^(?:wife|husband|marriage|spouse)$/,
    relations: ['married_to', 'has_wife', 'has_husband', 'has_spouse'],
  },
  {
    noun: /^(?:girlfriend|boyfriend|partner|gf|bf|relationship)$/,
    relations: ['dates', 'has_girlfriend', 'has_boyfriend', 'has_partner'],
  },
  {
    noun: /^(?:fianc[ée]e?|engagement|wedding)$/,
    relations: ['engaged_to', 'has_fiancé', 'has_fiancée', 'has_fiance', 'has_fiancee'],
  },
  { noun: /^diet$/, relations: ['follows', 'does'] },
  {
    noun: /^(?:studies|degree|university|college|uni|school)$/,
    relations: ['studies_at', 'attends', 'goes_to'],
  },
]

/** The relations that the thing may have been told with; none where it is named. */
export function relationsOfKind(words: string): readonly string[] {
  const noun = canonicalKey(words).replace(/^(?:my|our) (?:old )?/, '')
  return kinds.find((kind) => kind.noun.test(noun))?.relations ?? []
}

function ofKind({ words }: ExtractedChange, ours: readonly ToldFact[]): readonly ToldFact[] {
  const relations = relationsOfKind(words)
  const meant = ours.filter(({ relation }) => relations.includes(relation))
  const eachOnce = new Set(meant.map(({ relation }) => relation)).size === meant.length
  return eachOnce ? meant : []
}
