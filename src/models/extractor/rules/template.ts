import type { Phrase } from '../grammar/phrase.ts'
import { sliceOf, type Tree, word, xpos } from '../grammar/tree.ts'
import { attributeRelation } from './attribute.ts'
import type { FactDraft } from './draft.ts'
import { type Naming, nameOf } from './entities.ts'
import { cleanName } from './names.ts'

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
