import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
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

/** Pulls the weights to 0. From 1e-4 to 1e-2 the figures are the same. */
const ridge = 3e-3
/** Sets with fewer questions count more each, so that the large one does not decide alone. */
const setWeights: Readonly<Record<string, number>> = { locomo: 1, hotpotqa: 2, beam100k: 4 }
const rounds = Number(values.rounds)
/** Leaving an answer out is so many times worse than a stray result where nothing speaks of the matter. */
const missCost = 5
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
  const ranked = { ...shipped, chunk: fitChunk(questions) }
  return {
    ...ranked,
    choice: fitChoice(questions, ranked),
    topic: fitTopic(questions, ranked),
    answerable: fitAnswerable(questions, ranked),
    text: fitText(questions, ranked),
  }
}

function fitChunk(questions: readonly Asked[]): Weights['chunk'] {
  const listings = questions.filter(({ query, store }) => query.answerable && store === 'full').map(thinned)
  const fitted = fitListwise(listings, ridge)
  const entries = featureNames.map((name, i) => [name, rounded(fitted[i] ?? 0)] as const)
  return Object.fromEntries(entries) as Record<FeatureName, number>
}

/** Far from the top every fourth candidate stands for its like, which saves most of the work. */
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

/** Which of the results it is, from the questions that have an answer among their candidates. */
function fitChoice(questions: readonly Asked[], weights: Weights): Weights['choice'] {
  const rows: Float64Array[] = []
  const labels: boolean[] = []
  for (const { candidates, relevant } of questions.filter((one) => one.relevant.includes(true))) {
    const scores = linearScores(candidates, weights)
    const { crowd } = crowdOf(candidates, scores, weights)
    for (const at of bestIndexes(scores)) {
      rows.push(Float64Array.of(scores[at] ?? 0, crowd, 1))
      labels.push(relevant[at] ?? false)
    }
  }
  const [linear = 0, crowd = 0, offset = 0] = fitLogistic(rows, labels, 1e-6)
  return { linear: rounded(linear), crowd: rounded(crowd), offset: rounded(offset) }
}

/** Whether the memory speaks of the matter: questions with an answer in it against questions of other sets. */
function fitTopic(questions: readonly Asked[], weights: Weights): Weights['topic'] {
  const used = questions.filter(({ store, relevant }) => store === 'foreign' || relevant.includes(true))
  const rows = used.map(({ candidates }) => {
    const crowd = crowdOf(candidates, linearScores(candidates, weights), weights)
    return Float64Array.of(Math.sqrt(crowd.words), crowd.meaning, 1)
  })
  const labels = used.map(({ store }) => store !== 'foreign')
  const [words = 0, meaning = 0, offset = 0] = fitLogistic(rows, labels, 1e-5)
  return { words: rounded(words), meaning: rounded(meaning), offset: rounded(offset + Math.log(missCost)) }
}

/** Whether there is an answer, from the questions that were asked to have none and from the tiny stores. */
function fitAnswerable(questions: readonly Asked[], weights: Weights): Weights['answerable'] {
  const sets = new Set(
    questions.filter(({ query }) => query.category === 'adversarial').map(({ set }) => set),
  )
  const used = questions.filter(
    ({ set, store, candidates }) =>
      candidates.length > 0 && store !== 'foreign' && (store === 'tiny' || sets.has(set)),
  )
  const rows = used.map(({ candidates }) => {
    const crowd = crowdOf(candidates, linearScores(candidates, weights), weights)
    return Float64Array.of(Math.sqrt(crowd.words), crowd.meaning, crowd.elsewhere, 1)
  })
  const labels = used.map(({ query, relevant, store }) =>
    store === 'tiny' ? relevant.includes(true) : query.answerable,
  )
  const [words = 0, meaning = 0, elsewhere = 0, offset = 0] = fitLogistic(rows, labels, 1e-5)
  return {
    words: rounded(words),
    meaning: rounded(meaning),
    elsewhere: rounded(elsewhere),
    offset: rounded(offset),
  }
}

/** Words and meaning alone, for texts that come without a place in a conversation. */
function fitText(questions: readonly Asked[], weights: Weights): Weights['text'] {
  const rows: Float64Array[] = []
  const labels: boolean[] = []
  for (const { candidates, relevant } of questions.filter(({ store }) => store !== 'foreign')) {
    const linear = linearScores(candidates, weights)
    for (const at of bestIndexes(linear)) {
      const features = candidates[at]?.features
      rows.push(Float64Array.of(features?.[0] ?? 0, features?.[1] ?? 0, 1))
      labels.push(relevant[at] ?? false)
    }
  }
  const [words = 0, meaning = 0, offset = 0] = fitLogistic(rows, labels, 1e-6)
  return { words: rounded(words), meaning: rounded(meaning), offset: rounded(offset) }
}

function bestIndexes(linear: Float64Array): readonly number[] {
  return [...linear.keys()].sort((a, b) => (linear[b] ?? 0) - (linear[a] ?? 0)).slice(0, listed)
}

function rounded(value: number): number {
  return Number(value.toFixed(4))
}
