// What the graph screen knows, and what one can do with it.
import { computed, signal } from '@preact/signals'
import { api } from '../api.ts'
import {
  collapsed,
  type Edge,
  edgesByNode,
  filtered,
  type Graph,
  type GraphReply,
  merged,
  momentsOf,
  noGraph,
  pathBetween,
} from './model.ts'

/** Where to begin: an entity by name or id, a question, or nothing for the user. */
export interface Start {
  readonly entity: string | null
  readonly query: string | null
  readonly persona: string | null
}

const firstLook = 25
/** So many more are shown at once. */
export const portion = 12
/** The server shows no more at once. */
const mostAtOnce = 5_000
/** So many at least when it is shown wider, and then five times as many as before. */
const wideLook = 300

/** Rather a long way of facts that hold than a short one of those that held. */
const wayIn = ({ edges }: Graph, from: string, to: string) =>
  pathBetween({ edges: new Map([...edges].filter(([, { until }]) => until === null)) }, from, to) ??
  pathBetween({ edges }, from, to)

export type GraphState = ReturnType<typeof createGraphState>

export function createGraphState() {
  /** The last one is shown; the others are for going back. */
  const steps = signal<readonly Graph[]>([])
  const graph = computed(() => steps.value.at(-1) ?? noGraph)
  const selected = signal<string | null>(null)
  const hidden = signal<ReadonlySet<string>>(new Set())
  /** A place in `moments`; null: now. */
  const moment = signal<number | null>(null)
  const replaced = signal(true)
  const path = signal<readonly string[]>([])
  const moments = computed(() => momentsOf(graph.value))
  const asOf = computed(() => (moment.value === null ? null : (moments.value[moment.value] ?? null)))
  const seen = computed(() =>
    filtered(graph.value, { hidden: hidden.value, asOf: asOf.value, replaced: replaced.value }),
  )
  const touching = computed(() => edgesByNode(graph.value.edges.values()))

  const push = (next: Graph) => {
    moment.value = null
    steps.value = [...steps.value.slice(-30), next]
  }
  const ask = (
    query: Partial<Record<'entity' | 'query' | 'persona', string | null>> & { hops: number; limit: number },
    signal: AbortSignal,
  ) =>
    api().graph({ ...query, include_superseded: true } as Parameters<ReturnType<typeof api>['graph']>[0], {
      signal,
    })

  let persona: string | null = null
  /** Everything within three steps of the beginning is shown. */
  let isAllAround = false

  const look = { hops: 1, limit: firstLook }
  /** The user, or what is near. Asked as a question, because an entity that is not there is an error. */
  const aroundUser = async (signal: AbortSignal): Promise<Pick<GraphReply, 'nodes' | 'edges'>> => {
    const found = await ask({ ...look, query: 'user', persona }, signal)
    if (found.nodes.length > 0) return found
    // Whatever most is known of, among the first ones by name.
    const { entities } = await api().entities({ limit: 100 }, { signal })
    const entity = entities.toSorted((a, b) => b.facts - a.facts)[0]?.id
    return entity === undefined ? found : ask({ ...look, entity, persona }, signal)
  }

  const begin = async (start: Start, signal: AbortSignal): Promise<Graph> => {
    persona = start.persona
    isAllAround = false
    const { entity, query } = start
    const reply =
      entity === null && query === null
        ? await aroundUser(signal)
        : await ask({ ...look, persona, ...(query === null ? { entity } : { query }) }, signal)
    signal.throwIfAborted()
    const first = merged(noGraph, reply)
    steps.value = [first]
    moment.value = null
    path.value = []
    hidden.value = new Set()
    selected.value = reply.nodes.find(({ seed }) => seed)?.id ?? null
    return first
  }

  /** Facts of an entity that are not shown. */
  const more = (id: string) =>
    Math.max(0, (graph.value.nodes.get(id)?.degree ?? 0) - (touching.value.get(id)?.length ?? 0))

  /** Shows some more around an entity. False when the server shows no more of it. */
  const expand = async (id: string, signal: AbortSignal): Promise<boolean> => {
    const before = graph.peek()
    const known = new Set((touching.peek().get(id) ?? []).flatMap(({ from, to }) => [from, to]))
    for (let limit = Math.max(1, known.size) + portion; ; limit += 2 * portion) {
      const reply = await ask({ entity: id, hops: 1, persona, limit: Math.min(limit, mostAtOnce) }, signal)
      const next = merged(before, reply)
      if (next.edges.size > before.edges.size) {
        push(next)
        return true
      }
      if (limit >= mostAtOnce || more(id) === 0) return false
    }
  }

  /** Shows what lies within three steps of the beginning, then of what has most to show. False when that is nothing. */
  const widen = async (signal: AbortSignal): Promise<boolean> => {
    const before = graph.peek()
    const around = async (ids: readonly string[], limit: number) => {
      const asked = ids.map((entity) => ask({ entity, hops: 3, persona, limit }, signal))
      const next = (await Promise.all(asked)).reduce(merged, before)
      if (next.edges.size === before.edges.size) return false
      push(next)
      return true
    }
    const ids = [...before.nodes.keys()]
    if (ids.length >= mostAtOnce) return false
    const seeds = ids.filter((id) => before.nodes.get(id)?.seed)
    const limit = Math.min(mostAtOnce, Math.max(wideLook, 5 * ids.length))
    if (!isAllAround && (await around(seeds.slice(0, 3), limit))) return true
    isAllAround = true
    const unfinished = ids.filter((id) => more(id) > 0).sort((a, b) => more(b) - more(a))
    return around(unfinished.slice(0, 6), wideLook)
  }

  /** Looks for a way among what is shown, then as far as the server sees from both. */
  const connect = async (from: string, to: string, signal: AbortSignal): Promise<boolean> => {
    const here = wayIn(seen.peek(), from, to)
    if (here !== null) {
      path.value = here.map(({ id }) => id)
      return true
    }
    let wide = graph.peek()
    let way: readonly Edge[] | null = null
    for (const limit of [wideLook, mostAtOnce]) {
      const around = await Promise.all(
        [from, to].map((entity) => ask({ entity, hops: 3, persona, limit }, signal)),
      )
      wide = around.reduce(merged, wide)
      way = wayIn(wide, from, to)
      if (way !== null || around.every(({ nodes }) => nodes.length < limit)) break
    }
    if (way === null) return false
    const ends = new Set(way.flatMap((edge) => [edge.from, edge.to]))
    push(
      merged(graph.peek(), {
        nodes: [...ends].flatMap((id) => {
          const node = wide.nodes.get(id)
          return node === undefined ? [] : [{ ...node, more: 0 }]
        }),
        edges: [...way],
      }),
    )
    path.value = way.map(({ id }) => id)
    return true
  }

  return {
    ...{ graph, seen, steps, selected, hidden, moment, moments, asOf, replaced, path, touching },
    ...{ begin, more, expand, widen, connect },
    collapse: (id: string) => {
      const next = collapsed(graph.peek(), id)
      if (next.nodes.size < graph.peek().nodes.size) push(next)
    },
    undo: () => {
      if (steps.peek().length < 2) return
      steps.value = steps.peek().slice(0, -1)
      moment.value = null
      path.value = path.peek().filter((id) => graph.peek().edges.has(id))
      if (!graph.peek().nodes.has(selected.peek() ?? '')) selected.value = null
    },
  }
}
