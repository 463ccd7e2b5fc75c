import { asChunkId } from '../../src/core/ids.ts'
import type { Encoding, EpisodicHit, Extractor } from '../../src/memory/ports.ts'
import { createReachability } from '../../src/memory/reachability.ts'
import { type Found, gather } from '../../src/memory/retrieve/candidate.ts'
import { readQuestion } from '../../src/memory/retrieve/question.ts'
import { type Row, rowsOf, type Whole } from '../../src/memory/retrieve/rank.ts'
import {
  pathsFound,
  type Search,
  searchEpisodic,
  searchSemantic,
  walkGraph,
} from '../../src/memory/retrieve/search.ts'
import type { openEncodings } from './encodings.ts'
import { type Group, loadSet, type Query } from './sets.ts'
import { openSetStore, type SetStore } from './store.ts'

/** A question with the features of its candidates. */
export interface Asked {
  readonly set: string
  /** Questions of one fold are never fitted and judged together. */
  readonly fold: string
  readonly store: StoreKind
  /** Whether what it was asked of holds an answer. */
  readonly answerable: boolean
  readonly goldCount: number
  /** Items that something later replaced: another rule than the ranking puts them behind it. */
  readonly outdated: readonly string[]
  readonly whole: Whole
  readonly rows: readonly Row[]
  /** The item that each row belongs to, and whether it is gold evidence. */
  readonly items: readonly string[]
  readonly relevant: readonly boolean[]
}

/**
 * What a question is asked of. All texts of its group; a few of them; all or a few without those that answer; the texts of
 * another group, where nothing speaks of the matter; all texts, after the same question was asked before; all texts, in a
 * session that the answer belongs to, or in another one.
 */
export type StoreKind = 'full' | 'few' | 'without' | 'fewWithout' | 'foreign' | 'echo' | 'session'

export interface AskParts {
  readonly directory: string
  readonly cache: string
  readonly encoder: Awaited<ReturnType<typeof openEncodings>>
  readonly extractor: () => Promise<Extractor>
}

/** Sets of one corpus are divided by question. */
const divisions = 6
/** Every so many questions are asked of other stores too. */
const otherEvery = 3
/** A small store has so many texts. */
const fewTexts = 6
/** Sets whose questions take several steps are asked with a traversal. */
const maxHops: Readonly<Record<string, number>> = { '2wiki': 3, musique: 3 }

/** Asks every question of a set. */
export async function askSet(parts: AskParts, set: string): Promise<readonly Asked[]> {
  const groups = loadSet(parts.directory, set)
  const store = await openSetStore(parts.cache, groups, {
    ...{ embedder: parts.encoder, extractor: parts.extractor },
  })
  const asked: Asked[] = []
  for (const [at, group] of groups.entries()) {
    const foreign = groups[(at + 1) % groups.length] ?? group
    asked.push(...(await askGroup(parts, store, group, groups.length > 1 ? foreign : null)))
  }
  await store.close()
  return asked
}

async function askGroup(
  { encoder }: AskParts,
  store: SetStore,
  group: Group,
  foreign: Group | null,
): Promise<readonly Asked[]> {
  const encodings = await encoder.encode(group.queries.map(({ query }) => query))
  const asked: Asked[] = []
  for (const [at, query] of group.queries.entries()) {
    const encoding = encodings[at]
    if (encoding === undefined) continue
    const fold = foreign === null ? `${group.name}/${at % divisions}` : group.name
    const search = searchOf(store, group, query.query, encoding)
    const found = await findAll(search, encoding)
    const outdated = query.outdated ?? []
    const place = { set: group.set, fold, goldCount: query.gold.length, outdated }
    const read = (kind: StoreKind, changed: Found, answerable: boolean): void => {
      asked.push({ ...place, store: kind, answerable, ...readRows(search, changed, query) })
    }
    read('full', found, query.answerable)
    const gold = new Set(query.gold)
    const turn = Math.floor(at / otherEvery)
    if (at % otherEvery === 0) read('echo', withEcho(found, query.query), query.answerable)
    const session = group.items.find(({ id }) => gold.has(id))?.session ?? null
    if (at % otherEvery === 1 && session !== null) {
      // Half of them lean on the session, a quarter are asked in it in full, a quarter in another one.
      const leaning = turn % 2 === 0 ? leaningOf(query.query) : query.query
      const [encoded = encoding] = await encoder.encode([leaning])
      const inside = searchOf(store, group, leaning, encoded)
      const other = group.items[(turn * 31) % group.items.length]?.session ?? null
      const current = turn % 4 === 1 ? other : session
      const rows = readRows(inside, await findAll(inside, encoded), query, current)
      asked.push({ ...place, store: 'session', answerable: true, ...rows })
    }
    if (query.answerable) {
      const answers = new Set([...query.gold, ...outdated])
      read(
        'without',
        restricted(found, (id) => !answers.has(id)),
        false,
      )
      const others = someItems(found, gold, turn)
      const some = at % 2 === 0 ? found : withoutSessions(found)
      read(
        'few',
        restricted(some, (id) => answers.has(id) || others.has(id)),
        true,
      )
      read(
        'fewWithout',
        restricted(some, (id) => others.has(id) && !answers.has(id)),
        false,
      )
    }
    if (foreign === null) continue
    const elsewhere = searchOf(store, foreign, query.query, encoding)
    const strange = await findAll(elsewhere, encoding)
    const rows = readRows(elsewhere, strange, { ...query, gold: [] })
    asked.push({ ...place, store: 'foreign', answerable: false, goldCount: 0, ...rows })
  }
  process.stderr.write(`  asked ${group.set} ${group.name}\n`)
  return asked
}

function searchOf(
  { stores, now, namespaceOf }: SetStore,
  group: Group,
  query: string,
  { tokens }: Encoding,
): Search {
  return {
    ...{ stores, namespace: namespaceOf(group), question: readQuestion(query, tokens) },
    ...{ personas: null, within: null },
    request: {
      ...{ query, k: 20, persona: null, sessionId: null, includeEpisodic: true, includeSemantic: true },
      ...{ includeWorking: true, maxHops: maxHops[group.set] ?? null, minScore: null, useCompression: false },
    },
    reach: createReachability(),
    aging: { now, halfLifeDays: 7 },
    milliseconds: () => performance.now(),
  }
}

/** Steps 2 to 4 of retrieve; a question of these sets has no session. */
async function findAll(search: Search, encoding: Encoding): Promise<Found> {
  const { vector } = encoding
  const [episodic, semantic] = await Promise.all([
    searchEpisodic(search, encoding),
    searchSemantic(search, vector),
  ])
  const traversal = await walkGraph(search, semantic, vector)
  return { episodic, facts: semantic.facts, paths: pathsFound(traversal), hot: [] }
}

function readRows({ question }: Search, found: Found, { gold }: Query, sessionId: string | null = null) {
  const { idfSum } = found.episodic
  const candidates = gather(found, ({ bm25 }) => (idfSum > 0 ? bm25 / idfSum : 0))
  const { rows, whole } = rowsOf(question, candidates, found.episodic, sessionId)
  const items = candidates.map(({ chunk, fact }) => itemOf((chunk ?? fact)?.metadata))
  const relevant = items.map((item) => gold.includes(item))
  return { whole, rows, items, relevant }
}

/** The question as somebody asks it who has just been speaking of the matter: without names. */
function leaningOf(query: string): string {
  return query.replaceAll(/(?<=\S )\p{Lu}[\p{L}\p{M}]+(?:'s)?/gu, (name) =>
    name.endsWith("'s") ? 'their' : 'they',
  )
}

function itemOf(metadata: Readonly<Record<string, unknown>> | null | undefined): string {
  return String(metadata?.id ?? '')
}

/** What would have been found if only these items were there. */
function restricted(found: Found, keep: (item: string) => boolean): Found {
  const hits = found.episodic.hits.filter(({ chunk }) => keep(itemOf(chunk.metadata)))
  return {
    ...found,
    episodic: { ...found.episodic, hits },
    facts: found.facts.filter(({ fact }) => keep(itemOf(fact.metadata))),
    paths: found.paths.filter(({ hit }) => keep(itemOf(hit.fact.metadata))),
  }
}

/** As if every text had been told by itself. */
function withoutSessions(found: Found): Found {
  const hits = found.episodic.hits.map((hit) => ({
    ...hit,
    chunk: { ...hit.chunk, sessionId: null },
    ...{ previous: [], next: [] },
  }))
  return { ...found, episodic: { ...found.episodic, hits } }
}

/** A few items that do not answer, others for every question. */
function someItems({ episodic }: Found, gold: ReadonlySet<string>, turn: number): ReadonlySet<string> {
  const items = [...new Set(episodic.hits.map(({ chunk }) => itemOf(chunk.metadata)))]
    .filter((item) => !gold.has(item))
    .toSorted()
  const stride = Math.max(1, Math.floor(items.length / fewTexts))
  return new Set(items.filter((_, index) => index % stride === turn % stride))
}

/** As if the question had been asked before: nothing is as like a question as itself. */
function withEcho(found: Found, query: string): Found {
  const { hits, idfSum } = found.episodic
  const [like] = hits
  if (like === undefined) return found
  const chunk = { ...like.chunk, id: asChunkId('echo'), text: query, speaker: null, metadata: null }
  const best = hits.reduce((most, { bm25 }) => Math.max(most, bm25), idfSum)
  const echo: EpisodicHit = {
    ...{
      cosine: 1,
      bm25: best,
      late: {
        weighted: 1,
        even: 1,
        least: 1,
        matches: new Float32Array(like.late?.matches.length ?? 0).fill(1),
      },
      previous: [],
      next: [],
    },
    chunk: { ...chunk, factCount: 0, closedFactCount: 0, replaced: null },
  }
  return { ...found, episodic: { hits: [...hits, echo], idfSum } }
}
