import { normalize, type Vector } from '../../core/vectors.ts'

/** How many chunks the ranking chooses from. The weights were fitted with these counts; others were not compared. */
export const candidateCounts = { nearest: 60, lexical: 60 } as const

/** How much the session's topic turns the question. Kept small because it was not measured. */
const topicShare = 0.1

/** The question's direction, turned a little towards what the session is about. */
export function blendTopic(question: Vector, topic: Vector): Vector {
  return normalize(question.map((value, i) => (1 - topicShare) * value + topicShare * (topic[i] ?? 0)))
}
