/** Relations whose first word is no verb: the fact reads with "is". */
const adjectives = new Set(
  `allergic married born interested afraid engaged named located based good bad fond proud scared related known
   responsible familiar tired excited happy worried obsessed passionate addicted vegan vegetarian from fluent
   divorced single pregnant diagnosed owned written directed founded created produced part`.split(/\s+/),
)

/** `lives` is `live`, `goes` is `go`, `studies` is `study`: the form behind "does not". */
function baseForm(verb: string): string {
  if (verb === 'has') return 'have'
  if (/(?:[sxz]|ch|sh|o)es$/.test(verb)) return verb.slice(0, -2)
  if (/[^aeiou]ies$/.test(verb)) return `${verb.slice(0, -3)}y`
  return /[^s]s$/.test(verb) ? verb.slice(0, -1) : verb
}

function predicate(words: readonly string[], negated: boolean): string {
  const [verb = '', ...rest] = words
  if (adjectives.has(verb)) return ['is', ...(negated ? ['not'] : []), ...words].join(' ')
  if (!negated) return words.join(' ')
  if (/^(?:is|was|are|were|can|will|could|would|should|must)$/.test(verb))
    return [verb, 'not', ...rest].join(' ')
  if (verb.endsWith('ed')) return ['has not', ...words].join(' ')
  return ['does not', baseForm(verb), ...rest].join(' ')
}

export interface FactWords {
  readonly subject: string
  readonly relation: string
  readonly object: string
  readonly negated: boolean
  readonly when: string | null
}

/** A fact as a person reads it: `user lives in Lisbon`, `user does not eat meat`, `user's favourite colour is green`. */
export function factText({ subject, relation, object, negated, when }: FactWords): string {
  const words = relation.split('_').filter((word) => word !== '')
  const time = when === null || object.includes(when) ? '' : ` (${when})`
  if (words[0] === 'favourite' || words[0] === 'favorite') {
    return `${subject}'s ${words.join(' ')} is ${negated ? 'not ' : ''}${object}${time}`
  }
  return `${subject} ${predicate(words, negated)} ${object}${time}`
}
