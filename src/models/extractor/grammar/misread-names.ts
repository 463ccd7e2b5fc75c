import type { Tree } from './tree.ts'

type Draft = Omit<Tree, 'children'>

const isNameAt = (tree: Draft, i: number) => tree.upos[i] === 'PROPN' && /^\p{Lu}/u.test(tree.words[i] ?? '')

const below = (tree: Draft, i: number, label: RegExp) =>
  tree.heads.flatMap((head, child) => (head === i && label.test(tree.labels[child] ?? '') ? [child] : []))

/** `so Tomasz Kruk is our CFO`: a name right before the subject's name is a part of it. */
function nameCutInTwo(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const next = i + 1
    if (!/^(?:discourse|vocative|dep|dislocated)$/.test(label) || !isNameAt(tree, i) || !isNameAt(tree, next))
      continue
    if (!/^nsubj/.test(tree.labels[next] ?? '') || tree.heads[i] !== tree.heads[next]) continue
    tree.labels[i] = 'nsubj'
    tree.heads[i] = tree.heads[next] ?? -1
    tree.labels[next] = 'flat'
    for (const child of below(tree, next, /./)) tree.heads[child] = i
    tree.heads[next] = i
  }
}

/** `Clara quit the hospital`: a name right before a verb is nobody spoken to. */
function subjectTaggedAsAddressed(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const verb = i + 1
    if (label !== 'vocative' || tree.heads[i] !== verb || !isNameAt(tree, i)) continue
    if (tree.upos[verb] !== 'VERB' || below(tree, verb, /^nsubj/).length > 0) continue
    tree.labels[i] = 'nsubj'
    if (tree.xpos[verb] === 'VB') tree.xpos[verb] = 'VBD'
  }
}

/** `Helen retired last week`: a participle right behind the name that begins a sentence is what she did. */
function pastTaggedAsParticiple(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const name = i - 1
    if (!/^(?:parataxis|acl|appos)$/.test(label) || tree.xpos[i] !== 'VBN' || tree.heads[i] !== name) continue
    if (tree.labels[name] !== 'root' || !isNameAt(tree, name) || name > 1) continue
    if (below(tree, i, /^(?:nsubj|aux)/).length > 0 || below(tree, name, /^(?:cop|case|nsubj)/).length > 0)
      continue
    tree.xpos[i] = 'VBD'
    tree.heads[i] = -1
    tree.labels[i] = 'root'
    for (const child of below(tree, name, /^(?:punct|parataxis|obl|advmod|conj)/)) tree.heads[child] = i
    tree.heads[name] = i
    tree.labels[name] = 'nsubj'
  }
}

/** `lives in Porto and works as a chef`: what stands right behind the second verb is its own. */
function obliqueOfSecondVerb(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const first = tree.heads[i] ?? -1
    if (label !== 'conj' || tree.upos[i] !== 'VERB' || tree.upos[first] !== 'VERB' || first > i) continue
    for (const noun of below(tree, first, /^obl$/)) {
      if (noun > i && below(tree, noun, /^case$/)[0] === i + 1) tree.heads[noun] = i
    }
  }
}

const capital = (tree: Draft, i: number) => /^\p{Lu}[\p{L}-]*\p{Ll}/u.test(tree.words[i] ?? '')

/** `I'm dating Lukas`: a name right behind a verb, with no comma between, is nobody spoken to. */
function objectTaggedAsAddressed(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const verb = i - 1
    if (label !== 'vocative' || tree.heads[i] !== verb || tree.upos[verb] !== 'VERB' || !isNameAt(tree, i))
      continue
    if (below(tree, verb, /^(?:obj|nsubj:pass)$/).length === 0) tree.labels[i] = 'obj'
  }
}

/** `at Westfield High`: two capitalised words side by side are one name. */
function nameGoesOn(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const first = i - 1
    if (!isNameAt(tree, i) || !isNameAt(tree, first) || !capital(tree, i) || !capital(tree, first)) continue
    const together = label === 'appos' ? tree.heads[i] === first : tree.heads[i] === tree.heads[first]
    if (
      !/^(?:appos|obj|obl|obl:unmarked|xcomp)$/.test(label) ||
      !together ||
      below(tree, i, /^case$/).length > 0
    )
      continue
    if (label !== 'appos' && tree.labels[first] !== label && tree.labels[first] !== 'obj') continue
    tree.heads[i] = first
    tree.labels[i] = 'flat'
    for (const child of below(tree, i, /./)) if (child !== first) tree.heads[child] = first
  }
}

/** `is a MacBook Air`: nothing but parts of the name hangs below its second word. */
function childrenOfNamePart(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const name = tree.heads[i] ?? -1
    if (label !== 'flat' || name < 0) continue
    for (const child of below(tree, i, /^(?:nsubj|cop|det)/)) if (child !== name) tree.heads[child] = name
  }
}

const nationality = /(?:ish|ese|ian|an|ic|ist|ch|al)$/

/** `My girlfriend is Yuki`: a word with a capital that is said of somebody is a name, unless it tells where from. */
function nameTaggedAsAdjective(tree: Draft): void {
  for (const [i, tag] of tree.xpos.entries()) {
    if (!/^(?:JJ|RB|VB[NDPGZ]?)$/.test(tag) || !capital(tree, i) || nationality.test(tree.words[i] ?? ''))
      continue
    const subject = below(tree, i, /^nsubj$/)[0]
    const owned = subject !== undefined && below(tree, subject, /^nmod:poss$/).length > 0
    if (!owned || below(tree, i, /^cop$/)[0] !== i - 1) continue
    tree.upos[i] = 'PROPN'
    tree.xpos[i] = 'NNP'
  }
}

/** `The report is due on Friday`: it is due, and Friday says when. */
function dueBeforeDay(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const day = tree.heads[i] ?? -1
    if (tree.words[i]?.toLowerCase() !== 'due' || label !== 'case' || day < i) continue
    tree.heads[i] = tree.heads[day] ?? -1
    tree.labels[i] = tree.labels[day] ?? 'root'
    tree.upos[i] = 'ADJ'
    for (const child of below(tree, day, /^(?:nsubj|cop|punct|advmod)/)) tree.heads[child] = i
    tree.heads[day] = i
    tree.labels[day] = 'obl'
  }
}

/** `I go to CrossFit`: a capital behind `to` is a place, not something done. */
function nameTaggedAsInfinitive(tree: Draft): void {
  for (const [i, tag] of tree.xpos.entries()) {
    const to = i - 1
    if (tag !== 'VB' || !capital(tree, i) || tree.words[to]?.toLowerCase() !== 'to') continue
    const verb = tree.heads[i] ?? -1
    if (verb < 0 || tree.heads[to] !== i) continue
    tree.upos[i] = 'PROPN'
    tree.xpos[i] = 'NNP'
    tree.labels[i] = 'obl'
    tree.labels[to] = 'case'
    for (const child of below(tree, i, /^(?:obj|obl|advmod|punct)/)) {
      tree.heads[child] = verb
      if (tree.labels[child] === 'obj') tree.labels[child] = 'obl:unmarked'
    }
  }
}

/** `moved back to Dresden`: the place belongs to the verb, not to its particle. */
function placeBelowParticle(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const particle = tree.heads[i] ?? -1
    const verb = tree.heads[particle] ?? -1
    if (label !== 'obl' || particle < 0 || verb < 0 || tree.upos[verb] !== 'VERB') continue
    if (!/^(?:back|over|down|up|out|away|off)$/.test(tree.words[particle] ?? '')) continue
    if (tree.labels[particle] === 'advmod') tree.heads[i] = verb
  }
}

/** `runs Android`, `uses Notion`: a capital right behind a verb that takes things is a name. */
function nameTaggedAsState(tree: Draft): void {
  for (const [i, label] of tree.labels.entries()) {
    const verb = tree.heads[i] ?? -1
    if (!/^(?:xcomp|advmod)$/.test(label) || !/^(?:JJ|RB)$/.test(tree.xpos[i] ?? '') || verb !== i - 1)
      continue
    if (tree.upos[verb] !== 'VERB' || !capital(tree, i) || nationality.test(tree.words[i] ?? '')) continue
    tree.upos[i] = 'PROPN'
    tree.xpos[i] = 'NNP'
    tree.labels[i] = 'obj'
  }
}

/** `an iPhone 12`: the number behind a name is a part of it, no second object. */
function numberBehindName(tree: Draft): void {
  for (const [i, tag] of tree.xpos.entries()) {
    const name = i - 1
    if (tag !== 'CD' || !/\p{Lu}/u.test(tree.words[name] ?? '') || tree.heads[i] !== tree.heads[name])
      continue
    if (tree.labels[i] !== tree.labels[name] || !/^(?:NOUN|PROPN)$/.test(tree.upos[name] ?? '')) continue
    tree.heads[i] = name
    tree.labels[i] = 'nummod'
  }
}

const article =
  /^(?:the|an?|this|that|these|those|all|some|any|no|each|every|both|another|either|neither|what|which)$/i

/** `is Ivo Lang`: an unknown word with a capital is no article. */
function nameTaggedAsArticle(tree: Draft): void {
  for (const [i, tag] of tree.upos.entries()) {
    const next = i + 1
    if (tag !== 'DET' || i === 0 || !capital(tree, i) || article.test(tree.words[i] ?? '')) continue
    if (tree.heads[i] !== next || !capital(tree, next)) continue
    tree.labels[i] = 'compound'
    for (const part of [i, next]) {
      tree.upos[part] = 'PROPN'
      tree.xpos[part] = 'NNP'
    }
  }
}

/** `Lena quit the bakery`: of one person, a bare form is past where both are the same. */
function pastTaggedAsBare(tree: Draft): void {
  for (const [i, tag] of tree.xpos.entries()) {
    if (
      tag !== 'VB' ||
      !/^(?:quit|put|cut|hit|let|set|shut|split|hurt|bet|spread)$/.test(tree.words[i] ?? '')
    )
      continue
    const [subject] = below(tree, i, /^nsubj$/)
    if (
      subject !== undefined &&
      tree.upos[subject] === 'PROPN' &&
      below(tree, i, /^(?:aux|mark)/).length === 0
    )
      tree.xpos[i] = 'VBD'
  }
}

/** Mistakes about names and second verbs, in order. */
export const nameRepairs: readonly ((tree: Draft) => void)[] = [
  nameCutInTwo,
  subjectTaggedAsAddressed,
  pastTaggedAsBare,
  nameTaggedAsArticle,
  objectTaggedAsAddressed,
  pastTaggedAsParticiple,
  obliqueOfSecondVerb,
  placeBelowParticle,
  nameGoesOn,
  childrenOfNamePart,
  numberBehindName,
  nameTaggedAsAdjective,
  nameTaggedAsState,
  dueBeforeDay,
  nameTaggedAsInfinitive,
]
