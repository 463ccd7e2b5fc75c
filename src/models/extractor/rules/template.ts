import type { Phrase } from '../grammar/phrase.ts'
import { sliceOf, type Tree, word, xpos } from '../grammar/tree.ts'
import { attributeRelation } from './attribute.ts'
import type { FactDraft } from './draft.ts'
import { type Naming, nameOf } from './entities.ts'
import { cleanName } from './names.ts'
import { isOccupation, isRole } from './vocabulary.ts'

const longestAttribute = 6
const longestValue = 8
const possessive = /^(?:my|our|your)$/

/**
 * `My favourite book of all time is Dune`, read word by word where the parser lost its way: a possessive, an attribute
 * that the table knows, a form of `be`, and a value up to the end. Null when the sentence has not exactly that form.
 */
export function templateFact(tree: Tree, naming: Naming): FactDraft | null {
  const be = tree.words.findIndex((form) => /^(?:is|are|was|'s)$/i.test(form))
  if (!possessive.test(word(tree, 0)) || be < 2 || be > longestAttribute + 1) return null
  const last = tree.words.findLastIndex((form) => !/^[.!,]+$/.test(form))
  const value = cleanName(sliceOf(tree, range(be + 1, last)))
  if (last <= be || last - be > longestValue || !value || /[,;:]/.test(value)) return null
  if (range(be + 1, last).some((i) => /^(?:VB[DZP]|MD|WP|WRB|CC|PRP)$/.test(xpos(tree, i)))) return null
  const relation = attributeRelation(attribute(tree, range(1, be - 1)))
  const owner = nameOf({ ...attribute(tree, [0]), kind: 'pronoun' }, 'owner', naming)
  if (!relation || owner === null) return null
  const plain = { negated: false, ended: false, hypothetical: false, when: null }
  return { ...plain, subject: owner, relation, object: value, base: 0.8, support: [] }
}

const plainDraft = { negated: false, ended: false, hypothetical: false, when: null, support: [] }

/** Short forms that name a value and what it is of. */
const forms: readonly RegExp[] = [
  // New email: ann@b.example. I have a new number: 555-0199. Favourite band: Blur.
  /^(?:(?:i|we)(?:'ve| have)? (?:have |got |have got )?(?:a |an )?)?(?:my |our )?(?:new |current )?(?<what>[\p{L}' -]{3,30}?)(?: as of [\p{L} ]+| from (?:now on|today)| now)?\s*:\s+(?<value>\S.{0,40})$/iu,
  // They raised my rent to 780 pounds.
  /\b(?:raised|changed|increased|lowered|updated|moved|cut|reduced|dropped|bumped|set|put|make|made) (?:up |down )?(?:my|our|the (?=rent|price|fee|deadline|budget)) ?(?<what>\p{L}+(?: \p{L}+)??)(?: up| down| back)?(?: to)? (?<value>[$€£]?\d\S*(?: \p{L}+)?)$/iu,
]

/** The fact of a short form; null for sentences of any other shape. */
export function labelledFact(tree: Tree, naming: Naming): FactDraft | null {
  const { me } = naming.discourse
  const [first, last] = [tree.tokens[0], tree.tokens.at(-1)]
  if (me === null || !first || !last) return null
  const text = tree.text.slice(first.start, last.end).replace(/[.!,;\s]+$/, '')
  for (const form of forms) {
    const found = form.exec(text)?.groups
    const what = found?.what?.trim().toLowerCase() ?? ''
    const phrase = { ...attribute(tree, [0]), text: what, noun: what.split(' ').at(-1) ?? '' }
    const relation = isRole(what) ? `has_${what}` : attributeRelation({ ...phrase, owner: phrase })
    const value = cleanName(found?.value ?? '')
    if (what && value && relation && !/[,;:]/.test(value))
      return { ...plainDraft, subject: me, relation, object: value, base: 0.8 }
  }
  const made = /\b(?:made|promoted) me(?: to| into)? (?:the |an? )?(\p{L}[\p{L} -]{2,40})$/iu.exec(text)?.[1]
  if (made && isOccupation(made.split(' ').at(-1) ?? ''))
    return { ...plainDraft, subject: me, relation: 'works_as', object: made, base: 0.8 }
  const birthday = /\bmy (\d{1,3})(?:st|nd|rd|th) birthday (?:is )?(?:today|was|yesterday|last|this)/i
  const years = birthday.exec(text)?.[1]
  return years ? { ...plainDraft, subject: me, relation: 'has_age', object: years, base: 0.8 } : null
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => from + k)
}

function attribute(tree: Tree, indices: readonly number[]): Phrase {
  const nouns = indices.filter((i) => /^(?:NN|CD)/.test(xpos(tree, i)))
  const at = nouns.at(-1) ?? indices[0] ?? 0
  return {
    ...{
      at,
      indices,
      text: sliceOf(tree, indices),
      noun: tree.lemmas[at] ?? '',
      kind: 'noun',
      isTime: false,
    },
    ...{ plural: false, determiner: null, modifiers: [], appositions: [], givenNames: [], others: [] },
    owner: indices[0] === 0 ? null : attribute(tree, [0]),
  }
}
