import { Tokenizer } from '@huggingface/tokenizers'
import { LRUCache } from 'lru-cache'
import { readTokenizerFile } from './model-files.ts'

/** Text to the ids of the pieces that the models read. */
export interface TextTokenizer {
  /** Without marks. */
  encode(text: string): readonly number[]
  /** What stands before and after every text. */
  readonly marks: { readonly first: number; readonly last: number }
  /** Whether a piece has a letter or a digit: neither punctuation nor a mark. */
  isWord(id: number): boolean
}

interface Definition {
  readonly model: { readonly vocab: Readonly<Record<string, number>> }
}

/** The tokenizer of the encoder's parent. Its files are checked against their hashes. */
export async function openTokenizer(): Promise<TextTokenizer> {
  const [definition, settings] = await Promise.all([
    readTokenizerFile('tokenizer.json'),
    readTokenizerFile('tokenizer_config.json'),
  ])
  const tokenizer = new Tokenizer(definition, settings)
  const { vocab } = (definition as Definition).model
  const idOf = (token: string): number => {
    const id = vocab[token]
    if (id === undefined) throw new Error(`Model: the tokenizer has no ${token}`)
    return id
  }
  const marks = { first: idOf('[CLS]'), last: idOf('[SEP]') }
  const words = new Set<number>()
  for (const [piece, id] of Object.entries(vocab)) if (/[\p{L}\p{N}]/u.test(piece)) words.add(id)
  words.delete(marks.first)
  words.delete(marks.last)
  return {
    encode: (text) => tokenizer.encode(text, { add_special_tokens: false }).ids,
    marks,
    isWord: (id) => words.has(id),
  }
}

/** Some hundred texts of a conversation. */
const REMEMBERED_CHARACTERS = 65_536

/** The same, for texts that come several times in a row, each time with another one: it cuts them up once. */
export function remembering(tokenizer: TextTokenizer): TextTokenizer {
  const recent = new LRUCache<string, readonly number[]>({
    maxSize: REMEMBERED_CHARACTERS,
    sizeCalculation: (_pieces, text) => text.length + 1,
    memoMethod: (text) => tokenizer.encode(text),
  })
  return { ...tokenizer, encode: (text) => recent.memo(text) }
}
