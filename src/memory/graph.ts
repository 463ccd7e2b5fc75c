import { invalidField } from '../core/errors.ts'
import { asEntityId, type EntityId, type Namespace } from '../core/ids.ts'
import { embedOne } from './embed.ts'
import { aliasKey } from './entities.ts'
import { withShared } from './model.ts'
import { namedKeys } from './named-keys.ts'
import type { Embedder, FoundFact, GraphStore, GraphView } from './ports.ts'
import { readQuestion } from './retrieve/question.ts'
import { nearestSeeds, nearFloor } from './retrieve/search.ts'
import type { EntitiesReply, EntitiesRequest, GraphReply, GraphRequest } from './views.ts'

export interface GraphParts {
  readonly graph: GraphStore
  readonly view: GraphView
  readonly embedder: Embedder
}

/** Entities by key; the cursor is the key of the last one shown. */
export async function listEntities(
  { view }: Pick<GraphParts, 'view'>,
  namespace: Namespace,
  { prefix, text, type, limit, cursor }: EntitiesRequest,
): Promise<EntitiesReply> {
  const found = await view.entities(namespace, {
    ...{ prefix: lower(prefix), text: lower(text), type, after: readCursor(cursor), limit: limit + 1 },
  })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    entities: shown.map(({ entity: { id, name, type, aliases, createdAt }, facts }) => ({
      ...{ id, name, type, aliases, facts, createdAt },
    })),
    nextCursor:
      found.length > limit && last !== undefined
        ? Buffer.from(JSON.stringify([last.entity.key])).toString('base64url')
        : null,
  }
}

const lower = (text: string | null) => text?.normalize('NFKC').toLowerCase() ?? null

function readCursor(cursor: string | null): string | null {
  if (cursor === null) return null
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (Array.isArray(value) && value.length === 1 && typeof value[0] === 'string') return value[0]
  } catch {
    // Told below: whatever is wrong with it, the caller can only ask for the first page again.
  }
  throw invalidField(
    'cursor',
    'cursor is not a cursor of this list; leave it out to begin at the first entity',
  )
}

/** Facts read of one entity beyond the first hop: neighbours of neighbours are shown as far as there is room. */
const perNeighbour = 30
/** Facts shown for every entity that is. */
const edgesPerNode = 4

/** What lies around an entity or a question, nearest first, as much as there is room for. Null when there is no such entity. */
export async function graphAround(
  parts: GraphParts,
  namespace: Namespace,
  request: GraphRequest,
  signal?: AbortSignal,
): Promise<GraphReply | null> {
  const { view } = parts
  const personas = request.persona === null ? null : withShared(request.persona)
  const scope = { personas, closed: request.includeSuperseded }
  const seeds = await seedsOf(parts, namespace, { ...request, personas }, signal)
  if (seeds === null) return null
  const shown = new Set(seeds.slice(0, request.limit))
  const facts = new Map<string, FoundFact>()
  let frontier = [...shown]
  // One step more than asked for: it only adds what holds between the last ones reached.
  for (let hop = 1; hop <= request.hops + 1 && frontier.length > 0; hop++) {
    const perEntity = hop === 1 ? request.limit : perNeighbour
    const edges = await view.edges(namespace, { ...scope, entities: frontier, perEntity })
    const reached: EntityId[] = []
    for (const edge of edges) {
      for (const end of [edge.subject, edge.object]) {
        if (shown.has(end) || hop > request.hops || shown.size >= request.limit) continue
        shown.add(end)
        reached.push(end)
      }
      if (shown.has(edge.subject) && shown.has(edge.object)) facts.set(edge.id, edge)
    }
    frontier = reached
  }
  const edges = [...facts.values()].slice(0, edgesPerNode * request.limit)
  const nodes = await view.nodes(namespace, [...shown], scope)
  return drawn(nodes, edges, seeds)
}

function drawn(
  nodes: Awaited<ReturnType<GraphView['nodes']>>,
  edges: readonly FoundFact[],
  seeds: readonly EntityId[],
): GraphReply {
  const known = new Set(nodes.map(({ entity }) => entity.id))
  const kept = edges.filter(({ subject, object }) => known.has(subject) && known.has(object))
  const ends = Map.groupBy(
    kept.flatMap(({ subject, object }) => [subject, object]),
    (end) => end,
  )
  const order = new Map(seeds.map((id, at) => [id, at]))
  const place = (id: EntityId) => order.get(id) ?? seeds.length
  const drawnNodes = nodes
    .toSorted((a, b) => place(a.entity.id) - place(b.entity.id) || b.facts - a.facts)
    .map(({ entity: { id, name, type }, facts }) => ({
      ...{ id, name, type, degree: facts, seed: order.has(id) },
      more: Math.max(0, facts - (ends.get(id)?.length ?? 0)),
    }))
  return {
    nodes: drawnNodes,
    edges: kept.map(({ id, subject, object, relation, negated, fact, createdAt, closedAt }) => ({
      ...{ id, from: subject, to: object, relation, negated, fact },
      ...{ since: createdAt, until: closedAt },
    })),
    truncated: drawnNodes.some(({ more }) => more > 0),
  }
}

/** Facts and entities near a question that it may be about. */
const nearLimit = 8

/** Where to look from; null when the entity that was asked for is not there. */
async function seedsOf(
  { graph, view, embedder }: GraphParts,
  namespace: Namespace,
  { entity, query, personas }: GraphRequest & { readonly personas: readonly string[] | null },
  signal?: AbortSignal,
): Promise<readonly EntityId[] | null> {
  if (entity !== null) {
    const named = await graph.entitiesNamed(namespace, [aliasKey(entity, null)])
    const found =
      named.length > 0
        ? named.map(({ id }) => id)
        : (await view.nodes(namespace, [asEntityId(entity)], { personas: null, closed: true })).map(
            (node) => node.entity.id,
          )
    return found.length === 0 ? null : found
  }
  const question = query ?? ''
  const named = await graph.entitiesNamed(namespace, namedKeys(question))
  if (named.length > 0) return named.map(({ id }) => id)
  const vector = await embedOne(embedder, question, signal)
  const { terms } = readQuestion(question)
  const [facts, near] = await Promise.all([
    graph.searchFacts(namespace, { vector, terms, personas, limit: nearLimit }),
    graph.nearestEntities(namespace, vector, nearLimit),
  ])
  const entities = near.filter(({ cosine }) => cosine >= nearFloor)
  return [...new Set(nearestSeeds({ facts, entities }))]
}
