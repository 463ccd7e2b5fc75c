/** The title in front of a document's text, `Title: text`, and where the text begins. */
export interface Title {
  readonly name: string
  readonly length: number
}

const longest = 110

/**
 * Finds the title; null when the text has none. Words without a capital, or a full sentence, are no title. Where the
 * title itself may hold a colon, the part that the text repeats is taken.
 */
export function titleOf(text: string): Title | null {
  const start = text.length - text.trimStart().length
  const candidates: Title[] = []
  for (const match of text.slice(0, longest).matchAll(/:\s+(?=\S)/g)) {
    const name = text.slice(start, match.index).trim()
    const length = match.index + match[0].length
    if (isTitle(name) || isHeading(name, text.slice(length, length + 1))) candidates.push({ name, length })
  }
  const repeated = candidates.filter(({ name, length }) => text.startsWith(bareTitle(name), length))
  return repeated.at(-1) ?? candidates[0] ?? null
}

const small = /^(?:of|the|a|an|in|on|for|and|or|to|at|by|with|from|de|la|le|&)$/

function isTitle(name: string): boolean {
  if (!/^[\p{Lu}\p{N}"“(]/u.test(name) || name.includes('\n') || /[.!?]\s+\p{Lu}\p{Ll}+\s\p{Ll}/u.test(name))
    return false
  const words = name.split(/\s+/).filter((word) => !small.test(word))
  const capitals = words.filter((word) => /^[\p{Lu}\p{N}("“]/u.test(word)).length
  return words.length <= 12 && capitals / words.length >= 0.5
}

/** `Adult contemporary music: In its early years …`: a few words that state nothing, before a sentence. */
function isHeading(name: string, next: string): boolean {
  return (
    /^\p{Lu}[^.!?,;:\n]*$/u.test(name) &&
    /^["“\p{Lu}\p{N}]/u.test(next) &&
    name.split(/\s+/).length <= 7 &&
    !/\b(?:is|are|was|were|has|have|had|will|can|i|you|he|she|it|we|they|my|your|this|that|these|here|please)\b/i.test(
      name,
    )
  )
}

/** `Francisca (film)` → `Francisca`; `William Herbert, 18th Earl of Pembroke` stays. */
export const bareTitle = (name: string): string => name.replace(/\s*\([^)]*\)\s*$/, '').trim()
