import { childrenOf, label, lemma, type Tree, word, xpos } from './tree.ts'

const denials = /^(?:not|n't|nt|never|hardly|barely|rarely|seldom|neither|nor|no)$/
const adverbs = new Set(['advmod', 'neg', 'aux', 'cc:preconj', 'det', 'discourse'])
const doubtful =
  /^(?:maybe|perhaps|possibly|probably|apparently|supposedly|allegedly|hopefully|almost|nearly)$/
const hypotheticalModals = new Set(['would', 'could', 'might', 'may', 'should', 'ought', 'must', "'d"])

export interface Polarity {
  readonly negated: boolean
  /** `no longer`, `anymore`: it held once. */
  readonly ended: boolean
}

/** Whether a predicate is denied, or said to be over. */
export function polarityOf(tree: Tree, at: number): Polarity {
  let negated = false
  let ended = false
  for (const child of tree.children[at] ?? []) {
    const text = word(tree, child)
    // `No, my name is Karin` and `no I like tea` deny what was said before.
    const answers = child === 0 && /^(?:,|i|we|he|she|they|it|my|our|that|this)$/.test(word(tree, 1))
    if (!adverbs.has(label(tree, child)) || answers) continue
    const below = (tree.children[child] ?? []).map((other) => word(tree, other))
    const before = word(tree, child - 1)
    if (
      text === 'longer' &&
      (below.some((other) => /^(?:no|not|n't|any)$/.test(other)) || /^(?:no|any)$/.test(before))
    )
      ended = true
    else if (/^(?:anymore|formerly|previously)$/.test(text)) ended = true
    else if (text === 'more' && before === 'any') ended = true
    else if (label(tree, child) === 'det' ? text === 'no' : denials.test(text)) negated = true
    if (text === 'only' && before === 'not') negated = false
  }
  const neither = (tree.children[at] ?? []).some((child) =>
    childrenOf(tree, child, 'cc:preconj', 'advmod', 'cc').some((other) => word(tree, other) === 'neither'),
  )
  if (negated && noMoreBehind(tree, at)) ended = true
  return { negated: (negated || neither) && !ended, ended }
}

/** `I'm not scared of flying anymore`, where the parser hangs it on the flying. */
function noMoreBehind(tree: Tree, at: number): boolean {
  const end = tree.words.findIndex((form, i) => i > at && /^[,.;:!?]$/.test(form))
  const rest = tree.words.slice(at + 1, end < 0 ? undefined : end).join(' ')
  return /\b(?:any ?more|any longer)$/i.test(rest) && !/\b(?:that|because|if|who|which)\b/i.test(rest)
}

export interface Modality {
  readonly hypothetical: boolean
  readonly modal: string | null
  readonly tense: 'present' | 'past' | 'future'
  readonly perfect: boolean
  readonly progressive: boolean
  readonly passive: boolean
}

/** Tense and mood of a predicate, from its auxiliaries. */
export function modalityOf(tree: Tree, at: number): Modality {
  const helpers = childrenOf(tree, at, 'aux', 'aux:pass', 'cop')
  const lemmas = helpers.map((helper) => lemma(tree, helper))
  const modal = helpers.find((helper) => xpos(tree, helper) === 'MD')
  const modalWord = modal === undefined ? null : lemma(tree, modal)
  const adverbsOfDoubt = childrenOf(tree, at, 'advmod', 'discourse').some((child) =>
    doubtful.test(word(tree, child)),
  )
  const perfect = lemmas.includes('have') && modalWord === null
  const past = [at, ...helpers].some((part) => xpos(tree, part) === 'VBD')
  const future = modalWord === 'will' || modalWord === 'shall' || modalWord === "'ll"
  return {
    hypothetical: (modalWord !== null && hypotheticalModals.has(modalWord)) || adverbsOfDoubt,
    modal: modalWord,
    tense: future ? 'future' : past && !(perfect && lemmas.includes('be')) ? 'past' : 'present',
    perfect,
    progressive: lemmas.includes('be') && [at, ...helpers].some((part) => isGoingOn(tree, part)),
    passive: childrenOf(tree, at, 'aux:pass', 'nsubj:pass').length > 0,
  }
}

/** `is leaving`, `is getting married`. */
const isGoingOn = (tree: Tree, i: number) => xpos(tree, i) === 'VBG' && lemma(tree, i) !== 'be'

/** Whether the predicate stands in a condition: `if …`, `unless …`. */
export function isConditional(tree: Tree, at: number): boolean {
  const marks = childrenOf(tree, at, 'mark').map((mark) => word(tree, mark))
  return marks.some((mark) => /^(?:if|unless|whether|lest)$/.test(mark))
}

/** Whether a condition hangs below the predicate, so that it holds only then. */
export function hasCondition(tree: Tree, at: number): boolean {
  return childrenOf(tree, at, 'advcl').some((clause) => isConditional(tree, clause))
}
