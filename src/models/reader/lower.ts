import { Tensor } from './onnx.ts'
import { type EqualTexts, openModel, tokenTensor } from './session.ts'

/** Width of a token's row. */
export const WIDTH = 384

/** The layers that the encoder and the facts model share. */
export interface LowerLayers {
  /** The rows of texts of one length, one text after the other. */
  run(texts: EqualTexts): Promise<Tensor>
  /** The rows of one text; not computed again when it was among the last. */
  rowsOf(text: readonly number[]): Promise<Tensor>
}

/** A text is embedded, then read for facts: so many are remembered meanwhile, unless they are long. */
const REMEMBERED = 48
const REMEMBERED_TOKENS = 160

/** Loads the layers; rejects when a file of theirs is damaged. */
export async function openLowerLayers(threads: number): Promise<LowerLayers> {
  const session = await openModel('encoder-lower', threads)
  const recent = new Map<string, Float32Array>()
  const remember = (text: readonly number[], rows: Float32Array) => {
    const key = text.join(' ')
    recent.delete(key)
    recent.set(key, rows)
    const [oldest] = recent.keys()
    if (recent.size > REMEMBERED && oldest !== undefined) recent.delete(oldest)
  }
  const run: LowerLayers['run'] = async (texts) => {
    const { rows } = await session.run({ token_ids: tokenTensor(texts) })
    const length = texts[0]?.length ?? 0
    if (!(rows?.data instanceof Float32Array) || rows.data.length !== texts.length * length * WIDTH)
      throw new Error('Model: the lower layers gave an output of another kind or size than expected')
    const size = length * WIDTH
    if (length <= REMEMBERED_TOKENS)
      for (const [at, text] of texts.entries()) remember(text, rows.data.slice(at * size, (at + 1) * size))
    return rows
  }
  return {
    run,
    rowsOf: async (text) => {
      const known = recent.get(text.join(' '))
      return known === undefined ? run([text]) : new Tensor('float32', known, [text.length, WIDTH])
    },
  }
}
