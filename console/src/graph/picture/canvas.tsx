import { useSignalEffect } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Button } from '../../ui/parts.tsx'
import { isOver, type Node, saidOf } from '../model.ts'
import type { GraphState } from '../state.ts'
import type { Scene, SceneNode } from './scene.ts'
import { GraphView } from './view.ts'

interface GraphCanvasProps {
  readonly state: GraphState
  readonly expand: (id: string) => void
}

/** The picture. What it shows stands in the table, too. */
export function GraphCanvas({ state, expand }: GraphCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const view = useRef<GraphView | null>(null)
  const handlers = useRef({ expand })
  handlers.current = { expand }
  const help = useId()
  useEffect(() => {
    if (canvas.current === null) return
    const made = new GraphView(canvas.current, {
      select: (id) => {
        state.selected.value = id
      },
      expand: (id) => handlers.current.expand(id),
      collapse: state.collapse,
    })
    view.current = made
    show()
    return () => made.close()
  }, [])

  const show = () => {
    const { nodes, edges } = state.seen.value
    const asOf = state.asOf.value
    const places = new Map([...nodes.keys()].map((id, at) => [id, at]))
    const shown = [...edges.values()]
    const scene: Scene = {
      nodes: [...nodes.values()].map((node) => sceneNode(node, state.more(node.id))),
      edges: shown.map((edge) => ({
        from: places.get(edge.from) ?? 0,
        to: places.get(edge.to) ?? 0,
        label: saidOf(edge),
        over: isOver(edge, asOf),
      })),
    }
    view.current?.show(scene)
    const path = new Set(state.path.value)
    view.current?.mark(new Set(shown.flatMap(({ id }, at) => (path.has(id) ? [at] : []))))
    view.current?.select(state.selected.peek())
  }
  useSignalEffect(show)
  useSignalEffect(() => view.current?.select(state.selected.value))

  const selected = state.graph.value.nodes.get(state.selected.value ?? '')
  return (
    <div class="graph-frame">
      {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: it takes keys of its own, as an application does */}
      <canvas
        ref={canvas}
        class="graph-canvas"
        tabIndex={0}
        role="application"
        aria-label="Graph of the facts below"
        aria-describedby={help}
      />
      <p id={help} class="hidden">
        Arrows go to a neighbour, Enter shows more of it, Backspace collapses it, Escape leaves it. Plus and
        minus zoom, Shift and arrows move, 0 fits all in.
      </p>
      <p class="hidden" role="status">
        {selected === undefined ? '' : `${selected.name}, ${selected.type}, ${selected.degree} facts`}
      </p>
      <div class="graph-zoom">
        <Button kind="quiet" aria-label="Zoom in" onClick={() => view.current?.zoom(1.4)}>
          +
        </Button>
        <Button kind="quiet" aria-label="Zoom out" onClick={() => view.current?.zoom(1 / 1.4)}>
          −
        </Button>
        <Button kind="quiet" onClick={() => view.current?.fit()}>
          Fit
        </Button>
      </div>
    </div>
  )
}

const looks: Readonly<Partial<Record<Node['type'], SceneNode['look']>>> = {
  ...{ person: 'strong', place: 'ring', date: 'ring' },
}

const sceneNode = ({ id, name, type, seed, degree }: Node, more: number): SceneNode => ({
  ...{ id, name, seed, degree, more },
  look: looks[type] ?? 'plain',
})
