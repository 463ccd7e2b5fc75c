import type { Oblique } from './clause.ts'
import { type Phrase, phraseAt } from './phrase.ts'
import {
  childOf,
  childrenOf,
  head,
  label,
  lemma,
  prepositionOf,
  runAround,
  sliceOf,
  type Tree,
  upos,
  word,
  xpos,
} from './tree.ts'

/** What a predicate takes beside its subject. */
export interface Arguments {
  readonly particle: string | null
  readonly objects: readonly Phrase[]
  readonly obliques: readonly Oblique[]
  /** `going to`, `about to`. */
  readonly future: boolean
}

const particles = /^(?:up|down|out|off|away|back|over|around|together|apart|forward|through|across)$/
/** Verbs that take a state: `got sick`. After others an adjective is a noun the parser does not know. */
const becoming =
  /^(?:be|have|get|feel|look|seem|become|stay|remain|go|turn|make|keep|find|consider|grow|sound|smell|taste|come|run|fall|leave|drive|render|prove|appear|paint|dye|wake)$/
const relativeWord = /^(?:who|whom|which|that|whose|where|when)$/

/** Collects objects, obliques and particles of the predicate at `at`. */
export function collectArguments(tree: Tree, at: number, antecedent: Phrase | null): Arguments {
  const objects: Phrase[] = []
  const obliques: Oblique[] = []
  let complementParticle: string | null = null
  const addOblique = (child: number) => {
    const phrase = phraseAt(tree, child)
    if (phrase && !isRelativeWord(tree, child))
      obliques.push({ preposition: prepositionOf(tree, child), phrase })
  }
  for (const child of tree.children[at] ?? []) {
    const role = label(tree, child)
    if (role === 'obj' || role === 'iobj') {
      const phrase = phraseAt(tree, child)
      const receiver = role === 'iobj' && childOf(tree, at, 'obj', 'ccomp') !== undefined
      if (phrase && !receiver && !isRelativeWord(tree, child)) objects.push(phrase)
    } else if (role === 'advmod' && /^(?:ago|later|earlier)$/.test(word(tree, child))) {
      for (const unit of childrenOf(tree, child, 'obl', 'obl:unmarked', 'nmod:unmarked', 'obl:npmod')) {
        const phrase = phraseAt(tree, unit)
        if (phrase)
          obliques.push({
            preposition: null,
            phrase: { ...phrase, isTime: true, text: `${phrase.text} ${word(tree, child)}` },
          })
      }
    } else if (antecedent && isStranded(tree, child)) {
      obliques.push({ preposition: word(tree, child), phrase: antecedent })
    } else if (/^obl/.test(role) || (role === 'nmod' && upos(tree, at) === 'VERB' && child > at))
      addOblique(child)
    else if (role === 'xcomp' && !isVerbal(tree, child)) {
      const inner = childrenOf(tree, child, 'obl').filter((k) => prepositionOf(tree, k))
      if (upos(tree, child) === 'ADJ' && inner.length > 0) {
        complementParticle = word(tree, child)
        for (const k of inner) addOblique(k)
      } else if (upos(tree, child) === 'ADJ' && becoming.test(lemma(tree, at)))
        complementParticle = word(tree, child)
      else pushComplement(tree, child, objects, obliques)
    } else if (isBareActivity(tree, child)) {
      const phrase = phraseAt(tree, child)
      if (phrase) objects.push({ ...phrase, kind: 'activity', text: activityName(tree, child) })
    }
  }
  const taken = obliques.some(({ phrase }) => phrase === antecedent)
  if (antecedent && !taken && objects.length === 0 && takesObject(tree, at, antecedent))
    objects.push(antecedent)
  return {
    particle: joinParticles(particleOf(tree, at), complementParticle),
    objects,
    obliques,
    future: false,
  }
}

/** `with` in `the group I play with`. */
function isStranded(tree: Tree, child: number): boolean {
  return (
    /^(?:obl|advmod|case)$/.test(label(tree, child)) &&
    /^(?:with|for|to|at|on|about|from|into|of|by|under)$/.test(word(tree, child)) &&
    (tree.children[child] ?? []).length === 0
  )
}

/** Not `a park I went a while ago`, nor `it's in such moments that we bond`. */
function takesObject(tree: Tree, at: number, antecedent: Phrase): boolean {
  if (/^(?:go|come|stay|arrive|travel|live|sit)$/.test(lemma(tree, at))) return particleOf(tree, at) !== null
  const subject = childOf(tree, antecedent.at, 'nsubj', 'expl')
  const cleft = subject !== undefined && word(tree, subject) === 'it'
  return !cleft || childOf(tree, antecedent.at, 'case') === undefined
}

function isRelativeWord(tree: Tree, child: number): boolean {
  return relativeWord.test(word(tree, child)) && /^(?:W|IN|DT)/.test(xpos(tree, child))
}

function isVerbal(tree: Tree, child: number): boolean {
  return upos(tree, child) === 'VERB' || childOf(tree, child, 'cop') !== undefined
}

function pushComplement(tree: Tree, child: number, objects: Phrase[], obliques: Oblique[]): void {
  const phrase = phraseAt(tree, child)
  const preposition = prepositionOf(tree, child)
  if (!phrase || upos(tree, child) === 'ADV') return
  if (preposition) obliques.push({ preposition, phrase })
  else objects.push(phrase)
}

/** `I love hiking`: an activity with nothing of its own is an object. */
function isBareActivity(tree: Tree, child: number): boolean {
  if (!/^(?:xcomp|ccomp)$/.test(label(tree, child)) || xpos(tree, child) !== 'VBG') return false
  if (
    !/^(?:love|like|enjoy|hate|prefer|dislike|adore|start|stop|quit|begin|keep|practice|practise|do|try|consider|avoid|miss|mind|finish|continue|recommend|suggest|go|take)$/.test(
      lemma(tree, head(tree, child)),
    )
  )
    return false
  return !(tree.children[child] ?? []).some((k) =>
    /^(?:obj|obl|nmod|nsubj|xcomp|mark|aux|cop|ccomp)/.test(label(tree, k)),
  )
}

/** `hiking`, `waking up early`. */
function activityName(tree: Tree, at: number): string {
  const particle = childrenOf(tree, at, 'compound:prt', 'advmod').filter((child) => child > at)
  return sliceOf(tree, runAround([at, ...particle], at)).replace(/^\p{Lu}/u, (letter) => letter.toLowerCase())
}

function particleOf(tree: Tree, at: number): string | null {
  // `explored the coast up in the north`: that is where.
  const marked = childrenOf(tree, at, 'compound:prt').find(
    (child) => child === at + 1 || xpos(tree, child + 1) !== 'IN',
  )
  const adverb = childrenOf(tree, at, 'advmod').find(
    (child) =>
      child === at + 1 &&
      (particles.test(word(tree, child)) || (word(tree, child) === 'in' && xpos(tree, child) === 'RB')),
  )
  // `had some friends over`.
  const away = /^(?:have|invite|ask)$/.test(lemma(tree, at))
    ? childrenOf(tree, at, 'advmod').find((child) => word(tree, child) === 'over')
    : undefined
  // `checking out flats`, where the parser takes it for a preposition.
  const loose =
    label(tree, at + 1) === 'case' &&
    label(tree, head(tree, at + 1)) === 'obj' &&
    particles.test(word(tree, at + 1))
      ? at + 1
      : undefined
  const found = marked ?? adverb ?? away ?? loose
  return found === undefined ? null : word(tree, found)
}

function joinParticles(a: string | null, b: string | null): string | null {
  return a && b ? `${a}_${b}` : (a ?? b)
}
