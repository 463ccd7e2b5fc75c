import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { createAccounts } from '../../src/accounts/accounts.ts'
import { tiers } from '../../src/accounts/tiers.ts'
import { systemClock } from '../../src/core/clock.ts'
import { asChunkId, asItemId, asRelationshipId, type Namespace, randomId } from '../../src/core/ids.ts'
import { normalize } from '../../src/core/vectors.ts'
import type { Encoding, ExtractedFact, FactDraft, ItemWrite, MemoryStores } from '../../src/memory/ports.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { openModelThread } from '../../src/models/embedder/model-thread.ts'
import { createLocalExtractor } from '../../src/models/facts/local-extractor.ts'
import { TOKEN_WIDTH } from '../../src/models/reader/encoder.ts'
import { createEmbeddedAccountStores } from '../../src/stores/embedded/account-stores.ts'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { startService } from '../memory/service.ts'
import { createRandom } from '../vector-search/data.ts'

/** A real turn with what the models make of it. */
interface Turn extends Encoding {
  readonly text: string
  readonly facts: readonly ExtractedFact[]
}

/** Pairs of them are nearly as many as the largest store has memories. */
const readTurns = 800
/** Texts in one group: they share one fsync. */
const together = 500
export const memoriesOfNamespace = 20

/** What is shared would be compared with whatever another persona tells. */
export const filledPersona = 'home'

/** Reads turns once and keeps them in `file`; every filled store is made of their pieces. */
export async function readTurnsOf(texts: readonly string[], file: string): Promise<readonly Turn[]> {
  if (existsSync(file)) return deserialize(readFileSync(file))
  const thread = await openModelThread({ facts: true })
  const embedder = await createLocalEmbedder({ thread, recentBytes: 0 })
  const extractor = await createLocalExtractor({ thread })
  const step = Math.max(1, Math.floor(texts.length / readTurns))
  const turns: Turn[] = []
  for (const text of texts.filter((_, at) => at % step === 0).slice(0, readTurns)) {
    const [encoding] = await embedder.encode([text])
    const [read] = await extractor.extract([{ text, source: 'user', speaker: null, now: systemClock.now() }])
    if (encoding && read) turns.push({ text, ...encoding, facts: read.facts })
  }
  await thread.close()
  writeFileSync(file, serialize(turns))
  return turns
}

/** Makes memories out of pieces of real turns, about few people often and many people seldom. */
function createItems(turns: readonly Turn[], memories: number): (at: number) => ItemWrite {
  const random = createRandom(7)
  const drawn = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const names = Map.groupBy(
    turns.flatMap(({ text }) => /^([\p{L} ]{2,20}):/u.exec(text)?.[1]?.toLowerCase() ?? []),
    (name) => name,
  )
  const speakers = [...names].toSorted((a, b) => b[1].length - a[1].length).map(([name]) => name)
  const person = zipf(random, Math.max(40, memories / 20))
  const variant = zipf(random, Math.max(20, memories / 40))
  return (at) => {
    const [first, second] = [drawn(turns), drawn(turns)]
    const rank = person()
    const subjectKey = speakers[rank] ?? `person ${rank}`
    const id = `${at}`.padStart(32, '0')
    const now = systemClock.now()
    const text = `${subjectKey}: ${half(first.text, 0)} ${half(second.text, 1)} (${at})`
    const vector = normalize(first.vector.map((value, i) => value + 0.5 * (second.vector[i] ?? 0)))
    const chunkId = asChunkId(id)
    const factOf = ({ relation, object }: ExtractedFact, number: number): FactDraft => {
      const which = variant()
      const other = drawn(turns).vector
      const objectKey = which === 0 ? object.toLowerCase() : `${object.toLowerCase()} ${which}`
      return {
        ...{ id: asRelationshipId(`${number}-${id}`), chunkId, subjectKey, relation, objectKey },
        ...{ slot: `${relation}|${objectKey}`, negated: false, ended: false, extraction: 0.9, base: 0.9 },
        ...{ fact: `${subjectKey} ${relation.replaceAll('_', ' ')} ${objectKey}`, evidence: text },
        ...{ when: null, vector: normalize(vector.map((value, i) => value + (other[i] ?? 0))) },
      }
    }
    const told = {
      ...{ itemId: asItemId(id), persona: filledPersona, sessionId: `session ${Math.floor(at / 25)}` },
      ...{ source: 'user' as const, metadata: null, createdAt: now },
    }
    const [head, tail] = [halfRows(first.tokens?.codes, 0), halfRows(second.tokens?.codes, 1)]
    const codes = new Int8Array(head.length + tail.length)
    codes.set(head)
    codes.set(tail, head.length)
    const chunk = {
      ...{ id: chunkId, speaker: subjectKey, text, start: 0, end: text.length, vector },
      ...{ base: 1, lastAccessAt: now, accessCount: 0, pinned: false },
      tokens: { count: codes.length / TOKEN_WIDTH, codes },
    }
    const facts = first.facts.map(factOf)
    return { ...told, textHash: id, entities: [], facts, chunks: [{ ...told, ...chunk }], links: [] }
  }
}

/** Numbers from 0, the one of rank r about 1/r as often as the first. */
function zipf(random: () => number, count: number): () => number {
  return () => Math.floor((count + 1) ** random()) - 1
}

function half(text: string, which: 0 | 1): string {
  const words = text.replace(/^[\p{L} ]{2,20}: /u, '').split(' ')
  const middle = Math.ceil(words.length / 2)
  return (which === 0 ? words.slice(0, middle) : words.slice(middle)).join(' ')
}

function halfRows(codes: Int8Array | undefined, which: 0 | 1): Int8Array {
  if (codes === undefined) return new Int8Array()
  const middle = Math.ceil(codes.length / TOKEN_WIDTH / 2) * TOKEN_WIDTH
  return which === 0 ? codes.subarray(0, middle) : codes.subarray(middle)
}

async function fill(
  stores: MemoryStores,
  namespace: Namespace,
  count: number,
  itemOf: (at: number) => ItemWrite,
) {
  for (let first = 0; first < count; first += together) {
    const size = Math.min(together, count - first)
    const items = Array.from({ length: size }, (_, at) => itemOf(first + at))
    await Promise.all(items.map((item) => stores.journal.remember(namespace, item)))
    if (first % 50_000 === 0 && first > 0) process.stderr.write(`  ${first} stored\n`)
  }
}

export interface FilledStore {
  readonly directory: string
  /** One a namespace beside the first account's. */
  readonly keys: readonly string[]
}

/** A store of `memories` in the first account's namespace, or of `namespaces` with a few each. Made once where it is kept. */
export async function filledStore(
  directory: string,
  size: { readonly memories: number } | { readonly namespaces: number },
  turns: () => Promise<readonly Turn[]>,
): Promise<FilledStore> {
  const done = join(directory, 'keys.json')
  if (existsSync(done)) return { directory, keys: JSON.parse(readFileSync(done, 'utf8')) }
  const first = await startService(directory)
  await first.stop()
  const engine = await openEngine({ directory })
  const stores = createEmbeddedMemoryStores(engine)
  const accountStores = createEmbeddedAccountStores(engine, {
    newId: randomId,
    report: (error) => {
      throw error
    },
  })
  const keys: string[] = []
  if ('memories' in size) {
    const [account] = await accountStores.accounts.accounts()
    if (account === undefined) throw new Error('The first start made no account.')
    await fill(stores, account.namespace, size.memories, createItems(await turns(), size.memories))
  } else {
    const accounts = createAccounts({
      ...{ stores: accountStores, tiers, clock: systemClock, newId: randomId, random: randomBytes },
    })
    const itemOf = createItems(await turns(), memoriesOfNamespace * 50)
    for (let at = 0; at < size.namespaces; at++) {
      keys.push((await accounts.issue({ account: `tenant-${at}` })).key)
      const account = await accountStores.accounts.account(`tenant-${at}`)
      if (account) await fill(stores, account.namespace, memoriesOfNamespace, itemOf)
    }
  }
  await accountStores.flush()
  await engine.close()
  writeFileSync(done, JSON.stringify(keys))
  return { directory, keys }
}
