import { isMark } from './tokens.ts'

/** Constructions of which each says what another says; every rule turns one into the other. */

const possessives: ReadonlySet<string> = new Set(['my', 'your', 'his', 'her', 'our', 'their'])
const owners: ReadonlySet<string> = new Set([...possessives, 'the'])
const copulas: ReadonlySet<string> = new Set(['be', 'was'])

type Rule = (words: readonly string[]) => readonly string[]

/** "the name of my dog" is "my dog's name", at the end of a text and before its verb. */
const possession: Rule = (words) => {
  const at = words.indexOf('of')
  if (at < 2 || words[at - 2] !== 'the') return words
  const owner = owners.has(words[at + 1] ?? '') ? 1 : 0
  const end = at + 2 + owner
  const [possessor, follows] = [words[end - 1], words[end]]
  if (possessor === undefined || isMark(possessor)) return words
  if (follows !== undefined && !isMark(follows) && !copulas.has(follows)) return words
  const owned = [...words.slice(at + 1, end - 1), `${possessor}'s`, words[at - 1] ?? '']
  return [...words.slice(0, at - 2), ...owned, ...words.slice(end)]
}

/** "Anna is my boss" is "my boss is Anna": what is somebody's comes first, when only one side is. */
const copulaOrder: Rule = (words) => {
  const end = isMark(words.at(-1)) ? words.length - 1 : words.length
  const verbs = words.flatMap((word, at) => (copulas.has(word) ? [at] : []))
  const [at] = verbs
  if (at === undefined || verbs.length > 1 || at < 1 || words.slice(0, end).some(isMark)) return words
  const [first, second] = [words.slice(0, at), words.slice(at + 1, end)]
  const isOwned = (side: readonly string[]) => side.length > 1 && possessives.has(side[0] ?? '')
  if (isOwned(first) || !isOwned(second)) return words
  return [...second, words[at] ?? '', ...first]
}

/** "my dog's name is Rex" is "my dog is called Rex". */
const naming: Rule = (words) => {
  const at = words.findIndex((word, index) => word === 'name' && words[index + 1] === 'be')
  const owner = words[at - 1] ?? ''
  const isUnmarked = /[^s]s$/.test(owner) && possessives.has(words[at - 2] ?? '')
  if (at < 1 || !(owner.endsWith("'s") || isUnmarked || possessives.has(owner))) return words
  const bare = possessives.has(owner) ? owner : owner.replace(/'?s$/, '')
  return [...words.slice(0, at - 1), bare, 'be', 'called', ...words.slice(at + 2)]
}

/** Behind these, "named" is what somebody did; elsewhere, "a dog named Rex", it is "called". */
const namers: ReadonlySet<string> = new Set([
  'i',
  'you',
  'he',
  'she',
  'it',
  'we',
  'they',
  'who',
  'have',
  'had',
])

const named: Rule = (words) =>
  words.map((word, at) => (word === 'named' && !namers.has(words[at - 1] ?? '') ? 'called' : word))

/** Words of a noun phrase between "I have" and what is said of it. */
const longestNounPhrase = 4

/** "I have a dog called Rex" is "my dog is called Rex"; "I have a sister who lives here" is "my sister lives here". */
const havingOne: Rule = (words) => {
  if (words[0] !== 'i' || words[1] !== 'have') return words
  const start = words[2] === 'a' || words[2] === 'an' ? 3 : 2
  const at = words.findIndex((word, index) => index > start && (word === 'called' || word === 'who'))
  const noun = words.slice(start, at).filter((word) => !isMark(word))
  if (at < 0 || noun.length === 0 || noun.length > longestNounPhrase || noun.some(isVerbal)) return words
  return ['my', ...noun, ...(words[at] === 'called' ? ['be', 'called'] : []), ...words.slice(at + 1)]
}

const isVerbal = (word: string) => ['no', 'not', 'been', 'be', 'never', 'to', 'and', 'must'].includes(word)

const parents: ReadonlySet<string> = new Set(['mother', 'father', 'grandmother', 'grandfather'])
const beforeParent: ReadonlySet<string> = new Set(
  'and with to for from by about like call called calling visit visited see saw tell told ask asked'.split(
    ' ',
  ),
)

/** "Dad cooks" is "my dad cooks". */
const parentsOfTheSpeaker: Rule = (words) =>
  words.flatMap((word, at) => {
    const previous = words[at - 1]
    const isBare = previous === undefined || isMark(previous) || beforeParent.has(previous)
    return isBare && parents.has(word.replace(/'s$/, '')) ? ['my', word] : [word]
  })

const moneySigns: ReadonlySet<string> = new Set(['dollar', 'euro', 'pound', 'yen'])

/** The sign stands before the amount, the word behind it. */
const currency: Rule = (written) => {
  const words = [...written]
  for (let at = 0; at + 1 < words.length; at++) {
    const [sign, amount] = [words[at] ?? '', words[at + 1] ?? '']
    if (!moneySigns.has(sign) || !/^\d/.test(amount) || /^\d/.test(words[at - 1] ?? '')) continue
    words[at] = amount
    words[at + 1] = sign
  }
  return words
}

const causeSubjects: ReadonlySet<string> = new Set(['i', 'he', 'she', 'it', 'we', 'they', 'you', 'my', 'the'])
const perfect: ReadonlySet<string> = new Set(['have', 'had', 'been'])
const likings: ReadonlySet<string> = new Set(
  'like likes liked love loves loved miss misses missed hate hates hated'.split(' '),
)

type WordInContext = (
  words: readonly string[],
  at: number,
  seen: (known: ReadonlySet<string>) => boolean,
) => string[]

const preferring: ReadonlySet<string> = new Set(['prefer', 'prefers', 'preferred'])
const negation: ReadonlySet<string> = new Set(['not', 'dislike'])

/** "a lot" and "much" at the end of what somebody likes. */
const strengthening: WordInContext = (words, at, seen) => {
  const [word = '', next] = [words[at], words[at + 1]]
  const isLast = next === undefined || isMark(next)
  return isLast &&
    (word === 'much' ? words[at - 1] !== 'too' : words[at - 1] === 'a') &&
    seen(likings) &&
    !seen(negation)
    ? []
    : [word]
}

const periods = new Map([
  ['day', 'daily'],
  ['week', 'weekly'],
  ['month', 'monthly'],
  ['year', 'yearly'],
])
const rate: WordInContext = (words, at) => {
  const word = words[at] ?? ''
  const isRate =
    ['a', 'per'].includes(words[at - 1] ?? '') && words.slice(Math.max(0, at - 4), at).some(isAmount)
  return isRate ? [periods.get(word) ?? word] : [word]
}
const isAmount = (word: string) => /^\d/.test(word) || word === 'times'

/** Words that mean what another does because of those before them. */
const inContext: Readonly<Record<string, WordInContext>> = {
  since: (words, at, seen) =>
    at > 0 && causeSubjects.has(words[at + 1] ?? '') && !seen(perfect) ? ['because'] : ['since'],
  over: (_, __, seen) => (seen(preferring) ? ['to'] : ['over']),
  quit: (words, at) => [/ing$/.test(words[at + 1] ?? '') ? 'stopped' : 'quit'],
  lot: strengthening,
  much: strengthening,
  day: rate,
  week: rate,
  month: rate,
  year: rate,
}

const wordsInContext: Rule = (words) =>
  words.flatMap((word, at) => {
    const seen = (known: ReadonlySet<string>) => words.slice(0, at).some((other) => known.has(other))
    return Object.hasOwn(inContext, word) ? (inContext[word]?.(words, at, seen) ?? [word]) : [word]
  })

const onlySubjects: ReadonlySet<string> = new Set(['i', 'you', 'he', 'she', 'we', 'they'])

/** "I only eat fish" is "I eat only fish"; "only I eat fish" is not. */
const only: Rule = (words) => {
  const at = words.indexOf('only')
  const [subject = '', verb = ''] = [words[at - 1], words[at + 1]]
  if (at < 1 || !onlySubjects.has(subject) || copulas.has(verb) || isMark(verb)) return words
  return [...words.slice(0, at), verb, 'only', ...words.slice(at + 2)]
}

/** What happened once has happened; what lasted (lived, worked, known) may be over. Participles and their past. */
const events: ReadonlyMap<string, string> = new Map(
  `sold purchased adopted broken:broke moved started ended lost found got:got gotten:got signed booked stopped decided
   made told met changed become:became visited seen:saw bought taken:took given:gave written:wrote eaten:ate gone:went
   left passed failed joined ordered received paid sent bred built caught chosen:chose come:came cut done:did drunk:drank
   fallen:fell forgotten:forgot grown:grew heard hit hired fired invited cancelled canceled completed finished opened
   closed planted painted cooked baked watched called asked won tried learned bitten:bit stolen:stole torn:tore worn:wore
   registered applied arrived returned recovered separated`
    .split(/\s+/)
    .map((pair) => {
      const [participle = '', past = participle] = pair.split(':')
      return [participle, past]
    }),
)

/** "I have sold it" is "I sold it". */
const perfectEvents: Rule = (words) =>
  words.flatMap((word, at) => {
    const next = words[at + 1] ?? ''
    if (word === 'have' && events.has(next) && !questionFirst.has(words[at - 1] ?? '')) return []
    return words[at - 1] === 'have' ? [events.get(word) ?? word] : [word]
  })

/** Behind these "have" is no auxiliary, or the time is not one event's. */
const questionFirst: ReadonlySet<string> = new Set([
  'will',
  'would',
  'could',
  'should',
  'must',
  'might',
  'may',
  'not',
  'to',
])

const rules: readonly Rule[] = [
  possession,
  copulaOrder,
  naming,
  named,
  havingOne,
  parentsOfTheSpeaker,
  currency,
  wordsInContext,
  only,
  perfectEvents,
]

/** The text in one of the constructions that say the same. */
export function unifyConstructions(words: readonly string[]): readonly string[] {
  return rules.reduce((text, rule) => rule(text), words)
}
