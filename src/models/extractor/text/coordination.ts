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

/**
 * Cuts `my wife works as a nurse | and my son studies in Graz`: two statements about different people, each of which
 * the parser reads well alone. A sentence without such a place comes back whole.
 */
export function splitCoordinated(tokens: readonly Token[], question: boolean): (readonly Token[])[] {
  const forms = tokens.map(({ form }) => form)
  const cuts = question ? [] : forms.flatMap((_, at) => (startsStatement(forms, at) ? [at] : []))
  const parts: (readonly Token[])[] = []
  let from = 0
  for (const at of cuts) {
    const before = forms.slice(from, at)
    if (forms.slice(0, at).some((form) => unplain.test(form)) || !isStatement(before)) continue
    parts.push(tokens.slice(from, at))
    from = at + 1
  }
  parts.push(tokens.slice(from))
  return parts
}

/** Whether `and my son [Ben] studies` or `and Ben studies` stands here. */
function startsStatement(forms: readonly string[], at: number): boolean {
  if (!joining.test(forms[at] ?? '')) return false
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
