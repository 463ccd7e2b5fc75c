import { childOf, label, type Tree, upos } from '../grammar/tree.ts'
import { singular } from '../text/lemmas.ts'
import type { FactDraft } from './draft.ts'

/** A draft with the words it was read from. */
export interface Told extends FactDraft {
  readonly tree: Tree
  /** The verb, or what stands with a copula. */
  readonly verb: number
  /** -1 where the subject is left out. */
  readonly subjectAt: number
  /** Words of the object without its owner, in lower case. */
  readonly words: readonly string[]
  /** The last of them, in the singular. */
  readonly noun: string
  /** Where the last of them stands; -1 when it is not found. */
  readonly lastAt: number
}

/** Null for a draft that no predicate tells: the ties between names. */
export function withWords(draft: FactDraft, tree: Tree): Told | null {
  const [verb = -1, subjectAt = -1] = draft.support
  if (!(upos(tree, verb) === 'VERB' || childOf(tree, verb, 'cop', 'nsubj') !== undefined)) return null
  const words = draft.object
    .toLowerCase()
    .replace(/^.*'s? /, '')
    .split(/\s+/)
  const last = words.at(-1) ?? ''
  const [, , objectAt = -1] = draft.support
  const lastAt = tree.words[objectAt]?.toLowerCase() === last ? objectAt : at(tree, last)
  const own = /^nsubj/.test(label(tree, subjectAt)) ? subjectAt : -1
  return { ...draft, tree, verb, subjectAt: own, words, noun: singular(last), lastAt }
}

/** Where a word last stands; -1 when it is not there. */
export const at = (tree: Tree, form: string) =>
  tree.words.findLastIndex((other) => other.toLowerCase() === form)
