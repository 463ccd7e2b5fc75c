import { type Arguments, collectArguments } from './arguments.ts'
import type { Clause } from './clause.ts'
import { hasCondition, isConditional, modalityOf, polarityOf } from './polarity.ts'
import { predicateOf } from './predicates.ts'
import { assertsComplement, isAsking } from './questions.ts'
import { hasTo, type SubjectSource, subjectOf } from './subjects.ts'
import { childOf, childrenOf, head, label, lemma, type Tree, upos, word, xpos } from './tree.ts'

/** How the sentence is to be read. */
export interface Reading {
  readonly question: boolean
  /** A missing subject may be the speaker. */
  readonly firstPerson: boolean
}

const opinion = new Set(
  `think guess believe suppose hope wish wonder imagine assume doubt suspect pray fear pretend suggest recommend
  propose insist dream`.split(/\s+/),
)
const intention = new Set(
  `want hope plan wish like love intend try need prefer decide aim consider expect dream look think imagine suggest
  recommend hesitate promise offer ask agree refuse fail struggle attempt`.split(/\s+/),
)
/** What somebody wants is a fact about them, told as `wants_to_…`. */
const wanting = new Set(
  'want hope plan wish intend need decide aim love like prefer try dream learn promise agree refuse consider hate'.split(
    ' ',
  ),
)
/** Verbs that only say how something goes on: the complement is the fact. */
const aspect = new Set(
  'start begin keep continue get end manage happen seem tend finish help resume'.split(' '),
)
/** Of these, what somebody `got to` do in the past is done: it does not go on. */
const achieved = new Set(['get', 'manage', 'end', 'happen', 'finish', 'able', 'help'])
/** `I've decided to go`: the deciding is done. */
const settled = new Set(['decide', 'try', 'agree', 'promise', 'refuse'])
const stopping = new Set(['stop', 'quit', 'cease'])

/** `moved there to work for X`: what people move for, they do. */
const lastingAims = new Set(['work', 'study', 'live', 'join', 'attend', 'teach', 'marry'])

/** The clauses of a sentence, those above first. */
export function clausesOf(tree: Tree, reading: Reading): Clause[] {
  const known = new Map<number, Clause>()
  const absorbed = new Set<number>()
  for (const at of topDown(tree)) {
    const clause = clauseAt(tree, at, known, reading, absorbed)
    if (clause) known.set(at, clause)
  }
  return [...known.values()]
    .map((clause) => (absorbed.has(clause.at) ? { ...clause, absorbed: true } : clause))
    .sort((a, b) => a.at - b.at)
}

function topDown(tree: Tree): number[] {
  const order = tree.heads.flatMap((above, i) => (above < 0 ? [i] : []))
  for (let next = 0; next < order.length; next++) order.push(...(tree.children[order[next] ?? 0] ?? []))
  return order
}

function clauseAt(
  tree: Tree,
  at: number,
  known: ReadonlyMap<number, Clause>,
  reading: Reading,
  absorbed: Set<number>,
): Clause | null {
  if (!couldBePredicate(tree, at) || givesName(tree, at)) return null
  const source = subjectOf(tree, at, known, reading.firstPerson)
  const above = nearestAbove(tree, at, known)
  const modality = modalityOf(tree, at)
  const polarity = polarityOf(tree, at)
  const inherited = inherit(tree, at, source)
  if (inherited.absorbs) absorbed.add(source.from?.at ?? -1)
  const collected = shareTail(tree, at, collectArguments(tree, at, source.antecedent))
  const isVerb = upos(tree, at) === 'VERB' && childOf(tree, at, 'cop') === undefined
  const predicate = predicateOf(tree, at, source.subjects[0] ?? null, collected)
  const opinionAbove = above !== null && label(tree, at) === 'ccomp' && opinion.has(above.lemma)
  const deniedAbove = above?.negated === true && label(tree, at) === 'ccomp'
  return {
    at,
    lemma: lemma(tree, at),
    verb: word(tree, at),
    tag: xpos(tree, at),
    particle: collected.particle,
    passive: isVerb && (modality.passive || inherited.passive),
    helper: helperOf(tree, at),
    tense: inherited.future || collected.future ? 'future' : inherited.past ? 'past' : modality.tense,
    perfect: modality.perfect,
    progressive: modality.progressive,
    subjects: source.subjects,
    objects: collected.objects,
    obliques: predicate.obliques,
    predicate: predicate.predicate,
    chain: inherited.chain,
    negated: polarity.negated !== inherited.flips,
    ended: polarity.ended || inherited.ended,
    hypothetical:
      modality.hypothetical ||
      inherited.hypothetical ||
      hasCondition(tree, at) ||
      opinionAbove ||
      deniedAbove ||
      (above?.hypothetical === true && label(tree, at) === 'ccomp'),
    modal: modality.modal ?? inherited.modal,
    standing: standingOf(tree, at, source),
    silent: isSilent(tree, at, source, above, reading),
    absorbed: false,
  }
}

function helperOf(tree: Tree, at: number): string | null {
  const first = childrenOf(tree, at, 'aux:pass', 'aux', 'cop')[0]
  return first === undefined ? null : lemma(tree, first)
}

/** `born and raised in Cairo`: the first verb shares what stands after the last. */
function shareTail(tree: Tree, at: number, own: Arguments): Arguments {
  const last = childrenOf(tree, at, 'conj').findLast((child) => xpos(tree, child) === xpos(tree, at))
  if (!/^VB[DN]$/.test(xpos(tree, at))) return own
  const bare = own.objects.length === 0 && own.obliques.length === 0 && upos(tree, at) === 'VERB'
  if (!bare || last === undefined || childOf(tree, last, 'nsubj', 'nsubj:pass', 'aux', 'cop') !== undefined)
    return own
  if (last - at > 3) return own
  const tail = collectArguments(tree, last, null)
  return { ...own, objects: tail.objects, obliques: tail.obliques }
}

/** `a dog named Rex`: the name belongs to the noun phrase. */
function givesName(tree: Tree, at: number): boolean {
  return (
    /^acl/.test(label(tree, at)) &&
    /^(?:name|call|nickname)$/.test(lemma(tree, at)) &&
    childOf(tree, at, 'xcomp', 'obj', 'obl') !== undefined &&
    childOf(tree, at, 'nsubj') === undefined
  )
}

function couldBePredicate(tree: Tree, at: number): boolean {
  const role = label(tree, at)
  const subject = childOf(tree, at, 'nsubj', 'nsubj:pass', 'nsubj:outer')
  if (subject === undefined && childOf(tree, at, 'expl', 'csubj', 'csubj:pass') !== undefined) return false
  if (childOf(tree, at, 'cop') !== undefined) return true
  if (upos(tree, at) === 'VERB')
    return !/^(?:amod|compound|case|mark|fixed|flat|cc|discourse)$/.test(role) || subject !== undefined
  if (upos(tree, at) === 'AUX')
    return (
      /^(?:root|conj|ccomp|parataxis|advcl|acl:relcl)$/.test(role) && (tree.children[at] ?? []).length > 0
    )
  if (subject === undefined && role === 'conj') return isSecondAdjective(tree, at)
  return subject !== undefined && /^(?:NOUN|ADJ|PROPN|NUM|ADV)$/.test(upos(tree, at))
}

/** `I'm diabetic and allergic to nuts`. */
function isSecondAdjective(tree: Tree, at: number): boolean {
  const first = head(tree, at)
  return upos(tree, at) === 'ADJ' && upos(tree, first) === 'ADJ' && childOf(tree, first, 'cop') !== undefined
}

function nearestAbove(tree: Tree, at: number, known: ReadonlyMap<number, Clause>): Clause | null {
  for (let i = head(tree, at), steps = 0; i >= 0 && steps < 8; i = head(tree, i), steps++) {
    const clause = known.get(i)
    if (clause) return clause
  }
  return null
}

interface Inherited {
  readonly chain: readonly string[]
  readonly flips: boolean
  readonly ended: boolean
  readonly hypothetical: boolean
  readonly future: boolean
  /** `we can rest and have a talk`. */
  readonly modal: string | null
  /** `tried to fix it`. */
  readonly past: boolean
  readonly passive: boolean
  /** The verb above is only a part of this one. */
  readonly absorbs: boolean
}

const nothing: Inherited = {
  chain: [],
  flips: false,
  ended: false,
  hypothetical: false,
  future: false,
  modal: null,
  past: false,
  passive: false,
  absorbs: false,
}

/** What a clause takes over from the one that its subject comes from. */
function inherit(tree: Tree, at: number, { from, how }: SubjectSource): Inherited {
  const participle = xpos(tree, at) === 'VBN' && childrenOf(tree, at, 'aux').length === 0
  if (how === 'modifier') return { ...nothing, passive: participle || xpos(tree, at) === 'VBD' }
  if (!from) return nothing
  if (how === 'joined') return inheritJoined(tree, at, from, participle)
  if (how === 'purpose') {
    const told =
      /^(?:tell|ask|remind|want|encourage|advise|expect|urge|invite)$/.test(from.lemma) &&
      label(tree, at) === 'xcomp'
    const aimed =
      /^(?:advcl|xcomp)$/.test(label(tree, at)) && hasTo(tree, at) && !lastingAims.has(lemma(tree, at))
    const about =
      childrenOf(tree, at, 'mark', 'case').some((mark) =>
        /^(?:about|of|for|in|on|from|without|against|instead|to|at|with|like|than)$/.test(word(tree, mark)),
      ) && !hasTo(tree, at)
    const offered = from.modal !== null && label(tree, at) === 'xcomp'
    return {
      ...nothing,
      passive: participle,
      hypothetical: told || from.hypothetical || aimed || offered || about,
      absorbs: label(tree, at) === 'xcomp' && from.objects.length > 0,
    }
  }
  return inheritComplement(tree, at, from)
}

function inheritJoined(tree: Tree, at: number, from: Clause, participle: boolean): Inherited {
  const sameForm = /^(?:VB|VBG)$/.test(xpos(tree, at))
  const deniedToo = from.negated && childrenOf(tree, at, 'cc').some((cc) => /^n?or$/.test(word(tree, cc)))
  return {
    ...nothing,
    chain: sameForm ? from.chain : [],
    flips: deniedToo,
    ended: from.ended && sameForm,
    hypothetical: from.hypothetical && (sameForm || childrenOf(tree, at, 'aux').length === 0),
    future: from.tense === 'future' && sameForm,
    modal: xpos(tree, at) === 'VB' ? from.modal : null,
    past: from.tense === 'past' && sameForm && (from.chain.length > 0 || from.tag === 'VB'),
    passive: from.passive && participle,
  }
}

function inheritComplement(tree: Tree, at: number, from: Clause): Inherited {
  const to = hasTo(tree, at)
  const base = {
    ...nothing,
    flips: from.negated,
    ended: from.ended,
    hypothetical: from.hypothetical,
    future: from.tense === 'future',
  }
  if (upos(tree, at) !== 'VERB' && childOf(tree, at, 'cop') === undefined) return base
  if (from.lemma === 'use' && from.verb === 'used' && to)
    return { ...base, ended: true, flips: false, absorbs: true }
  if (stopping.has(from.lemma)) return { ...base, ended: !from.negated, flips: false, absorbs: true }
  if (from.predicate !== null && to && !/^(?:able|about)$/.test(from.lemma))
    return { ...base, hypothetical: true }
  if (from.lemma === 'gon') return { ...base, future: true, absorbs: true }
  const comes =
    from.lemma === 'come' && to && /^(?:love|like|enjoy|hate|appreciate|prefer)$/.test(lemma(tree, at))
  if (comes || aspect.has(from.lemma) || (from.predicate !== null && to)) {
    const done = achieved.has(from.lemma) && (to || from.lemma !== 'get')
    const past = done && (from.tense === 'past' || from.perfect)
    return { ...base, chain: from.chain, past, absorbs: from.predicate === null }
  }
  if (from.lemma === 'gon' || (from.lemma === 'go' && to && from.progressive))
    return { ...base, future: true, absorbs: true }
  // `going to boot camps`: who goes does not go to do.
  if (from.lemma === 'go' && to)
    return { ...base, hypothetical: !/^(?:live|work|study)$/.test(lemma(tree, at)), absorbs: true }
  const step = to ? `${from.lemma}_to` : from.lemma
  const intended =
    (to && intention.has(from.lemma)) || /^(?:consider|imagine|suggest|recommend|avoid)$/.test(from.lemma)
  const wish = from.modal === 'would' && /^(?:like|love|prefer)$/.test(from.lemma)
  // `I would have loved to come`: it is too late.
  if (wish) return { ...base, chain: ['want_to'], hypothetical: from.perfect, absorbs: true }
  return {
    ...base,
    chain: [...from.chain, step],
    past:
      (from.tense === 'past' && !from.ended) ||
      (from.perfect && !from.progressive && settled.has(from.lemma)),
    hypothetical: base.hypothetical || (intended && !wanting.has(from.lemma)),
    absorbs: true,
  }
}

function standingOf(tree: Tree, at: number, source: SubjectSource): Clause['standing'] {
  if (source.how === 'purpose') return 'passing'
  const where = childrenOf(tree, at, 'advmod').some((child) => word(tree, child) === 'where')
  if (label(tree, at) === 'acl:relcl' && where) return 'passing'
  if (
    label(tree, at) === 'advcl' &&
    childrenOf(tree, at, 'mark', 'advmod').some((mark) =>
      /^(?:when|whenever|once|until|before|while)$/.test(word(tree, mark)),
    )
  )
    return 'passing'
  const since = childrenOf(tree, at, 'mark').some((mark) => word(tree, mark) === 'since')
  if (since && [at, ...childrenOf(tree, at, 'cop', 'aux')].some((part) => xpos(tree, part) === 'VBD'))
    return 'passing'
  return label(tree, at) === 'ccomp' ? 'reported' : 'stated'
}

function isSilent(
  tree: Tree,
  at: number,
  source: SubjectSource,
  above: Clause | null,
  reading: Reading,
): boolean {
  if (source.how === 'none' || isConditional(tree, at)) return true
  if (above?.silent && isConditionalAbove(tree, at)) return true
  if (
    childrenOf(tree, at, 'mark', 'advmod', 'obj', 'obl', 'nsubj').some((child) =>
      /^W(?:RB|P|DT)$/.test(xpos(tree, child)),
    ) &&
    /^(?:ccomp|conj)$/.test(label(tree, at)) &&
    (label(tree, at) === 'ccomp' ? source.how !== 'complement' : source.how === 'own')
  )
    return true
  const how = childrenOf(tree, at, 'advmod', 'mark').some((child) => /^(?:how|why)$/.test(word(tree, child)))
  if (how && source.how === 'own' && label(tree, at) !== 'root') return true
  if (!reading.question) return false
  if (label(tree, at) === 'ccomp' || label(tree, at) === 'xcomp')
    return !(above && assertsComplement(above.lemma)) || asksInside(tree, above.at, at)
  return isAsking(tree, at)
}

/** `Do you know what I'm allergic to?` asks; `Did you know I moved?` tells. */
function asksInside(tree: Tree, verb: number, at: number): boolean {
  return tree.xpos.slice(Math.min(verb, at) + 1, at).some((tag) => /^W/.test(tag))
}

function isConditionalAbove(tree: Tree, at: number): boolean {
  for (let i = head(tree, at), steps = 0; i >= 0 && steps < 8; i = head(tree, i), steps++) {
    if (isConditional(tree, i)) return true
  }
  return false
}
