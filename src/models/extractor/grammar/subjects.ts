import type { Clause } from './clause.ts'
import { isName, type Phrase, phraseAt } from './phrase.ts'
import { childOf, childrenOf, head, label, lemma, type Tree, upos, word, xpos } from './tree.ts'

/** Where a clause gets its subject from, and what it takes over from the clause above. */
export interface SubjectSource {
  readonly subjects: readonly Phrase[]
  /** The clause above, when the subject is inherited from it. */
  readonly from: Clause | null
  readonly how: 'own' | 'relative' | 'joined' | 'complement' | 'purpose' | 'modifier' | 'dropped' | 'none'
  /** The noun that a relative clause without a subject of that noun describes: its object. */
  readonly antecedent: Phrase | null
}

/** Verbs whose object does what the complement says: `asked her to come`. */
const objectControl = new Set(
  `tell ask want help let make encourage advise remind allow force teach get have see hear watch expect need invite
  convince persuade order enable require permit urge warn`.split(/\s+/),
)

const relativePronoun = (tree: Tree, i: number) =>
  /^(?:who|whom|which|that|whose)$/.test(word(tree, i)) && /^(?:WDT|WP|IN|DT|WP\$)$/.test(xpos(tree, i))

const none: SubjectSource = { subjects: [], from: null, how: 'none', antecedent: null }

/** Finds the subject of the predicate at `at`; clauses above it are already known. */
export function subjectOf(
  tree: Tree,
  at: number,
  known: ReadonlyMap<number, Clause>,
  firstPerson: boolean,
): SubjectSource {
  const own = childrenOf(tree, at, 'nsubj', 'nsubj:pass', 'nsubj:outer')[0]
  const role = label(tree, at)
  const above = known.get(head(tree, at)) ?? null
  if (role === 'acl:relcl') return relative(tree, at, own)
  if (own !== undefined) {
    const phrase = phraseAt(tree, own)
    return phrase ? { subjects: [phrase], from: null, how: 'own', antecedent: null } : none
  }
  // `It's where I got married and discovered …`: not the place discovers.
  if (role === 'conj' && above && /^(?:where|when|why|how|what)$/.test(above.verb)) return none
  if (role === 'conj' && above)
    return { subjects: above.subjects, from: above, how: 'joined', antecedent: null }
  if (above && isComplement(tree, at)) return complement(tree, at, above)
  if (role === 'acl') return modifier(tree, at)
  return firstPerson && dropsSubject(tree, at) ? { ...none, subjects: [speaker(at)], how: 'dropped' } : none
}

function relative(tree: Tree, at: number, own: number | undefined): SubjectSource {
  const noun = described(tree, at)
  if (!noun) return none
  const bare: Phrase = { ...noun, others: [] }
  if (own === undefined || relativePronoun(tree, own)) {
    return { subjects: [bearer(tree, at) ?? bare], from: null, how: 'relative', antecedent: null }
  }
  const subject = phraseAt(tree, own)
  return subject ? { subjects: [subject], from: null, how: 'relative', antecedent: bare } : none
}

const isIt = ({ text }: Phrase) => /^(?:it|this|that|there)$/i.test(text)

function isComplement(tree: Tree, at: number): boolean {
  const role = label(tree, at)
  if (role === 'xcomp') return true
  if (
    role === 'ccomp' &&
    hasTo(tree, at) &&
    childrenOf(tree, at, 'advmod').some((how) => word(tree, how) === 'how')
  )
    return true
  const nonFinite = /^(?:VBG|VBN)$/.test(xpos(tree, at)) || hasTo(tree, at)
  return (
    (role === 'advcl' && nonFinite) ||
    (role === 'ccomp' && xpos(tree, at) === 'VBG') ||
    (role === 'parataxis' && xpos(tree, at) === 'VBG')
  )
}

export const hasTo = (tree: Tree, at: number): boolean =>
  childrenOf(tree, at, 'mark').some((mark) => /^(?:to|na)$/.test(word(tree, mark)))

function complement(tree: Tree, at: number, above: Clause): SubjectSource {
  if (above.subjects.some(isIt)) return none
  const how = /^[xc]comp$/.test(label(tree, at)) ? 'complement' : 'purpose'
  const object = above.objects[0]
  const must = above.lemma === 'have' && hasTo(tree, at)
  if (how === 'complement' && object && hasTo(tree, at) && !must && !objectControl.has(above.lemma)) {
    return { subjects: above.subjects, from: above, how: 'purpose', antecedent: null }
  }
  if (how === 'complement' && object && !must && objectControl.has(above.lemma)) {
    return { subjects: [object], from: above, how: 'purpose', antecedent: null }
  }
  return { subjects: above.subjects, from: above, how, antecedent: null }
}

const described = (tree: Tree, at: number) => phraseAt(tree, head(tree, at))

/** `X is a film directed by Y`, `X, a film directed by Y`: it is X that was directed by Y. */
function bearer(tree: Tree, at: number): Phrase | null {
  let noun = head(tree, at)
  if (label(tree, noun) === 'conj' && childOf(tree, noun, 'nsubj') === undefined) noun = head(tree, noun)
  const subject =
    childOf(tree, noun, 'cop') === undefined ? undefined : childOf(tree, noun, 'nsubj', 'nsubj:outer')
  if (subject !== undefined && !relativePronoun(tree, subject)) return phraseAt(tree, subject)
  const above = head(tree, noun)
  return label(tree, noun) === 'appos' && above >= 0 && isName(tree, above) ? phraseAt(tree, above) : null
}

/** `a film directed by …`, `a man living in …`. */
function modifier(tree: Tree, at: number): SubjectSource {
  const noun = bearer(tree, at) ?? described(tree, at)
  if (!noun || !/^(?:VBN|VBG|VBD)$/.test(xpos(tree, at)) || childOf(tree, at, 'mark', 'case') !== undefined)
    return none
  return {
    subjects: [{ ...noun, others: [] }],
    from: null,
    how: 'modifier',
    antecedent: null,
  }
}

/** Verbs that mostly open a wish, a command or a remark: `Based on that …`, `Looks good`. */
const unsaid = /^(?:wish|thank|congratulate|hope|see|talk|speak|say|consider|include|base|look)$/

/** `Researching adoption agencies.`, `Went to Rome yesterday.`: the speaker leaves out `I`. */
function dropsSubject(tree: Tree, at: number): boolean {
  if (!/^(?:root|parataxis|ccomp|discourse)$/.test(label(tree, at)) || tree.words.length < 3) return false
  if (childOf(tree, at, 'expl', 'csubj', 'case') !== undefined || upos(tree, at) !== 'VERB') return false
  const helpers = childrenOf(tree, at, 'aux', 'aux:pass')
  if (helpers.some((helper) => /^(?:do|can|let|will|would|could|should|may)$/.test(lemma(tree, helper))))
    return false
  const been = helpers.some((helper) => word(tree, helper) === 'been')
  if (!been && unsaid.test(lemma(tree, at))) return false
  const finite = (i: number) =>
    /^(?:VBZ|VBP|MD)$/.test(xpos(tree, i)) && !/^(?:acl:relcl|advcl|ccomp)$/.test(label(tree, i))
  if (xpos(tree, at) === 'VBG' && tree.words.some((_, i) => i > at && finite(i) && label(tree, i) !== 'aux'))
    return false
  const first = helpers[0] ?? at
  return (
    (/^VB[DG]$/.test(xpos(tree, first)) || been) &&
    (tree.children[at] ?? []).every(
      (child) =>
        child > first ||
        /^(?:advmod|discourse|punct|cc|obl|obl:unmarked|aux|aux:pass)$/.test(label(tree, child)),
    )
  )
}

function speaker(at: number): Phrase {
  return {
    at,
    indices: [],
    text: 'I',
    noun: 'i',
    kind: 'pronoun',
    isTime: false,
    plural: false,
    determiner: null,
    owner: null,
    modifiers: [],
    appositions: [],
    givenNames: [],
    others: [],
  }
}
