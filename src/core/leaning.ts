const thirdPerson = /\b(?:she|he|they|her|him|his|their|them)\b/i

/** Whether a text may lean on what was told before it: a pronoun of the third person may stand for somebody named there. */
export const leansOnBefore = (text: string): boolean => thirdPerson.test(text)

/** Texts that one may lean on, at most: further back nobody is meant any more. */
export const mostBefore = 6
/** Characters of them: more would not be read with a text in any language. */
const longestBefore = 1_280

/** What was told last, in its order, as one text to lean on; null for none. */
export function toldTogether(texts: readonly string[]): string | null {
  const last = texts.slice(-mostBefore).map((text) =>
    text
      .slice(-longestBefore)
      .trim()
      .replace(/[^.!?…]$/u, '$&.'),
  )
  return last.length === 0 ? null : last.join(' ').slice(-longestBefore)
}
