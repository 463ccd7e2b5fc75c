import { asChunkId, asRelationshipId, type EntityId, type Namespace } from '../../core/ids.ts'
import { dot, normalize, type Vector } from '../../core/vectors.ts'
import { isMemberLink } from '../lifecycle/abstractions.ts'
import type { RetrieveRequest } from '../memory.ts'
import { withShared } from '../model.ts'
import { namedKeys } from '../named-keys.ts'
import type {
  Encoding,
  EntityHit,
  EpisodicMatches,
  FactHit,
  FoundChunk,
  FoundFact,
  MemoryStores,
  Session,
  Within,
} from '../ports.ts'
import type { Reachability } from '../reachability.ts'
import { isWithin } from '../within.ts'
import type { Aging, Found } from './candidate.ts'
import { pathsOf } from './paths.ts'
import { type QuestionFacts, sharedWords } from './question.ts'
import { type Traversal, traverse } from './traverse.ts'

/** One question at work. */
export interface Search {
  readonly stores: Pick<MemoryStores, 'graph' | 'episodic' | 'working'>
  readonly namespace: Namespace
  readonly request: RetrieveRequest
  readonly question: QuestionFacts
  /** Null: every persona. */
  readonly personas: readonly string[] | null
  /** What the question may see; null: everything. The stores find nothing else. */
  readonly within: Within | null
  readonly reach: Reachability
  readonly aging: Aging
  readonly milliseconds: () => number
}

/** A given persona means that one and the shared one, unless the latter is not wanted. */
export function searchedPersonas({
  persona,
  includeShared = true,
}: Pick<RetrieveRequest, 'persona' | 'includeShared'>): readonly string[] | null {
  if (persona === null) return null
  return includeShared ? withShared(persona) : [persona]
}

/** 1. The session's topic and hot facts; null without a session, or when it is unknown or expired. */
export function loadSession(search: Search): Promise<Session | null> {
  const { stores, namespace, request, reach, aging, within } = search
  const { sessionId } = request
  // A session is what is talked about now: nobody knows any more what it was then.
  if (sessionId === null || (within !== null && within.asOf !== null)) return Promise.resolve(null)
  return reach.ask('redis', () => stores.working.session(namespace, sessionId, aging.now), null)
}

/** How many chunks the ranking chooses from, by meaning and as many by words: what it costs grows with them. */
const candidates = 16
/** What a question of several steps needs may share little with it. */
const candidatesOfAWalk = 24

/** How much the session's topic turns the question. */
const topicShare = 0.1

/** The question's direction, turned a little towards what the session is about. */
export function blendTopic(question: Vector, session: Session | null): Vector {
  const topic = session?.topic
  if (topic === undefined || topic.length !== question.length) return question
  return normalize(question.map((value, i) => (1 - topicShare) * value + topicShare * (topic[i] ?? 0)))
}

const noMatches: EpisodicMatches = { hits: [], idfSum: 0 }

/** 2. Chunks near the question, by meaning and by words. */
export function searchEpisodic(search: Search, { vector, tokens }: Encoding): Promise<EpisodicMatches> {
  const { stores, namespace, request, question, personas, reach } = search
  if (!request.includeEpisodic) return Promise.resolve(noMatches)
  const count = isTraversal(request) ? candidatesOfAWalk : candidates
  const query = { vector, tokens, terms: question.terms, personas, nearest: count, lexical: count }
  return reach.ask('qdrant', () => stores.episodic.search(namespace, query), noMatches)
}

/** What the graph holds near the question. */
export interface SemanticMatches {
  readonly facts: readonly FactHit[]
  readonly entities: readonly EntityHit[]
}

const noFacts: SemanticMatches = { facts: [], entities: [] }
const factLimit = 24
const entityLimit = 8
/** On the common scale unrelated names and facts are near 0; below this what is near is chance. */
export const nearFloor = 0.35

/** 3. Facts by meaning and by words; entities too where a traversal will start from them. */
export function searchSemantic(search: Search, vector: Vector): Promise<SemanticMatches> {
  const { stores, namespace, request, question, personas, reach } = search
  if (!request.includeSemantic) return Promise.resolve(noFacts)
  const query = { vector, terms: question.terms, personas, limit: factLimit }
  const read = async (): Promise<SemanticMatches> => {
    const [facts, entities] = await Promise.all([
      stores.graph.searchFacts(namespace, query),
      isTraversal(request) ? stores.graph.nearestEntities(namespace, vector, entityLimit) : [],
    ])
    return {
      facts: facts.filter(({ fact }) => !isMemberLink(fact)),
      entities: entities.filter(({ cosine }) => cosine >= nearFloor),
    }
  }
  return reach.ask('neo4j', read, noFacts)
}

export function isTraversal({ maxHops, includeSemantic }: RetrieveRequest): boolean {
  return includeSemantic && maxHops !== null && maxHops > 1
}

const nowhere: Traversal = { steps: [], truncated: false }
/** Where nothing is named, so many near entities and best facts are starting points. */
const nearSeeds = 3

/** 4. Breadth-first from the entities that the question names; from those near it and its best facts when it names none. */
export function walkGraph(search: Search, matches: SemanticMatches, vector: Vector): Promise<Traversal> {
  const { stores, namespace, request, question, personas, reach, milliseconds } = search
  const { maxHops } = request
  if (!isTraversal(request) || maxHops === null) return Promise.resolve(nowhere)
  const read = async (): Promise<Traversal> => {
    const named = await stores.graph.entitiesNamed(namespace, namedKeys(question.text))
    const seeds = named.length > 0 ? named.map(({ id }) => id) : nearestSeeds(matches)
    return traverse(stores.graph, namespace, { seeds, personas, vector, maxHops }, milliseconds)
  }
  return reach.ask('neo4j', read, nowhere)
}

export function nearestSeeds({ facts, entities }: SemanticMatches): EntityId[] {
  const best = facts
    .filter(({ cosine, bm25 }) => cosine >= nearFloor || bm25 > 0)
    .toSorted((a, b) => b.cosine - a.cosine)
    .slice(0, nearSeeds)
  return [
    ...entities.slice(0, nearSeeds).map(({ entity }) => entity.id),
    ...best.flatMap(({ fact }) => [fact.subject, fact.object]),
  ]
}

/** What the traversal reached, with the way to each. Links of an abstraction to its members are no facts. */
export function pathsFound(traversal: Traversal): Found['paths'] {
  const paths = pathsOf(traversal)
  return traversal.steps.flatMap(({ fact, cosine }) => {
    const path = paths.get(fact.id)
    return path === undefined || isMemberLink(fact) ? [] : [{ hit: { fact, cosine, bm25: 0 }, path }]
  })
}

/**
 * 5. The session's hot facts of the personas asked for, looked up where they are kept: what was replaced or forgotten
 * meanwhile is not hot any more, whatever the session still says.
 */
export async function hotFacts(
  search: Search,
  session: Session | null,
  vector: Vector,
): Promise<Found['hot']> {
  const { stores, namespace, request, question, personas, reach, within } = search
  if (session === null || !request.includeWorking) return []
  const hot = session.facts.filter(({ persona }) => personas === null || personas.includes(persona))
  if (hot.length === 0) return []
  const ids = hot.map(({ id }) => id)
  const facts = await reach.ask('neo4j', () => stores.graph.get(namespace, ids.map(asRelationshipId)), [])
  const stored = new Map<string, FoundFact>(facts.map((fact) => [fact.id, fact]))
  const texts = ids.filter((id) => !stored.has(id)).map(asChunkId)
  const chunks =
    texts.length === 0 ? [] : await reach.ask('qdrant', () => stores.episodic.get(namespace, texts), [])
  const known = new Map<string, FoundChunk>(chunks.map((chunk) => [chunk.id, chunk]))
  return hot
    .map((one) => ({
      hot: one,
      fact: stored.get(one.id) ?? null,
      chunk: known.get(one.id) ?? null,
      own: { words: sharedWords(question, one.fact), meaning: dot(vector, one.vector) },
    }))
    .filter(({ fact, chunk }) => chunk !== null || fact?.closedAt === null)
    .filter(({ hot: one, fact, chunk }) => within === null || isWithin(within, chunk ?? fact ?? one))
}
