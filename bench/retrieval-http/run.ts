import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type RunningService, startService } from '../memory/service.ts'
import { areaUnderCurve, mean, qualityOf } from '../retrieval/metrics.ts'
import { loadSet, type Query } from '../retrieval/sets.ts'
import { askAbout, type Stored, storeGroup } from './client.ts'

// What retrieve finds, as a user of the API sees it: the service is started with its default settings on an empty
// directory, every text goes in through POST /brain/ingest/batch, every question through POST /brain/retrieve.
// The table is on standard output, progress on standard error.

const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: process.env.SETS_DIR ?? '' },
    /** `beam100k:4` takes the first four groups. */
    names: { type: 'string', default: 'talks,locomo,hotpotqa,beam100k' },
    /** Of each set, spread over its groups; all by default. */
    questions: { type: 'string' },
    /** A data directory that stays: texts that an earlier run stored there are not sent again. */
    keep: { type: 'string' },
    /** Leaves the facts out: what the search of one process is compared with. */
    chunks: { type: 'boolean', default: false },
    /** The traversal's depth; none by default. */
    hops: { type: 'string' },
  },
})
if (values.sets === '') throw new Error('say where the sets are: --sets DIR')
const asked = values.questions === undefined ? Number.POSITIVE_INFINITY : Number(values.questions)
if (!(asked >= 1)) throw new Error('--questions wants a number from 1 on')

const dataDir = values.keep ?? (await mkdtemp(join(tmpdir(), 'memoryd-retrieval-')))
const noteFile = join(dataDir, 'bench-stored.json')
/** What became of the texts of each persona. */
const kept = new Map<string, Stored>(
  existsSync(noteFile) ? Object.entries(JSON.parse(readFileSync(noteFile, 'utf8'))) : [],
)

function keepNote(persona: string, stored: Stored): void {
  kept.set(persona, stored)
  if (values.keep !== undefined) writeFileSync(noteFile, JSON.stringify(Object.fromEntries(kept)))
}

interface Answered {
  readonly query: Query
  /** Ids of items, best first. */
  readonly items: readonly string[]
  readonly topScore: number
}

const tell = (text: string) => process.stderr.write(`${text}\n`)

/** Evenly spread, so that every group has its share. */
function some<T>(all: readonly T[], count: number): readonly T[] {
  if (count >= all.length) return all
  return Array.from({ length: count }, (_, at) => all[Math.floor((at * all.length) / count)]).filter(
    (one) => one !== undefined,
  )
}

async function measure(service: RunningService, name: string): Promise<void> {
  const groups = loadSet(values.sets, name)
  const [set = ''] = name.split(':')
  const chosen = new Set(
    some(
      groups.flatMap(({ queries }) => queries),
      asked,
    ),
  )
  const total = { texts: 0, tooLong: 0, skipped: 0 }
  const answered: Answered[] = []
  for (const group of groups) {
    const persona = `${set} ${group.name}`
    const stored = kept.get(persona) ?? (await storeGroup(service, persona, group.items))
    keepNote(persona, stored)
    total.texts += group.items.length
    total.tooLong += stored.tooLong
    total.skipped += stored.skipped
    for (const query of group.queries.filter((one) => chosen.has(one))) {
      const found = await askAbout(service, {
        ...{ query: query.query, persona, include_semantic: !values.chunks },
        ...(values.hops === undefined ? {} : { max_hops: Number(values.hops) }),
      })
      answered.push({ query, items: found.map(({ item }) => item), topScore: found[0]?.score ?? 0 })
    }
    tell(
      `${persona}: ${group.items.length} texts stored, ${answered.length} of ${chosen.size} questions asked`,
    )
  }
  print(name, answered, total)
}

function print(
  set: string,
  answered: readonly Answered[],
  { texts, tooLong, skipped }: { texts: number; tooLong: number; skipped: number },
): void {
  const answerable = answered.filter(({ query }) => query.answerable)
  const silent = answered.filter(({ query }) => !query.answerable)
  const qualities = answerable.map(({ query, items }) =>
    qualityOf(
      [...new Set(items)].map((item) => query.gold.includes(item)),
      query.gold.length,
    ),
  )
  const tops = (list: readonly Answered[]) => list.map(({ topScore }) => topScore)
  const figures = [
    mean(qualities.map(({ recall5 }) => recall5)),
    mean(qualities.map(({ recall10 }) => recall10)),
    mean(qualities.map(({ ndcg10 }) => ndcg10)),
    mean(qualities.map(({ all5 }) => all5)),
    mean(qualities.map(({ first }) => first)),
  ].map((figure) => figure.toFixed(3))
  const area = silent.length === 0 ? '' : areaUnderCurve(tops(answerable), tops(silent)).toFixed(3)
  console.log(`| ${[set, texts, tooLong, skipped, answerable.length, ...figures, area].join(' | ')} |`)
}

try {
  const service = await startService(dataDir)
  console.log(
    '| set | texts | left out as too long | skipped as repeats | questions | R@5 | R@10 | nDCG@10 | all@5 | first | AUC unanswerable |',
  )
  console.log('|---|---|---|---|---|---|---|---|---|---|---|')
  try {
    for (const set of values.names.split(',')) await measure(service, set)
  } finally {
    await service.stop()
  }
} finally {
  if (values.keep === undefined) await rm(dataDir, { recursive: true })
}
