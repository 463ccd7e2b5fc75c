import type { FoundFact } from '../ports.ts'

/** One thing about one person or thing that a question asks for: the graph can answer it by itself. */
export interface AskedSlot {
  /** In lower case; `user` for the one who asks, `user's sister` for "my sister". */
  readonly subject: string
  /** What the subject is to the one who asks; null when it is named. */
  readonly role: string | null
  readonly relations: ReadonlySet<string>
}

/** What people call a relation when they ask for it. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  job: ['works_as', 'works_at'],
  profession: ['works_as'],
  occupation: ['works_as'],
  employer: ['works_at'],
  company: ['works_at'],
  hometown: ['from', 'grew_up_in', 'born_in'],
  birthplace: ['born_in'],
  home: ['lives_in', 'moved_to'],
  address: ['lives_at', 'lives_in', 'moved_to'],
  spouse: ['has_wife', 'has_husband', 'married_to'],
  wife: ['married_to'],
  husband: ['married_to'],
  phone: ['has_phone_number'],
  'phone number': ['has_phone'],
  number: ['has_phone', 'has_phone_number'],
  'email address': ['has_email'],
  mum: ['has_mother'],
  mom: ['has_mother'],
  dad: ['has_father'],
}

const doings: Readonly<Record<string, readonly string[]>> = {
  live: ['lives_in', 'moved_to'],
  living: ['lives_in', 'moved_to'],
  work: ['works_at'],
  working: ['works_at'],
  study: ['studies_at', 'studies_in'],
  studying: ['studies_at', 'studies_in'],
  born: ['born_in'],
}

/** `my`, `the user's`, `Maria's`. */
const whose = String.raw`(my|our|the user's|[\p{L}][\p{L} -]{0,40}?'s)`
/** `I`, `the user`, `Maria`. */
const who = String.raw`(i|we|the user|[\p{L}][\p{L} -]{0,40}?)`

const attributeForm = new RegExp(
  `^(?:what|who|when)(?:'s| is| are) ${whose} ((?:[\\p{L}-]+ ){0,3}[\\p{L}-]+)$`,
  'u',
)
const nameForm = new RegExp(
  `^what(?:'s| is) (?:the name of )?${whose} ([\\p{L}-]+)(?:'s name| called| named)?$`,
  'u',
)
const placeForm = new RegExp(
  `^where (?:do|does|am|is|was) ${who} (live|living|work|working|study|studying|born)$`,
  'u',
)
const originForm = new RegExp(`^where (?:do|does|am|is) ${who} (?:come )?from(?: originally)?$`, 'u')
const ageForm = new RegExp(`^how old (?:am|is) ${who}$`, 'u')
const workForm = new RegExp(`^what do(?:es)? ${who} do(?: for (?:work|a living))?$`, 'u')

/** What the question asks for, when it asks for one attribute in one of the usual ways; null otherwise. */
export function askedSlot(text: string): AskedSlot | null {
  const question = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‘’]/g, "'")
    .replace(/[?!.\s]+$/, '')
    .replace(/ (?:now|currently|right now|again|these days)$/, '')
    .trim()
  if (question.length > 80) return null
  const [, place, doing = ''] = placeForm.exec(question) ?? []
  if (place !== undefined) return slot(place, doings[doing] ?? [])
  const [, origin] = originForm.exec(question) ?? []
  if (origin !== undefined) return slot(origin, ['from', 'grew_up_in', 'born_in'])
  const [, old] = ageForm.exec(question) ?? []
  if (old !== undefined) return slot(old, ['has_age'])
  const [, worker] = workForm.exec(question) ?? []
  if (worker !== undefined) return slot(worker, ['works_as', 'works_at'])
  const [, owner, attribute = ''] = nameForm.exec(question) ?? attributeForm.exec(question) ?? []
  return owner === undefined ? null : slot(owner.replace(/'s$/, ''), relationsOf(attribute))
}

function slot(subject: string, relations: readonly string[]): AskedSlot {
  const isUser = /^(?:i|we|my|our|the user)$/.test(subject)
  const role = /^(?:my|our) (.+)$/.exec(subject)?.[1] ?? null
  const named = isUser ? 'user' : subject
  return { subject: role === null ? named : `user's ${role}`, role, relations: new Set(relations) }
}

function relationsOf(attribute: string): readonly string[] {
  const plain = attribute.replace(/^(?:new|current) /, '').replace(/favorite/, 'favourite')
  const name = plain.replace(/\bcolor\b/, 'colour').replaceAll(/[ -]+/g, '_')
  return [`has_${name}`, name, ...(otherNames[plain] ?? [])]
}

/** Tells which of the facts say what is asked for. Who "my sister" is, is looked up among them. */
export function answersTo(slot: AskedSlot, facts: readonly FoundFact[]): (fact: FoundFact) => boolean {
  const { subject, role, relations } = slot
  const link = role === null ? null : `has_${role.replaceAll(/[ -]+/g, '_')}`
  const named = facts.filter(
    (fact) => fact.relation === link && !fact.negated && fact.subjectName.toLowerCase() === 'user',
  )
  const subjects = new Set([subject, ...named.map(({ objectName }) => objectName.toLowerCase())])
  return (fact) =>
    !fact.negated && relations.has(fact.relation) && subjects.has(fact.subjectName.toLowerCase())
}
