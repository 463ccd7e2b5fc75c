import type { TextTokenizer } from '../reader/tokenizer.ts'

/** A word of a text: where it stands, and its first and last piece, counted with the mark before the text. */
export interface Word {
  readonly start: number
  readonly end: number
  readonly first: number
  readonly last: number
}

/** A text as the models read it. */
export interface TextPieces {
  readonly text: string
  /** With the marks before and after. */
  readonly ids: readonly number[]
  readonly words: readonly Word[]
}

/** As the tokenizer cuts before it looks for pieces: at white space, around each mark and each Chinese character. */
const basicWord =
  /[!-/:-@[-`{-~\p{P}]|[\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2FA1F}]|[^\s!-/:-@[-`{-~\p{P}\u3400-\u4DBF\u4E00-\u9FFF\uF900-\uFAFF\u{20000}-\u{2FA1F}]+/gu

/** Cuts a text into words and their pieces; the tokenizer alone does not say where pieces stand. */
export function piecesOf(text: string, tokenizer: TextTokenizer): TextPieces {
  const ids = [tokenizer.marks.first]
  const words: Word[] = []
  for (const { index, 0: form } of text.matchAll(basicWord)) {
    const pieces = tokenizer.encode(form)
    if (pieces.length === 0) continue
    words.push({
      start: index,
      end: index + form.length,
      first: ids.length,
      last: ids.length + pieces.length - 1,
    })
    ids.push(...pieces)
  }
  ids.push(tokenizer.marks.last)
  return { text, ids, words }
}
