import { UndirectedGraph } from 'graphology'
import louvainPackage from 'graphology-communities-louvain'
import { userKey } from '../entities.ts'
import type { Fact } from '../ports.ts'

/** Entities that are densely connected with each other, and the facts between them. */
export interface Cluster {
  /** The best connected first. */
  readonly entities: readonly ClusterEntity[]
  /** The most trusted first. */
  readonly facts: readonly Fact[]
}

export interface ClusterEntity {
  readonly id: Fact['subject']
  readonly name: string
}

/** The package is a function; its types describe an ES module that it is not. */
const louvain = louvainPackage as unknown as typeof louvainPackage.default

/** A triangle is the smallest thing that is more than a chain; below four facts there is nothing to merge. */
const fewestEntities = 3
const fewestFacts = 4
/** Of all pairs that could be connected, how many are; or, in larger clusters, to how many others each is. */
const leastDensity = 0.25
const leastNeighbours = 4

/**
 * The dense clusters of a persona's facts (Louvain communities, always the same for the same facts). The user is
 * left out: connected with everything, they would make one cluster of all.
 */
export function denseClusters(facts: readonly Fact[]): Cluster[] {
  const between = facts.filter(
    ({ subject, object, subjectName, objectName }) =>
      subject !== object && subjectName !== userKey && objectName !== userKey,
  )
  if (between.length < fewestFacts) return []
  const graph = graphOf(between)
  const communities = louvain(graph, { getEdgeWeight: 'weight', randomWalk: false, rng: () => 0.5 })
  const groups = Map.groupBy(graph.nodes(), (node) => communities[node] ?? -1)
  return [...groups.values()]
    .map((nodes) => clusterOf(graph, new Set(nodes), between))
    .filter((cluster) => cluster !== null)
}

/** In the order of ids, so that the order of the facts does not matter. */
function graphOf(facts: readonly Fact[]): UndirectedGraph {
  const graph = new UndirectedGraph()
  const names = new Map(
    facts.flatMap(
      (fact) =>
        [
          [fact.subject, fact.subjectName],
          [fact.object, fact.objectName],
        ] as const,
    ),
  )
  for (const [id, name] of [...names].sort(([a], [b]) => (a < b ? -1 : 1))) graph.addNode(id, { name })
  for (const { subject, object } of [...facts].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const edge = graph.edge(subject, object)
    if (edge === undefined) graph.addEdge(subject, object, { weight: 1 })
    else graph.updateEdgeAttribute(edge, 'weight', (weight: number) => weight + 1)
  }
  return graph
}

function clusterOf(
  graph: UndirectedGraph,
  nodes: ReadonlySet<string>,
  facts: readonly Fact[],
): Cluster | null {
  const inside = facts.filter(({ subject, object }) => nodes.has(subject) && nodes.has(object))
  const degrees = new Map(
    [...nodes].map((node) => [node, graph.filterNeighbors(node, (other) => nodes.has(other)).length]),
  )
  const pairs = [...degrees.values()].reduce((sum, degree) => sum + degree, 0) / 2
  if (!isDense(nodes.size, pairs, inside.length)) return null
  const entities = [...degrees]
    .sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1))
    .map(([id]) => ({ id: id as Fact['subject'], name: String(graph.getNodeAttribute(id, 'name')) }))
  return { entities, facts: inside.sort((a, b) => b.base - a.base || (a.id < b.id ? -1 : 1)) }
}

function isDense(entities: number, pairs: number, facts: number): boolean {
  if (entities < fewestEntities || facts < fewestFacts || pairs < entities) return false
  const density = (2 * pairs) / (entities * (entities - 1))
  return density >= leastDensity || (2 * pairs) / entities >= leastNeighbours
}
