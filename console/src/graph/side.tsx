import { useSignal } from '@preact/signals'
import { href } from '../router.ts'
import { Badge, Button, count, Panel } from '../ui/parts.tsx'
import { isOver, saidOf } from './model.ts'
import { EntitySearch } from './search.tsx'
import { type GraphState, portion } from './state.ts'
import { NodeButton } from './table.tsx'

interface SideProps {
  readonly state: GraphState
  readonly busy: boolean
  readonly expand: (id: string) => void
  readonly begin: (id: string) => void
  readonly findWay: (from: string, to: string) => void
}

/** The selected entity: its facts, what can be shown of it, and the way to another one. */
export function Side({ state, busy, expand, begin, findWay }: SideProps) {
  const node = state.graph.value.nodes.get(state.selected.value ?? '')
  if (node === undefined)
    return (
      <Panel class="graph-side">
        <p class="hint">
          Choose an entity to see its facts. In the table below every one can be reached by keyboard.
        </p>
      </Panel>
    )
  const more = state.more(node.id)
  return (
    <Panel
      class="graph-side"
      title={<span class="words">{node.name}</span>}
      actions={<Badge>{node.type}</Badge>}
    >
      <div class="row">
        {more === 0 ? null : (
          <Button kind="primary" busy={busy} onClick={() => expand(node.id)}>
            {Math.min(portion, more)} more
          </Button>
        )}
        <Button onClick={() => state.collapse(node.id)}>Collapse</Button>
        {node.seed ? null : <Button onClick={() => begin(node.id)}>Begin here</Button>}
      </div>
      <Facts state={state} id={node.id} />
      <EntitySearch
        label="Way to"
        placeholder="Another entity"
        choose={(entity) => findWay(node.id, entity.id)}
      />
      <Way state={state} />
    </Panel>
  )
}

const factsAtOnce = 8

function Facts({ state, id }: { readonly state: GraphState; readonly id: string }) {
  const all = useSignal<string | null>(null)
  const edges = [...state.seen.value.edges.values()].filter(({ from, to }) => from === id || to === id)
  const shown = all.value === id ? edges : edges.slice(0, factsAtOnce)
  if (edges.length === 0)
    return (
      <p class="hint">
        {state.touching.value.has(id)
          ? 'Its facts did not hold at that time, or are hidden.'
          : 'No fact of it is shown.'}
      </p>
    )
  return (
    <>
      <ul class="graph-facts">
        {shown.map((edge) => (
          <li key={edge.id} class={isOver(edge, state.asOf.value) ? 'over' : ''}>
            <span>
              {edge.from === id ? null : <NodeButton state={state} id={edge.from} />}{' '}
              <span class="relation words">{saidOf(edge)}</span>{' '}
              {edge.from === id ? <NodeButton state={state} id={edge.to} /> : null}
            </span>
            <a class="hint" href={href(`memories/${edge.id}`)} aria-label={`Memory: ${edge.fact}`}>
              Memory
            </a>
          </li>
        ))}
      </ul>
      {edges.length > shown.length ? (
        <Button kind="quiet" onClick={() => (all.value = id)}>
          All {edges.length} facts
        </Button>
      ) : null}
    </>
  )
}

function Way({ state }: { readonly state: GraphState }) {
  const edges = state.path.value.flatMap((id) => state.graph.value.edges.get(id) ?? [])
  if (edges.length === 0) return null
  return (
    <div class="way" role="status">
      <div class="row spread">
        <h3>The way, in {count(edges.length, 'step')}</h3>
        <Button kind="quiet" onClick={() => (state.path.value = [])}>
          Clear
        </Button>
      </div>
      <ol>
        {edges.map((edge) => (
          <li key={edge.id} class="words">
            {edge.fact}
          </li>
        ))}
      </ol>
    </div>
  )
}
