import type { EpisodicHit } from '../ports.ts'
import { isEcho } from './echo.ts'
import type { QuestionFacts } from './question.ts'

/** One hit with what is needed of it more than once. */
export interface Turn {
  readonly hit: EpisodicHit
  /** BM25 over the idf sum of the question: 0 to about 2, the same scale for every question. */
  readonly words: number
  readonly meaning: number
  readonly isQuestion: boolean
  /** It only asks what is asked now. */
  readonly isEcho: boolean
}

/** The best of several turns, never below 0. */
export interface Peaks {
  readonly words: number
  readonly meaning: number
}

export function readTurn(question: QuestionFacts, hit: EpisodicHit, idfSum: number): Turn {
  return {
    hit,
    words: idfSum > 0 ? hit.bm25 / idfSum : 0,
    meaning: hit.cosine,
    isQuestion: /\?\s*$/.test(hit.chunk.text.slice(-40)),
    isEcho: isEcho(question, hit.chunk.text),
  }
}

const nothing: Peaks = { words: 0, meaning: 0 }

export function peaksOf(turns: readonly Turn[]): Peaks {
  return turns.reduce(
    (best, turn) => ({
      words: Math.max(best.words, turn.words),
      meaning: Math.max(best.meaning, turn.meaning),
    }),
    nothing,
  )
}
