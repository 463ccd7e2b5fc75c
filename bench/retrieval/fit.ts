import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { sigmoid } from '../../src/memory/retrieve/calibrate.ts'
import { type FeatureName, featureNames } from '../../src/memory/retrieve/features.ts'
import { crowdOf, linearScores } from '../../src/memory/retrieve/fuse.ts'
import { weights as shipped, type Weights } from '../../src/memory/retrieve/weights.ts'
import { fitListwise, fitLogistic, type Listing } from './newton.ts'
import { type Asked, askAll } from './questions.ts'
import { printReport } from './report.ts'
import { openVectors } from './vectors.ts'

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: process.env.SETS_DIR ?? '' },
    names: { type: 'string', default: 'locomo,hotpotqa,beam100k' },
    cache: { type: 'string', default: 'memoryd-data/bench' },
    rounds: { type: 'string', default: '6' },
    write: { type: 'boolean', default: false },
  },
})
if (values.sets === '') throw new Error('say where the sets are: --sets DIR')

/** Pulls the weights to 0; from 1e-4 to 1e-2 the figures hardly move. */
const ridge = 1e-3
/** Sets with fewer questions count more each, so that the large one does not decide alone. */
const setWeights: Readonly<Record<string, number>> = { locomo: 1, hotpotqa: 2, beam100k: 2 }
const rounds = Number(values.rounds)
/** Results that the calibration looks at: as many as a caller can ask for. */
const listed = 20

const vectors = await openVectors(values.cache)
const asked = await askAll({ directory: values.sets, sets: values.names.split(','), embedder: vectors })
await vectors.close()

const folds = [...new Set(asked.map(({ fold }) => fold))]
const roundOf = ({ fold }: Asked) => folds.indexOf(fold) % rounds

console.log(
  `${asked.length} questions in ${folds.length} folds; the figures of each are without it in the fit`,
)
const crossed = Array.from({ length: rounds }, (_, round) => {
  const rest = asked.filter((one) => roundOf(one) !== round)
  return { ...fitAll(rest), round }
})
printReport(asked.map((one) => ({ one, weights: crossed[roundOf(one)] ?? shipped })))

const final = fitAll(asked)
console.log(JSON.stringify(final, null, 2))
if (values.write) {
  const path = new URL('../../src/memory/retrieve/weights.json', import.meta.url)
  writeFileSync(path, `${JSON.stringify(final, null, 2)}\n`)
}

function fitAll(questions: readonly Asked[]): Weights {
  const chunk = fitChunk(questions)
  const ranked = { ...shipped, chunk }
  return fitCalibration(questions, ranked)
}

function fitChunk(questions: readonly Asked[]): Weights['chunk'] {
  const listings = questions.filter(({ query, tiny }) => query.answerable && !tiny).map(thinned)
  const fitted = fitListwise(listings, ridge)
  const entries = featureNames.map((name, i) => [name, round(fitted[i] ?? 0)] as const)
  return Object.fromEntries(entries) as Record<FeatureName, number>
}

/** Far from the top every fourth candidate stands for its like: a quarter of the work, the same weights. */
function thinned({ candidates, relevant, set }: Asked): Listing {
  const strength = candidates.map(({ features }) => (features[0] ?? 0) + (features[1] ?? 0))
  const order = [...strength.keys()].sort((a, b) => (strength[b] ?? 0) - (strength[a] ?? 0))
  const kept = order.filter((at, rank) => relevant[at] || rank < 60 || rank % 4 === 0)
  return {
    rows: kept.map((at) => candidates[at]?.features ?? new Float64Array()),
    relevant: kept.map((at) => relevant[at] ?? false),
    weight: setWeights[set] ?? 1,
  }
}

/** The background is chosen by likelihood from a few; the rest is a logistic regression over the listed results. */
function fitCalibration(questions: readonly Asked[], ranked: Weights): Weights {
  const tries = [4, 6, 8, 10, 12].map((background) => {
    const weights = { ...ranked, background }
    const { rows, labels } = calibrationRows(questions, weights)
    const [slope = 0, crowd = 0, elsewhere = 0, offset = 0] = fitLogistic(rows, labels, 1e-6)
    const calibration = {
      slope: round(slope),
      crowd: round(crowd),
      elsewhere: round(elsewhere),
      offset: round(offset),
    }
    const loss = rows.reduce((sum, row, at) => {
      const p = sigmoid(
        row.reduce((total, value, i) => total + value * ([slope, crowd, elsewhere, offset][i] ?? 0), 0),
      )
      return sum - Math.log(Math.max(1e-12, labels[at] ? p : 1 - p))
    }, 0)
    return { weights: { ...weights, calibration }, loss }
  })
  const best = tries.toSorted((a, b) => a.loss - b.loss)[0]
  return { ...(best?.weights ?? ranked), text: fitText(questions, ranked) }
}

function calibrationRows(questions: readonly Asked[], weights: Weights) {
  const rows: Float64Array[] = []
  const labels: boolean[] = []
  for (const { candidates, relevant } of questions) {
    const linear = linearScores(candidates, weights)
    const { crowd, elsewhere } = crowdOf(candidates, linear, weights)
    for (const at of bestIndexes(linear)) {
      rows.push(Float64Array.of(linear[at] ?? 0, crowd, elsewhere, 1))
      labels.push(relevant[at] ?? false)
    }
  }
  return { rows, labels }
}

/** Words and meaning alone, for texts that come without a place in a conversation. */
function fitText(questions: readonly Asked[], weights: Weights): Weights['text'] {
  const rows: Float64Array[] = []
  const labels: boolean[] = []
  for (const { candidates, relevant } of questions) {
    const linear = linearScores(candidates, weights)
    for (const at of bestIndexes(linear)) {
      const features = candidates[at]?.features
      rows.push(Float64Array.of(features?.[0] ?? 0, features?.[1] ?? 0, 1))
      labels.push(relevant[at] ?? false)
    }
  }
  const [words = 0, meaning = 0, offset = 0] = fitLogistic(rows, labels, 1e-6)
  return { words: round(words), meaning: round(meaning), offset: round(offset) }
}

function bestIndexes(linear: Float64Array): readonly number[] {
  return [...linear.keys()].sort((a, b) => (linear[b] ?? 0) - (linear[a] ?? 0)).slice(0, listed)
}

function round(value: number): number {
  return Number(value.toFixed(4))
}
