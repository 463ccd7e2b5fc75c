import type { ExtractedFact } from '../../../memory/ports.ts'
import { isTimeWord } from '../grammar/time-words.ts'
import { sliceOf, type Tree } from '../grammar/tree.ts'
import type { NameKind } from '../parser/parser.ts'
import { isGivenName } from './given-names.ts'
import { cleanName } from './names.ts'
import { nationalityIn } from './nationalities.ts'

/** A name that a document speaks of, and the sentence it stands in. */
export interface MentionedName {
  readonly name: string
  readonly sentence: number
}

/** What a sentence offers: its tree, and its text with what stands in brackets. */
export interface ReadSentence {
  readonly tree: Tree
  readonly text: string
}

/** Names of a document that no fact joins to its topic, in order: readers go from a title to whom it speaks of. */
export function unlinkedNames(
  topic: string,
  facts: readonly ExtractedFact[],
  sentences: readonly ReadSentence[],
): MentionedName[] {
  const linked = new Set([topic.toLowerCase()])
  for (const { subject, object } of facts) {
    if (subject === topic) linked.add(object.toLowerCase())
    if (object === topic) linked.add(subject.toLowerCase())
  }
  const found: MentionedName[] = []
  for (const [sentence, { tree, text }] of sentences.entries()) {
    const names = [...taggedNames(tree).map(([name]) => name), ...properNames(tree), ...bracketNames(text)]
    for (const name of names) {
      const key = name.toLowerCase()
      if (linked.has(key) || topic.toLowerCase().includes(key) || isPartOf(key, linked)) continue
      linked.add(key)
      found.push({ name, sentence })
    }
  }
  // Whole names that something is said of, where the tags have only pieces of them.
  for (const { subject } of facts) {
    const sentence = sentences.findIndex(({ text }) => text.includes(subject))
    if (!fullName.test(subject) || linked.has(subject.toLowerCase()) || sentence < 0) continue
    linked.add(subject.toLowerCase())
    found.push({ name: subject, sentence })
  }
  return found
}

const fullName = /^\p{Lu}[\p{L}.'’-]+(?: \p{Lu}[\p{L}.'’-]+){1,3}$/u

/** `Scott`, where `Ridley Scott` is known. */
function isPartOf(key: string, known: ReadonlySet<string>): boolean {
  if (key.includes(' ')) return false
  for (const name of known) if (name.startsWith(`${key} `) || name.endsWith(` ${key}`)) return true
  return false
}

/** Runs of words that the network tags as one name. */
export function taggedNames(tree: Tree): [string, NameKind][] {
  const found: [string, NameKind][] = []
  for (let i = 0; i < tree.words.length; i++) {
    const kind = tree.names[i]
    if (!kind) continue
    const run = [i]
    while (tree.names[i + 1] === kind) run.push(++i)
    if (!isNameRun(tree, run)) continue
    for (const part of kind === 'person' ? apart(tree, run) : [wider(tree, run)]) {
      const name = cleanName(sliceOf(tree, part))
      if (/^\p{Lu}/u.test(name) && name.length > 1) found.push([name, kind])
    }
  }
  return found
}

/** Tags alone are not enough: a name begins and ends with a capital, has a proper noun and holds no verb and no pronoun. */
function isNameRun(tree: Tree, run: readonly number[]): boolean {
  const tags = run.map((i) => tree.upos[i] ?? '')
  const edges = [run[0] ?? 0, run.at(-1) ?? 0].every(
    (i) =>
      tree.upos[i] === 'PROPN' || (isCapital(tree.words[i]) && /^(?:ADJ|NOUN|NUM)$/.test(tree.upos[i] ?? '')),
  )
  return edges && tags.includes('PROPN') && !tags.some((tag) => /^(?:PRON|VERB|AUX)$/.test(tag))
}

/** `Maureen O'Hara John Payne Natalie Wood`, as tables run together: a given name begins the next person. */
function apart(tree: Tree, run: readonly number[]): number[][] {
  const parts: number[][] = []
  for (const i of run) {
    const last = parts.at(-1)
    if (last && !(last.length > 1 && isGivenName(tree.words[i] ?? '') && run.length > 3)) last.push(i)
    else parts.push([i])
  }
  return parts
}

const isCapital = (word: string | undefined) => /^\p{Lu}[\p{L}.'’&-]*$/u.test(word ?? '')

/** `New York City`, where only `York City` is tagged: capitals beside it belong to it. */
function wider(tree: Tree, run: readonly number[]): number[] {
  let [first = 0] = run
  let last = run.at(-1) ?? first
  const free = (i: number) => isProper(tree, i) && !tree.names[i]
  while (free(first - 1)) first--
  while (free(last + 1)) last++
  return Array.from({ length: last - first + 1 }, (_, k) => first + k)
}

/** A capital inside a sentence; at its start only where the parser calls it a proper noun. */
function isProper(tree: Tree, i: number): boolean {
  const form = tree.words[i] ?? ''
  const kind = tree.upos[i] ?? ''
  if (!isCapital(form) || isTimeWord(form.toLowerCase(), 'NNP')) return false
  const starts = i === 0 || /^["'`.:!?]+$/.test(tree.words[i - 1] ?? '')
  return starts ? kind === 'PROPN' : /^(?:PROPN|NOUN|ADJ|X|NUM)$/.test(kind)
}

/** Longer runs of capitals are headings and tables. */
const longestRun = 6

/** Titles that were joined to one word, and capitalised names that the network does not tag. */
function properNames(tree: Tree): string[] {
  const found: string[] = []
  for (let i = 0; i < tree.words.length; i++) {
    if (tree.words[i]?.includes(' ')) found.push(cleanName(tree.words[i] ?? ''))
    if (!isProper(tree, i) || tree.names[i]) continue
    const run = [i]
    while (isProper(tree, i + 1) && !tree.names[i + 1]) run.push(++i)
    while (/^of$/.test(tree.words[i + 1] ?? '') && isProper(tree, i + 2)) {
      run.push(++i, ++i)
      while (isProper(tree, i + 1)) run.push(++i)
    }
    const besideTag = tree.names[i + 1] || tree.names[(run[0] ?? 0) - 1]
    const name = cleanName(sliceOf(tree, run))
    if (!besideTag && run.length <= longestRun && name.length > 2 && nationalityIn(name) !== name)
      found.push(name)
  }
  return found
}

const nameInBrackets = /^\p{Lu}[\p{L}.'’-]+(?: (?:\p{Lu}[\p{L}.'’-]*|of|the|de|da|von|van|der|la|le))*$/u
const longestBracket = 80

/** `Dottie Hinson (Geena Davis)`: what stands in brackets is not parsed, but its names are noticed. */
function bracketNames(text: string): string[] {
  return [...text.matchAll(/\(([^()]{3,80})\)/g)]
    .flatMap(([, inside = '']) => (inside.length > longestBracket ? [] : inside.split(/\s*[,;/]\s*/)))
    .map((part) => part.replace(/^(?:played|voiced|portrayed) by /, '').trim())
    .filter(
      (part) =>
        nameInBrackets.test(part) &&
        !/^\p{Lu}+$/u.test(part) &&
        !part.split(' ').some((word) => isTimeWord(word.toLowerCase(), 'NNP')),
    )
    .map(cleanName)
}

const small = /^(?:of|the|for|and|in|on|de|du|&)$/i

/** `International Olympic Committee (IOC)`: short forms by the name they stand for. */
export function acronymsIn(text: string): [string, string][] {
  return [...text.matchAll(/((?:[\p{L}.'’&-]+ ){2,9})\((\p{Lu}{2,8})\)/gu)].flatMap(
    ([, before = '', short = '']): [string, string][] => {
      const words = before.trim().split(' ')
      let left = short.length
      let at = words.length
      while (left > 0 && at > 0) {
        const word = words[--at] ?? ''
        if (word[0]?.toUpperCase() === short[left - 1] && !/^(?:of|the|and)$/.test(word)) left--
        else if (!small.test(word)) return []
      }
      const name = cleanName(words.slice(at).join(' '))
      return left === 0 && /^\p{Lu}/u.test(name) ? [[short, name]] : []
    },
  )
}
