import type { Clock } from '../../core/clock.ts'
import { ServiceError } from '../../core/errors.ts'
import { asChunkId, asRelationshipId, type ChunkId, type Namespace } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import { encodeAll } from '../embed.ts'
import type { RetrieveExplanation } from '../explanation.ts'
import type { ContextCompressor } from '../hooks.ts'
import type { RetrievedFact, RetrieveReply, RetrieveRequest } from '../memory.ts'
import type { AnswerReader, Embedder, Encoding, FoundChunk, MemoryStores } from '../ports.ts'
import { createReachability } from '../reachability.ts'
import { certain, likely, possible } from '../relation/certainty.ts'
import { isWithin } from '../within.ts'
import { viewOf, withinOf } from '../within-view.ts'
import type { AccessRecorder } from './access.ts'
import { type Found, gather, personaOf, shownOf } from './candidate.ts'
import { followNames } from './chain.ts'
import { contextString, fitting, longContextOrder } from './context.ts'
import { explainCut, explainMemory, explanationOf, type Known } from './explain.ts'
import { reasoningChain } from './paths.ts'
import { readQuestion, sharedWords } from './question.ts'
import { type Ranking, rank } from './rank.ts'
import {
  bestTexts,
  isTaken,
  mayAnswer,
  moreTrusted,
  readInTurn,
  rivalsOf,
  type Weighed,
  withReading,
} from './reading.ts'
import { findReplacements, longestChain, type ReplacementParts } from './replacements.ts'
import {
  blendTopic,
  hotFacts,
  isTraversal,
  loadSession,
  pathsFound,
  type Search,
  searchEpisodic,
  searchedPersonas,
  searchSemantic,
  walkGraph,
} from './search.ts'
import { type Placed, type Settled, settle } from './settle.ts'

export interface RetrieveParts extends Pick<MemoryStores, 'graph' | 'episodic' | 'working'> {
  readonly embedder: Embedder
  /** Null: whether there is an answer is judged by the ranking alone. */
  readonly answerReader: AnswerReader | null
  readonly access: AccessRecorder
  /** Null when no LLM is configured. */
  readonly compress: ContextCompressor | null
  readonly clock: Clock
  readonly halfLifeDays: number
  readonly milliseconds: () => number
}

/** The eight steps of retrieve, in the specification's order. */
export async function retrieve(
  parts: RetrieveParts,
  namespace: Namespace,
  request: RetrieveRequest,
  signal?: AbortSignal,
): Promise<RetrieveReply> {
  const started = parts.milliseconds()
  const [plain] = await encodeAll(parts.embedder, [request.query], signal)
  if (plain === undefined) throw new Error('the embedder gave no vector for a question')
  const search = openSearch(parts, namespace, request, plain)
  // 1. Session context
  const session = await loadSession(search)
  const question = { ...plain, vector: blendTopic(plain.vector, session) }
  // 2. Episodic similarity search and 3. semantic vector lookup
  const [episodic, semantic] = await Promise.all([
    searchEpisodic(search, question),
    searchSemantic(search, question.vector),
  ])
  // 4. Multi-hop traversal
  const traversal = await walkGraph(search, semantic, question.vector)
  // 5. Working memory injection
  const hot = await hotFacts(search, session, question.vector)
  // 6. Hybrid scoring
  const found = { episodic, facts: semantic.facts, paths: pathsFound(traversal), hot }
  const { ranking: read, weighed } = await readBest(parts, search, scoreFound(search, found), signal)
  const ranking = await followNames(search, question, episodic, read)
  // 7. Conflict resolution
  const settled = await settleConflicts(search, question.vector, ranking, weighed)
  const chosen = await checked(search, settled.chosen)
  // 8. Long-context reordering
  const shown = chosen.map((one, at) => shownFact(search, ranking, one, at + 1))
  const ranked = await compressed(parts, request, shown, signal)
  const behind = new Set(chosen.flatMap(({ candidate, isBehind }) => (isBehind ? candidate.id : [])))
  const inOrder = (list: readonly RetrievedFact[]) => longContextOrder(list, ({ id }) => behind.has(id))
  const facts = inOrder(ranked)
  const degraded = search.reach.degraded()
  recordAccess(parts.access, namespace, chosen)
  const count = (type: RetrievedFact['sourceType']) =>
    facts.filter(({ sourceType }) => sourceType === type).length
  const explanation = await explained(search, ranking, { ...settled, chosen })
  return {
    context: contextString(inOrder(fitting(ranked, request.maxTokens ?? null))),
    facts,
    episodicCount: count('episodic'),
    semanticCount: count('semantic'),
    workingCount: count('working'),
    reasoningChain: isTraversal({ ...request, includeSemantic: true })
      ? reasoningChain(
          traversal,
          chosen.map(({ candidate }) => candidate),
        )
      : null,
    truncated: traversal.truncated,
    degraded,
    latencyMs: parts.milliseconds() - started,
    answerable: ranking.answerable,
    ...(explanation === null ? {} : { explanation }),
  }
}

function openSearch(
  parts: RetrieveParts,
  namespace: Namespace,
  request: RetrieveRequest,
  { tokens }: Encoding,
): Search {
  const { graph, episodic, working, clock, halfLifeDays, milliseconds } = parts
  const within = withinOf(request)
  const now = clock.now()
  return {
    ...{ stores: viewOf({ graph, episodic, working }, within), namespace, request, within, milliseconds },
    question: readQuestion(request.query, tokens),
    personas: searchedPersonas(request),
    reach: createReachability(),
    aging: { now: Math.min(now, within?.asOf ?? now), halfLifeDays },
  }
}

/** Every memory that was found, once, with its score. */
function scoreFound({ question, request }: Search, found: Found): Ranking {
  const { idfSum } = found.episodic
  // Without a search for texts nothing is known of how rare the words are.
  const candidates = gather(found, ({ bm25, fact }) =>
    idfSum > 0 ? bm25 / idfSum : sharedWords(question, fact.fact),
  )
  return rank(question, candidates, found.episodic, request.sessionId)
}

/** The ranking once the best texts were read with the question, and the best one weighed against what may have taken its place. */
async function readBest(
  { answerReader }: RetrieveParts,
  search: Search,
  ranking: Ranking,
  signal?: AbortSignal,
): Promise<{ readonly ranking: Ranking; readonly weighed: Weighed }> {
  const texts = bestTexts(ranking)
  const weighed = new Map<ChunkId, ChunkId | null>()
  if (answerReader === null || texts.length === 0) return { ranking, weighed }
  const { query } = search.request
  const reads = await readInTurn(answerReader, query, texts, signal)
  const read = async ({ id, text }: FoundChunk) => {
    const [chance = 0] = reads.has(id) ? [reads.get(id)] : await answerReader.answers(query, [text], signal)
    reads.set(id, chance)
    return chance
  }
  const settled = withReading(ranking, reads)
  let [last] = bestTexts(settled)
  for (let step = 0; last !== undefined && step < longestChain; step++) {
    const linked = await linkedTo(search, settled, last)
    const rivals = rivalsOf(last, texts, reads).map((chunk) => ({ chunk, probability: null }))
    const reader = { answerReader, query, read, signal }
    const before =
      (await whoSaysOtherwise(reader, last, moreTrusted(last, texts, reads))) ??
      (await whatTook(reader, last, [...linked, ...rivals]))
    if (before !== null || linked.length > 0) weighed.set(last.id, before?.id ?? null)
    last = before ?? undefined
  }
  return { ranking: settled, weighed }
}

/** What may have taken the place of a text. */
interface Newer {
  readonly chunk: FoundChunk
  /** How sure the link to it is; null: there is none. */
  readonly probability: number | null
}

interface Reader {
  readonly answerReader: AnswerReader
  readonly query: string
  readonly signal: AbortSignal | undefined
  /** How surely a text answers alone. */
  read(text: FoundChunk): Promise<number>
}

/**
 * The first that takes the place of a text for this question: it makes it out of date, and both read together say so. What
 * has a doubtful link must answer alone, too; what has none may also take the place of what answers less surely.
 */
async function whatTook(
  { answerReader, query, signal, read }: Reader,
  text: FoundChunk,
  candidates: readonly Newer[],
): Promise<FoundChunk | null> {
  const older = text.text
  for (const { chunk, probability } of candidates) {
    if (probability !== null && probability < likely && !mayAnswer(await read(chunk))) continue
    const link = probability ?? (await answerReader.outdates({ older, newer: chunk.text }, signal))
    if (link < possible && (await read(chunk)) <= (await read(text))) continue
    const [first = 0, second = 0] = await answerReader.answers(query, [older, chunk.text], signal)
    // The parts of a document are much alike and stand beside each other: there the older one must be no answer any more.
    if (chunk.source === 'document' && first >= 0.5) continue
    if (isTaken(link, { older: first, newer: second })) return chunk
  }
  return null
}

/** The first of somebody more trusted that a text contradicts: it would make that out of date, had its source a say in it. */
async function whoSaysOtherwise(
  { answerReader, signal }: Reader,
  { text: newer }: FoundChunk,
  trusted: readonly FoundChunk[],
): Promise<FoundChunk | null> {
  for (const one of trusted)
    if ((await answerReader.outdates({ older: one.text, newer }, signal)) >= certain) return one
  return null
}

/** What may have taken the place of a text by its link; nothing where it has none. */
async function linkedTo(
  { stores, namespace, personas, reach }: Search,
  { scored }: Ranking,
  { replaced, factCount, closedFactCount }: FoundChunk,
): Promise<readonly Newer[]> {
  if (replaced === null) return []
  const { by } = replaced
  // Of a text that still says something true, that may be what is asked for.
  const holds = closedFactCount > 0 && closedFactCount < factCount
  const probability = holds ? Math.min(replaced.probability, likely) : replaced.probability
  const found = scored.find(({ candidate }) => candidate.chunk?.id === by)?.candidate.chunk
  const chunks = found ? [found] : await reach.ask('qdrant', () => stores.episodic.get(namespace, [by]), [])
  const seen = chunks.filter(({ persona }) => personas === null || personas.includes(persona))
  return seen.map((chunk) => ({ chunk, probability }))
}

/** One list, best first: what was replaced stands behind what replaced it, and a text takes one place. */
async function settleConflicts(
  search: Search,
  vector: Vector,
  { scored }: Ranking,
  weighed: Weighed,
): Promise<Settled> {
  const { stores, namespace, request, reach, question, personas, within } = search
  const { includeSemantic, includeEpisodic } = request
  const candidates = scored.map(({ candidate }) => candidate)
  const parts = { namespace, question, vector, personas, within, includeSemantic, includeEpisodic, weighed }
  const graph: ReplacementParts['graph'] = {
    get: (...asked) => reach.ask('neo4j', () => stores.graph.get(...asked), []),
    factsOf: (...asked) => reach.ask('neo4j', () => stores.graph.factsOf(...asked), []),
  }
  const episodic: ReplacementParts['episodic'] = {
    get: (...asked) => reach.ask('qdrant', () => stores.episodic.get(...asked), []),
  }
  return settle(scored, await findReplacements({ ...parts, graph, episodic }, candidates), request)
}

/** Looks every result up again in this namespace and compares persona, time and metadata: a fault in a search must not leak. */
async function checked(search: Search, chosen: readonly Placed[]): Promise<readonly Placed[]> {
  const { stores, namespace, personas, within, reach } = search
  const chunks = chosen.flatMap(({ candidate }) => candidate.chunk?.id ?? [])
  const facts = chosen.flatMap(({ candidate }) => candidate.fact?.id ?? [])
  const [ownChunks, ownFacts] = await Promise.all([
    chunks.length === 0 ? [] : reach.ask('qdrant', () => stores.episodic.get(namespace, chunks), []),
    facts.length === 0 ? [] : reach.ask('neo4j', () => stores.graph.get(namespace, facts), []),
  ])
  const seen = [...ownChunks, ...ownFacts].filter((one) => within === null || isWithin(within, one))
  const own = new Set<string>(seen.map(({ id }) => id))
  return chosen.filter(
    ({ candidate }) =>
      own.has(candidate.id) && (personas === null || personas.includes(personaOf(candidate))),
  )
}

function shownFact({ aging, request }: Search, ranking: Ranking, placed: Placed, at: number): RetrievedFact {
  const { candidate, score, superseded, until, changedAt } = placed
  return {
    ...{ id: candidate.id, score, rank: at, superseded, until, changedAt },
    ...shownOf(candidate, aging),
    ...(request.explain === true ? { explanation: explanationOf(placed, ranking) } : {}),
  }
}

async function explained(
  search: Search,
  ranking: Ranking,
  settled: Settled,
): Promise<RetrieveExplanation | null> {
  const { stores, namespace, personas, within, reach, request } = search
  const { explain = false } = request
  if (typeof explain === 'boolean') return explain ? explainCut(settled) : null
  const { id } = explain
  const known = async (): Promise<Known | null> => {
    const [chunks, facts] = await Promise.all([
      reach.ask('qdrant', () => stores.episodic.get(namespace, [asChunkId(id)]), []),
      reach.ask('neo4j', () => stores.graph.get(namespace, [asRelationshipId(id)]), []),
    ])
    const stored = facts[0] ?? chunks[0]
    if (stored === undefined) return null
    const isOutside = within !== null && !isWithin(within, stored)
    return { persona: stored.persona, isOutside, isClosed: 'closedAt' in stored && stored.closedAt !== null }
  }
  return explainMemory(id, settled, ranking, personas, known)
}

/** The facts shortened to the question where that was asked for and works; otherwise as they are. */
async function compressed(
  { compress }: RetrieveParts,
  { query, useCompression }: RetrieveRequest,
  facts: readonly RetrievedFact[],
  signal?: AbortSignal,
): Promise<readonly RetrievedFact[]> {
  if (!useCompression || compress === null || facts.length === 0) return facts
  const texts = facts.map(({ fact }) => fact)
  const asked = { query, facts: texts, ...(signal === undefined ? {} : { signal }) }
  const shorter = await compress(asked).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'llm_unavailable') return texts
    throw error
  })
  return facts.flatMap((fact, at) => {
    const text = shorter[at]
    return text === null || text === undefined ? [] : [{ ...fact, fact: text }]
  })
}

function recordAccess(access: AccessRecorder, namespace: Namespace, chosen: readonly Placed[]): void {
  access.record(namespace, {
    chunks: chosen.flatMap(({ candidate }) => candidate.chunk?.id ?? []),
    facts: chosen.flatMap(({ candidate }) => candidate.fact?.id ?? []),
  })
}
