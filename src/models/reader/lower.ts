import { LRUCache } from 'lru-cache'
import { Tensor } from './onnx.ts'
import { type EqualTexts, openModel, tokenTensor } from './session.ts'

/** Width of a token's row. */
export const WIDTH = 384

/** The layers that the encoder and the facts model share. */
export interface LowerLayers {
  /** The rows of texts of one length, one text after the other. Those of the last texts are not computed again. */
  run(texts: EqualTexts): Promise<Tensor>
}

/** A text is embedded and read for facts, in either order: the last ones are remembered meanwhile, unless they are long. */
const REMEMBERED_TOKENS = 4_096
const LONGEST_REMEMBERED = 160

/** Loads the layers; rejects when a file of theirs is damaged. */
export async function openLowerLayers(threads: number): Promise<LowerLayers> {
  const session = await openModel('encoder-lower', threads)
  const recent = new LRUCache<string, Float32Array>({
    maxSize: REMEMBERED_TOKENS * WIDTH,
    maxEntrySize: LONGEST_REMEMBERED * WIDTH,
    sizeCalculation: ({ length }) => length,
  })
  const compute = async (texts: EqualTexts): Promise<Float32Array> => {
    const { rows } = await session.run({ token_ids: tokenTensor(texts) })
    const length = texts[0]?.length ?? 0
    if (!(rows?.data instanceof Float32Array) || rows.data.length !== texts.length * length * WIDTH)
      throw new Error('Model: the lower layers gave an output of another kind or size than expected')
    return rows.data
  }
  return {
    run: async (texts) => {
      const length = texts[0]?.length ?? 0
      const size = length * WIDTH
      const known = texts.map((text) => recent.get(text.join(' ')))
      const fresh = texts.filter((_, at) => known[at] === undefined)
      const made = fresh.length === 0 ? new Float32Array() : await compute(fresh)
      const rows = new Float32Array(texts.length * size)
      let next = 0
      for (const [at, text] of texts.entries()) {
        const own = known[at] ?? made.slice(next++ * size, next * size)
        recent.set(text.join(' '), own)
        rows.set(own, at * size)
      }
      return new Tensor('float32', rows, [texts.length * length, WIDTH])
    },
  }
}
