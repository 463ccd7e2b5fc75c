import { isTimeWord } from '../grammar/time-words.ts'
import {
  childOf,
  childrenOf,
  head,
  label,
  lemma,
  prepositionOf,
  type Tree,
  word,
  xpos,
} from '../grammar/tree.ts'
import { isCanonical } from './relations.ts'
import { at, type Told } from './told.ts'

/** Nouns that say nothing until one says of what, to whom or for what. */
export const openNouns: ReadonlySet<string> = new Set(
  `experience memory amount blast lot path best worst work way thing one bond connection feeling opportunity chance
  smell taste value lesson importance point purpose aim ability potential progress result plan stuff level reminder
  impact step part piece aspect side kind sort effort focus need attention touch magic influence significance meaning
  difference sense right wrong left middle top bottom love buzz kick high beauty idea news surprise thought fun detail
  rush note accomplishment milestone respect balance fan ton future`.split(/\s+/),
)
/** Nouns that say nothing without a word before them. */
const bareNouns =
  /^(?:situation|cause|energy|charm|freedom|strength|organization|organisation|thing|moment|goal|essential|setup)$/
/** `on the lookout`, `on a roll`: figures of speech. */
const figures =
  /^(?:hunt|lookout|rollercoaster|track|edge|verge|roll|fence|boat|page|position|stage|move|cloud|fire|mend|mission|journey|path)$/
/** Who they are is not said. */
export const anybody =
  /^(?:(?:some|other|many|more|all|most|new|different) )?(?:people|folks?|person|guys|others?|ones?|everyone|everybody|(?:\p{L}+ )?(?:place|spot))$/u
/** Whose it is, or what it is like, is said elsewhere. */
const pointing =
  /(?:\b(?:yours|theirs|mine|ours|hers|one|ones|that|this|these|those|it|them|own)$|^(?:one more|same|similar|such|certain|that kind) | between \S+$)/
/** Verb and noun that together mean something else. */
const idioms = new Set(
  `try_best do_best have_back have_heart take_toll keep_track get_hang take_leap hit_spot make_day make_way find_way
  say_hi say_hello say_goodbye take_backseat take_plunge spread_word get_word take_while give_shot give_go lose_track
  make_point catch_eye break_ice put_foot take_word have_say spend_age go_nut love_ride enjoy_ride
  appreciate_ride`.split(/\s+/),
)
const idiomRelations =
  /^(?:in_for|used_to|(?:did|does)_(?:in|with|on|at|for)|judges_by|(?:became|becomes)_\p{L}+|(?:keeps|kept)_(?:\p{L}+_)?(?:in|on|at)|is_in_for|is_up_for|has_through)$/u

/** Relations whose object is a value or a name, however short. */
const named =
  /^(?:has_name|is|was|favourite_.*|born_on|has_age|lives_in|moved_to|moved_from|works_at|works_as)$/

/** `had a great experience`, `has memories`; but `has memories of Rome`, `has work experience`. */
export function isOpen({ tree, relation, words, noun, object }: Told): boolean {
  if (relation === 'is_on') return figures.test(noun) || openNouns.has(noun)
  if (words.length === 1 && bareNouns.test(noun)) return true
  // `had so much fun singing`, `we have different skills`.
  if (/^ha[sd]$/.test(relation) && (words.includes('fun') || words[0] === 'different')) return true
  if (/^(?:has_(?!.*_)|is$|was$|works_|lives_|favourite_|can$|does$)/.test(relation)) return false
  if (!openNouns.has(noun) || words.length > 5 || /\p{Lu}/u.test(object.replace(/^.*'s? /, ''))) return false
  // `swims before work`, `does it for fun`, `takes lessons`.
  if (/^(?:work|fun)$/.test(noun) && /_(?:for|before|after|from|with|at|to)$/.test(relation)) return false
  if (words.at(-1) === 'lessons') return false
  const telling = (form: string) =>
    /^(?:of|for|about|with|to|in|from|on|at)$/.test(form) || /^(?:NN|VBG)/.test(xpos(tree, at(tree, form)))
  return !words.slice(0, -1).some(telling)
}

/** `met some people`, `a painting of yours`, `the snowy one`. */
export function isUnnamed({ words, relation }: Told): boolean {
  const text = words.join(' ')
  const tastes = /^(?:likes|loves|enjoys|hates|dislikes|prefers)_/.test(relation)
  return (
    (anybody.test(text) && !(tastes && /people|folks|others/.test(text))) ||
    (!named.test(relation) && pointing.test(text))
  )
}

/** `tried my best`, `I'm all in for it`. */
export function isIdiom({ tree, relation, verb, noun }: Told): boolean {
  return idioms.has(`${lemma(tree, verb)}_${noun}`) || idiomRelations.test(relation)
}

/** `games like this`. */
export function isLikeThis({ tree, lastAt, words }: Told): boolean {
  const [like, which] = [word(tree, lastAt + 1), word(tree, lastAt + 2)]
  return (
    lastAt >= 0 &&
    (words.length === 1 || words[0] === 'more') &&
    like === 'like' &&
    /^(?:this|that|these|those|it)$/.test(which)
  )
}

/** `loves those games`: which ones was said before, or shown. */
export function pointsAtObject({ tree, verb, words, relation, lastAt }: Told): boolean {
  if (words.length !== 1 || lastAt < 1 || named.test(relation)) return false
  if (
    !/^(?:love|like|enjoy|hate|want|need|see|hear|miss|play|watch|read|know|have|learn)$/.test(
      lemma(tree, verb),
    )
  )
    return false
  return /^(?:those|these|that|this)$/.test(word(tree, lastAt - 1)) && label(tree, lastAt - 1) === 'det'
}

/** `wants the best`, `proud of how far`, `keen on coming up [with plans]`: no noun ends it. */
export function endsOddly({ tree, relation, lastAt, object }: Told): boolean {
  // `my goal is to be rich`.
  if (/^has_(?:goal|dream|wish|plan)$/.test(relation))
    return /^(?:JJ|VBG)$/.test(xpos(tree, lastAt)) || (xpos(tree, lastAt) === 'VB' && !/ /.test(object))
  if (
    lastAt < 0 ||
    /^(?:is|was|has_|favourite_|speaks|can|does)/.test(relation) ||
    /\p{Lu}|\d|-/u.test(object)
  )
    return false
  // `understanding [myself]`.
  const next = xpos(tree, lastAt + 1)
  if (next === 'PRP' && label(tree, lastAt + 1) === 'obj') return true
  // `passionate about making [sure]`.
  if (/^(?:making|doing|getting|having|being|taking|going)$/.test(object)) return true
  if (/^JJ/.test(xpos(tree, lastAt)))
    return !isNominal(tree, lastAt) && !/^(?:allergic_to|fluent_in)$/.test(relation)
  if (/^(?:RBS|IN|RP|DT|TO|MD|PRP|VB[ZPD]|W.*)$/.test(xpos(tree, lastAt))) return true
  return word(tree, lastAt) === 'far' || (xpos(tree, lastAt) === 'RB' && /^(?:IN|TO)$/.test(next))
}

/** `an android`, `the outdoors`: nouns that the parser does not know as such. */
function isNominal(tree: Tree, i: number): boolean {
  if (/^(?:JJ|NN|,)/.test(xpos(tree, i + 1))) return false
  const before = word(tree, i - 1)
  return (
    /^an?$/.test(before) ||
    (before === 'the' && !/^(?:best|worst|left|right|same|most|least)$/.test(word(tree, i)))
  )
}

/** `went to a poetry [reading]`: another noun follows that the parser did not join. */
export function isCutCompound({ tree, lastAt, relation }: Told): boolean {
  const next = lastAt + 1
  // `has lots of kids' books`.
  if (lastAt >= 0 && xpos(tree, next) === 'POS') return true
  if (lastAt < 0 || /^(?:is|was|has_)/.test(relation) || !/^NNS?$/.test(xpos(tree, lastAt))) return false
  return (
    /^(?:NNP?S?|VBG)$/.test(xpos(tree, next)) &&
    /^\p{Ll}/u.test(tree.words[next] ?? '') &&
    /^(?:(?:obl|nmod)(?::unmarked)?|obj|dep|compound|nsubj|flat)$/.test(label(tree, next)) &&
    !isTimeWord(word(tree, next), xpos(tree, next)) &&
    childrenOf(tree, next, 'det', 'case', 'mark').length === 0
  )
}

/** `got to mess with it`, `hiking in the hills and exploring caves`: a verb that was taken for a noun. */
export function isAct({ tree, relation, words, support }: Told): boolean {
  const object = support[2] ?? -1
  const bare = !/_/.test(relation) && childrenOf(tree, object, 'case').some((i) => word(tree, i) === 'to')
  return bare || (/_(?:in|at|near)$/.test(relation) && xpos(tree, at(tree, words[0] ?? '')) === 'VBG')
}

/** `went to a workshop in Rome`, `signed up for a course at the lake`: the place is that of the workshop. */
export function isPlaceOfGoal({ tree, relation, object, verb }: Told): boolean {
  if (isCanonical(relation) || /\d/.test(object)) return false
  const place =
    /_(?:in|at|near|by|along|around|under)$/.test(relation) && !/_(?:in|at|near|by)_/.test(relation)
  const ties = childrenOf(tree, verb, 'obl')
    .filter((i) => !isTimeWord(word(tree, i), xpos(tree, i)))
    .map((i) => prepositionOf(tree, i))
  return (
    place && childOf(tree, verb, 'obj') === undefined && ties.some((tie) => tie === 'to' || tie === 'for')
  )
}

/** `wanted the room to look bright`: not the room is wanted. */
export function isWishedOf({ tree, verb, support }: Told): boolean {
  const object = support[2] ?? -1
  return (
    /^(?:want|need|like|expect)$/.test(lemma(tree, verb)) &&
    [...childrenOf(tree, verb, 'xcomp', 'ccomp', 'advcl'), ...childrenOf(tree, object, 'acl')].some(
      (i) => i > object && childrenOf(tree, i, 'mark').some((mark) => word(tree, mark) === 'to'),
    )
  )
}

/** `took them home`, and `it` where what it means stands in another sentence: often something else is meant. */
export function isThem({ tree, support, words }: Told): boolean {
  const form = word(tree, support[2] ?? -1)
  return form === 'them' || (form === 'it' && at(tree, words.at(-1) ?? '') < 0)
}

/** `the change I need`, `the park we walk`: what such a clause takes is its object only when something was made or done. */
export function isAntecedent({ tree, relation, verb, support }: Told): boolean {
  const object = support[2] ?? -1
  return (
    !relation.includes('_') &&
    label(tree, verb) === 'acl:relcl' &&
    head(tree, verb) === object &&
    /^VB[PZ]?$/.test(xpos(tree, verb)) &&
    childOf(tree, verb, 'aux') === undefined
  )
}

/** `I love the freedom it brings`: the clause says which. */
export function isToldByClause({ tree, support, lastAt }: Told): boolean {
  const object = support[2] ?? lastAt
  const clauses = [object, ...childrenOf(tree, object, 'conj')].flatMap((i) =>
    childrenOf(tree, i, 'acl:relcl'),
  )
  return clauses.some((clause) =>
    childrenOf(tree, clause, 'nsubj').some((i) => /^(?:it|he|she|they)$/.test(word(tree, i))),
  )
}
