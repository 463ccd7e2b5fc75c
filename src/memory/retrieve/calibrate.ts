import type { Weights } from './weights.ts'

/**
 * From the measured share of relevant results to the specification's bands. Left: the probability that a result with
 * this score is relevant, on labelled questions; right: the score. At k = 10 most results cannot be relevant, so a
 * probability of one in 300 is still "tangential". The edges were chosen by hand; docs/retrieval.md says what the floor costs.
 */
const bands: readonly (readonly [probability: number, score: number])[] = [
  [0, 0],
  [0.003, 0.2],
  [0.08, 0.4],
  [0.35, 0.7],
  [1, 1],
]

/** The score of a probability: strictly rising, 0 to 0 and 1 to 1. */
export function bandScore(probability: number): number {
  const above = bands.findIndex(([edge]) => probability <= edge)
  if (above <= 0) return above === 0 ? 0 : 1
  const [lowFrom, lowTo] = bands[above - 1] ?? [0, 0]
  const [highFrom, highTo] = bands[above] ?? [1, 1]
  return lowTo + ((probability - lowFrom) / (highFrom - lowFrom)) * (highTo - lowTo)
}

export function sigmoid(logit: number): number {
  return 1 / (1 + Math.exp(-logit))
}

/** What the candidates of one question say together. */
export interface Crowd {
  /** Logarithm of the summed exponentials of all linear scores: how many rivals there are, and how strong. */
  readonly crowd: number
  /** The best words and the best meaning among them. */
  readonly words: number
  readonly meaning: number
  /** How much better the best text by somebody whom the question does not name is than the best of those it names. */
  readonly elsewhere: number
}

/** The chance that the memory speaks of the matter at all. The step from no shared word to one says the most. */
export function topicChance(
  { words, meaning }: Pick<Crowd, 'words' | 'meaning'>,
  { topic }: Weights,
): number {
  return sigmoid(topic.words * Math.sqrt(words) + topic.meaning * meaning + topic.offset)
}

/** The chance that any of the candidates answers the question, given that they speak of the matter. */
function answerChance({ words, meaning, elsewhere }: Crowd, { answerable }: Weights): number {
  return sigmoid(
    answerable.words * Math.sqrt(words) +
      answerable.meaning * meaning +
      answerable.elsewhere * elsewhere +
      answerable.offset,
  )
}

/** The chance that it is the text with this linear score, given that one of them answers. */
function choiceChance(linear: number, { crowd }: Crowd, { choice }: Weights): number {
  return sigmoid(choice.linear * linear + choice.crowd * crowd + choice.offset)
}

/** The chance that a text with this linear score answers the question. Within one question it rises with the score. */
export function probability(linear: number, crowd: Crowd, weights: Weights): number {
  return topicChance(crowd, weights) * answerChance(crowd, weights) * choiceChance(linear, crowd, weights)
}
