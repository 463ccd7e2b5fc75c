import { childOf, childrenOf, head, label, lemma, type Tree, upos, word, xpos } from '../grammar/tree.ts'
import { anybody, openNouns } from './doubt-objects.ts'
import { thirdPerson } from './relations.ts'
import type { Told } from './told.ts'

/** `Dave, that car looks good`: he is spoken to. */
export function isCalled({ tree, subject, subjectAt, verb }: Told): boolean {
  const first = subjectAt === 0 || tree.words[0] === subject
  return (
    first &&
    word(tree, 1) === ',' &&
    verb > 2 &&
    /^(?:that|this|these|those|it|i|you|we|what|how|your|thanks)$/.test(word(tree, 2))
  )
}

/** `we all have our ways`, `we need people who care`, `the friends we love`. */
export function saysWeAll({ tree, verb, subjectAt }: Told): boolean {
  if (word(tree, subjectAt) !== 'we') return false
  if (
    word(tree, subjectAt + 1) === 'all' &&
    /^(?:have|need|want|know|love|deserve|face|make)$/.test(lemma(tree, verb))
  )
    return xpos(tree, verb) === 'VBP'
  if (
    lemma(tree, verb) === 'need' ||
    childrenOf(tree, verb, 'aux').some((i) => /^(?:should|must)$/.test(word(tree, i)))
  )
    return true
  const above = head(tree, verb)
  if (label(tree, verb) === 'xcomp' && lemma(tree, above) === 'need') return true
  if (/^(?:csubj|ccomp)$/.test(label(tree, verb)) && upos(tree, above) === 'ADJ') return true
  if (label(tree, verb) === 'acl:relcl' && ofAll.test(lemma(tree, verb)) && xpos(tree, verb) === 'VBP')
    return true
  return (
    label(tree, verb) === 'acl:relcl' &&
    /^VBP?$/.test(xpos(tree, verb)) &&
    /^(?:people|person|one|thing|moment|bond|memory|way|world|life|love|friend|friendship|connection)$/.test(
      lemma(tree, above),
    )
  )
}

/** What everybody is said to do. */
const ofAll = /^(?:desire|need|want|love|have|share|make|deserve|face|live|build)$/

/** `that picture`, `these moments`: one must have seen them. */
export function pointsAtSubject({ tree, subjectAt, relation }: Told): boolean {
  return (
    subjectAt >= 0 &&
    relation !== 'has_name' &&
    childrenOf(tree, subjectAt, 'det').some((i) => /^(?:this|that|these|those|such)$/.test(word(tree, i)))
  )
}

/** `a book that writes about birds`, `fun, fishing and all`: habits are somebody's, and told with a verb. */
export function isHabitOfNobody({ tree, relation, subject, verb, ended }: Told): boolean {
  if (!/^(?:does|can)$/.test(relation) || lemma(tree, verb) === 'do' || ended) return false
  const going = lemma(tree, head(tree, verb)) === 'go'
  return /^\p{Ll}[^']*$/u.test(subject.replace(/^user$/, 'User')) || (isBareGerund(tree, verb) && !going)
}

/** `more people are good at it`, `the best part was the food`. */
export function isAboutNobody({ tree, relation, subject, subjectAt, object }: Told): boolean {
  if (relation.startsWith('favourite_')) return false
  return (
    anybody.test(subject) ||
    openNouns.has(lemma(tree, subjectAt)) ||
    /^(?:people|others|someone|somebody|everyone)'/.test(object)
  )
}

/** `one of my favourites is a track`, `we are friends`: one and many do not agree. */
export function disagrees({ tree, relation, object, support, noun, lastAt, verb }: Told): boolean {
  if (!/^(?:is_a|was)$/.test(relation) || /\d| of /.test(object)) return false
  const many = /^NNP?S$/.test(xpos(tree, support[1] ?? -1))
  if (xpos(tree, lastAt) === 'NNS' && !many)
    return !/^we$/.test(word(tree, support[1] ?? -1)) || noun === 'friend'
  return many && childrenOf(tree, verb, 'cop').some((i) => /^(?:is|'s|was)$/.test(word(tree, i)))
}

/** `maybe`, `I want to make sure that`. */
export function isHedged({ tree, verb }: Told): boolean {
  const above = head(tree, verb)
  if (label(tree, verb) === 'ccomp' && /^(?:sure|ensure|mean|imagine|pretend)$/.test(lemma(tree, above)))
    return true
  return tree.words.some(
    (_, i) => i < verb && /^(?:maybe|perhaps|probably|possibly|hopefully)$/.test(word(tree, i)),
  )
}

/** `bought it for the smell and to relax`; `I gotta have faith`. */
export function isPurpose({ tree, verb }: Told): boolean {
  const marks = childrenOf(tree, verb, 'mark').map((i) => word(tree, i))
  if (marks.includes('ta')) return true
  const above = head(tree, verb)
  return marks.includes('to') && label(tree, verb) === 'conj' && childrenOf(tree, above, 'mark').length === 0
}

/** `Working on such things brings us closer`, `Loving your attention to detail`: nobody says that they do it. */
export function isFragment({ tree, verb }: Told): boolean {
  if (!isBareGerund(tree, verb)) return false
  let top = verb
  while (/^(?:conj|advcl)$/.test(label(tree, top))) top = head(tree, top)
  if (!/^(?:root|parataxis)$/.test(label(tree, top)) || !isBareGerund(tree, top)) return false
  if (/^\p{Ll}/u.test(tree.words[0] ?? '') || tree.words.at(-1) === '!') return true
  if (top !== verb || childrenOf(tree, verb, 'conj').some((i) => xpos(tree, i) === 'VBG')) return true
  const governed = (i: number) =>
    /^VB[ZPD]$/.test(xpos(tree, i)) && childOf(tree, i, 'nsubj', 'nsubj:pass') === undefined
  return tree.words.some((_, i) => i > verb && (governed(i) || /^your?$/.test(word(tree, i))))
}

const isBareGerund = (tree: Tree, verb: number) =>
  xpos(tree, verb) === 'VBG' && childOf(tree, verb, 'nsubj', 'aux') === undefined

/** `looking to run and reach goals`, `our days are happier in the hills`: what was above it is lost. */
export function isLeftover({ tree, relation, verb }: Told): boolean {
  if (xpos(tree, verb) === 'JJR') return true
  // `I can't wait for the day I go on a trip`.
  if (label(tree, verb) === 'acl:relcl' && /^(?:day|time|moment)$/.test(lemma(tree, head(tree, verb))))
    return true
  if (label(tree, verb) !== 'conj' || xpos(tree, verb) !== 'VB' || childOf(tree, verb, 'aux') !== undefined)
    return false
  const above = head(tree, verb)
  const infinitive = childrenOf(tree, above, 'mark').some((i) => word(tree, i) === 'to')
  return infinitive && !/_to_/.test(relation) && relation.startsWith(thirdPerson(lemma(tree, verb)))
}

/** `Looks like it is free?` */
export const guesses = ({ tree }: Told): boolean =>
  tree.words.at(-1) === '?' && /^(?:looks?|sounds?|seems?|guess|so|you|your|wait)$/.test(word(tree, 0))

/** `Zelda BOTW for Switch`: letters that the parser took for a verb. */
export const isShouted = ({ tree, verb }: Told): boolean =>
  childOf(tree, verb, 'cop') === undefined && /^\p{Lu}{2,}$/u.test(tree.words[verb] ?? '')

/** `the crowd is great and jamming with Al is fun`: the crowd does not jam. */
export function isDangling({ tree, verb }: Told): boolean {
  if (label(tree, verb) !== 'conj' || xpos(tree, verb) !== 'VBG') return false
  if (childOf(tree, verb, 'aux', 'nsubj') !== undefined) return false
  let first = head(tree, verb)
  while (label(tree, first) === 'conj') first = head(tree, first)
  // `looking forward to eating out and seeing the town`.
  if (xpos(tree, first) === 'VBG') return childOf(tree, first, 'mark', 'case') !== undefined
  return upos(tree, first) !== 'VERB'
}

/** `we were into skateboarding`, `my dream was to open a shop`. */
export function wasState({ tree, relation, verb, ended }: Told): boolean {
  if (ended || !(attitudes.test(relation) || aims.test(relation) || /^is_(?!a$)/.test(relation))) return false
  return childrenOf(tree, verb, 'cop', 'aux:pass').some((i) => /^(?:was|were)$/.test(word(tree, i)))
}

const attitudes =
  /^(?:into|(?:worried|nervous|scared|anxious|pumped|interested|obsessed|passionate|keen|fond|afraid)_\p{L}+)$/u
const aims = /(?:^|_)(?:dream|goal|plan|wish|hobby|passion)$/
