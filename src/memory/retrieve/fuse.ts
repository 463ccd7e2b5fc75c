import { analyze } from '../../core/analyze.ts'
import type { ChunkId } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { EpisodicHit, EpisodicMatches, FactHit } from '../ports.ts'
import { answersTo } from './asked-slot.ts'
import { bandScore, type Crowd, probability, sigmoid, topicChance } from './calibrate.ts'
import { type Candidate, featureNames, featuresOf, isByPerson } from './features.ts'
import type { QuestionFacts } from './question.ts'
import { chunkWeights, weights as shipped, type Weights } from './weights.ts'

export interface ScoredChunk {
  readonly hit: EpisodicHit
  /** 0 to 1, in the specification's bands. */
  readonly score: number
}

/** Every hit with its score, best first, ties by id. It depends on the question and these hits alone. */
export function scoreChunks(
  question: QuestionFacts,
  matches: EpisodicMatches,
  weights: Weights = shipped,
): readonly ScoredChunk[] {
  const candidates = featuresOf(question, matches)
  const linear = linearScores(candidates, weights)
  const crowd = crowdOf(candidates, linear, weights)
  return candidates
    .map(({ hit, isEcho }, at) => {
      const score = bandScore(probability(linear[at] ?? 0, crowd, weights))
      return { hit, score: isEcho ? score * echoFactor : score }
    })
    .toSorted((a, b) => b.score - a.score || compareIds(a.hit.chunk.id, b.hit.chunk.id))
}

export function linearScores(candidates: readonly Candidate[], weights: Weights): Float64Array {
  const factors = chunkWeights(weights)
  return Float64Array.from(candidates, ({ features }) =>
    features.reduce((sum, value, i) => sum + value * (factors[i] ?? 0), 0),
  )
}

const wordsAt = featureNames.indexOf('words')
const meaningAt = featureNames.indexOf('meaning')
const namedAt = featureNames.indexOf('speakerNamed')
/** A stored question that repeats the one asked is tangential at best. */
const echoFactor = 0.3
/** A larger lead of the wrong speaker says no more. */
const largestLead = 5

/** What the candidates say together about whether the question has an answer here. Echoes say nothing. */
export function crowdOf(all: readonly Candidate[], linear: Float64Array, weights: Weights): Crowd {
  const candidates = all.filter(({ isEcho }) => !isEcho)
  const scores = linear.filter((_, at) => all[at]?.isEcho === false)
  const top = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY)
  const sum = scores.reduce((total, score) => total + Math.exp(score - top), 0)
  let named = Number.NEGATIVE_INFINITY
  let others = Number.NEGATIVE_INFINITY
  candidates.forEach(({ hit, features }, at) => {
    if (!isByPerson(hit.chunk)) return
    const share = features[namedAt] ?? 0
    const content = (scores[at] ?? 0) - share * weights.chunk.speakerNamed
    if (share === 1) named = Math.max(named, content)
    else others = Math.max(others, content)
  })
  const lead = named === Number.NEGATIVE_INFINITY ? 0 : others - named
  return {
    crowd: scores.length === 0 ? 0 : top + Math.log(sum),
    words: bestOf(candidates, wordsAt),
    meaning: bestOf(candidates, meaningAt),
    elsewhere: Math.min(largestLead, Math.max(0, lead)),
  }
}

function bestOf(candidates: readonly Candidate[], feature: number): number {
  return candidates.reduce((best, { features }) => Math.max(best, features[feature] ?? 0), 0)
}

export interface ScoredFact {
  readonly hit: FactHit
  readonly score: number
  /** Directly relevant by itself: it says what is asked for, or its words and meaning do. */
  readonly isDirect: boolean
  /** It says just what is asked for. */
  readonly isAnswer: boolean
}

/** What a fact is worth that says just what the question asks for, whatever its text says besides. */
const answerScore = 0.85

/** A fact that scores this much by itself is likely what was asked for. */
const directScore = 0.5

/** A fact tells less than the text it was read from; this much of the text's score is certain. */
const certainShare = 0.8

/**
 * Scores of facts on the scale of the chunks. A fact gets its share of the score of the chunk that it was read from,
 * and more where its own words and meaning say so; without chunks they alone decide. Short texts match easily, so a
 * fact whose chunk does not match stays behind, unless it says just what is asked for.
 */
export function scoreFacts(
  question: QuestionFacts,
  hits: readonly FactHit[],
  chunks: readonly ScoredChunk[],
  idfSum: number,
  weights: Weights = shipped,
): readonly ScoredFact[] {
  const chunkScores = new Map<ChunkId, number>(chunks.map(({ hit, score }) => [hit.chunk.id, score]))
  const least = chunks.at(-1)?.score
  const facts = hits.map(({ fact }) => fact)
  const answers = question.slot === null ? () => false : answersTo(question.slot, facts)
  const owned = hits.map((hit) => {
    // Without a search for chunks nothing is known of how rare the words are.
    const words = idfSum > 0 ? hit.bm25 / idfSum : sharedWords(question, hit.fact.fact)
    const own = textScore({ words, meaning: hit.cosine }, weights)
    const isAnswer = answers(hit.fact)
    return { hit, own: isAnswer ? Math.max(answerScore, own) : own, isAnswer }
  })
  const best = new Map<ChunkId, number>()
  for (const { hit, own } of owned) {
    best.set(hit.fact.chunkId, Math.max(best.get(hit.fact.chunkId) ?? 0, own))
  }
  return owned
    .map(({ hit, own, isAnswer }) => {
      const chunk = chunkScores.get(hit.fact.chunkId) ?? least
      const isDirect = own >= directScore
      if (chunk === undefined || isAnswer)
        return { hit, score: Math.max(own, chunk ?? 0), isDirect, isAnswer }
      const part = own / (best.get(hit.fact.chunkId) || 1)
      const share = chunk * (certainShare + (1 - certainShare) * part)
      return { hit, score: Math.max(share, Math.sqrt(own * chunk)), isDirect, isAnswer }
    })
    .toSorted((a, b) => b.score - a.score || compareIds(a.hit.fact.id, b.hit.fact.id))
}

/** Score of a text that is known by its own words and meaning alone: no neighbours, no session. */
function textScore(
  text: { readonly words: number; readonly meaning: number },
  weights: Weights = shipped,
): number {
  const { words, meaning, offset } = weights.text
  const chance = sigmoid(words * text.words + meaning * text.meaning + offset)
  return bandScore(topicChance(text, weights) * chance)
}

/** Score of a fact at hand by its own words and meaning, on the scale of the chunks. */
export function scoreAlone(
  question: QuestionFacts,
  vector: Vector,
  fact: { readonly fact: string; readonly vector: Vector },
  weights: Weights = shipped,
): number {
  const words = sharedWords(question, fact.fact)
  return textScore({ words, meaning: dot(vector, fact.vector) }, weights)
}

/** The share of the question's words that the text has. */
function sharedWords(question: QuestionFacts, text: string): number {
  const asked = new Set(question.terms)
  return asked.size === 0 ? 0 : asked.intersection(new Set(analyze(text))).size / asked.size
}

function compareIds(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
