import { analyze } from '../../core/analyze.ts'
import { ServiceError } from '../../core/errors.ts'
import type { EntityId, Namespace, NewId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import { embedOne } from '../embed.ts'
import { isMemberLink } from '../lifecycle/abstractions.ts'
import type { GraphQaReply, GraphQaRequest } from '../memory.ts'
import { namedKeys } from '../named-keys.ts'
import type { Embedder, FoundFact, GraphStore, Llm } from '../ports.ts'
import { traverse } from '../retrieve/traverse.ts'
import { citeUncited, keepValidCitations } from './cite.ts'
import { answeringPart } from './ground.ts'
import { answerInstructions, questionPrompt } from './prompts.ts'
import { stripInstructions } from './sanitize.ts'

export interface GraphQaParts {
  readonly graph: GraphStore
  readonly embedder: Embedder
  readonly llm: Llm
  /** Makes the mark around the data, new for each request. */
  readonly newId: NewId
  /** A monotonic clock. */
  readonly milliseconds: () => number
}

export type GraphQa = (
  namespace: Namespace,
  request: GraphQaRequest,
  signal?: AbortSignal,
) => Promise<GraphQaReply>

/** What is answered, without asking a model, when no fact bears on the question. */
export const nothingKnown = 'Memory holds nothing on this.'

/** Entities and facts nearest to the question that a walk starts from. */
const seedEntities = 8
const seedFacts = 20
/** On the common scale unrelated texts are near 0. Below these a seed is chance. */
const entityFloor = 0.3
const factFloor = 0.25
/** With a word in common a fact may be further off; one word alone ("work") says too little. */
const sharedWordFloor = 0.1
/** When not one fact comes so near, or shares a word, memory knows nothing about the question. */
const relevanceFloor = 0.2
/** How much weaker a fact is per further hop, on the scale of a cosine. */
const hopPenalty = 0.04
const answerTokens = 500

/**
 * Answers a question from graph facts alone. Seeds by vector search, breadth-first expansion inside the namespace,
 * the best facts numbered and fenced, an answer that is held to them. Rejects with `llm_unavailable` when the model
 * fails; without a single fact it is not asked.
 */
export function createGraphQa({ graph, embedder, llm, newId, milliseconds }: GraphQaParts): GraphQa {
  return async (namespace, request, signal) => {
    const vector = await embedOne(embedder, request.query, signal)
    const personas = request.persona === null ? null : [request.persona]
    const { seeds, near } = await findSeeds(graph, namespace, { query: request.query, vector, personas })
    const { steps } = await traverse(
      graph,
      namespace,
      { seeds, personas, vector, maxHops: request.maxHops },
      milliseconds,
    )
    const reached = [...near, ...steps].filter(({ fact }) => isUsable(fact, request.persona))
    const facts = bestFacts(reached, request)
    if (facts.length === 0) return { answer: nothingKnown, factsUsed: 0, facts: [] }
    const answer = await ask(llm, { facts, query: request.query, nonce: newId(), signal })
    return { answer, factsUsed: facts.length, facts }
  }
}

interface SeedQuery {
  readonly query: string
  readonly vector: Vector
  readonly personas: readonly string[] | null
}

interface Reached {
  readonly fact: FoundFact
  readonly cosine: number
  readonly hop: number
}

interface Seeds {
  readonly seeds: readonly EntityId[]
  /** Facts next to seeds: the first hop has them too, unless a hub's edges crowd them out. */
  readonly near: readonly Reached[]
}

/** Entities near the question, entities it names, and both ends of the facts near it. */
async function findSeeds(
  graph: GraphStore,
  namespace: Namespace,
  { query, vector, personas }: SeedQuery,
): Promise<Seeds> {
  const terms = analyze(query)
  const [entities, named, hits] = await Promise.all([
    graph.nearestEntities(namespace, vector, seedEntities),
    graph.entitiesNamed(namespace, namedKeys(query)),
    graph.searchFacts(namespace, { vector, terms, personas, limit: seedFacts }),
  ])
  const near = hits
    .filter(({ cosine, bm25 }) => cosine >= (bm25 > 0 ? sharedWordFloor : factFloor))
    .map(({ fact, cosine }) => ({ fact, cosine, hop: 1 }))
  const seeds = [
    ...named.map(({ id }) => id),
    ...entities.filter(({ cosine }) => cosine >= entityFloor).map(({ entity }) => entity.id),
    ...near.flatMap(({ fact }) => [fact.subject, fact.object]),
  ]
  return { seeds, near }
}

/** Checked again before anything leaves: current, of the persona asked for, and something to say. */
function isUsable(fact: FoundFact, persona: string | null): boolean {
  return fact.closedAt === null && (persona === null || fact.persona === persona) && !isMemberLink(fact)
}

/** The best `k` facts for the question without instructions in them, each text once; none when none bears on it. */
function bestFacts(steps: readonly Reached[], { query, k }: GraphQaRequest): string[] {
  const asked = new Set(analyze(query))
  const scored = steps.map(({ fact, cosine, hop }) => {
    const shared = overlap(fact.fact, asked)
    return { fact, isNear: cosine >= relevanceFloor || shared > 0, score: cosine + shared - hopPenalty * hop }
  })
  if (!scored.some(({ isNear }) => isNear)) return []
  const ranked = scored.sort((a, b) => b.score - a.score || (a.fact.id < b.fact.id ? -1 : 1))
  const texts = new Set<string>()
  for (const { fact } of ranked) {
    if (texts.size >= k) break
    const text = harmless(fact)
    if (text !== '') texts.add(text)
  }
  return [...texts]
}

/** Half a cosine for a fact that holds every word of the question. */
function overlap(text: string, asked: ReadonlySet<string>): number {
  if (asked.size === 0) return 0
  const shared = new Set(analyze(text).filter((term) => asked.has(term)))
  return (0.5 * shared.size) / asked.size
}

/** The fact without instructions; empty when it was read from a sentence that is one. */
function harmless(fact: FoundFact): string {
  if (fact.evidence !== '' && stripInstructions(fact.evidence) === '') return ''
  return stripInstructions(fact.fact).replace(/\s+/g, ' ').trim()
}

interface Asked {
  readonly facts: readonly string[]
  readonly query: string
  readonly nonce: string
  readonly signal: AbortSignal | undefined
}

async function ask(llm: Llm, { facts, query, nonce, signal }: Asked): Promise<string> {
  const request = {
    system: answerInstructions(nonce),
    prompt: questionPrompt(facts, query, nonce),
    maxTokens: answerTokens,
    ...(signal === undefined ? {} : { signal }),
  }
  const said = await llm.text(request).catch((cause: unknown) => {
    throw cause instanceof ServiceError && cause.code === 'llm_unavailable' ? answerless(cause) : cause
  })
  return checkedAnswer(said, facts, query)
}

/** What the specification shows for a graph QA without a model, on top of the failure. */
function answerless(cause: ServiceError): ServiceError {
  const extra = { answer: '', error: 'LLM not available', facts_used: 0 }
  return new ServiceError('llm_unavailable', { ...cause.facts, extra, cause })
}

/** The model's answer as far as the facts carry it, cited; the facts themselves where it says something else. */
export function checkedAnswer(said: string, facts: readonly string[], query: string): string {
  const bare = said.replace(/^\s*(?:(?:question|answer)\s*:\s*)+/i, '')
  const grounded = answeringPart(keepValidCitations(bare, facts.length), facts, query)
  if (grounded === null) return listing(facts)
  return keepValidCitations(grounded.map((sentence) => citeUncited(sentence, facts)).join(' '), facts.length)
}

const listedFacts = 5

function listing(facts: readonly string[]): string {
  const items = facts.slice(0, listedFacts).map((fact, index) => `${plainFact(fact)} [${index + 1}]`)
  return `Memory holds: ${items.join('; ')}.`
}

/** A stored text with brackets of its own cannot look like a citation. */
function plainFact(fact: string): string {
  return keepValidCitations(fact, 0).replace(/[.;\s]+$/, '')
}
