// What the graph screen shows, as values: every step makes a new graph, so that going back is keeping the old one.
import type { components } from '../api.ts'

export type GraphReply = components['schemas']['GraphReply']
export type Node = Omit<components['schemas']['GraphNode'], 'more'>
export type Edge = components['schemas']['GraphEdge']

export interface Graph {
  readonly nodes: ReadonlyMap<string, Node>
  readonly edges: ReadonlyMap<string, Edge>
}

export const noGraph: Graph = { nodes: new Map(), edges: new Map() }

/** The graph with what a reply adds to it. */
export function merged(graph: Graph, reply: Pick<GraphReply, 'nodes' | 'edges'>): Graph {
  const nodes = new Map(graph.nodes)
  for (const { more: _, ...node } of reply.nodes) {
    // Where it was begun stays marked, whatever is asked around afterwards.
    const seed = graph.nodes.size === 0 ? node.seed : (graph.nodes.get(node.id)?.seed ?? false)
    nodes.set(node.id, { ...node, seed })
  }
  const edges = new Map(graph.edges)
  for (const edge of reply.edges) edges.set(edge.id, edge)
  return { nodes, edges }
}

/** The relation in words. */
export const saidOf = ({ negated, relation }: Edge) =>
  `${negated ? 'not ' : ''}${relation.replaceAll('_', ' ')}`

/** For each entity the facts that touch it. */
export function edgesByNode(edges: Iterable<Edge>): ReadonlyMap<string, readonly Edge[]> {
  const found = new Map<string, Edge[]>()
  const add = (id: string, edge: Edge) => {
    const list = found.get(id)
    if (list === undefined) found.set(id, [edge])
    else list.push(edge)
  }
  for (const edge of edges) {
    add(edge.from, edge)
    if (edge.to !== edge.from) add(edge.to, edge)
  }
  return found
}

const otherEnd = (edge: Edge, id: string) => (edge.from === id ? edge.to : edge.from)

/** Without what hangs on this entity alone. Where it was begun stays. */
export function collapsed(graph: Graph, id: string): Graph {
  const touching = edgesByNode(graph.edges.values())
  const isLeaf = (other: string) =>
    other !== id &&
    graph.nodes.get(other)?.seed !== true &&
    (touching.get(other) ?? []).every(
      (edge) => otherEnd(edge, other) === id || otherEnd(edge, other) === other,
    )
  const gone = new Set((touching.get(id) ?? []).map((edge) => otherEnd(edge, id)).filter(isLeaf))
  return without(graph, gone)
}

function without({ nodes, edges }: Graph, gone: ReadonlySet<string>): Graph {
  return {
    nodes: new Map([...nodes].filter(([id]) => !gone.has(id))),
    edges: new Map([...edges].filter(([, edge]) => !gone.has(edge.from) && !gone.has(edge.to))),
  }
}

export interface Filter {
  readonly hidden: ReadonlySet<string>
  /** Unix seconds; null: now. */
  readonly asOf: number | null
  /** Facts that no longer held then, too. */
  readonly replaced: boolean
}

/** Whether a fact no longer holds at that time. */
export const isOver = ({ until }: Edge, asOf: number | null) =>
  until !== null && (asOf === null || until <= asOf)

/** What of the graph is seen: facts that pass, and the entities that they touch. Where it was begun is always seen. */
export function filtered({ nodes, edges }: Graph, { hidden, asOf, replaced }: Filter): Graph {
  const seen = new Map<string, Edge>()
  const touched = new Set<string>()
  for (const [id, edge] of edges) {
    if (hidden.has(edge.relation) || (asOf !== null && edge.since > asOf)) continue
    if (!replaced && isOver(edge, asOf)) continue
    seen.set(id, edge)
    touched.add(edge.from).add(edge.to)
  }
  return { nodes: new Map([...nodes].filter(([id, node]) => node.seed || touched.has(id))), edges: seen }
}

/** The times at which something changed, oldest first: the stops of the slider. */
export function momentsOf({ edges }: Graph): readonly number[] {
  const times = [...edges.values()].flatMap(({ since, until }) => (until === null ? [since] : [since, until]))
  return [...new Set(times)].sort((a, b) => a - b)
}

/** How often each relation is told, the most frequent first. */
export function relationsOf({ edges }: Graph): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { relation } of edges.values()) counts.set(relation, (counts.get(relation) ?? 0) + 1)
  return [...counts].sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
}

/** The facts of a shortest way between two entities, in order; null when there is none. */
export function pathBetween(
  { edges }: Pick<Graph, 'edges'>,
  from: string,
  to: string,
): readonly Edge[] | null {
  const touching = edgesByNode(edges.values())
  const cameBy = new Map<string, Edge | null>([[from, null]])
  const queue = [from]
  for (const at of queue) {
    if (at === to) break
    for (const edge of touching.get(at) ?? []) {
      const next = otherEnd(edge, at)
      if (cameBy.has(next)) continue
      cameBy.set(next, edge)
      queue.push(next)
    }
  }
  if (!cameBy.has(to)) return null
  const way: Edge[] = []
  for (let at = to; at !== from; ) {
    const edge = cameBy.get(at)
    if (edge === null || edge === undefined) break
    way.unshift(edge)
    at = otherEnd(edge, at)
  }
  return way
}
