import { amounts, isRole, people, pets } from '../rules/vocabulary.ts'
import { isDatePart, isMonth, isTimeWord, isYear } from './time-words.ts'
import {
  childOf,
  childrenOf,
  head,
  label,
  lemma,
  prepositionOf,
  runAround,
  sliceOf,
  subtree,
  type Tree,
  upos,
  word,
  xpos,
} from './tree.ts'

/** A noun phrase: what stands for something in a clause. */
export interface Phrase {
  readonly at: number
  readonly indices: readonly number[]
  /** As it stands in the text, without articles and possessors. */
  readonly text: string
  /** Lemma of its head, in lower case. */
  readonly noun: string
  readonly kind: 'name' | 'noun' | 'pronoun' | 'number' | 'activity'
  readonly isTime: boolean
  readonly plural: boolean
  /** `the`, `a`, `no`, …; null without one. */
  readonly determiner: string | null
  readonly owner: Phrase | null
  readonly modifiers: readonly Modifier[]
  readonly appositions: readonly Phrase[]
  /** Names given to it by `named X`, `called X`. */
  readonly givenNames: readonly Phrase[]
  /** The other members of its coordination, in order; each has none of its own. */
  readonly others: readonly Phrase[]
}

export interface Modifier {
  readonly preposition: string
  readonly phrase: Phrase
}

/** A phrase and the other members of its coordination. */
export const membersOf = (phrase: Phrase): readonly Phrase[] => [phrase, ...phrase.others]

const inside = new Set(['compound', 'flat', 'nummod', 'goeswith', 'fixed', 'nmod:desc'])
const joiners = /^[-/'&.]$/
const indefinite =
  /^(?:one|something|anything|everything|nothing|someone|somebody|anyone|anybody|everyone|everybody|nobody|none)$/
const partWords = /^(?:one|some|many|most|all|each|both|any|several|two|three|four|five|six)$/
const clockUnit = /^(?:am|pm|a\.m\.?|p\.m\.?|o'clock)$/
/** Deep nesting is noise, or an attack. */
const deepest = 5

/** The noun phrase whose head is word `i`; null where nesting is too deep. */
export function phraseAt(tree: Tree, i: number, depth = 0): Phrase | null {
  if (depth > deepest) return null
  const amount = amountOf(tree, i) ?? classOfName(tree, i)
  if (amount !== undefined) return phraseAt(tree, amount, depth + 1)
  const swapped = depth < deepest ? roleBeforeName(tree, i, depth) : null
  return swapped ?? plainPhrase(tree, i, depth)
}

function plainPhrase(tree: Tree, i: number, depth: number): Phrase {
  const nested = (child: number) => phraseAt(tree, child, depth + 1)
  const ownerAt = childOf(tree, i, 'nmod:poss')
  const ownerInName =
    ownerAt !== undefined && isName(tree, i) && isName(tree, ownerAt) && ownsInName(tree, i, ownerAt)
  const core = coreIndices(tree, i, ownerInName ? ownerAt : undefined)
  const time = isTimePhrase(tree, i, core)
  const indices = time ? timeIndices(tree, i, core) : runAround(core, i)
  const activity = upos(tree, i) === 'VERB' || (xpos(tree, i) === 'VBG' && upos(tree, i) !== 'NOUN')
  const determiner = childOf(tree, i, 'det')
  const plural = /^NNP?S$/.test(xpos(tree, i)) || /^(?:they|them|we|us|these|those)$/.test(word(tree, i))
  const owner = ownerAt === undefined || ownerInName ? null : nested(ownerAt)
  const joined =
    depth > 2
      ? []
      : conjunctsOf(tree, i)
          .map(nested)
          .filter(isPhrase)
          .flatMap(membersOf)
          .map((other) => sharingOwner(other, owner, isRole(lemma(tree, i))))
  // `two sons, Adam and Ben`: names after a plural are theirs.
  const theirs = plural && isRole(lemma(tree, i)) && !isName(tree, i)
  const explained = appositionsOf(tree, i).map(nested).filter(isPhrase)
  const listed = theirs
    ? [...explained, ...joined].flatMap(membersOf).filter(({ kind }) => kind === 'name')
    : []
  return {
    at: i,
    indices,
    text: activity ? activityText(tree, i) : sliceOf(tree, indices),
    noun: lemma(tree, i),
    kind: kindOf(tree, i, activity),
    isTime: time,
    plural,
    determiner: determiner === undefined ? null : word(tree, determiner),
    owner,
    modifiers: modifiersOf(tree, i, indices, nested),
    appositions: listed.length > 0 ? [] : explained,
    givenNames: [...givenNamesOf(tree, i).map(nested).filter(isPhrase).flatMap(membersOf), ...listed],
    others: joined.filter((one) => !listed.includes(one)),
  }
}

/** `my mom and dad`: both are mine; `their style and colour`: both are theirs. */
function sharingOwner(other: Phrase, owner: Phrase | null, isRoleFirst: boolean): Phrase {
  if (owner === null || other.owner || other.determiner !== null) return other
  const theirs = /^(?:their|its|your)$/i.test(owner.text) && other.indices.length === 1
  return theirs || (isRoleFirst && isRolePhrase(other)) ? { ...other, owner } : other
}

const isPhrase = (phrase: Phrase | null): phrase is Phrase => phrase !== null

function kindOf(tree: Tree, i: number, activity: boolean): Phrase['kind'] {
  if (upos(tree, i) === 'PRON' && !indefinite.test(word(tree, i))) return 'pronoun'
  if (isName(tree, i)) return 'name'
  if (upos(tree, i) === 'NUM') return 'number'
  return activity ? 'activity' : 'noun'
}

/** A proper noun, or a capitalised word inside a sentence. */
export function isName(tree: Tree, i: number): boolean {
  if (upos(tree, i) === 'PROPN') return !isTimeWord(word(tree, i), xpos(tree, i))
  if (!/^(?:NOUN|ADJ|X|VERB)$/.test(upos(tree, i)) || i === 0) return false
  return /^\p{Lu}/u.test(tree.words[i] ?? '') && /^\p{Ll}|^\p{Lu}\p{Ll}+$/u.test(tree.words[i - 1] ?? '')
}

/** `a bit of German`: the index of `German`. */
function amountOf(tree: Tree, i: number): number | undefined {
  if (
    !(amounts.has(lemma(tree, i)) || partWords.test(word(tree, i))) ||
    childOf(tree, i, 'cop') !== undefined
  )
    return undefined
  return childrenOf(tree, i, 'nmod').find((child) => prepositionOf(tree, child) === 'of')
}

const placeClass =
  /^(?:town|city|village|county|state|province|district|island|kingdom|republic|municipality|borough|parish|region|commune|hamlet|suburb|nation|country|planet|month|year)$/

/** `the town of Sławno`: the index of `Sławno`. */
function classOfName(tree: Tree, i: number): number | undefined {
  if (upos(tree, i) !== 'NOUN' || !placeClass.test(lemma(tree, i)) || childOf(tree, i, 'cop') !== undefined)
    return undefined
  return childrenOf(tree, i, 'nmod').find(
    (child) => prepositionOf(tree, child) === 'of' && isName(tree, child),
  )
}

/** `St. Mary's Hospital` is one name, `Maria's Toyota` is not. */
function ownsInName(tree: Tree, i: number, owner: number): boolean {
  const kind = tree.names[i]
  return kind !== null && kind === tree.names[owner]
}

function coreIndices(tree: Tree, i: number, ownerInName: number | undefined): number[] {
  const result = [i]
  for (const child of tree.children[i] ?? []) {
    const role = label(tree, child)
    // `an amazing drive one summer day`, but `Pixel 7`; `Rex's been ill`.
    if (role === 'nummod' && child > i && !/\d/.test(word(tree, child))) continue
    if (role === 'flat' && xpos(tree, child) === 'VBZ') continue
    if (inside.has(role) || (role === 'nmod:unmarked' && (child < i || belongsBehind(tree, i, child))))
      result.push(...subtree(tree, child, partOfName(tree)))
    else if (role === 'amod' && child < i) result.push(...subtree(tree, child, partOfName(tree)))
    else if (role === 'punct' && child < i && joiners.test(tree.words[child] ?? '')) result.push(child)
    else if (role === 'nmod' && child > i && prepositionOf(tree, child) === 'of') {
      result.push(...ofPart(tree, child))
    } else if (role === 'nmod' && child < i && isName(tree, child) && prepositionOf(tree, child) === null) {
      result.push(...subtree(tree, child, partOfName(tree)))
    }
  }
  if (ownerInName !== undefined) result.push(...subtree(tree, ownerInName))
  return result
}

/** `9 am`, and `LGBTQ youth` where the parser takes the first noun for the head. */
function belongsBehind(tree: Tree, i: number, child: number): boolean {
  if (clockUnit.test(word(tree, child))) return true
  return (
    child === i + 1 &&
    upos(tree, child) === 'NOUN' &&
    /^NNP?S?$/.test(xpos(tree, i)) &&
    !isTimeWord(word(tree, child), xpos(tree, child)) &&
    childOf(tree, child, 'det', 'nummod', 'case') === undefined
  )
}

/** Clauses, appositions and lists below a word are not part of the phrase's text. */
function partOfName(tree: Tree): (child: number) => boolean {
  const cut = new Set(['cc', 'conj', 'acl:relcl', 'acl', 'appos', 'parataxis', 'advcl', 'det'])
  return (child) => {
    if (label(tree, child) === 'punct') return joiners.test(tree.words[child] ?? '')
    const inAdjective = upos(tree, head(tree, child)) === 'ADJ' && /^(?:cc|conj)$/.test(label(tree, child))
    return inAdjective || !cut.has(label(tree, child))
  }
}

/** `of the University of Porto`: preposition, article and noun, without what hangs below in clauses. */
function ofPart(tree: Tree, child: number): number[] {
  const small = childrenOf(tree, child, 'case', 'det', 'nmod:poss').flatMap((part) => subtree(tree, part))
  return [...small, ...coreIndices(tree, child, undefined)]
}

function isTimePhrase(tree: Tree, i: number, core: readonly number[]): boolean {
  if (isTimeWord(word(tree, i), xpos(tree, i))) {
    return (
      childOf(tree, i, 'nmod:poss') === undefined &&
      !core.some(
        (k) =>
          k !== i &&
          /^(?:NNPS?)$/.test(xpos(tree, k)) &&
          !isDatePart(word(tree, k)) &&
          !isTimeWord(word(tree, k), ''),
      )
    )
  }
  if (/^\d{1,2}(?:st|nd|rd|th)?$/.test(word(tree, i)) && isMonth(word(tree, i + 1))) return true
  const hasMonth = core.some((k) => isMonth(word(tree, k)) && /^(?:NNP|CD)$/.test(xpos(tree, k)))
  if (hasMonth && core.some((k) => /^\d/.test(word(tree, k)))) return true
  return upos(tree, i) === 'NUM' && (isYear(word(tree, i)) || core.some((k) => clockUnit.test(word(tree, k))))
}

/** Dates take in their neighbours (`March 3, 1990`); `this`, `last`, `every` belong to the time. */
function timeIndices(tree: Tree, i: number, core: readonly number[]): number[] {
  const determiner = childrenOf(tree, i, 'det').filter((k) =>
    /^(?:this|that|every|each|next|last|all)$/.test(word(tree, k)),
  )
  const result = new Set([...runAround(core, i), ...determiner])
  let last = Math.max(...result)
  while (
    tree.words[last + 1] !== undefined &&
    isDatePart(word(tree, last + 1)) &&
    isDatePart(word(tree, last)) &&
    hasDateAfter(tree, last)
  ) {
    last++
    result.add(last)
  }
  const advmod = childrenOf(tree, i, 'advmod').filter(
    (k) => k === Math.max(...result) + 1 && /^(?:ago|later|earlier)$/.test(word(tree, k)),
  )
  for (const k of advmod) result.add(k)
  return [...result]
}

function hasDateAfter(tree: Tree, last: number): boolean {
  const next = word(tree, last + 1)
  return next !== ',' || isYear(word(tree, last + 2))
}

function activityText(tree: Tree, i: number): string {
  const kept = subtree(
    tree,
    i,
    (child) => !/^(?:conj|cc|advcl|parataxis|mark|case|nsubj|aux|punct|ccomp)$/.test(label(tree, child)),
  )
  return sliceOf(tree, runAround(kept, i))
}

function modifiersOf(
  tree: Tree,
  i: number,
  indices: readonly number[],
  nested: (child: number) => Phrase | null,
): Modifier[] {
  return childrenOf(tree, i, 'nmod').flatMap((child) => {
    const preposition = prepositionOf(tree, child)
    if (child < i || !preposition) return []
    if (indices.includes(child) && preposition !== 'of') return []
    const phrase = nested(child)
    return phrase ? [{ preposition, phrase }] : []
  })
}

function appositionsOf(tree: Tree, i: number): number[] {
  const flat = isName(tree, i) ? [] : childrenOf(tree, i, 'flat').filter((child) => isName(tree, child))
  return [...childrenOf(tree, i, 'appos'), ...flat].sort((a, b) => a - b)
}

/** `two cats named Milo and Luna`. */
function givenNamesOf(tree: Tree, i: number): number[] {
  return childrenOf(tree, i, 'acl', 'acl:relcl').flatMap((clause) => {
    if (!/^(?:name|call|nickname)$/.test(lemma(tree, clause))) return []
    const adverb = childrenOf(tree, clause, 'advmod').find((child) =>
      /^\p{Lu}/u.test(tree.words[child] ?? ''),
    )
    const name = childOf(tree, clause, 'xcomp', 'obj', 'obl') ?? adverb
    return name === undefined ? [] : [name]
  })
}

function conjunctsOf(tree: Tree, i: number): number[] {
  return childrenOf(tree, i, 'conj').filter((child) => {
    if (childOf(tree, child, 'nsubj', 'cop', 'nsubj:pass') !== undefined) return false
    if (/^(?:NOUN|PROPN|PRON|NUM|X|SYM)$/.test(upos(tree, child))) return true
    if (upos(tree, child) === 'ADJ') return true
    return (
      xpos(tree, child) === 'VBG' &&
      xpos(tree, i) === 'VBG' &&
      childOf(tree, child, 'obj', 'obl') === undefined
    )
  })
}

/** `my wife Laura`, where the parser takes `wife` for a part of the name. */
function roleBeforeName(tree: Tree, i: number, depth: number): Phrase | null {
  if (!isName(tree, i)) return null
  const role = childrenOf(tree, i, 'compound', 'nmod', 'nmod:unmarked', 'nmod:poss').find(
    (child) => child < i && isRole(word(tree, child)) && !/^\p{Lu}/u.test(tree.words[child] ?? ''),
  )
  const owner =
    childOf(tree, i, 'nmod:poss') ?? (role === undefined ? undefined : childOf(tree, role, 'nmod:poss'))
  if (role === undefined || owner === undefined) return null
  const plain = plainPhrase(tree, i, depth)
  const named = plain.indices.filter((k) => k > role)
  const name: Phrase = {
    ...plain,
    indices: named,
    text: sliceOf(tree, named),
    owner: null,
    others: [],
    appositions: [],
  }
  return {
    ...plain,
    at: role,
    indices: [role],
    text: tree.words[role] ?? '',
    noun: lemma(tree, role),
    kind: 'noun',
    plural: xpos(tree, role) === 'NNS',
    owner: phraseAt(tree, owner, depth + 1),
    appositions: [name],
    modifiers: [],
  }
}

/** Whether the phrase names a person or a pet by a tie to somebody. */
export const isRolePhrase = (phrase: Phrase): boolean =>
  phrase.kind === 'noun' &&
  (people.has(phrase.noun) || pets.has(phrase.noun)) &&
  !/\b(?:password|package|task|file|window|download|content|stuffed|virtual|personal|voice|hot)\s\p{L}+$/iu.test(
    phrase.text,
  )
