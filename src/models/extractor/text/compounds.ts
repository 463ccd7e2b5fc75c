import { isRole } from '../rules/vocabulary.ts'

/** Endings of compound adjectives: `left-handed`, `gluten-free`. */
const compoundAdjective =
  /^\p{L}+-(?:handed|free|blind|intolerant|employed|minded|hearted|headed|binary|old|time|friendly|based|eyed|haired)$/iu
const compoundPrefix =
  /^(?:pre|non|post|self|anti|semi|multi|mid|inter|intra|sub|neo|pro|sci|hip|re|full|short|long|high|low|third|second|first|post)-\p{L}+$/iu
const tens =
  /^(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)-(?:one|two|three|four|five|six|seven|eight|nine)$/i
const prefixed = /^(?:ex|half|step|co|great|twin|foster|god)-(\p{L}+)$/iu
const inLaw = /^(\p{L}+)-in-law$/iu

/** Hyphenated words that are one word to the rules: they are not cut, and the parser sees a plain word instead. */
export function isOneWord(word: string): boolean {
  return plainTwin(word) !== null
}

/** A common word of the same kind; null when the word needs none. */
export function plainTwin(word: string): string | null {
  if (!word.includes('-')) return null
  const law = inLaw.exec(word)?.[1]
  if (law) return law.toLowerCase()
  const role = prefixed.exec(word)?.[1]?.toLowerCase()
  if (role && (isRole(role) || role === 'worker' || role === 'founder'))
    return role === 'worker' ? 'friend' : role
  if (tens.test(word)) return '32'
  if (/^\d{1,3}-year-old$/i.test(word)) return 'young'
  if (/^\p{Ll}+(?:-\p{Ll}+){2,}$/u.test(word)) return 'tall'
  if (/^go-to$/i.test(word)) return 'favorite'
  if (/^(?:to-do|must-see|must-have)$/i.test(word)) return 'tall'
  return compoundAdjective.test(word) || compoundPrefix.test(word) ? 'tall' : null
}
