import type { EpisodicMatches } from '../ports.ts'
import type { Candidate } from './candidate.ts'
import { type FeatureName, type Features, featureNames, place } from './feature-rows.ts'
import { echoes, featuresOf, type Together } from './features.ts'
import { isByPerson, type QuestionFacts } from './question.ts'
import fitted from './weights.json' with { type: 'json' }

/**
 * Why a score is what it is. A candidate is a row of named features (features.ts). Their weighted sum is its linear
 * score. Together, the candidates say how likely the memory holds an answer at all; the linear score says how likely it is
 * this one. A model that reads the question and each of the best texts together corrects both (reading.ts). The first
 * chance, times the second over that of the best candidate, is mapped to the specification's bands.
 * `npm run bench fit` fits every weight; the bounds of some features are set by hand (features.ts).
 */
export interface Weights {
  readonly features: FeatureWeights
  /** The same for talks in which much is said at a time; absent: those of all others. */
  readonly lengthy?: FeatureWeights
  /** Logit of "this is it", given that an answer is among the candidates. */
  readonly choice: { readonly linear: number; readonly crowd: number; readonly offset: number }
  /** Logit of "an answer is among the candidates". */
  readonly answerable: AnswerWeights
  /** The same, where the best candidate belongs to no conversation. */
  readonly answerableAlone: AnswerWeights
  /** Logit of the same, once a model has read the question and the best text together. */
  readonly reading: {
    readonly answerable: number
    readonly read: number
    readonly offset: number
    /** Of the linear score: how much a text loses that answers the question less surely than another that was read. */
    readonly choice: number
    /** Logit of "this text is out of date for the question", where another may have taken its place and both were read. */
    readonly taken: {
      readonly link: number
      readonly newer: number
      readonly older: number
      readonly offset: number
    }
  }
  /** The probabilities at which the scores 0.2, 0.4 and 0.7 begin. */
  readonly bands: { readonly floor: number; readonly probable: number; readonly direct: number }
}

type FeatureWeights = Readonly<Record<FeatureName, number>>

/** For texts with token vectors, and for a question or a store without them. */
export const weights: { readonly late: Weights; readonly plain: Weights } = fitted

/** Of what the candidates say together about whether there is an answer. */
export const answerSigns = [
  'offset',
  'words',
  'meaning',
  'late',
  'least',
  'topWords',
  'topLate',
  'topLeast',
  'lead',
  'elsewhere',
  'slotKnown',
  'slotUnknown',
  'topAround',
  'topLeastAround',
  'allLate',
  'allLeast',
  'size',
  'aheadLate',
  'aheadMeaning',
  'nextLead',
  'factMeaning',
  'topFactMeaning',
  'factWords',
  'topStates',
  'topNotStates',
  'topQuestion',
  'topRare',
  'topNamesMissing',
  'topAssistant',
  'topLength',
  'topMiss',
] as const

export type AnswerSign = (typeof answerSigns)[number]

type AnswerWeights = Readonly<Record<AnswerSign, number>>

export interface Scored {
  readonly candidate: Candidate
  readonly features: Features
  readonly linear: number
  /** Logit of the chance that its text answers the question, less that of the best text that was read; 0 where none was read. */
  readonly read: number
  /** The chance that there is an answer, times the chance that it is this one over that of the best. */
  readonly probability: number
  /** That chance on the scale of the specification's bands. */
  readonly score: number
}

export interface Ranking {
  readonly scored: readonly Scored[]
  /** The chance that the memory holds an answer. */
  readonly answerable: number
  readonly crowd: number
  readonly weights: Weights
}

/** Scores every candidate. It depends on the question, these candidates and the session alone. */
export function rank(
  question: QuestionFacts,
  candidates: readonly Candidate[],
  episodic: EpisodicMatches,
  sessionId: string | null,
): Ranking {
  const { rows, whole } = rowsOf(question, candidates, episodic, sessionId)
  const chosen = hasTokens(episodic) ? weights.late : weights.plain
  const { scores, answerable, crowd } = scoreRows(rows, whole, chosen)
  const scored = candidates.map((candidate, at) => {
    const { linear, probability, score } = scores[at] ?? noScore
    return { candidate, features: rows[at]?.features ?? noFeatures, linear, read: 0, probability, score }
  })
  return { scored, answerable, crowd, weights: weightsFor(whole, chosen) }
}

/** The same ranking where linear scores have changed, or the chance that there is an answer. */
export function scoredAnew(ranking: Ranking, moved: readonly Scored[], answerable: number): Ranking {
  const { weights: chosen, crowd } = ranking
  const linear = moved.map((one) => one.linear)
  const chances = choiceChances(linear, crowd, chosen)
  const scored = moved.map((one, at) => {
    const probability = answerable * (chances[at] ?? 0)
    return { ...one, probability, score: bandScore(probability, chosen.bands) }
  })
  return { ...ranking, scored, answerable }
}

/** The chance that it is this one, over that of the best. */
function choiceChances(linear: readonly number[], crowd: number, { choice }: Weights): readonly number[] {
  const chances = linear.map((value) => sigmoid(choice.linear * value + choice.crowd * crowd + choice.offset))
  const best = chances.reduce((most, chance) => Math.max(most, chance), 0)
  return chances.map((chance) => (best > 0 ? chance / best : 0))
}

const noFeatures: Features = new Float64Array(featureNames.length)
const noScore = { linear: 0, probability: 0, score: 0 }

/** Late interaction counts only where every text has it: otherwise those without would be at a loss. */
function hasTokens({ hits }: EpisodicMatches): boolean {
  return hits.length > 0 && hits.every(({ late }) => late !== null)
}

/** A candidate as far as its score is concerned. */
export interface Row {
  readonly features: Features
  readonly isFact: boolean
  /** A text by somebody with a name. */
  readonly isByPerson: boolean
}

export function rowsOf(
  question: QuestionFacts,
  candidates: readonly Candidate[],
  episodic: EpisodicMatches,
  sessionId: string | null,
): { readonly rows: readonly Row[]; readonly whole: Whole } {
  const { features, together } = featuresOf(question, candidates, episodic, sessionId)
  const rows = candidates.map(({ chunk, fact }, at) => ({
    features: features[at] ?? noFeatures,
    isFact: fact !== null,
    isByPerson: chunk !== null && isByPerson(chunk),
  }))
  const { slot, forTime, forNumber, forName } = question
  const { late, least, lengthiness } = together
  const asksKind = forTime || forNumber || forName
  // Field by field, as in features.ts.
  return { rows, whole: { late, least, lengthiness, asksSlot: slot !== null, asksKind } }
}

/**
 * From here on the texts that were found are long, in the mean over 270 characters: an assistant explains at length, and
 * what is asked for is mostly what the user said in between. LoCoMo and the talks are at 0.5 at most, BEAM at 1.5 and more.
 */
const lengthyFrom = 0.8

export const isLengthy = ({ lengthiness }: Together): boolean => lengthiness >= lengthyFrom

/** Of these weights the ones that put what was found in order. */
export function weightsFor(whole: Whole, chosen: Weights): Weights {
  return chosen.lengthy !== undefined && isLengthy(whole) ? { ...chosen, features: chosen.lengthy } : chosen
}

export interface Scores {
  readonly scores: readonly Pick<Scored, 'linear' | 'probability' | 'score'>[]
  readonly answerable: number
  /** How many rivals there are, and how strong. */
  readonly crowd: number
}

/** What is known of the question, and of all texts together. */
export interface Whole extends Together {
  /** It asks for one attribute; for a time, a number or a name. */
  readonly asksSlot: boolean
  readonly asksKind: boolean
}

/** From the features of all candidates to their scores. */
export function scoreRows(rows: readonly Row[], whole: Whole, chosen: Weights): Scores {
  const ordering = weightsFor(whole, chosen)
  const linear = linearScores(rows, ordering)
  const crowd = crowdOf(rows, linear)
  const answerable = answerableOf(
    rows,
    whole,
    chosen,
    ordering === chosen ? linear : linearScores(rows, chosen),
  )
  const chances = choiceChances([...linear], crowd, chosen)
  const scores = Array.from(linear, (value, at) => {
    const probability = answerable * (chances[at] ?? 0)
    return { linear: value, probability, score: bandScore(probability, chosen.bands) }
  })
  return { scores, answerable, crowd }
}

/** By the order of all other talks: too few questions were asked of lengthy ones that have no answer. */
function answerableOf(rows: readonly Row[], whole: Whole, chosen: Weights, linear: Float64Array): number {
  const signs = signsOf(rows, linear, whole, chosen)
  const factors = isAlone(rows, linear) ? chosen.answerableAlone : chosen.answerable
  return sigmoid(answerSigns.reduce((sum, name) => sum + signs[name] * factors[name], 0))
}

export function linearScores(rows: readonly Row[], chosen: Weights): Float64Array {
  const factors = Float64Array.from(featureNames, (name) => chosen.features[name])
  const scores = new Float64Array(rows.length)
  rows.forEach(({ features }, at) => {
    let sum = 0
    for (let i = 0; i < factors.length; i++) sum += (features[i] ?? 0) * (factors[i] ?? 0)
    scores[at] = sum
  })
  return scores
}

export function sigmoid(value: number): number {
  return 1 / (1 + Math.exp(-value))
}

/** Of a chance that is neither 0 nor 1. */
export function logit(chance: number): number {
  const within = Math.min(1 - 1e-6, Math.max(1e-6, chance))
  return Math.log(within / (1 - within))
}

/** Scores where the specification's bands begin. */
export const edges = { floor: 0.2, probable: 0.4, direct: 0.7 } as const

/** The score of a probability: strictly rising, 0 to 0 and 1 to 1. */
export function bandScore(probability: number, { floor, probable, direct }: Weights['bands']): number {
  const { floor: low, probable: middle, direct: high } = edges
  if (probability <= floor) return (probability / floor) * low
  if (probability <= probable) return low + ((probability - floor) / (probable - floor)) * (middle - low)
  if (probability <= direct)
    return middle + ((probability - probable) / (direct - probable)) * (high - middle)
  return high + ((probability - direct) / (1 - direct)) * (1 - high)
}

/**
 * Only texts that the search found are counted, or facts where there is none: a text and its facts are one rival. What only
 * repeats the question is none.
 */
function rivals(rows: readonly Row[]): readonly number[] {
  const texts: number[] = []
  const telling: number[] = []
  rows.forEach(({ features, isFact }, at) => {
    if ((features[place.echo] ?? 0) >= echoes) return
    telling.push(at)
    if (!isFact && features[place.textMissing] !== 1) texts.push(at)
  })
  return texts.length > 0 ? texts : telling
}

/** Logarithm of the summed exponentials of the linear scores: how many rivals there are, and how strong. */
export function crowdOf(rows: readonly Row[], linear: Float64Array): number {
  const scores = rivals(rows).map((at) => linear[at] ?? 0)
  if (scores.length === 0) return 0
  const top = scores.reduce((best, score) => Math.max(best, score), Number.NEGATIVE_INFINITY)
  return top + Math.log(scores.reduce((sum, score) => sum + Math.exp(score - top), 0))
}

function topOf(rivaling: readonly number[], linear: Float64Array): number | undefined {
  return rivaling.reduce<number | undefined>(
    (first, i) => (first === undefined || (linear[i] ?? 0) > (linear[first] ?? 0) ? i : first),
    undefined,
  )
}

/** Whether the best candidate belongs to no conversation. */
export function isAlone(rows: readonly Row[], linear: Float64Array): boolean {
  const top = topOf(rivals(rows), linear)
  return top !== undefined && rows[top]?.features[place.aloneMeaning] !== 0
}

/** What the candidates say together. */
export function signsOf(
  rows: readonly Row[],
  linear: Float64Array,
  { asksSlot, asksKind, late, least }: Whole,
  chosen: Weights,
): Readonly<Record<AnswerSign, number>> {
  const rivaling = rivals(rows)
  const value = (index: number | undefined, name: FeatureName) =>
    index === undefined ? 0 : (rows[index]?.features[place[name]] ?? 0)
  const best = (name: FeatureName) => rivaling.reduce((most, i) => Math.max(most, value(i, name)), 0)
  const top = topOf(rivaling, linear)
  const size = Math.max(fewestTexts, rivaling.length)
  const mean = (name: keyof typeof unrelated) =>
    rivaling.reduce((sum, i) => sum + value(i, name), (size - rivaling.length) * unrelated[name]) / size
  const states = value(top, 'statesTime') + value(top, 'statesNumber') + value(top, 'statesName') > 0
  const second = rivaling.reduce(
    (next, i) => (i === top ? next : Math.max(next, linear[i] ?? 0)),
    -largestLead,
  )
  const lead = top === undefined ? 0 : (linear[top] ?? 0) - crowdOf(rows, linear)
  const slotKnown = rows.some(({ features }) => (features[place.askedSlot] ?? 0) > 0)
  return {
    offset: 1,
    words: Math.sqrt(best('words')),
    meaning: best('meaning'),
    late: best('late'),
    least: best('lateLeast'),
    topWords: Math.sqrt(Math.max(0, value(top, 'words'))),
    topLate: value(top, 'late'),
    topLeast: value(top, 'lateLeast'),
    lead,
    elsewhere: elsewhereOf(rows, linear, chosen.features.speakerNamed),
    slotKnown: slotKnown ? 1 : 0,
    slotUnknown: asksSlot && !slotKnown && rows.some(({ isFact }) => isFact) ? 1 : 0,
    topAround: value(top, 'lateAround'),
    topLeastAround: value(top, 'lateLeastAround'),
    allLate: late,
    allLeast: least,
    size: Math.log(size),
    aheadLate: value(top, 'late') - mean('late'),
    aheadMeaning: value(top, 'meaning') - mean('meaning'),
    nextLead: top === undefined ? 0 : Math.min(largestLead, (linear[top] ?? 0) - second),
    factMeaning: best('factMeaning'),
    topFactMeaning: value(top, 'factMeaning'),
    factWords: Math.sqrt(best('factWords')),
    topStates: asksKind && states ? 1 : 0,
    topNotStates: asksKind && !states ? 1 : 0,
    topQuestion: value(top, 'isQuestion'),
    topRare: value(top, 'lateRare'),
    topNamesMissing: value(top, 'namesMissing'),
    topAssistant: value(top, 'byAssistant'),
    topLength: value(top, 'length'),
    topMiss: value(top, 'lateMiss'),
  }
}

/**
 * The weights were fitted on stores of at least so many texts. One of fewer is judged as if the rest were about something
 * else, with what such texts have in the stories on average.
 */
const fewestTexts = 6
const unrelated = { late: 0.4, meaning: 0.18 } as const

/** A larger lead of somebody else says no more. */
const largestLead = 5

/** How much better the best text by somebody whom the question does not name is than the best of those it names. */
function elsewhereOf(rows: readonly Row[], linear: Float64Array, weight: number): number {
  let named = Number.NEGATIVE_INFINITY
  let others = Number.NEGATIVE_INFINITY
  for (const [at, { features, isByPerson: isPerson }] of rows.entries()) {
    if (!isPerson) continue
    const share = features[place.speakerNamed] ?? 0
    const content = (linear[at] ?? 0) - share * weight
    if (share === 1) named = Math.max(named, content)
    else others = Math.max(others, content)
  }
  if (named === Number.NEGATIVE_INFINITY) return 0
  return Math.min(largestLead, Math.max(0, others - named))
}
