import { z } from 'zod'
import { documentPath } from '../../http/fields.ts'
import { documentsReply } from '../../http/routes/documents.ts'
import { batchReply, type ingestReply } from '../../http/routes/ingest-replies.ts'
import { etagOf } from '../../memory/documents/etag.ts'
import { type Brain, Refused } from '../brain.ts'
import type { Reading } from './read.ts'
import type { DocumentRecord, TextRecord } from './record.ts'

/** A text on its way, with where it was read for what may have to be told of it. */
interface Waiting {
  readonly record: TextRecord
  readonly reading: Reading
}

export interface Sender {
  text(record: TextRecord, reading: Reading): Promise<void>
  document(record: DocumentRecord, reading: Reading): Promise<void>
  /** Sends what is waiting. */
  flush(): Promise<void>
}

/** Told of everything that is done. */
export interface Outcome {
  done(what: 'stored' | 'known', count: number): void
  failed(reading: Reading, problem: string): void
}

/** Of one question what is known already. */
const portion = { items: 500, bytes: 2_000_000 }
/** A batch of the server takes 4 MiB. */
const batchBytes = 3_000_000
/** Tries for an item that fails while others of its batch do not. */
const tries = 3

const knownReply = z.object({ known: z.array(z.array(z.string()).nullable()) })
const putReply = z.object({ created: z.boolean() })
const patchReply = z.object({ id: z.string() })
const memoryReply = z.object({ fact: z.string(), replaced_by: z.string().nullish() })
type Ingested = Pick<z.output<typeof ingestReply>, 'ids' | 'facts'>

/** Stores records in their order. What the server has already is asked for in large portions and not sent again. */
export function senderTo(
  brain: Brain,
  { persona, batchItems, outcome }: { persona: string | null; batchItems: number; outcome: Outcome },
): Sender {
  let waiting: Waiting[] = []
  let bytes = 0
  /** By the id of a correction: in the place of what it is told, once that is stored. */
  const corrected = new Map<string, string | null>()
  /** By persona: the documents that are kept, with their marks. */
  const documents = new Map<string, Promise<ReadonlyMap<string, string>>>()
  /** By persona and path: the marks of those that this import has brought. */
  const brought = new Map<string, string>()
  const documentsOf = (query: URLSearchParams) => {
    const found = documents.get(`${query}`) ?? listed(query)
    documents.set(`${query}`, found)
    return found
  }

  async function listed(persona: URLSearchParams): Promise<ReadonlyMap<string, string>> {
    const marks = new Map<string, string>()
    let after: string | null = ''
    while (after !== null) {
      const query: string = `${persona}&limit=100&after=${encodeURIComponent(after)}`
      const page: z.output<typeof documentsReply> = await brain.call(
        documentsReply,
        'GET',
        `/brain/documents?${query}`,
      )
      for (const { path, etag } of page.documents) marks.set(path, etag)
      after = page.next_after
    }
    return marks
  }

  const itemOf = ({ record }: Waiting) => {
    const { text, source, speaker, occurred_at, session_id, external_id, metadata } = record
    const role = source === 'document' ? 'system' : source
    return {
      ...(speaker === undefined ? { text, source } : { messages: [{ role, content: text, name: speaker }] }),
      ...{ occurred_at, session_id, external_id, metadata, persona: record.persona ?? persona },
    }
  }

  async function flush(): Promise<void> {
    const all = waiting
    waiting = []
    bytes = 0
    if (all.length === 0) return
    const kept = await known(all)
    for (const [at, one] of all.entries()) if (kept[at] != null) await finish('known', one, { ids: kept[at] })
    const missing = all.filter((_, at) => kept[at] === null)
    for (const batch of batchesOf(missing)) await store(batch, tries)
  }

  async function known(all: readonly Waiting[]): Promise<readonly (readonly string[] | null)[]> {
    if (all.length === 0) return []
    try {
      const reply = await brain.call(knownReply, 'POST', '/brain/known', { items: all.map(itemOf) })
      // The facts of a text are told by storing it alone.
      return reply.known.map((ids, at) => (all[at]?.record.pinned_facts === undefined ? ids : null))
    } catch (error) {
      if (!isRefusal(error)) throw error
      // What is refused is told when it is stored.
      const bad = placesIn(error)
      if (bad.size === 0) {
        if (all.length === 1) return [null]
        const half = Math.ceil(all.length / 2)
        return [...(await known(all.slice(0, half))), ...(await known(all.slice(half)))]
      }
      const rest = await known(all.filter((_, at) => !bad.has(at)))
      const next = rest.values()
      return all.map((_, at) => (bad.has(at) ? null : (next.next().value ?? null)))
    }
  }

  function* batchesOf(all: readonly Waiting[]): Generator<readonly Waiting[]> {
    let batch: Waiting[] = []
    let size = 0
    for (const one of all) {
      const own = sizeOf(one.record)
      if (batch.length > 0 && (batch.length === batchItems || size + own > batchBytes)) {
        yield batch
        batch = []
        size = 0
      }
      batch.push(one)
      size += own
    }
    if (batch.length > 0) yield batch
  }

  async function store(batch: readonly Waiting[], left: number): Promise<void> {
    if (batch.length === 0) return
    try {
      const body = { items: batch.map(itemOf) }
      const { results } = await brain.call(batchReply, 'POST', '/brain/ingest/batch', body)
      const again: Waiting[] = []
      for (const [at, one] of batch.entries()) {
        const result = results[at]
        if (result === undefined || 'error' in result) {
          if (left > 1) again.push(one)
          else outcome.failed(one.reading, result?.detail ?? 'the server did not answer for it')
        } else {
          await finish(result.deduplicated ? 'known' : 'stored', one, result)
        }
      }
      await store(again, left - 1)
    } catch (error) {
      if (!isRefusal(error)) throw error
      const bad = placesIn(error)
      if (bad.size > 0 || batch.length === 1) {
        const isBad = (_: Waiting, at: number) => bad.size === 0 || bad.has(at)
        for (const { reading } of batch.filter(isBad)) outcome.failed(reading, error.message)
        return store(
          batch.filter((one, at) => !isBad(one, at)),
          left,
        )
      }
      // It does not say which one is meant.
      const half = Math.ceil(batch.length / 2)
      await store(batch.slice(0, half), left)
      await store(batch.slice(half), left)
    }
  }

  /** What an export says beside the text, which is there. */
  async function finish(
    what: 'stored' | 'known',
    { record, reading }: Waiting,
    { ids = [], facts = [] }: { [Name in keyof Ingested]?: Readonly<Ingested[Name]> },
  ) {
    const pinned = new Set(record.pinned_facts)
    const keep = [
      ...(record.pinned ? ids : []),
      ...facts.filter(({ fact }) => pinned.has(fact)).map(({ id }) => id),
    ]
    const [first] = ids
    if (record.corrected_by !== undefined && first !== undefined) corrected.set(record.corrected_by, first)
    const isDone = await unlessRefused(reading, async () => {
      for (const id of keep) await patch(id, { pinned: true })
    })
    if (isDone) outcome.done(what, 1)
  }

  /** Whether it is done; what the server refuses is told, and the import goes on. */
  async function unlessRefused(reading: Reading, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work()
      return true
    } catch (error) {
      if (!isRefusal(error)) throw error
      outcome.failed(reading, error.message)
      return false
    }
  }

  const patch = (id: string, change: object) =>
    brain.call(patchReply, 'PATCH', `/brain/memories/${encodeURIComponent(id)}`, change)
  const memory = (id: string) => brain.call(memoryReply, 'GET', `/brain/memories/${encodeURIComponent(id)}`)

  /** Stored as the correction of what it corrected, unless an earlier import did so. */
  async function correct(one: Waiting, older: string): Promise<void> {
    const { text, occurred_at, pinned = false } = one.record
    await unlessRefused(one.reading, async () => {
      const { replaced_by: newer } = await memory(older)
      if (newer != null && (await memory(newer)).fact === text) return finish('known', one, { ids: [newer] })
      const { id } = await patch(older, { text, occurred_at, pinned })
      await finish('stored', one, { ids: [id] })
    })
  }

  return {
    flush,
    text: async (record, reading) => {
      const isCorrection = record.id !== undefined && corrected.has(record.id)
      if (isCorrection) await flush()
      const older = isCorrection ? corrected.get(record.id ?? '') : null
      if (older != null) return correct({ record, reading }, older)
      if (record.corrected_by !== undefined) corrected.set(record.corrected_by, null)
      waiting.push({ record, reading })
      bytes += sizeOf(record)
      if (waiting.length >= portion.items || bytes >= portion.bytes) await flush()
    },
    document: async ({ document, persona: own, ...body }, reading) => {
      // Before it becomes part of an address, in which .. leads elsewhere; under the name that the server gives it.
      const { data: name, error: wrong } = documentPath.safeParse(document)
      if (name === undefined)
        return outcome.failed(reading, wrong.issues[0]?.message ?? 'its path is refused')
      const query = new URLSearchParams({ persona: own ?? persona ?? 'shared' })
      const { content, content_type: contentType, metadata } = body
      const mark = etagOf({ content, contentType, metadata })
      const before = brought.get(`${query} ${name}`)
      if (before !== undefined && before !== mark)
        return outcome.failed(
          reading,
          'another document of this import has the same name; rename one of them',
        )
      brought.set(`${query} ${name}`, mark)
      const kept = (await documentsOf(query)).get(name)
      if (kept === mark || before === mark) return outcome.done('known', 1)
      const path = name.split('/').map(encodeURIComponent).join('/')
      const isDone = await unlessRefused(reading, () =>
        brain.call(putReply, 'PUT', `/brain/documents/${path}?${query}`, body),
      )
      if (isDone) outcome.done('stored', 1)
    },
  }
}

/** Told apart from what is wrong with the server, the key or the budget. */
const isRefusal = (error: unknown): error is Refused =>
  error instanceof Refused && [400, 404, 413, 422].includes(error.status)

/** The items that a refusal names. */
const placesIn = ({ paths }: Refused): ReadonlySet<number> =>
  new Set(paths.flatMap((path) => /^items\.(\d+)/.exec(path)?.[1] ?? []).map(Number))

const sizeOf = (record: TextRecord) => Buffer.byteLength(JSON.stringify(record))
