import { isMark } from './tokens.ts'

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
const isEnd = (word: string | undefined) => word === undefined || isMark(word)
const negation: ReadonlySet<string> = new Set(['not', 'dislike'])

/** "a lot" and "much" at the end of what somebody likes. */
const strengthening: WordInContext = (words, at, seen) => {
  const [word = '', next] = [words[at], words[at + 1]]
  return isEnd(next) &&
    (word === 'much' ? words[at - 1] !== 'too' : words[at - 1] === 'a') &&
    seen(likings) &&
    !seen(negation)
    ? []
    : [word]
}

const isAmount = (word: string) => /^\d/.test(word) || word === 'times'
const amountBefore = (words: readonly string[], at: number) =>
  words.slice(Math.max(0, at - 4), at).some(isAmount)

const periods: Readonly<Record<string, string>> = {
  hour: 'hourly',
  day: 'daily',
  week: 'weekly',
  month: 'monthly',
  year: 'yearly',
}

/** "900 euros a month" is "900 euros monthly"; "it takes a month" is "it takes one month". */
const period: WordInContext = (words, at) => {
  const [article, word = ''] = [words[at - 1] ?? '', words[at]]
  if (['a', 'an', 'per'].includes(article) && amountBefore(words, at)) return [periods[word] ?? word]
  return article === 'a' || article === 'an' ? ['1', word] : [word]
}

/** Before a number: "over 50" is "more than 50", "room number 7" is "room 7". */
const beforeNumber =
  (...meant: readonly string[]): WordInContext =>
  (words, at) =>
    /^\d/.test(words[at + 1] ?? '') ? [...meant] : [words[at] ?? '']

const comparative = /(?:er|^more|^less|^rather|^other)$/
const measured: ReadonlySet<string> = new Set(
  'much many late early long loud hot cold expensive busy tired'.split(' '),
)

const places: ReadonlySet<string> = new Set(['beside', 'behind', 'after', 'before', 'near', 'by'])
const lengths: ReadonlySet<string> = new Set(['m', 'cm', 'ft'])

/** Words that mean what another does because of those before them. */
const inContext: ReadonlyMap<string, WordInContext> = new Map<string, WordInContext>([
  [
    'then',
    (words, at) => [[1, 2, 3].some((back) => comparative.test(words[at - back] ?? '')) ? 'than' : 'then'],
  ],
  ...Object.entries<WordInContext>({
    since: (words, at, seen) =>
      at > 0 && causeSubjects.has(words[at + 1] ?? '') && !seen(perfect) ? ['because'] : ['since'],
    over: (words, at, seen) => (seen(preferring) ? ['to'] : beforeNumber('more', 'than')(words, at, seen)),
    under: beforeNumber('less', 'than'),
    number: beforeNumber(),
    to: (words, at) => [measured.has(words[at + 1] ?? '') ? 'too' : 'to'],
    any: (_, __, seen) => (seen(negation) ? [] : ['any']),
    both: (words, at) => (words.slice(at + 1, at + 5).includes('and') ? [] : ['both']),
    right: (words, at) => (places.has(words[at + 1] ?? '') ? [] : ['right']),
    tall: (words, at) => (lengths.has(words[at - 1] ?? '') ? [] : ['tall']),
    be: (words, at) => (words[at - 2] === 'than' && isEnd(words[at + 1]) ? [] : ['be']),
    hours: (words, at) => (/^t\d/.test(words[at - 1] ?? '') ? [] : ['hours']),
    quit: (words, at) => [/ing$/.test(words[at + 1] ?? '') ? 'stopped' : 'quit'],
    lot: strengthening,
    much: strengthening,
    hour: period,
    day: period,
    week: period,
    month: period,
    year: period,
  }),
])

function wordsInContext(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const seen = (known: ReadonlySet<string>) => words.slice(0, at).some((other) => known.has(other))
    return inContext.get(word)?.(words, at, seen) ?? [word]
  })
}

/** Participles of what happens once, and their past where it is another word. */
const irregular: ReadonlyMap<string, string> = new Map(
  `sold lost found got gotten:got made told met become:became seen:saw bought broken:broke taken:took given:gave written:wrote
   eaten:ate gone:went left paid sent built caught chosen:chose come:came cut done:did drunk:drank fallen:fell
   forgotten:forgot grown:grew heard hit won bitten:bit stolen:stole torn:tore read`
    .split(/\s+/)
    .map((pair) => {
      const [participle = '', past = participle] = pair.split(':')
      return [participle, past]
    }),
)

/** What lasts, and may be over when it is told in the past. */
const lasting: ReadonlySet<string> = new Set(
  `lived worked loved liked disliked wanted needed owned played studied used hated preferred stayed believed trusted feared
   suffered served wished hoped cared belonged seemed remained married divorced engaged tired bored addicted allowed
   retired employed involved interested called named`.split(/\s+/),
)

const isEvent = (word: string) => irregular.has(word) || (/\p{L}{3}ed$/u.test(word) && !lasting.has(word))

/** Behind these "have" is no auxiliary, or the time is not one event's. */
const modals: ReadonlySet<string> = new Set([
  'will',
  'would',
  'could',
  'should',
  'must',
  'might',
  'may',
  'not',
  'to',
  'no',
])

/** "I have sold it" is "I sold it", and "it has been moved" and "it got moved" are "it was moved". */
function pastEvents(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const [before = '', previous = '', next = ''] = [words[at - 2], words[at - 1], words[at + 1]]
    if (word === 'have' && !modals.has(previous)) {
      return isEvent(next) || (next === 'been' && isEvent(words[at + 2] ?? '')) ? [] : [word]
    }
    if (word === 'been' && previous === 'have' && !modals.has(before)) return [isEvent(next) ? 'was' : word]
    if (word === 'got') return [isEvent(next) && !/^(?:got|left|found|read)$/.test(next) ? 'was' : 'got']
    return previous === 'have' && !modals.has(before) ? [irregular.get(word) ?? word] : [word]
  })
}

/** Words whose meaning depends on their neighbours, each as another that means the same there. */
export function unifyInContext(words: readonly string[]): readonly string[] {
  return pastEvents(wordsInContext(words))
}
