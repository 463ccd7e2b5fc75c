/** Tokens that the model reads at once, its two marks included. */
const MODEL_TOKENS = 512
const BODY_TOKENS = MODEL_TOKENS - 2

/** Neighbouring windows share this many tokens, so that a sentence on the border is read whole once. */
const OVERLAP = 64

/** One stretch of a text, as the model reads it, and its weight in the text's vector. */
export interface Window {
  readonly tokens: readonly number[]
  /** The first token, counted with the opening mark, that no window before this one has read. */
  readonly fresh: number
  readonly weight: number
}

export interface Marks {
  readonly first: number
  readonly last: number
}

/** Splits a text's tokens into windows of nearly equal length that together cover all of it. At least one. */
export function windowsOf(tokens: readonly number[], { first, last }: Marks): readonly Window[] {
  const count = Math.max(1, Math.ceil((tokens.length - OVERLAP) / (BODY_TOKENS - OVERLAP)))
  const size = Math.ceil((tokens.length + (count - 1) * OVERLAP) / count)
  let read = 0
  return Array.from({ length: count }, (_, i) => {
    const start = Math.max(0, Math.min(i * (size - OVERLAP), tokens.length - size))
    const body = tokens.slice(start, start + size)
    const fresh = 1 + read - start
    read = start + body.length
    return { tokens: [first, ...body, last], fresh, weight: Math.max(1, body.length) }
  })
}

/** Cuts a text into parts of at most `size` characters, at a space where there is one in the last half. */
export function characterWindows(text: string, size: number): readonly string[] {
  const windows: string[] = []
  let rest = text
  while (rest.length > size) {
    const space = rest.lastIndexOf(' ', size)
    const cut = space > size / 2 ? space : wholeCharacters(rest, size)
    windows.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return [...windows, rest]
}

/** One less when the cut would part the two halves of a character. */
function wholeCharacters(text: string, cut: number): number {
  return /[\uD800-\uDBFF]/.test(text[cut - 1] ?? '') ? cut - 1 : cut
}
