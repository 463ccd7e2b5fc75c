/** The title in front of a document's text, `Title: text`, and where the text begins. */
export interface Title {
  readonly name: string
  readonly length: number
}

const longest = 90
const pattern = /^\s*([\p{Lu}\p{N}"“(][^\n:]{1,88}(?::[^\n:]{1,40})??):\s+(?=\S)/u

/** Finds the title; null when the text has none. Words without a capital, or a full sentence, are no title. */
export function titleOf(text: string): Title | null {
  const match = pattern.exec(text.slice(0, longest + 10))
  const name = match?.[1]?.trim()
  if (!match || !name || /[.!?]\s+\p{Lu}\p{Ll}+\s\p{Ll}/u.test(name)) return null
  const words = name.split(/\s+/)
  const capitals = words.filter((word) => /^[\p{Lu}\p{N}("“]/u.test(word)).length
  if (words.length > 12 || capitals / words.length < 0.5) return null
  return { name, length: match[0].length }
}

/** `Francisca (film)` → `Francisca`; `William Herbert, 18th Earl of Pembroke` stays. */
export const bareTitle = (name: string): string => name.replace(/\s*\([^)]*\)\s*$/, '').trim()
