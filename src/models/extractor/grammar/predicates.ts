import type { Arguments } from './arguments.ts'
import type { Oblique, Predicate } from './clause.ts'
import { isRolePhrase, type Phrase, phraseAt } from './phrase.ts'
import { childOf, childrenOf, label, lemma, prepositionOf, type Tree, upos, word, xpos } from './tree.ts'

/** The predicate of a copula, and the obliques that are left once it took its own. */
export interface PredicateReading {
  readonly predicate: Predicate | null
  readonly obliques: readonly Oblique[]
}

/** What `be` says at `at`; a null predicate for a full verb. */
export function predicateOf(
  tree: Tree,
  at: number,
  subject: Phrase | null,
  found: Arguments,
): PredicateReading {
  const copula = childOf(tree, at, 'cop') !== undefined
  const bare = !copula && subject !== null && /^(?:NOUN|ADJ|PROPN|NUM|ADV)$/.test(upos(tree, at))
  if (copula || bare) return nominal(tree, at, subject, found)
  if (upos(tree, at) === 'AUX' && lemma(tree, at) === 'be') return beWithPlace(found)
  return { predicate: null, obliques: found.obliques }
}

function nominal(tree: Tree, at: number, subject: Phrase | null, found: Arguments): PredicateReading {
  const age = ageOf(tree, at, subject)
  if (age) return { predicate: { kind: 'age', value: age }, obliques: [] }
  const preposition = prepositionOf(tree, at)
  const adjective =
    /^(?:ADJ|ADV)$/.test(upos(tree, at)) || (upos(tree, at) === 'VERB' && preposition === null)
  const obliques = [...found.obliques, ...activityObliques(tree, at)]
  if (adjective && preposition === null) {
    return { predicate: { kind: 'adjective', text: tree.words[at] ?? '', at }, obliques }
  }
  const phrase = phraseAt(tree, at)
  return { predicate: phrase ? { kind: 'phrase', phrase, preposition } : null, obliques }
}

/** `34 years old`, `I am 34`. */
function ageOf(tree: Tree, at: number, subject: Phrase | null): string | null {
  if (word(tree, at) === 'old') {
    const years = (tree.children[at] ?? []).find((child) =>
      /^(?:years?|months?|weeks?)$/.test(word(tree, child)),
    )
    const number = years === undefined ? childOf(tree, at, 'nummod') : childOf(tree, years, 'nummod')
    if (years !== undefined && /^(?:month|week)/.test(word(tree, years)) && number !== undefined) {
      return `${tree.words[number]} ${tree.words[years]}`
    }
    return number === undefined ? null : (tree.words[number] ?? null)
  }
  if (upos(tree, at) !== 'NUM' || !/^\d{1,3}$|^[a-z-]+$/i.test(tree.words[at] ?? '')) return null
  if (
    (tree.children[at] ?? []).some((child) =>
      /^(?:nmod|compound|nmod:unmarked|case)$/.test(label(tree, child)),
    )
  )
    return null
  const person =
    subject?.kind === 'pronoun'
      ? /^(?:i|he|she|we)$/i.test(subject.text)
      : subject?.kind === 'name' || (subject?.owner && isRolePhrase(subject))
  return person ? (tree.words[at] ?? null) : null
}

/** `good at cooking`, `interested in learning French`. */
function activityObliques(tree: Tree, at: number): Oblique[] {
  return childrenOf(tree, at, 'advcl', 'ccomp').flatMap((child) => {
    const mark = childrenOf(tree, child, 'mark', 'case').map((k) => word(tree, k))[0]
    if (xpos(tree, child) !== 'VBG' || !mark || !/^(?:about|at|in|of|for|from|with|on|to)$/.test(mark))
      return []
    const phrase = phraseAt(tree, child)
    return phrase ? [{ preposition: mark, phrase: { ...phrase, kind: 'activity' as const } }] : []
  })
}

function beWithPlace(found: Arguments): PredicateReading {
  const place = found.obliques.find(({ preposition }) => preposition !== null)
  if (!place) return { predicate: null, obliques: found.obliques }
  return {
    predicate: { kind: 'phrase', phrase: place.phrase, preposition: place.preposition },
    obliques: found.obliques.filter((other) => other !== place),
  }
}
