import { isTimeWord } from '../grammar/time-words.ts'
import { childOf, childrenOf, head, label, lemma, type Tree, upos, word, xpos } from '../grammar/tree.ts'
import { singular } from '../text/lemmas.ts'
import type { FactDraft } from './draft.ts'

/** A draft with the words it was read from. */
interface Told extends FactDraft {
  readonly tree: Tree
  /** The verb, or what stands with a copula. */
  readonly verb: number
  /** -1 where the subject is left out. */
  readonly subjectAt: number
  /** Words of the object without its owner, in lower case. */
  readonly words: readonly string[]
  /** The last of them, in the singular. */
  readonly noun: string
  /** Where the last of them stands; -1 when it is not found. */
  readonly lastAt: number
}

interface Doubt {
  /** What is believed of the fact then. */
  readonly factor: number
  readonly holds: (told: Told) => boolean
}

/** Nouns that say nothing until one says of what, to whom or for what. */
const openNouns = new Set(
  `experience memory amount blast lot path best worst work way thing one bond connection feeling opportunity chance
  smell taste value lesson importance point purpose aim ability potential progress result plan stuff level
  reminder impact step part piece aspect side kind sort effort focus need
  attention touch magic influence significance meaning difference sense right wrong left middle top bottom love
  buzz kick high hunt lookout rollercoaster track edge verge roll fence boat page position stage move cloud fire beauty idea
  news surprise thought fun`.split(/\s+/),
)
/** Who they are is not said. */
const anybody =
  /^(?:(?:some|other|many|more|all|most|new|different) )?(?:people|folks?|person|guys?|others?|ones?|everyone|everybody|(?:\p{L}+ )?(?:place|spot))$/u
/** Whose it is, or what it is like, is said elsewhere. */
const pointing =
  /(?:\b(?:yours|theirs|mine|ours|hers|one|ones|that|this|these|those|it|them|own)$|^(?:same|similar|such|certain|that kind) )/
/** Verb and noun that together mean something else. */
const idioms = new Set(
  `try_best do_best have_back have_heart take_toll keep_track get_hang take_leap hit_spot make_day make_way find_way
  spread_word get_word take_while give_shot give_go lose_track make_point catch_eye break_ice get_word put_foot take_word have_say`.split(
    /\s+/,
  ),
)

const doubts: readonly Doubt[] = [
  // Nothing is said.
  { factor: 0.65, holds: isOpen },
  { factor: 0.65, holds: ({ words }) => anybody.test(words.join(' ')) },
  { factor: 0.65, holds: ({ words, relation }) => !named.test(relation) && pointing.test(words.join(' ')) },
  { factor: 0.5, holds: ({ tree, verb, noun }) => idioms.has(`${lemma(tree, verb)}_${noun}`) },
  {
    factor: 0.65,
    holds: ({ relation }) =>
      /^(?:in_for|(?:became|becomes)_\p{L}+|(?:keeps|kept)_(?:\p{L}+_)?(?:in|on|at)|is_in_for|is_out_of|is_up_for|has_through)$/u.test(
        relation,
      ),
  },
  // The object was cut, or is none.
  { factor: 0.65, holds: endsOddly },
  { factor: 0.65, holds: isCutCompound },
  { factor: 0.65, holds: isAct },
  { factor: 0.75, holds: ({ tree, support }) => word(tree, support[2] ?? -1) === 'them' },
  { factor: 0.65, holds: isWishedOf },
  // Somebody else is meant, or everybody.
  { factor: 0.4, holds: isCalled },
  { factor: 0.65, holds: saysWeAll },
  { factor: 0.65, holds: pointsAtSubject },
  { factor: 0.65, holds: disagrees },
  { factor: 0.65, holds: ({ object }) => /^(?:people|others|someone|somebody|everyone)'/.test(object) },
  { factor: 0.65, holds: ({ tree, subjectAt }) => openNouns.has(lemma(tree, subjectAt)) },
  // It is no statement.
  { factor: 0.65, holds: ({ tree, verb }) => isHedged(tree, verb) || isPurpose(tree, verb) },
  { factor: 0.65, holds: isFragment },
  { factor: 0.5, holds: ({ tree }) => guesses(tree) },
  { factor: 0.4, holds: ({ tree, verb }) => isShouted(tree, verb) || isDangling(tree, verb) },
  // It was so, and may be no longer.
  { factor: 0.65, holds: wasState },
]

const named =
  /^(?:has_name|is|was|favourite_.*|born_on|has_age|lives_in|moved_to|moved_from|works_at|works_as)$/

/** How far a pattern of talk is to be believed: 1, or less where one of the tables above knows better. */
export function beliefIn(draft: FactDraft, tree: Tree, weakestArc: number): number {
  const told = withWords(draft, tree)
  if (told === null) return 1
  // Talk is parsed worse than books: an arc that the parser is unsure of is wrong more often than it says.
  return Math.min(weakestArc, ...doubts.filter(({ holds }) => holds(told)).map(({ factor }) => factor))
}

function withWords(draft: FactDraft, tree: Tree): Told | null {
  const [verb = -1, subjectAt = -1] = draft.support
  if (!(upos(tree, verb) === 'VERB' || childOf(tree, verb, 'cop', 'nsubj') !== undefined)) return null
  const words = draft.object
    .toLowerCase()
    .replace(/^.*'s? /, '')
    .split(/\s+/)
  const last = words.at(-1) ?? ''
  const own = /^nsubj/.test(label(tree, subjectAt)) ? subjectAt : -1
  return { ...draft, tree, verb, subjectAt: own, words, noun: singular(last), lastAt: at(tree, last) }
}

const at = (tree: Tree, form: string) => tree.words.findLastIndex((other) => other.toLowerCase() === form)

/** `had a great experience`, `has memories`; but `has memories of Rome`. */
function isOpen({ tree, relation, words, noun, object }: Told): boolean {
  if (/^(?:has_(?!.*_)|is$|was$|works_|lives_|favourite_|can$|does$)/.test(relation)) return false
  if (/\p{Lu}\p{L}+$/u.test(object)) return false
  if (words.length > 3 || /^VBG$/.test(xpos(tree, at(tree, words[0] ?? '')))) return false
  return openNouns.has(noun) && !words.some((form) => /^(?:of|for|about|with|to|in|from|on|at)$/.test(form))
}

/** `wants the best`, `came out far`, `keen on coming up`: no noun ends it. */
function endsOddly({ tree, relation, lastAt, object }: Told): boolean {
  if (
    lastAt < 0 ||
    /^(?:is|was|has_|favourite_|speaks|can|does)/.test(relation) ||
    /\p{Lu}|\d|-/u.test(object)
  )
    return false
  return /^(?:JJ[RS]?|RB[RS]?|IN|RP|DT|TO|VB|VBP|MD|PRP|W.*)$/.test(xpos(tree, lastAt))
}

/** `went to a poetry [reading]`: another noun follows that the parser did not join. */
function isCutCompound({ tree, lastAt, relation }: Told): boolean {
  const next = lastAt + 1
  if (lastAt < 0 || /^(?:is|was|has_)/.test(relation) || !/^NNS?$/.test(xpos(tree, lastAt))) return false
  return (
    /^(?:NNS?|VBG)$/.test(xpos(tree, next)) &&
    /^(?:obl|obj|nmod|dep|compound|nsubj)$/.test(label(tree, next)) &&
    !isTimeWord(word(tree, next), xpos(tree, next)) &&
    childrenOf(tree, next, 'det', 'case', 'mark').length === 0
  )
}

/** `got to mess with it`, `hiking in the hills and exploring caves`: a verb that was taken for a noun. */
function isAct({ tree, relation, words, support }: Told): boolean {
  const object = support[2] ?? -1
  const bare = !/_/.test(relation) && childrenOf(tree, object, 'case').some((i) => word(tree, i) === 'to')
  return bare || (/_(?:in|at|near)$/.test(relation) && xpos(tree, at(tree, words[0] ?? '')) === 'VBG')
}

/** `wanted the room to look bright`: not the room is wanted. */
function isWishedOf({ tree, verb, support }: Told): boolean {
  const object = support[2] ?? -1
  return (
    /^(?:want|need|like|expect)$/.test(lemma(tree, verb)) &&
    [...childrenOf(tree, verb, 'xcomp', 'ccomp', 'advcl'), ...childrenOf(tree, object, 'acl')].some(
      (i) => i > object && childrenOf(tree, i, 'mark').some((mark) => word(tree, mark) === 'to'),
    )
  )
}

/** `Dave, that car looks good`: he is spoken to. */
function isCalled({ tree, subject, subjectAt, verb }: Told): boolean {
  const first = subjectAt === 0 || tree.words[0] === subject
  return (
    first &&
    word(tree, 1) === ',' &&
    verb > 2 &&
    /^(?:that|this|these|those|it|i|you|we|what|how|your|thanks)$/.test(word(tree, 2))
  )
}

/** `we all have our ways`, `we need people who care`, `the friends we love`. */
function saysWeAll({ tree, verb, subjectAt }: Told): boolean {
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
  return (
    label(tree, verb) === 'acl:relcl' &&
    /^VBP?$/.test(xpos(tree, verb)) &&
    /^(?:people|person|one|thing|moment|bond|memory|way|world|life|love|friend|friendship|connection)$/.test(
      lemma(tree, above),
    )
  )
}

/** `that picture`, `these moments`: one must have seen them. */
function pointsAtSubject({ tree, subjectAt, relation }: Told): boolean {
  return (
    subjectAt >= 0 &&
    relation !== 'has_name' &&
    childrenOf(tree, subjectAt, 'det').some((i) => /^(?:this|that|these|those|such)$/.test(word(tree, i)))
  )
}

/** `one of my favourites is a track`, `we are friends`: one and many do not agree. */
function disagrees({ tree, relation, subjectAt, lastAt, verb }: Told): boolean {
  if (!/^(?:is_a|was)$/.test(relation)) return false
  if (xpos(tree, lastAt) === 'NNS' && !/^NNP?S$/.test(xpos(tree, subjectAt))) return true
  return (
    xpos(tree, subjectAt) === 'NNS' &&
    childrenOf(tree, verb, 'cop').some((i) => /^(?:is|'s|was)$/.test(word(tree, i)))
  )
}

/** `maybe`, `I want to make sure that`. */
function isHedged(tree: Tree, verb: number): boolean {
  const above = head(tree, verb)
  if (label(tree, verb) === 'ccomp' && /^(?:sure|ensure|mean|imagine|pretend)$/.test(lemma(tree, above)))
    return true
  return tree.words.some(
    (_, i) => i < verb && /^(?:maybe|perhaps|probably|possibly|hopefully)$/.test(word(tree, i)),
  )
}

/** `bought it for the smell and to relax`; `I gotta have faith`. */
function isPurpose(tree: Tree, verb: number): boolean {
  const marks = childrenOf(tree, verb, 'mark').map((i) => word(tree, i))
  if (marks.includes('ta')) return true
  const above = head(tree, verb)
  return marks.includes('to') && label(tree, verb) === 'conj' && childrenOf(tree, above, 'mark').length === 0
}

/** `Working on such things brings us closer`, `Loving your attention to detail`: nobody says that they do it. */
function isFragment({ tree, verb }: Told): boolean {
  if (!isBareGerund(tree, verb)) return false
  let top = verb
  while (/^(?:conj|advcl)$/.test(label(tree, top))) top = head(tree, top)
  if (!/^(?:root|parataxis)$/.test(label(tree, top)) || !isBareGerund(tree, top)) return false
  if (top !== verb || childrenOf(tree, verb, 'conj').some((i) => xpos(tree, i) === 'VBG')) return true
  return tree.words.some(
    (_, i) => i > verb && (/^(?:VBZ|VBP|MD)$/.test(xpos(tree, i)) || /^your?$/.test(word(tree, i))),
  )
}

const isBareGerund = (tree: Tree, verb: number) =>
  xpos(tree, verb) === 'VBG' && childOf(tree, verb, 'nsubj', 'aux') === undefined

/** `Looks like it is free?` */
const guesses = (tree: Tree) =>
  tree.words.at(-1) === '?' && /^(?:looks?|sounds?|seems?|guess|so|you|your|wait)$/.test(word(tree, 0))

/** `Zelda BOTW for Switch`: letters that the parser took for a verb. */
const isShouted = (tree: Tree, verb: number) => /^\p{Lu}{2,}$/u.test(tree.words[verb] ?? '')

/** `the crowd is great and jamming with Al is fun`: the crowd does not jam. */
function isDangling(tree: Tree, verb: number): boolean {
  if (label(tree, verb) !== 'conj' || xpos(tree, verb) !== 'VBG') return false
  if (childOf(tree, verb, 'aux', 'nsubj') !== undefined) return false
  let first = head(tree, verb)
  while (label(tree, first) === 'conj') first = head(tree, first)
  // `looking forward to eating out and seeing the town`.
  if (xpos(tree, first) === 'VBG') return childOf(tree, first, 'mark', 'case') !== undefined
  return upos(tree, first) !== 'VERB'
}

/** `we were into skateboarding`, `my dream was to open a shop`. */
function wasState({ tree, relation, verb, ended }: Told): boolean {
  if (
    ended ||
    !/^(?:into|(?:worried|nervous|scared|anxious|pumped)_\p{L}+|has_(?:dream|goal|plan|wish|hobby|passion))$/u.test(
      relation,
    )
  )
    return false
  return childrenOf(tree, verb, 'cop', 'aux:pass').some((i) => /^(?:was|were)$/.test(word(tree, i)))
}
