import { childrenOf, label, type Tree, word, xpos } from './tree.ts'

/** Verbs that take the truth of their complement for granted: `Did you know I moved?` tells that I moved. */
const telling = new Set([
  'know',
  'remember',
  'tell',
  'mention',
  'hear',
  'forget',
  'realize',
  'realise',
  'notice',
  'see',
])

export const assertsComplement = (verb: string): boolean => telling.has(verb)

/** Whether a predicate of a sentence that ends in a question mark is the one that asks. */
export function isAsking(tree: Tree, at: number): boolean {
  if (/^(?:acl:relcl|acl|advcl|appos)$/.test(label(tree, at))) return false
  const children = tree.children[at] ?? []
  if (children.some((child) => /^W(?:DT|P|P\$|RB)$/.test(xpos(tree, child)))) return true
  const subject = childrenOf(tree, at, 'nsubj', 'nsubj:pass')[0]
  const helper = childrenOf(tree, at, 'aux', 'aux:pass', 'cop')[0]
  if (subject === undefined) return true
  if (helper !== undefined && helper < subject) return true
  if (children.some((child) => childrenOf(tree, child, 'det').some((d) => /^W/.test(xpos(tree, d)))))
    return true
  return !saysSomethingElse(tree, at)
}

/** `I moved to Rome, any tips?`: the statement comes first and the question after it. */
function saysSomethingElse(tree: Tree, at: number): boolean {
  const subject = childrenOf(tree, at, 'nsubj', 'nsubj:pass')[0]
  const firstPerson = subject !== undefined && /^(?:i|we|my|our)$/.test(word(tree, subject))
  return firstPerson && childrenOf(tree, at, 'parataxis', 'conj').length > 0
}
