// What a memory gives back of small stories: the right text first, nothing out of date above it, and a low score where
// nothing answers the question. The models that ship, a new memory for every story.
//   npm run -s bench stories [FILE...]          files of stories; by default data/stories/stories-*.jsonl
//   npm run -s bench stories -- --fit FILE...   fits how much the reading of the best texts counts, and writes it
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { AnswerReader } from '../../src/memory/ports.ts'
import { logit, type Weights, weights } from '../../src/memory/retrieve/rank.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { createLocalExtractor } from '../../src/models/facts/local-extractor.ts'
import { createLocalRelation } from '../../src/models/relation/local-relation.ts'
import { openSmallMemory } from '../../test/support/small-memory.ts'
import { fitLogistic } from '../retrieval/newton.ts'

interface Story {
  readonly id: string
  readonly texts: readonly {
    readonly text: string
    readonly source?: 'user' | 'assistant' | 'document'
    readonly session?: string
  }[]
  readonly questions: readonly {
    readonly q: string
    readonly kind: 'changed' | 'plain' | 'unanswerable'
    readonly answer_in: number | null
    readonly outdated: readonly number[]
  }[]
}

/** What came of one question. */
interface Outcome {
  readonly kind: Story['questions'][number]['kind']
  readonly isRight: boolean
  readonly isOutdated: boolean
  readonly score: number
  readonly answerable: number
  /** The best that the model read in a text; null where there was none. */
  readonly read: number | null
  /** Texts whose place another may have taken, both read together: the logits of the link and the readings, and whether it has. */
  readonly links: readonly { readonly signs: readonly number[]; readonly isTaken: boolean }[]
}

/** Something out of date in the first place is worse than something true behind what is newer: so many times. */
const worse = 2

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: 'boolean', default: false }, fit: { type: 'boolean', default: false } },
})
const files = positionals.length > 0 ? positionals : globSync('data/stories/stories-*.jsonl')
const [embedder, extractor, relation] = await Promise.all([
  createLocalEmbedder(),
  createLocalExtractor(),
  createLocalRelation(),
])
/** What was read of the best texts with the question at hand. */
const reads: number[] = []
/** What may have taken the place of one of them, and what was read of both together. */
const weighed: { readonly older: string; readonly newer: string; readonly chances: readonly number[] }[] = []
const answerReader: AnswerReader = {
  async answers(question, texts) {
    const [older = '', newer] = texts
    const chances = await relation.answers(question, texts)
    if (newer !== undefined) weighed.push({ older, newer, chances })
    return chances
  },
  async answersUntil(surely, question, texts) {
    const chances = await relation.answersUntil(surely, question, texts)
    reads.push(...chances)
    return chances
  },
  outdates: relation.outdates,
}
const lots: Outcome[][] = []
for (const file of files) {
  const stories: Story[] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const outcomes: Outcome[] = []
  for (const story of stories) outcomes.push(...(await tell(story)))
  report(file, stories.length, outcomes)
  lots.push(outcomes)
}
if (values.fit) fit()
await Promise.all([embedder.close(), extractor.close(), relation.close()])

async function tell({ id, texts, questions }: Story): Promise<Outcome[]> {
  const small = openSmallMemory({ parts: { embedder, extractor, relation, answerReader } })
  for (const [at, { text, source = 'user', session }] of texts.entries()) {
    await small.ingest(text, { source, sessionId: session ?? null, metadata: { at } })
    small.clock.advance(3_600)
  }
  const outcomes: Outcome[] = []
  for (const { q, kind, answer_in, outdated } of questions) {
    reads.length = 0
    weighed.length = 0
    const { facts, answerable } = await small.retrieve(q)
    const first = facts.find(({ rank }) => rank === 1)
    const place = first?.metadata?.at
    const isRight = place === answer_in
    const isOutdated = outdated.some((at) => at === place)
    if (values.misses && kind !== 'unanswerable' && !isRight)
      console.log(`  ${id} ${kind}: ${q}\n    ${isOutdated ? 'outdated' : 'other'}: ${first?.fact}`)
    const read = reads.length === 0 ? null : Math.max(...reads)
    const links: Outcome['links'][number][] = []
    for (const { older, newer, chances } of weighed) {
      const at = texts.findIndex(({ text }) => text === older)
      const isTaken = outdated.includes(at)
      if (!isTaken && at !== answer_in) continue
      const link = await relation.outdates({ older, newer })
      links.push({ signs: [link, chances[1] ?? 0, chances[0] ?? 0].map(logit), isTaken })
    }
    outcomes.push({ kind, isRight, isOutdated, score: first?.score ?? 0, answerable, read, links })
  }
  return outcomes
}

function report(file: string, count: number, outcomes: readonly Outcome[]): void {
  const of = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind)
  const [changed, plain, none] = [of('changed'), of('plain'), of('unanswerable')]
  const some = [...changed, ...plain]
  const share = (part: readonly unknown[], whole: readonly unknown[]) =>
    `${part.length} of ${whole.length} (${((100 * part.length) / Math.max(1, whole.length)).toFixed(1)} %)`
  console.log(`${file}: ${count} stories`)
  console.log(
    `  changed: right first ${share(
      changed.filter(({ isRight }) => isRight),
      changed,
    )}`,
  )
  console.log(
    `  changed: outdated first ${share(
      changed.filter(({ isOutdated }) => isOutdated),
      changed,
    )}`,
  )
  console.log(
    `  plain: right first ${share(
      plain.filter(({ isRight }) => isRight),
      plain,
    )}`,
  )
  console.log(
    `  unanswerable: below 0.4 ${share(
      none.filter(({ score }) => score < 0.4),
      none,
    )}`,
  )
  console.log(
    `  answerable: at least 0.4 ${share(
      some.filter(({ score }) => score >= 0.4),
      some,
    )}`,
  )
  console.log(`  answerable against unanswerable: AUC ${auc(some, none).toFixed(3)}`)
}

/** How often an answerable question is held for more answerable than an unanswerable one. */
function auc(some: readonly Outcome[], none: readonly Outcome[]): number {
  const wins = some.flatMap(({ answerable: a }) =>
    none.map(({ answerable: b }): number => (a === b ? 0.5 : a > b ? 1 : 0)),
  )
  return wins.reduce((sum, win) => sum + win, 0) / Math.max(1, wins.length)
}

/** The weights of the reading, from all lots; what they give on each lot that the fit did not see. */
function fit(): void {
  const { reading } = weights.late
  /** What the ranking alone said. */
  const before = ({ answerable, read: chance }: Outcome) =>
    (logit(answerable) - reading.read * logit(chance ?? 0.5) - reading.offset) / reading.answerable
  const rowOf = (one: Outcome) => Float64Array.of(before(one), logit(one.read ?? 0.5), 1)
  const isAnswerable = ({ kind }: Outcome) => kind !== 'unanswerable'
  const fitted = (outcomes: readonly Outcome[]) =>
    fitLogistic(outcomes.map(rowOf), outcomes.map(isAnswerable), 1e-3)
  const scoreOf = (one: Outcome, factors: Float64Array) =>
    rowOf(one).reduce((sum, value, at) => sum + value * (factors[at] ?? 0), 0)
  for (const [at, lot] of lots.entries()) {
    const factors = fitted(lots.toSpliced(at, 1).flat())
    const scored = lot.map((one) => ({ ...one, answerable: scoreOf(one, factors) }))
    const [some, none] = [true, false].map((side) => scored.filter((one) => isAnswerable(one) === side))
    console.log(`${files[at]}, fitted without it: AUC ${auc(some ?? [], none ?? []).toFixed(3)}`)
  }
  const outcomes = lots.flat()
  const factors = fitted(outcomes)
  const sorted = outcomes.filter(isAnswerable).map((one) => scoreOf(one, factors))
  sorted.sort((a, b) => a - b)
  // Nine in ten of the questions that have an answer reach 0.4: a first result has a little less than the whole.
  const low = sorted[Math.floor(sorted.length / 14)] ?? 0
  const [slope = 1, share = 0, offset = 0] = factors
  const found = {
    answerable: rounded(slope),
    read: rounded(share),
    offset: rounded(offset + logit(0.4) - low),
    choice: reading.choice,
    taken: takenWeights(outcomes),
  }
  console.log(JSON.stringify(found))
  const path = new URL('../../src/memory/retrieve/weights.json', import.meta.url)
  const final = { late: { ...weights.late, reading: found }, plain: { ...weights.plain, reading: found } }
  writeFileSync(path, `${JSON.stringify(final, null, 2)}\n`)
}

/** When a text is out of date for a question, by the link to what may have taken its place and the readings of both. */
function takenWeights(outcomes: readonly Outcome[]): Weights['reading']['taken'] {
  const links = outcomes.flatMap((outcome) => outcome.links)
  const rows = links.map(({ signs }) => Float64Array.of(...signs, 1))
  const [link = 0, newer = 0, older = 0, offset = 0] = fitLogistic(
    rows,
    links.map(({ isTaken }) => isTaken),
    1e-3,
  )
  console.log(`${links.length} texts whose place another may have taken`)
  return {
    link: rounded(link),
    newer: rounded(newer),
    older: rounded(older),
    offset: rounded(offset + Math.log(worse)),
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(5))
}
