import type { NameKind, Parse } from '../parser/parser.ts'
import { type FrequencyRank, lemmaOf } from '../text/lemmas.ts'
import type { Token } from '../text/tokens.ts'

/** A sentence with its grammar. Lists have one entry a word; heads and labels may be repaired before use. */
export interface Tree {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly words: readonly string[]
  readonly lemmas: string[]
  readonly upos: string[]
  readonly xpos: string[]
  readonly heads: number[]
  readonly labels: string[]
  readonly certainty: readonly number[]
  readonly names: readonly (NameKind | null)[]
  readonly children: readonly (readonly number[])[]
  /** The lemma of any word, by its Penn tag. */
  readonly lemmatise: (word: string, tag: string) => string
}

/** Joins words and parse; `repair` may change heads, labels and tags before the children are listed. */
export function createTree(
  text: string,
  tokens: readonly Token[],
  parse: Parse,
  rank: FrequencyRank,
  repair: (tree: Omit<Tree, 'children'>) => void,
): Tree {
  const words = tokens.map(({ form }) => form)
  const draft = {
    text,
    tokens,
    words,
    lemmas: words.map((word, i) => lemmaOf(word, parse.xpos[i] ?? '', rank)),
    upos: [...parse.upos],
    xpos: [...parse.xpos],
    heads: [...parse.heads],
    labels: [...parse.labels],
    certainty: parse.certainty,
    names: parse.names,
    lemmatise: (word: string, tag: string) => lemmaOf(word, tag, rank),
  }
  for (const [i, form] of words.entries()) {
    if (!form.includes(' ')) continue
    draft.upos[i] = 'PROPN'
    draft.xpos[i] = 'NNP'
  }
  repair(draft)
  const children: number[][] = words.map(() => [])
  for (const [i, head] of draft.heads.entries()) if (head >= 0) children[head]?.push(i)
  return { ...draft, children }
}

export const word = (tree: Tree, i: number): string => (tree.words[i] ?? '').toLowerCase()
export const lemma = (tree: Tree, i: number): string => tree.lemmas[i] ?? ''
export const label = (tree: Tree, i: number): string => tree.labels[i] ?? ''
export const upos = (tree: Tree, i: number): string => tree.upos[i] ?? ''
export const xpos = (tree: Tree, i: number): string => tree.xpos[i] ?? ''
export const head = (tree: Tree, i: number): number => tree.heads[i] ?? -1

/** The children of a word with one of these labels, in order. */
export function childrenOf(tree: Tree, i: number, ...labels: readonly string[]): number[] {
  return (tree.children[i] ?? []).filter((child) => labels.includes(label(tree, child)))
}

export function childOf(tree: Tree, i: number, ...labels: readonly string[]): number | undefined {
  return childrenOf(tree, i, ...labels)[0]
}

/** A word and everything below it, in order; `keep` says which children are followed. */
export function subtree(tree: Tree, i: number, keep: (child: number) => boolean = () => true): number[] {
  const below = (tree.children[i] ?? []).filter(keep).flatMap((child) => subtree(tree, child, keep))
  return [i, ...below].sort((a, b) => a - b)
}

/** The text from the first to the last of these words, as it stands in the source. */
export function sliceOf(tree: Tree, indices: readonly number[]): string {
  const first = tree.tokens[Math.min(...indices)]
  const last = tree.tokens[Math.max(...indices)]
  return first && last ? tree.text.slice(first.start, last.end) : ''
}

/** The unbroken run of these words that holds `center`: names must stand in the text as one piece. */
export function runAround(indices: readonly number[], center: number): number[] {
  const set = new Set(indices)
  let first = center
  let last = center
  while (set.has(first - 1)) first--
  while (set.has(last + 1)) last++
  return Array.from({ length: last - first + 1 }, (_, offset) => first + offset)
}

/** The preposition of a noun, multi-word ones joined: `because_of`; null without one. */
export function prepositionOf(tree: Tree, i: number): string | null {
  const cases = childrenOf(tree, i, 'case').filter((child) => child < i && word(tree, child) !== "'s")
  if (cases.length === 0) return null
  const parts = cases.flatMap((child) => [child, ...childrenOf(tree, child, 'fixed')])
  return parts.map((part) => word(tree, part).replace(/[^a-z]/g, '')).join('_') || null
}

/** Whether the word is a predicate in its own right: a verb, or something with a copula. */
export function isPredicate(tree: Tree, i: number): boolean {
  if (childOf(tree, i, 'cop') !== undefined) return true
  return (
    upos(tree, i) === 'VERB' &&
    !['amod', 'compound', 'case', 'mark', 'fixed', 'flat'].includes(label(tree, i))
  )
}
