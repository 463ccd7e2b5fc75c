import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { memoryOf, type RunningService } from '../memory/service.ts'
import { loadSet } from '../retrieval/sets.ts'
import { type Cost, cpuOf, type Model, measure, percentile, wallOf } from './cost.ts'
import { filledPersona } from './store.ts'

/** One line of the table. */
export interface Measured {
  readonly store: string
  /** In the namespace. */
  readonly memories: number
  readonly what: string
  readonly cost: Cost
  /** Megabytes of the service, afterwards. */
  readonly resident: number
}

/** Asked before anything else, so that the indexes are loaded and most code is compiled. */
const warmUp = 60

/** No text twice: the service's embedder remembers recent ones. */
function taker(list: readonly string[]): (count: number) => readonly string[] {
  let next = 0
  return (count) =>
    Array.from({ length: count }, () => {
      const text = list[next % list.length] ?? ''
      return `${text}${' ?'.repeat(Math.floor(next++ / list.length))}`
    })
}

export const retrieve =
  (service: RunningService, more: object = {}) =>
  (query: string) =>
    service.post('/brain/retrieve', { query, k: 10, ...more })

export interface Asked {
  readonly service: RunningService
  readonly model: Model
  readonly questions: readonly string[]
  /** Questions that count; of dearer requests fewer do. */
  readonly count: number
}

/** Wall milliseconds of the first question after the start, and what searching and telling cost after it. */
export async function measureStore(
  { service, model, questions, count }: Asked,
  store: { readonly name: string; readonly memories: number },
  shown: (row: Measured) => void,
): Promise<{ readonly first: number; readonly rows: readonly Measured[] }> {
  const [takeQuestions, takeNews] = [taker(questions), taker(news())]
  const [question = ''] = takeQuestions(1)
  const first = await wallOf(() => retrieve(service)(question))
  console.log(`| ${store.name} | first question after the start | | | ${first.toFixed(0)} | | |`)
  const rows: Measured[] = []
  const add = (what: string, cost: Cost) => {
    const { name, memories } = store
    const row = { store: name, memories, what, cost, resident: memoryOf(service.pid).resident }
    rows.push(row)
    shown(row)
  }
  const searches = takeQuestions(warmUp + count)
  add('search', await measure(service, model, searches, { warmUp, ask: retrieve(service) }))
  const walks = takeQuestions(10 + count / 2)
  add(
    'search, `max_hops` 3',
    await measure(service, model, walks, { warmUp: 10, ask: retrieve(service, { max_hops: 3 }) }),
  )
  const ingest = (personaOf: (at: number) => string) => (text: string, at: number) =>
    service.post('/brain/ingest', { text, persona: personaOf(at) })
  // In a persona of its own nothing is near; the index is searched all the same.
  const apart = { warmUp: 20, ask: ingest((at) => `persona ${at}`) }
  add('ingest, nothing near', await measure(service, model, takeNews(20 + count / 2), apart))
  const beside = { warmUp: 5, ask: ingest(() => filledPersona) }
  add('ingest, neighbours judged', await measure(service, model, takeNews(5 + count / 4), beside))
  return { first, rows }
}

/** Texts that are not of the conversations that the stores are made of. */
const news = () => loadSet('', 'stories').flatMap(({ items }) => items.map(({ text }) => text))

/** Batches of real turns against the embedder alone on the same texts, turn about: texts a second and CPU of a text. */
export async function measureBatches(
  service: RunningService,
  turns: readonly { readonly text: string; readonly session: string | null }[],
): Promise<string> {
  const alone = await createLocalEmbedder({ recentBytes: 0 })
  const [own, told] = [
    { ms: 0, cpu: 0 },
    { ms: 0, cpu: 0 },
  ]
  for (let first = 0; first < turns.length; first += 100) {
    const batch = turns.slice(first, first + 100)
    const items = batch.map(({ text, session }) => ({
      text,
      ...(session === null ? {} : { session_id: session }),
    }))
    const cpu = cpuOf(service.pid)
    told.ms += await wallOf(() => service.post('/brain/ingest/batch', { items }))
    told.cpu += cpuOf(service.pid) - cpu
    const before = process.cpuUsage()
    own.ms += await wallOf(() => alone.embed(batch.map(({ text }) => text)))
    const { user, system } = process.cpuUsage(before)
    own.cpu += (user + system) / 1_000
  }
  await alone.close()
  const shown = ({ ms, cpu }: typeof own) =>
    `${((turns.length * 1_000) / ms).toFixed(1)} texts/s, ${(cpu / turns.length).toFixed(1)} CPU-ms a text`
  return (
    `batch ingest of ${turns.length} real turns: ${shown(told)}; embedder alone: ${shown(own)}; ` +
    `${((100 * own.ms) / told.ms).toFixed(0)} % of its throughput, ${(told.cpu / own.cpu).toFixed(2)} times its CPU`
  )
}

/** One question in every namespace: wall p50 and p95, and the memory of the process as they are touched. */
export async function measureNamespaces(
  service: RunningService,
  keys: readonly string[],
  questions: readonly string[],
): Promise<{ readonly line: string; readonly resident: readonly (readonly [number, number])[] }> {
  const resident: [number, number][] = []
  const walls: number[] = []
  // Few questions, whose vectors the service remembers: what a namespace costs is asked for, not the model.
  for (const [at, key] of keys.entries()) {
    const query = questions[at % 10] ?? ''
    walls.push(await wallOf(() => service.post('/brain/retrieve', { query, k: 10 }, key)))
    if ((at + 1) % Math.ceil(keys.length / 10) === 0) resident.push([at + 1, memoryOf(service.pid).resident])
  }
  const line =
    `${keys.length} namespaces, first question in each: wall ${percentile(walls, 0.5).toFixed(1)} / ` +
    `${percentile(walls, 0.95).toFixed(1)} ms; RSS ${resident.at(-1)?.[1].toFixed(0)} MB`
  return { line, resident }
}
