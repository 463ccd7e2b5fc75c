import type { Vector } from '../../core/vectors.ts'
import { type LowerLayers, WIDTH } from './lower.ts'
import { type EqualTexts, openModel, tokenTensor } from './session.ts'

/** Length of a token's vector. */
export const TOKEN_WIDTH = 64

/** What one pass says of a text. */
export interface EncodedText {
  /** The mean over all tokens, not of unit length. */
  readonly vector: Vector
  /** TOKEN_WIDTH numbers a token: a unit vector in steps of 1/127. */
  readonly tokens: Int8Array
  /** How much each token of a question decides, 0 to 1. */
  readonly importance: Float32Array
}

export interface Encoder {
  encode(texts: EqualTexts): Promise<readonly EncodedText[]>
}

const UNEXPECTED = 'Model: the encoder gave an output of another kind or size than expected'

/** Loads what the encoder has above the lower layers; rejects when a file of it is damaged. */
export async function openEncoder(lower: LowerLayers, threads: number): Promise<Encoder> {
  const upper = await openModel('encoder-upper', threads)
  return {
    encode: async (texts) => {
      const length = texts[0]?.length ?? 0
      const count = texts.length * length
      const rows = await lower.run(texts)
      const { vector, tokens, importance } = await upper.run({ token_ids: tokenTensor(texts), rows })
      const [vectors, codes, weights] = [vector?.data, tokens?.data, importance?.data]
      if (!(vectors instanceof Float32Array) || vectors.length !== texts.length * WIDTH)
        throw new Error(UNEXPECTED)
      if (!(codes instanceof Int8Array) || codes.length !== count * TOKEN_WIDTH) throw new Error(UNEXPECTED)
      if (!(weights instanceof Float32Array) || weights.length !== count) throw new Error(UNEXPECTED)
      return texts.map((_, i) => ({
        vector: vectors.slice(i * WIDTH, (i + 1) * WIDTH),
        tokens: codes.slice(i * length * TOKEN_WIDTH, (i + 1) * length * TOKEN_WIDTH),
        importance: weights.slice(i * length, (i + 1) * length),
      }))
    },
  }
}
