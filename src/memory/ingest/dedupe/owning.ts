import { isMark } from './tokens.ts'

/** A way to say something, turned into another that says the same. */
export type Rule = (words: readonly string[]) => readonly string[]

export const possessives: ReadonlySet<string> = new Set(['my', 'your', 'his', 'her', 'our', 'their'])
export const owners: ReadonlySet<string> = new Set([...possessives, 'the'])
export const copulas: ReadonlySet<string> = new Set(['be', 'was'])

/** Words of a noun phrase, as in what "I have". */
const longestNounPhrase = 4

/** "Rex, my dog, barks" is "my dog Rex barks". */
const apposition: Rule = (words) => {
  const [name = '', mark, owner = ''] = words
  const end = words.indexOf(',', 2)
  if (mark !== ',' || !possessives.has(owner) || end < 4 || end > 2 + longestNounPhrase) return words
  return [...words.slice(2, end), name, ...words.slice(end + 1)]
}

/** What is "for" something as well as "of" it. */
const labels: ReadonlySet<string> = new Set(['password', 'code', 'key', 'pin', 'number', 'deadline', 'date'])

/** "the name of my dog" is "my dog's name", at the end of a text and before its verb. */
const possession: Rule = (words) => {
  const at = words.findIndex(
    (word, index) => word === 'of' || (word === 'for' && labels.has(words[index - 1] ?? '')),
  )
  if (at < 2 || words[at - 2] !== 'the') return words
  const owner = owners.has(words[at + 1] ?? '') ? 1 : 0
  const end = at + 2 + owner
  const [possessor, follows] = [words[end - 1], words[end]]
  if (possessor === undefined || isMark(possessor)) return words
  if (follows !== undefined && !isMark(follows) && !copulas.has(follows)) return words
  const owned = [...words.slice(at + 1, end - 1), `${possessor}'s`, words[at - 1] ?? '']
  return [...words.slice(0, at - 2), ...owned, ...words.slice(end)]
}

const definiteness = (word: string) => (possessives.has(word) ? 2 : word === 'the' ? 1 : 0)

/** "Anna is my boss" is "my boss is Anna": what is somebody's comes first, then what is definite. */
const copulaOrder: Rule = (words) => {
  const end = isMark(words.at(-1)) ? words.length - 1 : words.length
  const verbs = words.flatMap((word, at) => (copulas.has(word) ? [at] : []))
  const [at] = verbs
  if (at === undefined || verbs.length > 1 || at < 1 || words.slice(0, end).includes('.')) return words
  const [first, second] = [words.slice(0, at), words.slice(at + 1, end)]
  const rank = (side: readonly string[]) => (side.length > 1 ? definiteness(side[0] ?? '') : 0)
  if (rank(first) >= rank(second)) return words
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

/** "I have a dog called Rex" is "my dog is called Rex"; "I have a sister who lives here" is "my sister lives here". */
const havingOne: Rule = (words) => {
  if (words[0] !== 'i' || words[1] !== 'have') return words
  const start = words[2] === 'a' || words[2] === 'an' ? 3 : 2
  const [mark, name = '', end] = words.slice(-3)
  if (mark === ',' && words.length - start <= longestNounPhrase + 3 && isMark(end)) {
    return ['my', ...words.slice(start, -3), 'be', name]
  }
  const at = words.findIndex((word, index) => index > start && (word === 'called' || word === 'who'))
  const noun = words.slice(start, at).filter((word) => !isMark(word))
  if (at < 0 || noun.length === 0 || noun.length > longestNounPhrase || noun.some(isVerbal)) return words
  return ['my', ...noun, ...(words[at] === 'called' ? ['be', 'called'] : []), ...words.slice(at + 1)]
}

/** "my dog is called Rex" is "my dog is Rex". */
const calledSo: Rule = (words) => words.filter((word, at) => word !== 'called' || words[at - 1] !== 'be')

/** "my car is red" is "I have a red car". */
const attribute: Rule = (words) => {
  const said = words
    .filter((word) => !isMark(word))
    .flatMap((word) => (word.endsWith("'s") ? [word.slice(0, -2), 'be'] : [word]))
  const [owner, noun = '', verb, quality = ''] = said
  const isWhole = said.length === 4 && /^\p{L}+$/u.test(quality)
  return isWhole && owner === 'my' && verb === 'be' ? ['i', 'have', quality, noun] : words
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

/** Rules of who has what and what it is called, in the order in which they build on each other. */
export const owningRules: readonly Rule[] = [
  apposition,
  possession,
  copulaOrder,
  naming,
  named,
  havingOne,
  parentsOfTheSpeaker,
  calledSo,
  attribute,
]
