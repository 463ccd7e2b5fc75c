import type { Tree } from './tree.ts'

type Draft = Omit<Tree, 'children'>

const below = (tree: Draft, i: number, ...labels: readonly string[]) =>
  tree.heads.flatMap((head, child) =>
    head === i && labels.includes(tree.labels[child] ?? '') ? [child] : [],
  )

/** `My father no longer drives`: a plural that is said of somebody without `be` is a verb. */
export function verbTaggedAsPredicate(tree: Draft): void {
  for (const [i, tag] of tree.xpos.entries()) {
    if (!/^NNP?S$/.test(tag) || !/[^s]s$/.test(tree.words[i] ?? '')) continue
    if (below(tree, i, 'nsubj').length === 0 || below(tree, i, 'cop', 'det', 'nummod', 'case').length > 0)
      continue
    tree.upos[i] = 'VERB'
    tree.xpos[i] = 'VBZ'
    tree.lemmas[i] = tree.lemmatise(tree.words[i] ?? '', 'VBZ')
    for (const child of below(tree, i, 'amod')) tree.labels[child] = 'advmod'
    for (const child of below(tree, i, 'nmod')) tree.labels[child] = 'obl'
  }
}

/** `I do yoga`: with nothing else to help, `do` is the verb. */
export function doTaggedAsHelper(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const object = tree.heads[i] ?? -1
    if (label !== 'aux' || tree.lemmas[i] !== 'do' || !/^(?:NOUN|PROPN)$/.test(tree.upos[object] ?? ''))
      continue
    if (below(tree, object, 'cop').length > 0 || object < i) continue
    tree.heads[i] = tree.heads[object] ?? -1
    tree.labels[i] = tree.labels[object] ?? 'root'
    tree.upos[i] = 'VERB'
    for (const [child, head] of tree.heads.entries())
      if (head === object && !/^(?:det|amod|compound|nmod|nmod:poss|nummod)$/.test(tree.labels[child] ?? ''))
        tree.heads[child] = i
    tree.heads[object] = i
    tree.labels[object] = 'obj'
  }
}

/** `We organized a meal`: -ed is past, whatever the parser says. */
export function pastTaggedAsPresent(tree: Draft): void {
  for (const [i, tag] of tree.xpos.entries())
    if (tag === 'VBP' && /[^e]ed$/.test(tree.words[i] ?? '')) {
      tree.xpos[i] = 'VBD'
      tree.lemmas[i] = tree.lemmatise(tree.words[i] ?? '', 'VBD')
    }
}

/** `I'm into bouldering`: what stands behind a preposition is a thing, and `am` a copula. */
export function activityAfterPreposition(tree: Draft): void {
  for (const [i, tag] of tree.xpos.entries()) {
    if (tag !== 'VBG' || below(tree, i, 'case').length === 0) continue
    const helper = below(tree, i, 'aux').find((child) => tree.lemmas[child] === 'be')
    if (helper === undefined) continue
    tree.labels[helper] = 'cop'
    tree.upos[i] = 'NOUN'
    tree.xpos[i] = 'NN'
  }
}

/** `the chief executive of General Motors`: an adjective with an article and `of` is a noun. */
export function nounTaggedAsAdjective(tree: Draft): void {
  for (const [i, tag] of tree.upos.entries()) {
    if (tag !== 'ADJ' || below(tree, i, 'det').length === 0 || below(tree, i, 'cop').length === 0) continue
    const of = below(tree, i, 'nmod', 'obl').filter((child) =>
      below(tree, child, 'case').some((word) => tree.words[word] === 'of'),
    )
    if (of.length === 0 || /^JJS$/.test(tree.xpos[i] ?? '')) continue
    tree.upos[i] = 'NOUN'
    tree.xpos[i] = 'NN'
    for (const child of of) tree.labels[child] = 'nmod'
  }
}

/** `I live in Oslo and study law`: what follows a second verb is its object, not a second place. */
export function objectOfSecondVerb(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const object = i + 1
    if (label !== 'conj' || !/^VB[PDZ]$/.test(tree.xpos[i] ?? '') || below(tree, i, 'obj', 'obl').length > 0)
      continue
    if (tree.labels[object] !== 'conj' || !/^(?:NOUN|PROPN)$/.test(tree.upos[object] ?? '')) continue
    if ((tree.heads[object] ?? i) >= i) continue
    tree.heads[object] = i
    tree.labels[object] = 'obj'
    const and = i - 1
    if (tree.labels[and] === 'cc') tree.heads[and] = i
  }
}

/** `I'm diabetic and afraid of needles`: the needles belong to the adjective beside them. */
export function obliqueOfSecondAdjective(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const first = tree.heads[i] ?? -1
    if (label !== 'conj' || tree.upos[i] !== 'ADJ' || tree.upos[first] !== 'ADJ') continue
    for (const noun of below(tree, first, 'obl')) {
      const preposition = below(tree, noun, 'case')[0]
      if (preposition === i + 1) tree.heads[noun] = i
    }
  }
}

const pronoun =
  /^(?:i|me|my|mine|myself|you|your|yours|yourself|yourselves|he|him|his|himself|she|her|hers|herself|it|its|itself|we|us|our|ours|ourselves|they|them|their|theirs|themselves|one|ones|this|that|these|those|who|whom|whose|what|which|there|here|some|any|all|both|each|none|nobody|somebody|anybody|everybody|no|some\w+|any\w+|every\w+|nothing|another|such|other|others|u|ya|thee|em|'em|y'all|whoever|whatever|mutual|same)$/i

/** `I use Vim`: an unknown word with a capital is a name, not a pronoun. */
export function nameTaggedAsPronoun(tree: Draft): void {
  for (const [i, tag] of tree.upos.entries()) {
    if (
      tag !== 'PRON' ||
      i === 0 ||
      !/^\p{Lu}/u.test(tree.words[i] ?? '') ||
      pronoun.test(tree.words[i] ?? '')
    )
      continue
    tree.upos[i] = 'PROPN'
    tree.xpos[i] = 'NNP'
  }
}
