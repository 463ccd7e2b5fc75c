import { nameRepairs } from './misread-names.ts'
import {
  activityAfterPreposition,
  doTaggedAsHelper,
  nameTaggedAsPronoun,
  nounTaggedAsAdjective,
  objectOfSecondVerb,
  obliqueOfSecondAdjective,
  pastTaggedAsPresent,
  verbTaggedAsPredicate,
} from './misread-words.ts'
import type { Tree } from './tree.ts'

type Draft = Omit<Tree, 'children'>

/** Mistakes that the parser makes often and that can be told from the tree alone. Each says what it sets right. */
const repairs: readonly ((tree: Draft) => void)[] = [
  pastTaggedAsPresent,
  nameTaggedAsPronoun,
  nameBeforeTime,
  addressedByName,
  verbAfterPronoun,
  verbTaggedAsPlural,
  nounAfterAdjectiveTo,
  turnedCopula,
  nameBeforeVerb,
  verbAfterNameList,
  nameWithApposition,
  listAfterObject,
  verbJoinedToNoun,
  calledAfterObject,
  nameAfterBe,
  roleAfterGivenName,
  gotParticiple,
  nounJoinedToAdjective,
  objectOfSecondVerb,
  verbTaggedAsPredicate,
  doTaggedAsHelper,
  activityAfterPreposition,
  nounTaggedAsAdjective,
  obliqueOfSecondAdjective,
  ...nameRepairs,
]

/** Applies every repair, in order. */
export function repairTree(tree: Draft): void {
  for (const repair of repairs) repair(tree)
}

function kids(tree: Draft, i: number): number[] {
  return tree.heads.flatMap((head, child) => (head === i ? [child] : []))
}

function kidLabels(tree: Draft, i: number): string[] {
  return kids(tree, i).map((child) => tree.labels[child] ?? '')
}

const hasSubject = (tree: Draft, i: number) =>
  kidLabels(tree, i).some((label) => /^n?subj|^nsubj/.test(label))

/** Makes `i` the root in the place of `old`, which becomes its child with that label. */
function promote(tree: Draft, i: number, old: number, label: string): void {
  tree.heads[i] = tree.heads[old] ?? -1
  tree.labels[i] = tree.labels[old] ?? 'root'
  tree.heads[old] = i
  tree.labels[old] = label
  for (const child of kids(tree, old)) {
    if (child > i || (tree.labels[child] === 'punct' && child === i - 1)) tree.heads[child] = i
  }
}

/** `Marie Curie, a physicist, won a prize`: the name is the subject, not the root. */
function nameWithApposition(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const head = tree.heads[i] ?? -1
    if (
      head < 0 ||
      !/^(?:parataxis|acl:relcl|appos|conj|acl)$/.test(label) ||
      tree.upos[i] !== 'VERB' ||
      i < head
    )
      continue
    if (tree.labels[head] !== 'root' || !/^(?:PROPN|NOUN)$/.test(tree.upos[head] ?? '')) continue
    if (!/^VB[DZP]$/.test(tree.xpos[i] ?? '') || hasSubject(tree, i) || hasSubject(tree, head)) continue
    if (kidLabels(tree, head).some((other) => other === 'cop' || other === 'case')) continue
    if (kids(tree, i).some((child) => tree.labels[child] === 'cc')) continue
    promote(tree, i, head, 'nsubj')
  }
}

/** `I speak Portuguese, English and a bit of German`: the rest of the list belongs to the object. */
function listAfterObject(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const head = tree.heads[i] ?? -1
    if (head < 0 || tree.upos[head] !== 'VERB' || i < head) continue
    const object = kids(tree, head).find(
      (child) => child < i && /^(?:obj|obl)$/.test(tree.labels[child] ?? ''),
    )
    if (object === undefined) continue
    const nominal = /^(?:PROPN|NOUN)$/.test(tree.upos[i] ?? '')
    const goesOn = tree.labels.slice(i + 1, i + 6).some((other) => other === 'cc')
    const listed = label === 'vocative' && tree.words[i - 1] === ',' && i - object <= 4 && goesOn
    const joined =
      label === 'conj' && nominal && !kidLabels(tree, i).some((other) => /^(?:nsubj|cop|aux)/.test(other))
    if (nominal && (listed || joined)) {
      tree.heads[i] = object
      tree.labels[i] = 'conj'
    }
  }
}

/** `lives in Porto and works as a teacher`: verbs are joined to verbs. */
function verbJoinedToNoun(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const head = tree.heads[i] ?? -1
    if (label !== 'conj' || head < 0 || !/^VB[DZP]$/.test(tree.xpos[i] ?? '')) continue
    if (!/^(?:PROPN|NOUN|NUM|PRON)$/.test(tree.upos[head] ?? '') || kidLabels(tree, head).includes('cop'))
      continue
    const governor = tree.heads[head] ?? -1
    if (
      governor >= 0 &&
      tree.upos[governor] === 'VERB' &&
      /^(?:obj|obl|nsubj|xcomp|iobj)/.test(tree.labels[head] ?? '')
    ) {
      tree.heads[i] = governor
    }
  }
}

/** `Ana and Ben live in Rome`, where the verb hangs under the last name of the list. */
function verbAfterNameList(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const head = tree.heads[i] ?? -1
    if (head < 0 || i < head || tree.upos[i] !== 'VERB' || label !== 'acl') continue
    if (/^VB[ZP]$/.test(tree.xpos[i] ?? '') && tree.labels[head] === 'root' && !hasSubject(tree, i))
      promote(tree, i, head, 'nsubj')
  }
}

/** `I've got a dog called Max`: the dog is called so. */
function calledAfterObject(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const head = tree.heads[i] ?? -1
    if (label !== 'xcomp' || tree.xpos[i] !== 'VBN' || !/^(?:name|call)$/.test(tree.lemmas[i] ?? '')) continue
    const object = kids(tree, head).find((child) => child < i && tree.labels[child] === 'obj')
    if (object === undefined) continue
    tree.heads[i] = object
    tree.labels[i] = 'acl'
  }
}

/** `a daughter named Emma and a son named Noah`: the son is joined to the daughter, not to Emma. */
function roleAfterGivenName(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const name = tree.heads[i] ?? -1
    const naming = tree.heads[name] ?? -1
    if (label !== 'conj' || tree.upos[i] !== 'NOUN' || tree.upos[name] !== 'PROPN' || naming < 0) continue
    if (!/^(?:name|call)$/.test(tree.lemmas[naming] ?? '') || !/^acl/.test(tree.labels[naming] ?? ''))
      continue
    tree.heads[i] = tree.heads[naming] ?? -1
  }
}

/** `I got promoted`: `got` is a helper. */
function gotParticiple(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const got = tree.heads[i] ?? -1
    if (label !== 'xcomp' || tree.xpos[i] !== 'VBN' || tree.lemmas[got] !== 'get' || got > i) continue
    if (kids(tree, got).some((child) => /^i?obj$/.test(tree.labels[child] ?? ''))) continue
    promote(tree, i, got, 'aux:pass')
    for (const child of kids(tree, got)) tree.heads[child] = i
    for (const child of kids(tree, i)) if (tree.labels[child] === 'nsubj') tree.labels[child] = 'nsubj:pass'
  }
}

/** `allergic to nuts and penicillin`: nouns are joined to nouns. */
function nounJoinedToAdjective(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const head = tree.heads[i] ?? -1
    if (label !== 'conj' || !/^(?:NOUN|PROPN)$/.test(tree.upos[i] ?? '') || tree.upos[head] !== 'ADJ')
      continue
    if (kidLabels(tree, i).some((other) => /^(?:nsubj|cop|det|case)/.test(other))) continue
    const noun = kids(tree, head).findLast((child) => child < i && tree.labels[child] === 'obl')
    if (noun !== undefined) tree.heads[i] = noun
  }
}

/** `I'll take your advice, John!`: a name after the last comma is spoken to, unless it explains a noun. */
function addressedByName(tree: Draft): void {
  const last = tree.words.findLastIndex((_, i) => tree.upos[i] !== 'PUNCT' && tree.upos[i] !== 'SYM')
  if (last < 3 || tree.words[last - 1] !== ',' || tree.upos[last] !== 'PROPN') return
  const head = tree.heads[last] ?? -1
  const explains =
    tree.labels[last] === 'appos' && (tree.upos[head] === 'NOUN' || tree.names[last] !== 'person')
  const listed =
    tree.labels[last] === 'conj' || tree.names[last] === 'place' || tree.names[last] === 'organization'
  if (!explains && !listed) tree.labels[last] = 'vocative'
}

/** `My best friend is Diego now`: the name after `is` is what is said, not another subject. */
function nameAfterBe(tree: Draft): void {
  for (const [be, lemma] of tree.lemmas.entries()) {
    if (lemma !== 'be' || tree.upos[be] !== 'AUX' || /^(?:cop|aux)/.test(tree.labels[be] ?? '')) continue
    const subject = kids(tree, be).find((child) => child < be && tree.labels[child] === 'nsubj')
    const name = be + 1
    const capital = /^\p{Lu}\p{Ll}/u.test(tree.words[name] ?? '')
    if (subject === undefined || !capital || /^(?:nmod|obl|case|compound)/.test(tree.labels[name] ?? ''))
      continue
    if (kidLabels(tree, name).includes('case')) continue
    tree.upos[name] = 'PROPN'
    tree.xpos[name] = 'NNP'
    const [above, label] = [tree.heads[be] ?? -1, tree.labels[be] ?? 'root']
    for (const child of kids(tree, be)) if (child !== name) tree.heads[child] = name
    tree.heads[name] = above
    tree.labels[name] = label
    tree.heads[be] = name
    tree.labels[be] = 'cop'
    for (const [i, head] of tree.heads.entries())
      if (head === name && tree.labels[i] === 'nsubj' && i > name) tree.labels[i] = 'dep'
  }
}

/** `Microsoft acquired GitHub`: a name right before a verb without a subject is its subject. */
function nameBeforeVerb(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const verb = tree.heads[i] ?? -1
    if (!/^(?:obl:unmarked|dep|dislocated|nmod)$/.test(label) || tree.upos[i] !== 'PROPN' || verb !== i + 1)
      continue
    if (
      !/^VB[DN]$/.test(tree.xpos[verb] ?? '') ||
      hasSubject(tree, verb) ||
      kidLabels(tree, i).includes('case')
    )
      continue
    tree.labels[i] = 'nsubj'
    tree.xpos[verb] = 'VBD'
  }
}

const takesTo =
  /^(?:allergic|addicted|married|engaged|related|similar|close|loyal|devoted|opposed|used|accustomed|new|sensitive|immune)$/

/** `allergic to dust`: what follows is a noun, even where it could be a verb. */
function nounAfterAdjectiveTo(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const head = tree.heads[i] ?? -1
    if (
      !/^(?:advcl|xcomp|acl)$/.test(label) ||
      tree.xpos[i] !== 'VB' ||
      !takesTo.test(tree.lemmas[head] ?? '')
    )
      continue
    const to = kids(tree, i).find((child) => tree.labels[child] === 'mark' && child === i - 1)
    if (to === undefined || kidLabels(tree, i).some((other) => /^(?:obj|obl)/.test(other))) continue
    tree.labels[to] = 'case'
    tree.labels[i] = 'obl'
    tree.upos[i] = 'NOUN'
    tree.xpos[i] = 'NN'
  }
}

/** `Hamlet is a tragedy`, read backwards: what stands first is spoken of. */
function turnedCopula(tree: Draft): void {
  for (const [first] of tree.words.entries()) {
    const copula = kids(tree, first).find((child) => tree.labels[child] === 'cop')
    const subject = kids(tree, first).find((child) => tree.labels[child] === 'nsubj')
    if (copula === undefined || subject === undefined || !(first < copula && copula < subject)) continue
    if (
      !/^(?:NOUN|PROPN)$/.test(tree.upos[first] ?? '') ||
      !/^(?:NOUN|PROPN)$/.test(tree.upos[subject] ?? '')
    )
      continue
    tree.heads[subject] = tree.heads[first] ?? -1
    tree.labels[subject] = tree.labels[first] ?? 'root'
    for (const child of kids(tree, first)) if (child >= copula) tree.heads[child] = subject
    tree.heads[first] = subject
    tree.labels[first] = 'nsubj'
  }
}

/** `I code in Rust`: after `I` comes a verb. */
function verbAfterPronoun(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const verb = tree.heads[i] ?? -1
    if (label !== 'nsubj' || !/^(?:I|We|They|You)$/i.test(tree.words[i] ?? '') || verb !== i + 1) continue
    if (
      tree.upos[verb] !== 'NOUN' ||
      kidLabels(tree, verb).some((other) => /^(?:cop|det|amod|aux)$/.test(other))
    )
      continue
    tree.upos[verb] = 'VERB'
    tree.xpos[verb] = 'VBP'
    for (const child of kids(tree, verb)) if (tree.labels[child] === 'nmod') tree.labels[child] = 'obl'
  }
}

/** Third persons that are plurals too. */
const verbOrPlural = /^(?:lives|works|studies|plays|trains|volunteers)$/

/** `works at Nokia and lives in Oslo`: what is joined to something done, and done somewhere, is no plural. */
function verbTaggedAsPlural(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const preposition = i + 1
    if (label !== 'conj' || !/^NNP?S$/.test(tree.xpos[i] ?? '') || !verbOrPlural.test(tree.words[i] ?? ''))
      continue
    if (!/^(?:cc|punct)$/.test(tree.labels[i - 1] ?? '')) continue
    if (!/^(?:in|at|for|as|with|near|on)$/.test(tree.words[preposition] ?? '')) continue
    const above = tree.heads[i] ?? -1
    const verb = tree.upos[above] === 'VERB' ? above : (tree.heads[above] ?? -1)
    if (tree.xpos[verb] !== 'VBZ') continue
    tree.upos[i] = 'VERB'
    tree.xpos[i] = 'VBZ'
    tree.lemmas[i] = tree.lemmatise(tree.words[i] ?? '', 'VBZ')
    tree.heads[i] = verb
    const place = tree.heads[preposition] ?? -1
    if (place < preposition) continue
    tree.labels[preposition] = 'case'
    tree.heads[place] = i
    tree.labels[place] = 'obl'
    if (!/^\p{Lu}/u.test(tree.words[place] ?? '')) continue
    tree.upos[place] = 'PROPN'
    tree.xpos[place] = 'NNP'
  }
}

/** `visit Machu Picchu one day`: the name is the object, not a part of the day. */
function nameBeforeTime(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const verb = tree.heads[i] ?? -1
    if (
      !/^obl(?::unmarked)?$/.test(label) ||
      !/^(?:day|week|month|year|time|summer|weekend)$/.test(tree.lemmas[i] ?? '')
    )
      continue
    const names = kids(tree, i).filter(
      (child) => tree.upos[child] === 'PROPN' && tree.labels[child] === 'compound',
    )
    const name = names.at(-1)
    const between = name === undefined ? '' : (tree.labels[name + 1] ?? '')
    if (name === undefined || !/^(?:nummod|det|amod)$/.test(between) || kidLabels(tree, verb).includes('obj'))
      continue
    tree.heads[name] = verb
    tree.labels[name] = 'obj'
    for (const other of names) if (other !== name) tree.heads[other] = name
  }
}
