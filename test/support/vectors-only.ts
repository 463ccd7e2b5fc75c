import type { Embedder } from '../../src/memory/ports.ts'

/** Both methods of an embedder that has one vector a text and no token vectors. */
export const vectorsOnly = (embed: Embedder['embed']): Pick<Embedder, 'embed' | 'encode'> => ({
  embed,
  encode: async (texts, signal) => {
    const vectors = await embed(texts, signal)
    return vectors.map((vector) => ({ vector, tokens: null }))
  },
})
