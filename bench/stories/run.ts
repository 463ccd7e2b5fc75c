// What a memory gives back of small stories: the right text first, nothing out of date above it, and a low score where
// nothing answers the question. The models that ship, a new memory for every story.
//   npm run -s bench stories [FILE...]    files of stories; by default data/stories/stories-*.jsonl
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { createLocalExtractor } from '../../src/models/facts/local-extractor.ts'
import { createLocalRelation } from '../../src/models/relation/local-relation.ts'
import { openSmallMemory } from '../../test/support/small-memory.ts'

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
}

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { misses: { type: 'boolean', default: false } },
})
const files = positionals.length > 0 ? positionals : globSync('data/stories/stories-*.jsonl')
const [embedder, extractor, relation] = await Promise.all([
  createLocalEmbedder(),
  createLocalExtractor(),
  createLocalRelation(),
])
for (const file of files) {
  const stories: Story[] = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const outcomes: Outcome[] = []
  for (const story of stories) outcomes.push(...(await tell(story)))
  report(file, stories.length, outcomes)
}
await Promise.all([embedder.close(), extractor.close(), relation.close()])

async function tell({ id, texts, questions }: Story): Promise<Outcome[]> {
  const small = openSmallMemory({ parts: { embedder, extractor, relation } })
  for (const [at, { text, source = 'user', session }] of texts.entries()) {
    await small.ingest(text, { source, sessionId: session ?? null, metadata: { at } })
    small.clock.advance(3_600)
  }
  const outcomes: Outcome[] = []
  for (const { q, kind, answer_in, outdated } of questions) {
    const { facts, answerable } = await small.retrieve(q)
    const first = facts.find(({ rank }) => rank === 1)
    const place = first?.metadata?.at
    const isRight = place === answer_in
    const isOutdated = outdated.some((at) => at === place)
    if (values.misses && kind !== 'unanswerable' && !isRight)
      console.log(`  ${id} ${kind}: ${q}\n    ${isOutdated ? 'outdated' : 'other'}: ${first?.fact}`)
    outcomes.push({ kind, isRight, isOutdated, score: first?.score ?? 0, answerable })
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
