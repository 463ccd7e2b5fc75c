import type { EntityId, Namespace, RelationshipId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import type { Expansion, FoundFact, GraphStore } from '../ports.ts'

/** Bounds of one traversal; beyond them the result is partial and says so. */
export interface TraversalCaps {
  /** Entities that are expanded in one hop. */
  readonly entitiesPerHop: number
  /** Edges looked at in one hop, so that a hub cannot use up the time in a single read. */
  readonly edgesPerHop: number
  /** Of those the nearest to the question are followed; the others stay in the store. */
  readonly followedPerHop: number
  readonly edges: number
  readonly milliseconds: number
}

export const traversalCaps: TraversalCaps = {
  entitiesPerHop: 200,
  edgesPerHop: 1_000,
  followedPerHop: 48,
  edges: 10_000,
  milliseconds: 500,
}

export interface TraverseRequest {
  readonly seeds: readonly EntityId[]
  /** Null: every persona of the namespace. */
  readonly personas: readonly string[] | null
  /** The question. */
  readonly vector: Vector
  readonly maxHops: number
  readonly caps?: TraversalCaps
}

/** An edge on the way: it was reached at `hop` (1 is next to a seed), walking from one entity to the other. */
export interface TraversedFact {
  readonly fact: FoundFact
  /** With the question. */
  readonly cosine: number
  readonly hop: number
  readonly from: EntityId
  readonly to: EntityId
  /** How many edges there were at `from`. */
  readonly crowd: number
}

export interface Traversal {
  /** In the order of the traversal, each fact once. */
  readonly steps: readonly TraversedFact[]
  /** A cap was reached: what is here is not all there is. */
  readonly truncated: boolean
}

/** What has been seen so far, and what comes next. */
interface Walk {
  readonly steps: TraversedFact[]
  readonly facts: Set<RelationshipId>
  readonly entities: Set<EntityId>
  frontier: readonly EntityId[]
  truncated: boolean
}

/**
 * Breadth-first over current facts from the seeds, up to `maxHops`, along the edges nearest to the question. Every hop asks
 * the store with the caller's namespace and personas. `milliseconds` is a monotonic clock.
 */
export async function traverse(
  graph: Pick<GraphStore, 'expand'>,
  namespace: Namespace,
  request: TraverseRequest,
  milliseconds: () => number,
): Promise<Traversal> {
  const caps = request.caps ?? traversalCaps
  const deadline = milliseconds() + caps.milliseconds
  const seeds = [...new Set(request.seeds)]
  const walk: Walk = {
    steps: [],
    facts: new Set(),
    entities: new Set(seeds),
    frontier: seeds,
    truncated: false,
  }
  for (let hop = 1; hop <= request.maxHops && walk.frontier.length > 0; hop++) {
    const limit = Math.min(caps.edgesPerHop, caps.edges - walk.steps.length)
    if (limit <= 0 || milliseconds() >= deadline) return { steps: walk.steps, truncated: true }
    const entities = walk.frontier.slice(0, caps.entitiesPerHop)
    if (entities.length < walk.frontier.length) walk.truncated = true
    const { personas, vector } = request
    const [nearest, without] = [caps.followedPerHop, [...walk.facts]]
    const asked = { entities, personas, limit, vector, nearest, without }
    const expansion = await graph.expand(namespace, asked)
    if (expansion.truncated) walk.truncated = true
    walk.frontier = follow(walk, new Set(entities), expansion, hop)
  }
  return { steps: walk.steps, truncated: walk.truncated }
}

/** Adds the edges that are new and returns the entities they lead to for the first time. */
function follow(
  walk: Walk,
  entities: ReadonlySet<EntityId>,
  { edges, cosines, crowds }: Expansion,
  hop: number,
): EntityId[] {
  const reached: EntityId[] = []
  for (const [at, fact] of edges.entries()) {
    if (walk.facts.has(fact.id)) continue
    walk.facts.add(fact.id)
    const from = entities.has(fact.subject) ? fact.subject : fact.object
    const to = from === fact.subject ? fact.object : fact.subject
    walk.steps.push({ fact, cosine: cosines[at] ?? 0, hop, from, to, crowd: crowds[at] ?? 1 })
    if (walk.entities.has(to)) continue
    walk.entities.add(to)
    reached.push(to)
  }
  return reached
}
