import type { Tensor } from './onnx.ts'
import { openModel } from './session.ts'

/** The vectors of token ids, in the order of the ids. */
export type WordVectors = (tokenIds: Tensor) => Promise<Tensor>

/** One table for all that read pairs in a thread: each session that maps it would hold its pages once more. */
export async function openWordVectors(threads: number): Promise<WordVectors> {
  const model = await openModel('relations-words', threads)
  return async (tokenIds) => {
    const { words } = await model.run({ token_ids: tokenIds })
    if (words === undefined) throw new Error('Model: the word vectors gave no output')
    return words
  }
}
