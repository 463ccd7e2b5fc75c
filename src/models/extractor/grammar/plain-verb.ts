import type { Tree } from './tree.ts'

type Draft = Omit<Tree, 'children'>

/** Verbs whose plain form the parser likes to take for a noun. */
const verbOrNoun =
  /^(?:work|study|volunteer|train|play|run|travel|love|like|drive|cook|coach|teach|commute|live|plan|hope|use|surf|swim|dance|paint|bike|cycle|hike|camp|fish|hunt|ski|bake|code|jog|row|sail|box|climb|knit|tutor|mentor|freelance|babysit|trade|manage|rent|share|visit|attend|practice|lecture|sing|act|host|blog)$/

const follows = /^(?:in|at|for|as|with|near|on|to|from|a|an|the|my|our|every)$/

/** `I live in Lisbon and work as a nurse`: after a plain verb, `and work as` is a second verb and no second place. */
export function plainVerbTaggedAsNoun(tree: Draft): void {
  for (const [i, form] of tree.words.entries()) {
    if (!verbOrNoun.test(form) || !/^(?:NOUN|ADJ|PROPN)$/.test(tree.upos[i] ?? '')) continue
    if (!/^(?:and|but)$/i.test(tree.words[i - 1] ?? '')) continue
    const verb = plainVerbBefore(tree, i)
    const subject = i + 1
    const isStudied = form === 'study' && /^(?:NOUN|PROPN)$/.test(tree.upos[subject] ?? '')
    if (verb < 0 || !(isStudied || follows.test(tree.words[i + 1] ?? ''))) continue
    if (isStudied) {
      tree.heads[subject] = i
      tree.labels[subject] = 'obj'
    }
    tree.upos[i] = 'VERB'
    tree.xpos[i] = 'VBP'
    tree.lemmas[i] = tree.lemmatise(form, 'VBP')
    tree.heads[i] = verb
    tree.labels[i] = 'conj'
    tree.heads[i - 1] = i
    tree.labels[i - 1] = 'cc'
    attachNext(tree, i, verb)
  }
}

/** The verb before it that has `I`, `we`, `you` or `they` as its subject; -1 when there is none. */
function plainVerbBefore(tree: Draft, i: number): number {
  for (let verb = i - 1; verb >= 0; verb--) {
    if (tree.upos[verb] !== 'VERB' || !/^VB[PD]$/.test(tree.xpos[verb] ?? '')) continue
    const subject = tree.heads.findIndex((head, at) => head === verb && tree.labels[at] === 'nsubj')
    return /^(?:i|we|you|they)$/i.test(tree.words[subject] ?? '') ? verb : -1
  }
  return -1
}

/** What stood under the supposed noun, or beside it, belongs to the verb: a place or role after a preposition, else its object. */
function attachNext(tree: Draft, i: number, verb: number): void {
  const opening = i + 1
  const next =
    tree.labels[opening] === 'case' || tree.labels[opening] === 'det' ? (tree.heads[opening] ?? -1) : -1
  if (next <= i) return
  const above = tree.heads[next] ?? -1
  if (above !== i && above !== verb && above > i) return
  tree.heads[next] = i
  tree.labels[next] = tree.labels[opening] === 'case' ? 'obl' : 'obj'
}
