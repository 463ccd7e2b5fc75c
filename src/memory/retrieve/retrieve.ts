import type { Clock } from '../../core/clock.ts'
import { ServiceError } from '../../core/errors.ts'
import { asChunkId, asRelationshipId, type Namespace } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { ContextCompressor } from '../hooks.ts'
import type { RetrievedFact, RetrieveReply, RetrieveRequest } from '../memory.ts'
import type { Embedder, EpisodicMatches, Fact, MemoryStores } from '../ports.ts'
import type { AccessRecorder } from './access.ts'
import { type Candidate, chunkCandidate, factCandidate } from './candidate.ts'
import { reasoningChain } from './chain.ts'
import {
  findSuccessors,
  hasClosedFacts,
  keepBehind,
  missingSuccessors,
  preferSuccessors,
  resolveConflicts,
  type Successors,
} from './conflict.ts'
import { contextString } from './context.ts'
import { createReachability } from './degraded.ts'
import { denialsBehind } from './denials.ts'
import { scoreAlone } from './fuse.ts'
import { mergeCandidates } from './merge.ts'
import { readQuestion } from './question.ts'
import { longContextOrder } from './reorder.ts'
import { lowerRepeats, scoreFloor } from './repeats.ts'
import { scoreCandidates } from './score.ts'
import {
  hotFacts,
  isTraversal,
  loadSession,
  type Search,
  searchEpisodic,
  searchedPersonas,
  searchSemantic,
  walkGraph,
} from './search.ts'
import { blendTopic } from './search-plan.ts'
import { updatesFirst } from './updates.ts'

export interface RetrieveParts extends Pick<MemoryStores, 'graph' | 'episodic' | 'working'> {
  readonly embedder: Embedder
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
  const search = openSearch(parts, namespace, request)
  const [plain = new Float32Array()] = await parts.embedder.embed([request.query], signal)
  // 1. Session context
  const session = await loadSession(search)
  const vector = session?.topic.length === plain.length ? blendTopic(plain, session.topic) : plain
  // 2. Episodic similarity search and 3. semantic vector lookup
  const [episodic, semantic] = await Promise.all([
    searchEpisodic(search, vector),
    searchSemantic(search, vector),
  ])
  // 4. Multi-hop traversal
  const traversal = await walkGraph(search, semantic, vector)
  // 5. Working memory injection
  const hot = await hotFacts(search, session)
  // 6. Hybrid scoring
  const scored = scoreCandidates(search, { vector, episodic, facts: semantic.facts, traversal, hot })
  // 7. Conflict resolution
  const ranked = await settleConflicts(search, vector, scored, episodic)
  const chosen = await checked(search, choose(ranked, request))
  // 8. Long-context reordering
  const facts = longContextOrder(await compressed(parts, request, shown(chosen), signal))
  const degraded = search.reach.degraded()
  recordAccess(parts.access, namespace, chosen)
  const count = (type: RetrievedFact['sourceType']) =>
    facts.filter(({ sourceType }) => sourceType === type).length
  return {
    context: contextString(facts),
    facts,
    episodicCount: count('episodic'),
    semanticCount: count('semantic'),
    workingCount: count('working'),
    reasoningChain: isTraversal({ ...request, includeSemantic: true })
      ? reasoningChain(traversal, chosen)
      : null,
    truncated: traversal.truncated,
    degraded,
    latencyMs: parts.milliseconds() - started,
  }
}

function openSearch(parts: RetrieveParts, namespace: Namespace, request: RetrieveRequest): Search {
  const { graph, episodic, working, clock, halfLifeDays, milliseconds } = parts
  return {
    ...{ stores: { graph, episodic, working }, namespace, request, milliseconds },
    question: readQuestion(request.query),
    personas: searchedPersonas(request.persona),
    reach: createReachability(),
    aging: { now: clock.now(), halfLifeDays },
  }
}

/** One list, best first: of facts that exclude each other one stays, and what was replaced stands behind what replaced it. */
async function settleConflicts(
  search: Search,
  vector: Vector,
  scored: readonly Candidate[],
  { hits }: EpisodicMatches,
): Promise<readonly Candidate[]> {
  const { stores, namespace, request, reach, aging, question } = search
  const { kept, overruled } = resolveConflicts(scored)
  const match = (fact: Fact) => scoreAlone(question, vector, fact)
  const read = () => findSuccessors(stores.graph, namespace, kept, match)
  const replaced = kept.some(hasClosedFacts) ? await reach.ask('neo4j', read, new Map()) : new Map()
  const successors: Successors = new Map([...overruled, ...replaced])
  const added: Candidate[] = []
  for (const [fact, score] of missingSuccessors(kept, successors)) {
    const chunk = hits.find((hit) => hit.chunk.id === fact.chunkId)?.chunk
    if (request.includeSemantic) added.push(factCandidate(fact, { score, isDirect: true }, aging))
    else if (chunk !== undefined) added.push(chunkCandidate(chunk, score, aging))
  }
  const preferred = [...preferSuccessors(kept, successors), ...added]
  const ranked = keepBehind(mergeCandidates(lowerRepeats(preferred, question.terms)), successors)
  return updatesFirst(denialsBehind(ranked, question), question)
}

function choose(ranked: readonly Candidate[], { k, minScore }: RetrieveRequest): readonly Candidate[] {
  const floor = minScore ?? scoreFloor
  return ranked.filter(({ score }) => score >= floor).slice(0, k)
}

/** Looks every result up again in this namespace and compares its persona: a fault in a search must not leak. */
async function checked(search: Search, chosen: readonly Candidate[]): Promise<readonly Candidate[]> {
  const { stores, namespace, personas, reach } = search
  const chunks = chosen.flatMap(({ chunk }) => (chunk === null ? [] : chunk.id))
  const facts = chosen.flatMap(({ fact }) => (fact === null ? [] : fact.id))
  const [ownChunks, ownFacts] = await Promise.all([
    chunks.length === 0 ? [] : reach.ask('qdrant', () => stores.episodic.get(namespace, chunks), []),
    facts.length === 0 ? [] : reach.ask('neo4j', () => stores.graph.get(namespace, facts), []),
  ])
  const own = new Set<string>([...ownChunks, ...ownFacts].map(({ id }) => id))
  return chosen.filter(({ id, chunk, fact, shown: { persona } }) => {
    const isOwn = (chunk === null && fact === null) || own.has(id)
    return isOwn && (personas === null || personas.includes(persona))
  })
}

function shown(chosen: readonly Candidate[]): readonly RetrievedFact[] {
  return chosen.map(({ id, score, superseded, shown: rest }, at) => ({
    id,
    score,
    rank: at + 1,
    superseded,
    ...rest,
  }))
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

/** Hot facts may be either, and an id that a store does not know is ignored by it. */
function recordAccess(access: AccessRecorder, namespace: Namespace, chosen: readonly Candidate[]): void {
  const hot = chosen.filter(({ shown: { sourceType } }) => sourceType === 'working').map(({ id }) => id)
  access.record(namespace, {
    chunks: [...chosen.flatMap(({ chunk }) => chunk?.id ?? []), ...hot.map(asChunkId)],
    facts: [...new Set([...chosen.flatMap(({ fact }) => fact?.id ?? []), ...hot.map(asRelationshipId)])],
  })
}
