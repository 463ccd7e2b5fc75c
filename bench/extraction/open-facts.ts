import {
  childOf,
  childrenOf,
  head,
  isPredicate,
  label,
  subtree,
  type Tree,
  upos,
  word,
} from '../../src/models/extractor/grammar/tree.ts'
import type { OpenFact } from './carb.ts'

/** What is left out of an argument at its top: it makes facts of its own. */
const outside = ['appos', 'acl:relcl', 'parataxis', 'discourse', 'vocative', 'list', 'dep', 'reparandum']
const subjectLabels = ['nsubj', 'nsubj:pass']

interface Subject {
  readonly at: number
  /** The noun that a modifier describes: the modifier itself is no part of it. */
  readonly described: boolean
}

/** Open facts of a sentence in its own words, for CaRB: one a predicate, and one an apposition. */
export function openFacts(tree: Tree): OpenFact[] {
  const facts: OpenFact[] = []
  for (const [at] of tree.words.entries()) {
    if (isPredicate(tree, at)) {
      const fact = predicateFact(tree, at)
      if (fact) facts.push(fact)
    }
    if (label(tree, at) === 'appos' && head(tree, at) >= 0) facts.push(appositionFact(tree, at))
  }
  return facts
}

function predicateFact(tree: Tree, at: number): OpenFact | null {
  const above = head(tree, at)
  if (label(tree, at) === 'xcomp' && above >= 0 && isPredicate(tree, above)) return null
  const subject = subjectOf(tree, at, 0)
  if (!subject) return null
  const heads = verbChain(tree, at)
  const verb = heads.flatMap((one, index) => [
    ...(index > 0 ? childrenOf(tree, one, 'mark') : []),
    ...verbGroup(tree, one),
  ])
  const found = argumentsOf(tree, at, heads, verb)
  if (found.length === 0 || verb.length === 0) return null
  const [first = [], ...rest] = found
  const moved = leadingPreposition(tree, first, heads, verb)
  return {
    predicate: `${impliedBe(tree, at)}${textOf(tree, [...verb, ...moved])}`,
    arguments: [
      textOf(tree, subjectWords(tree, subject)),
      textOf(
        tree,
        first.filter((i) => !moved.includes(i)),
      ),
      ...rest.map((words) => textOf(tree, words)),
    ],
    confidence: confidence(tree, [at, subject.at], subject.described ? 0.9 : 1),
  }
}

function confidence(tree: Tree, support: readonly number[], base: number): number {
  const certain = Math.min(...support.map((i) => tree.certainty[i] ?? 1))
  return Math.round(base * (0.5 + 0.5 * certain) * 100) / 100
}

/** A participle without its helper (`a bid launched by …`) is told with `be`, which CaRB lets stand for any form. */
function impliedBe(tree: Tree, at: number): string {
  const bare = /^(?:acl|advcl)$/.test(label(tree, at)) && childrenOf(tree, at, 'aux', 'mark').length === 0
  const participle = word(tree, at).endsWith('ing') || label(tree, at) === 'acl'
  return bare && participle && upos(tree, at) === 'VERB' ? 'be ' : ''
}

/** Who does it: its own subject, or that of the predicate it hangs on. */
function subjectOf(tree: Tree, at: number, depth: number): Subject | null {
  const above = head(tree, at)
  const own = childOf(tree, at, ...subjectLabels)
  if (own !== undefined) {
    const relative = label(tree, at) === 'acl:relcl' && /^(?:who|which|that)$/.test(word(tree, own))
    return relative ? { at: above, described: true } : { at: own, described: false }
  }
  if (above < 0 || depth > 4) return null
  const role = label(tree, at)
  if (role === 'xcomp') {
    const object = childOf(tree, above, 'obj')
    return object === undefined ? subjectOf(tree, above, depth + 1) : { at: object, described: false }
  }
  if ((role === 'conj' || role === 'advcl') && isPredicate(tree, above))
    return subjectOf(tree, above, depth + 1)
  return role === 'acl' || role === 'acl:relcl' ? { at: above, described: true } : null
}

/** `wants to buy`: verbs that share one set of arguments. */
function verbChain(tree: Tree, at: number): number[] {
  const heads = [at]
  for (let current = at; heads.length < 4; ) {
    const next = childOf(tree, current, 'xcomp')
    if (next === undefined || !isPredicate(tree, next)) break
    const object = childOf(tree, current, 'obj')
    if (object !== undefined && object < next) break
    heads.push(next)
    current = next
  }
  return heads
}

function verbGroup(tree: Tree, at: number): number[] {
  const helpers = childrenOf(tree, at, 'aux', 'aux:pass', 'cop', 'compound:prt')
  const adverbs = childrenOf(tree, at, 'advmod').filter(
    (child) => /^(?:not|n't|never|also)$/.test(word(tree, child)) || child === at - 1,
  )
  return childOf(tree, at, 'cop') === undefined ? [...helpers, ...adverbs, at] : [...helpers, ...adverbs]
}

const aroundPredicate = [
  ...subjectLabels,
  ...[
    'nsubj:outer',
    'cop',
    'aux',
    'mark',
    'advcl',
    'conj',
    'cc',
    'parataxis',
    'acl:relcl',
    'punct',
    'obl',
    'ccomp',
  ],
  ...['expl', 'discourse', 'vocative'],
]

function argumentsOf(tree: Tree, at: number, heads: readonly number[], verb: readonly number[]): number[][] {
  const last = heads.at(-1) ?? at
  const found: number[][] = []
  for (const one of new Set([at, last])) {
    if (childOf(tree, one, 'cop') === undefined) continue
    found.push(without(tree, one, aroundPredicate).filter((i) => !verb.includes(i)))
    break
  }
  for (const one of heads) {
    for (const child of tree.children[one] ?? []) {
      if (verb.includes(child) || heads.includes(child)) continue
      const words = argumentWords(tree, at, one, child)
      if (words) found.push(words)
    }
  }
  return found
    .filter((words) => words.some((i) => upos(tree, i) !== 'PUNCT'))
    .sort((a, b) => Math.min(...a) - Math.min(...b))
}

function argumentWords(tree: Tree, at: number, verb: number, child: number): number[] | null {
  const role = label(tree, child)
  if (role === 'obj' || role === 'iobj') {
    const relative = /^(?:that|which|who)$/.test(word(tree, child)) && label(tree, at) === 'acl:relcl'
    return relative ? without(tree, head(tree, at), outside) : without(tree, child, outside)
  }
  if (role.startsWith('obl') || (role === 'nmod' && childOf(tree, verb, 'cop') === undefined))
    return without(tree, child, outside)
  if (role === 'ccomp' || role === 'xcomp') return without(tree, child, ['parataxis'])
  if ((role === 'advmod' || role === 'advcl') && child > verb) return without(tree, child, outside)
  return null
}

/** The words below `i`, without children of these labels at the top and without punctuation around. */
function without(tree: Tree, i: number, labels: readonly string[]): number[] {
  const kept = (tree.children[i] ?? []).filter((child) => !labels.includes(label(tree, child)))
  const words = [
    i,
    ...kept.flatMap((child) => subtree(tree, child, (below) => label(tree, below) !== 'acl:relcl')),
  ].sort((a, b) => a - b)
  return trimPunctuation(tree, words)
}

function trimPunctuation(tree: Tree, words: number[]): number[] {
  const isMark = (i: number | undefined) => i !== undefined && upos(tree, i) === 'PUNCT'
  while (words.length > 1 && isMark(words[0])) words.shift()
  while (words.length > 1 && isMark(words.at(-1))) words.pop()
  return words
}

function subjectWords(tree: Tree, { at, described }: Subject): number[] {
  return without(tree, at, [...outside, 'cop', 'nsubj', 'cc', ...(described ? ['acl', 'case'] : [])])
}

/** `lives | in Porto` is told as `lives in | Porto`. */
function leadingPreposition(
  tree: Tree,
  words: readonly number[],
  heads: readonly number[],
  verb: readonly number[],
): number[] {
  const noun = words.find((i) => label(tree, i).startsWith('obl') && heads.includes(head(tree, i)))
  if (noun === undefined || Math.min(...words) < Math.max(...verb)) return []
  return childrenOf(tree, noun, 'case').filter((child) => child < noun)
}

function appositionFact(tree: Tree, at: number): OpenFact {
  const noun = head(tree, at)
  const words = without(tree, noun, [...outside, 'case'])
  return {
    predicate: 'be',
    arguments: [textOf(tree, words), textOf(tree, trimPunctuation(tree, subtree(tree, at)))],
    confidence: 0.4,
  }
}

function textOf(tree: Tree, words: readonly number[]): string {
  return [...new Set(words)]
    .sort((a, b) => a - b)
    .map((i) => tree.words[i])
    .join(' ')
}
