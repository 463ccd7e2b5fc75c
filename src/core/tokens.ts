/** Runs of letters that a tokenizer may keep together, single digits, then whatever else stands by itself. */
const pieces = /[A-Z]?[a-z]+|[A-Z]+|[^\s]|\s{2,}|[^\S ]/gu

/** Letters that one token holds at least, on the whole, in words and in capitals. */
const lettersOfWords = 3
const lettersOfCapitals = 2

/**
 * How many tokens a text is for a language model whose tokenizer is not known: rather too many than too few. A token is
 * three letters of an ASCII word (two of capitals), a digit, a sign, or a run of white space that is more than a space;
 * any other character counts one less than its UTF-8 bytes.
 */
export function estimateTokens(text: string): number {
  let tokens = 0
  for (const [piece] of text.matchAll(pieces)) tokens += tokensOf(piece)
  return tokens
}

function tokensOf(piece: string): number {
  if (/^[A-Z]?[a-z]/.test(piece)) return Math.ceil(piece.length / lettersOfWords)
  if (/^[A-Z]/.test(piece)) return Math.ceil(piece.length / lettersOfCapitals)
  const code = piece.codePointAt(0) ?? 0
  if (code < 0x80) return 1
  return code < 0x800 ? 1 : code < 0x10000 ? 2 : 3
}
