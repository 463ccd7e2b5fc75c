import { normalize, type Vector } from '../core/vectors.ts'

/** How much of the topic is the newest text: the last three or four outweigh all before them. */
const newestShare = 0.3

/** A session's topic after one more text. A topic of another model's length is worth nothing and gives way. */
export function blendTopic(topic: Vector | null, newest: Vector): Vector {
  if (topic === null || topic.length !== newest.length) return normalize(newest)
  return normalize(topic.map((value, at) => (1 - newestShare) * value + newestShare * (newest[at] ?? 0)))
}
