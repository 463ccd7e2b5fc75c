import { isGivenName } from '../rules/given-names.ts'
import { isRole } from '../rules/vocabulary.ts'
import { irregularPast } from './irregular.ts'
import { singular } from './lemmas.ts'
import type { Token } from './tokens.ts'

const joining = /^(?:and|but|while|whereas|,)$/i
const possessive = /^(?:my|our|his|her|their)$/i
/** With one of these the first clause is more than a plain statement, and the second may hang on it. */
const unplain =
  /^(?:if|unless|whether|maybe|perhaps|think|guess|hope|wish|imagine|might|would|could|should|suppose|pretend|both|between|either|neither)$/i
const notVerb =
  /^(?:as|this|his|its|us|always|sometimes|besides|across|plus|versus|vs|named|called|afterwards|towards|perhaps)$/
const adverb =
  /^(?:also|still|now|just|currently|only|never|already|recently|always|usually|often|sometimes)$/
const pasts = new Set(irregularPast.values())
const longestSubject = 5

/** Verbs whose plain form the parser likes to take for a noun. */
const verbOrNoun =
  /^(?:work|study|volunteer|train|play|run|travel|drive|cook|coach|teach|commute|live|surf|swim|dance|paint|cycle|hike|code|sail|climb|tutor|mentor|freelance|trade|manage|rent|host|speak|own)$/
const afterVerb = /^(?:in|at|for|as|with|near|on|from|a|an|the|my|our|part-time|full-time)$/
const plainSubject = /^(?:I|we|they)$/i
const goesTo = /^(?:go|move|moved|went|commute|travel|drive|walk|cycle)$/

/**
 * Cuts `my wife works as a nurse | and my son studies in Graz`: two statements about different people, each of which
 * the parser reads well alone, and `I live in Oslo | and work at Siemens`, where the second gets the subject of the
 * first. A sentence without such a place comes back whole.
 */
export function splitCoordinated(
  tokens: readonly Token[],
  { question, talk }: { question: boolean; talk: boolean },
): (readonly Token[])[] {
  const forms = tokens.map(({ form }) => form)
  const subject = plainSubject.test(forms[0] ?? '') ? tokens.slice(0, 1) : []
  const parts: (readonly Token[])[] = []
  let from = 0
  let opening: readonly Token[] = []
  for (let at = 0; at < forms.length && !question && !unplain.test(forms[at] ?? ''); at++) {
    const goesOn = subject.length > 0 && continuesPlainly(forms, from, at)
    const spliced = talk ? splicedClause(forms, from, at) : 0
    if (!goesOn && !spliced && !(startsStatement(forms, at) && isStatement(forms.slice(from, at)))) continue
    parts.push([...opening, ...tokens.slice(from, at)])
    from = at + 1 + Math.max(0, spliced - 1)
    opening = goesOn ? subject : []
  }
  parts.push([...opening, ...tokens.slice(from)])
  return parts
}

const subordinating =
  /^(?:when|whenever|if|unless|after|before|since|because|although|though|while|as|once|until|even|given|what|where|whether|that|who|which|in|on|at|by|for|during|last|next|this)$/i
const clauseSubject = /^(?:i|we|he|she|they|it)$/i
const clauseJoin = /^(?:so|but|and|because|plus|then)$/i

/**
 * `Sold the car, I take the bus now`: talk joins clauses of their own with a comma. Gives how many words the joint takes;
 * 0 where none stands. A clause that the first words make depend on the next is no clause of its own.
 */
function splicedClause(forms: readonly string[], from: number, at: number): number {
  const first = forms[from] ?? ''
  if (forms[at] !== ',' || at - from < 2 || subordinating.test(first)) return 0
  const joint = clauseJoin.test(forms[at + 1] ?? '') ? 2 : 1
  const next = at + joint
  const subject = forms[next] ?? ''
  const opens = clauseSubject.test(subject) || (possessive.test(subject) && ownedSubject(forms, next))
  return opens && forms.length - next > 2 ? joint : 0
}

/** `my flight lands`, `her name is`. */
function ownedSubject(forms: readonly string[], at: number): boolean {
  const verb = [2, 3].map((step) => at + step).find((i) => looksLikeVerb(forms[i] ?? ''))
  return verb !== undefined && /^\p{Ll}+$/u.test(forms[at + 1] ?? '')
}

/** Whether `and work at` stands here, behind something that is plainly done: no wish, no plan, no ability. */
function continuesPlainly(forms: readonly string[], from: number, at: number): boolean {
  if (!/^and$/i.test(forms[at] ?? '') || at - from < 3) return false
  let next = at + 1
  while (adverb.test(forms[next] ?? '')) next++
  const verb = forms[next] ?? ''
  const after = forms[next + 1] ?? ''
  const isVerb =
    verbOrNoun.test(verb) && (afterVerb.test(after) || (verb === 'study' && /^\p{L}/u.test(after)))
  const before = forms.slice(1, at)
  const isPlain =
    /^\p{Ll}{2,}$/u.test(before[0] ?? '') &&
    !/^(?:can|will|may|must|want|need|plan|hope|try|used|had|have|like|love|let|help)$/.test(before[0] ?? '')
  const infinitive = before.indexOf('to')
  return isVerb && isPlain && (infinitive < 0 || goesTo.test(before[infinitive - 1] ?? ''))
}

/** Whether `and my son [Ben] studies`, `and Ben studies` or `and my email is` stands here. */
function startsStatement(forms: readonly string[], at: number): boolean {
  if (!joining.test(forms[at] ?? '')) return false
  if (/^my (?:\p{Ll}+ ){1,3}is$/u.test(forms.slice(at + 1, forms.indexOf('is', at) + 1).join(' ')))
    return true
  let next = at + 1
  if (possessive.test(forms[next] ?? '')) {
    const end = next + longestSubject
    while (next < end && !isRole((forms[next] ?? '').toLowerCase())) next++
    if (next === end) return false
    next++
    while (/^\p{Lu}\p{Ll}/u.test(forms[next] ?? '')) next++
  } else if (isGivenName(forms[next] ?? '')) next++
  else return false
  while (adverb.test(forms[next] ?? '')) next++
  return looksLikeVerb(forms[next] ?? '')
}

function looksLikeVerb(form: string): boolean {
  if (notVerb.test(form) || isRole(singular(form))) return false
  return (
    /^\p{Ll}+(?:[^s'\P{L}]s|ed)$/u.test(form) ||
    pasts.has(form) ||
    /^(?:is|was|has|does|can|will)$/.test(form)
  )
}

/** More than a list of people: something is said of them. */
function isStatement(forms: readonly string[]): boolean {
  const said = forms.filter(
    (form, i) =>
      /\p{L}/u.test(form) &&
      !possessive.test(form) &&
      !joining.test(form) &&
      !isRole(singular(form.toLowerCase())) &&
      !(/^\p{Lu}/u.test(form) && (i > 0 || isGivenName(form))) &&
      !/^(?:the|older|younger|best|both|also)$/i.test(form),
  )
  return said.length >= 2 || said.some((form) => looksLikeVerb(form))
}
