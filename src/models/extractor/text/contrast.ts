import type { Token } from './tokens.ts'

const longestContrast = 4
/** Words after which `, not …` is more than a thing that is meant instead. */
const more =
  /^(?:only|just|even|yet|sure|really|so|too|always|that|because|to|if|when|as|necessarily|quite|very|much|many|all|anymore|until|every|everyone|bad|for|like|well|surprisingly|knowing|being|is|are|was|do|does|did|have|has|had|will|would|can|could|i|he|she|it|we|they|you)$/i

/** `I live in Bonn, not Berlin`: what it is not is left out, so that nothing is denied of Bonn. */
export function withoutContrast(tokens: readonly Token[]): Token[] {
  for (const [at, { form }] of tokens.entries()) {
    if (form.toLowerCase() !== 'not' || !/^(?:,|and)$/i.test(tokens[at - 1]?.form ?? '') || at < 4) continue
    const from = tokens[at - 2]?.form === ',' ? at - 2 : at - 1
    const end = tokens.findIndex((token, i) => i > at && /^[.,!?;:]+$/.test(token.form))
    const to = end < 0 ? tokens.length : end
    const words = tokens.slice(at + 1, to)
    if (words.length === 0 || words.length > longestContrast) continue
    if (words.some((word) => more.test(word.form)) || /ing$/.test(words[0]?.form ?? '')) continue
    return [...tokens.slice(0, from), ...tokens.slice(to)]
  }
  return [...tokens]
}
