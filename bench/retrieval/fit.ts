import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type FeatureName, featureNames } from '../../src/memory/retrieve/feature-rows.ts'
import {
  type AnswerSign,
  answerSigns,
  crowdOf,
  isAlone,
  isLengthy,
  linearScores,
  type Row,
  scoreRows,
  weights as shipped,
  signsOf,
  type Weights,
  weightsFor,
} from '../../src/memory/retrieve/rank.ts'
import { createLocalExtractor } from '../../src/models/facts/local-extractor.ts'
import { type Asked, askSet, type StoreKind } from './ask.ts'
import { openEncodings } from './encodings.ts'
import { fitListwise, fitLogistic, type Listing } from './newton.ts'
import { printReport } from './report.ts'
import { rowsOfSet } from './rows.ts'

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: process.env.SETS_DIR ?? '' },
    names: { type: 'string', default: 'stories,talks,locomo,hotpotqa,beam100k,2wiki,musique' },
    cache: { type: 'string', default: '.cache/retrieval' },
    rounds: { type: 'string', default: '6' },
    ridge: { type: 'string', default: '1e-3' },
    plain: { type: 'boolean', default: false },
    /** Fits the weights for talks in which much is said at a time; all others stay as they are. */
    lengthy: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
})
if (values.sets === '') throw new Error('say where the sets are: --sets DIR')

/** Pulls the weights to 0. */
const ridge = Number(values.ridge)
/** Pulls the weights for lengthy talks to those of all others: of such talks there are few, and a weak pull suits BEAM alone. */
const lengthyRidge = 0.3
/** Sets with fewer questions count more each, so that the large one does not decide alone. */
const setWeights: Readonly<Record<string, number>> = {
  ...{ stories: 1, talks: 2, locomo: 2, hotpotqa: 2, '2wiki': 2, musique: 5 },
}
/** Questions that people wrote without an answer, though something near is stored, tell the most. */
const answerWeights: Readonly<Record<string, number>> = { stories: 2 }
/** Where the ranking is learnt: the others say only whether there is an answer. */
const listedStores: ReadonlySet<StoreKind> = new Set(['full', 'echo', 'session'])
const rounds = Number(values.rounds)
/** Results that the calibration looks at: as many as a caller can ask for. */
const listed = 20
/** The floor leaves out this share of the answers, 0.4 this share of the questions that have one. */
const floorCost = 0.005
const probableCost = 0.1
/** Of the results at 0.7 and more this share is relevant. */
const directShare = 0.5

const wordsAt = featureNames.indexOf('words')
const meaningAt = featureNames.indexOf('meaning')
const missingAt = featureNames.indexOf('textMissing')

const encoder = await openEncodings(values.cache)
let extractor: ReturnType<typeof createLocalExtractor> | undefined
const parts = {
  ...{ directory: values.sets, cache: join(values.cache, 'stores'), encoder },
  extractor: () => {
    extractor ??= createLocalExtractor()
    return extractor
  },
}
const asked: Asked[] = []
for (const set of values.names.split(',')) {
  asked.push(...(await rowsOfSet(join(values.cache, 'rows'), set, () => askSet(parts, set))))
}
await encoder.close()
await (await extractor)?.close()

const folds = [...new Set(asked.map(({ fold }) => fold))]
const roundOf = ({ fold }: Asked) => folds.indexOf(fold) % rounds
const withoutTokens = asked.map(plain)
const used = values.plain ? withoutTokens : asked
console.log(
  `${used.length} questions in ${folds.length} folds; the figures of each are without it in the fit`,
)
const whole = fitAll(used)
const crossed = Array.from({ length: rounds }, (_, round) =>
  fitAll(
    used.filter((one) => roundOf(one) !== round),
    whole,
  ),
)
printReport(used.map((one) => ({ one, weights: crossed[roundOf(one)] ?? shipped.late })))

console.log(JSON.stringify(whole, null, 2))
if (values.write) {
  const final = values.plain
    ? { late: shipped.late, plain: whole }
    : { late: whole, plain: values.lengthy ? shipped.plain : fitAll(withoutTokens) }
  const path = new URL('../../src/memory/retrieve/weights.json', import.meta.url)
  writeFileSync(path, `${JSON.stringify(final, null, 2)}\n`)
}

/** The same question of a store without token vectors. */
function plain(one: Asked): Asked {
  const late = featureNames.map((name) => /^late|Late$/.test(name))
  const rows = one.rows.map((row) => ({ ...row, features: row.features.map((x, i) => (late[i] ? 0 : x)) }))
  return { ...one, rows, whole: { ...one.whole, late: 0, least: 0 } }
}

function fitAll(questions: readonly Asked[], near?: Weights): Weights {
  const features = values.lengthy ? shipped.late.features : fitFeatures(questions, near)
  const ranked = { ...shipped.late, features, lengthy: fitLengthy(questions, features) }
  if (values.lengthy) return ranked
  const whole = questions.filter(({ store }) => store !== 'session' && store !== 'echo')
  const calibrated = {
    ...ranked,
    choice: fitChoice(whole, ranked),
    answerable: fitAnswerable(whole, ranked, false),
    answerableAlone: fitAnswerable(whole, ranked, true),
  }
  return { ...calibrated, bands: fitBands(whole, calibrated) }
}

function fitFeatures(questions: readonly Asked[], near?: Weights): Weights['features'] {
  const listings = listingsOf(questions.filter(({ whole }) => !isLengthy(whole)))
  const fitted = fitListwise(listings, { ridge }, near && numbersOf(near.features))
  // Known only once there is a ranking: the rows do not have them.
  const { completes, namedBefore } = shipped.late.features
  return { ...(named(featureNames, fitted) as Record<FeatureName, number>), completes, namedBefore }
}

function fitLengthy(questions: readonly Asked[], others: Weights['features']): Weights['features'] {
  const listings = listingsOf(questions.filter(({ whole }) => isLengthy(whole)))
  if (listings.length === 0) return others
  const fitted = fitListwise(listings, { ridge: lengthyRidge, to: numbersOf(others) })
  return named(featureNames, fitted) as Record<FeatureName, number>
}

function listingsOf(questions: readonly Asked[]): readonly Listing[] {
  return questions.filter(({ answerable, store }) => answerable && listedStores.has(store)).map(thinned)
}

function numbersOf(features: Weights['features']): Float64Array {
  return Float64Array.from(featureNames, (name) => features[name])
}

/**
 * A text stands for its facts. Far from the top every eighth candidate stands for its like, which saves most of the work.
 */
function thinned({ rows, relevant, set, store, items, outdated }: Asked): Listing {
  const own = [...rows.keys()].filter(
    (at) => (!rows[at]?.isFact || rows[at]?.features[missingAt] === 1) && !outdated.includes(items[at] ?? ''),
  )
  const strength = (at: number) => (rows[at]?.features[wordsAt] ?? 0) + (rows[at]?.features[meaningAt] ?? 0)
  const order = own.toSorted((a, b) => strength(b) - strength(a))
  const kept = order.filter((at, rank) => relevant[at] || rank < 40 || rank % 8 === 0)
  return {
    rows: kept.map((at) => rows[at]?.features ?? new Float64Array()),
    relevant: kept.map((at) => relevant[at] ?? false),
    weight: (setWeights[set] ?? 1) * (store === 'full' ? 1 : 0.25),
  }
}

/** Which of the results it is, from the questions that have an answer among their candidates. */
function fitChoice(questions: readonly Asked[], weights: Weights): Weights['choice'] {
  const rows: Float64Array[] = []
  const labels: boolean[] = []
  for (const one of questions.filter(({ relevant }) => relevant.includes(true))) {
    const scores = linearScores(one.rows, weightsFor(one.whole, weights))
    const crowd = crowdOf(one.rows, scores)
    for (const at of bestTexts(one.rows, scores)) {
      rows.push(Float64Array.of(scores[at] ?? 0, crowd, 1))
      labels.push(one.relevant[at] ?? false)
    }
  }
  return named(['linear', 'crowd', 'offset'] as const, fitLogistic(rows, labels, 1e-6))
}

/** Whether there is an answer: as many with one as without, in every set, and every kind of store as much. */
function fitAnswerable(questions: readonly Asked[], weights: Weights, alone: boolean): Weights['answerable'] {
  const judged = questions
    .filter(({ answerable, relevant }) => !answerable || relevant.includes(true))
    .filter(({ rows }) => isAlone(rows, linearScores(rows, weights)) === alone)
  const rows = judged.map((one) => {
    const signs = signsOf(one.rows, linearScores(one.rows, weights), one.whole, weights)
    return Float64Array.from(answerSigns, (name) => signs[name])
  })
  const labels = judged.map(({ answerable }) => answerable)
  const sideOf = ({ set, answerable }: Asked) => `${set} ${answerable}`
  const kindOf = (one: Asked) => `${sideOf(one)} ${one.store}`
  const counts = Map.groupBy(judged, kindOf)
  const kinds = Map.groupBy(new Map(judged.map((one) => [kindOf(one), one])).values(), sideOf)
  const weight = (at: number) => {
    const one = judged[at]
    if (one === undefined) return 0
    const total = 300 * (answerWeights[one.set] ?? 1)
    return total / (kinds.get(sideOf(one))?.length ?? 1) / (counts.get(kindOf(one))?.length ?? 1)
  }
  const fitted = fitLogistic(rows, labels, 1e-5, weight)
  // Of the questions that have an answer in the whole store, so many are below 0.4.
  const logits = rows
    .filter((_, at) => labels[at] && judged[at]?.store === 'full')
    .map((row) => row.reduce((sum, sign, at) => sum + sign * (fitted[at] ?? 0), 0))
  const { offset, ...rest } = named(answerSigns, fitted) as Record<AnswerSign, number>
  return { offset: rounded(offset + Math.log(2 / 3) - quantile(logits, probableCost)), ...rest }
}

/** Where the bands begin, by what they cost and what they promise. */
function fitBands(questions: readonly Asked[], weights: Weights): Weights['bands'] {
  const answered = questions.filter(({ answerable, relevant }) => answerable && relevant.includes(true))
  const relevant: number[] = []
  const tops: number[] = []
  const results: { probability: number; relevant: boolean }[] = []
  for (const one of answered) {
    const { scores } = scoreRows(one.rows, one.whole, weights)
    const linear = Float64Array.from(scores, (score) => score.linear)
    const best = bestTexts(one.rows, linear)
    if (one.store === 'full') tops.push(scores[best[0] ?? 0]?.probability ?? 0)
    for (const at of best) {
      const probability = scores[at]?.probability ?? 0
      if (one.relevant[at]) relevant.push(probability)
      if (one.store === 'full') results.push({ probability, relevant: one.relevant[at] ?? false })
    }
  }
  const floor = quantile(relevant, floorCost)
  const probable = Math.max(floor * 1.5, quantile(tops, probableCost))
  return {
    floor: rounded(floor),
    probable: rounded(probable),
    direct: rounded(Math.min(0.9, Math.max(probable * 1.5, leastWithShare(results)))),
  }
}

/** The least probability above which enough of the results are relevant. */
function leastWithShare(results: readonly { probability: number; relevant: boolean }[]): number {
  let [count, hits, least] = [0, 0, 1]
  for (const { probability, relevant } of results.toSorted((a, b) => b.probability - a.probability)) {
    count++
    if (relevant) hits++
    if (hits / count >= directShare) least = probability
  }
  return least
}

function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * sorted.length)] ?? 0
}

function bestTexts(rows: readonly Row[], linear: Float64Array): readonly number[] {
  return [...linear.keys()]
    .filter((at) => !rows[at]?.isFact)
    .sort((a, b) => (linear[b] ?? 0) - (linear[a] ?? 0))
    .slice(0, listed)
}

function named<Name extends string>(names: readonly Name[], numbers: Float64Array): Record<Name, number> {
  const entries = names.map((name, i) => [name, rounded(numbers[i] ?? 0)] as const)
  return Object.fromEntries(entries) as Record<Name, number>
}

function rounded(value: number): number {
  return Number(value.toFixed(5))
}
