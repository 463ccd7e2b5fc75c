// A graph as it is drawn: entities and facts by their place in a list.

export type Point = readonly [x: number, y: number]

export interface SceneNode {
  readonly id: string
  readonly name: string
  readonly look: 'strong' | 'plain' | 'ring'
  readonly seed: boolean
  readonly degree: number
  /** Facts of it that are not shown. */
  readonly more: number
}

export interface SceneEdge {
  /** Places in the list of nodes. */
  readonly from: number
  readonly to: number
  readonly label: string
  /** It no longer holds. */
  readonly over: boolean
}

export interface Scene {
  readonly nodes: readonly SceneNode[]
  readonly edges: readonly SceneEdge[]
}

export const radiusOf = ({ degree, seed }: SceneNode) =>
  Math.min(20, 4.5 + 1.5 * Math.sqrt(degree)) + (seed ? 2 : 0)

export function neighboursOf({ nodes, edges }: Scene): readonly (readonly number[])[] {
  const found = nodes.map(() => new Set<number>())
  for (const { from, to } of edges) {
    if (from === to) continue
    found[from]?.add(to)
    found[to]?.add(from)
  }
  return found.map((all) => [...all])
}

/** Facts between the same two entities lie beside each other. */
export function bendsOf({ edges }: Scene): readonly number[] {
  const seen = new Map<string, number>()
  return edges.map(({ from, to }) => {
    const pair = from < to ? `${from} ${to}` : `${to} ${from}`
    const before = seen.get(pair) ?? 0
    seen.set(pair, before + 1)
    const side = (from < to ? 1 : -1) * (before % 2 === 0 ? -1 : 1)
    return before === 0 ? 0 : side * 0.16 * Math.ceil(before / 2)
  })
}

/** Places to begin with: where it was, else beside a known neighbour, else on a spiral. */
export function placesOf(
  { nodes }: Scene,
  neighbours: readonly (readonly number[])[],
  before: ReadonlyMap<string, Point>,
): Float32Array<ArrayBuffer> {
  const positions = new Float32Array(2 * nodes.length)
  const step = nodes.length > 600 ? 26 : 40
  nodes.forEach(({ id }, at) => {
    const angle = at * Math.PI * (3 - Math.sqrt(5))
    const near = (neighbours[at] ?? []).map((other) => before.get(nodes[other]?.id ?? '')).find(Boolean)
    const [x, y] = before.get(id) ?? near ?? [0, 0]
    const away = before.has(id) ? 0 : near === undefined ? step * Math.sqrt(at) : 60
    positions[2 * at] = x + away * Math.cos(angle)
    positions[2 * at + 1] = y + away * Math.sin(angle)
  })
  return positions
}
