import type { Token } from './tokens.ts'

const longestContrast = 4
/** Words after which `, not …` is more than a thing that is meant instead. */
const more =
  /^(?:only|just|even|yet|sure|really|so|too|always|that|because|to|if|when|as|necessarily|quite|very|much|many|all|anymore|until|every|everyone|bad|for|like|well|surprisingly|knowing|being|is|are|was|do|does|did|have|has|had|will|would|can|could|i|he|she|it|we|they|you)$/i

/** Where `, not` or `rather than` begins and its last word stands; null when neither does here. */
function contrastAt(tokens: readonly Token[], at: number): { from: number; last: number } | null {
  const [before, form, after] = [at - 1, at, at + 1].map((i) => (tokens[i]?.form ?? '').toLowerCase())
  if ((form === 'rather' && after === 'than') || (form === 'instead' && after === 'of'))
    return { from: before === ',' ? at - 1 : at, last: at + 1 }
  if (form !== 'not' || !/^(?:,|and)$/.test(before ?? '') || at < 4) return null
  return { from: tokens[at - 2]?.form === ',' ? at - 2 : at - 1, last: at }
}

/** `I live in Bonn, not Berlin`, `in Bonn rather than Berlin`: what it is not is left out, so that nothing is said of it. */
export function withoutContrast(tokens: readonly Token[]): Token[] {
  for (const begin of tokens.keys()) {
    const found = begin < 3 ? null : contrastAt(tokens, begin)
    if (found === null) continue
    const { from, last: at } = found
    const end = tokens.findIndex((token, i) => i > at && /^[.,!?;:]+$/.test(token.form))
    const to = end < 0 ? tokens.length : end
    const words = tokens.slice(at + 1, to)
    if (words.length === 0 || words.length > longestContrast) continue
    if (words.some((word) => more.test(word.form)) || /ing$/.test(words[0]?.form ?? '')) continue
    return [...tokens.slice(0, from), ...tokens.slice(to)]
  }
  return [...tokens]
}
