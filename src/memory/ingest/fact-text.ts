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

type Polarity = '' | 'not' | 'no longer'

function predicate(words: readonly string[], polarity: Polarity): string {
  const [verb = '', ...rest] = words
  if (adjectives.has(verb)) return ['is', ...(polarity === '' ? [] : [polarity]), ...words].join(' ')
  if (polarity === '') return words.join(' ')
  if (/^(?:is|was|are|were|can|will|could|would|should|must)$/.test(verb))
    return [verb, polarity, ...rest].join(' ')
  if (polarity === 'no longer') return [polarity, ...words].join(' ')
  if (verb.endsWith('ed')) return ['has not', ...words].join(' ')
  return ['does not', baseForm(verb), ...rest].join(' ')
}

export interface FactWords {
  readonly subject: string
  readonly relation: string
  readonly object: string
  readonly negated: boolean
  /** It says that this no longer holds. */
  readonly ended: boolean
  readonly when: string | null
}

/** A fact as a person reads it: `user lives in Lisbon`, `user does not eat meat`, `user no longer works at Siemens`. */
export function factText({ subject, relation, object, negated, ended, when }: FactWords): string {
  const named = relation.split('_').filter((word) => word !== '')
  // `has_dog`, where all that is known is that it is a dog.
  const words = named.length > 1 && named.at(-1) === object.toLowerCase() ? named.slice(0, -1) : named
  const denied = negated ? 'not' : ''
  const polarity: Polarity = ended && !negated ? 'no longer' : denied
  const time = when === null || object.includes(when) ? '' : ` (${when})`
  if (words[0] === 'favourite' || words[0] === 'favorite') {
    return `${subject}'s ${words.join(' ')} is ${polarity === '' ? '' : `${polarity} `}${object}${time}`
  }
  return `${subject} ${predicate(words, polarity)} ${object}${time}`
}
