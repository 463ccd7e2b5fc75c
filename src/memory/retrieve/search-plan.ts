import { normalize, type Vector } from '../../core/vectors.ts'

/** How many chunks the ranking chooses from: more were measured to change nothing (docs/retrieval.md). */
export const candidateCounts = { nearest: 60, lexical: 60 } as const

/** How much the session's topic turns the question: enough to decide between equals, too little to lead it away. */
const topicShare = 0.1

/** The question's direction, turned a little towards what the session is about. */
export function blendTopic(question: Vector, topic: Vector): Vector {
  return normalize(question.map((value, i) => (1 - topicShare) * value + topicShare * (topic[i] ?? 0)))
}
