import { useSignal } from '@preact/signals'
import { Button, count, dateAndTime, Panel } from '../ui/parts.tsx'
import { type Edge, isOver, saidOf } from './model.ts'
import type { GraphState } from './state.ts'

const rowsAtOnce = 50

/** The same as the picture, to be read and walked through. */
export function FactTable({ state }: { readonly state: GraphState }) {
  const rows = useSignal(rowsAtOnce)
  const edges = [...state.seen.value.edges.values()]
  return (
    <Panel title="As a table">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <section class="table-scroll" tabIndex={0} aria-label="Facts of the graph">
        <table class="graph-table">
          <caption class="hidden">The facts that the picture shows</caption>
          <thead>
            <tr>
              <th scope="col">From</th>
              <th scope="col">Relation</th>
              <th scope="col">To</th>
              <th scope="col">Since</th>
            </tr>
          </thead>
          <tbody>
            {edges.slice(0, rows.value).map((edge) => (
              <Row key={edge.id} state={state} edge={edge} />
            ))}
          </tbody>
        </table>
      </section>
      {edges.length > rows.value ? (
        <Button
          kind="quiet"
          onClick={() => {
            rows.value += 4 * rowsAtOnce
          }}
        >
          {count(edges.length - rows.value, 'more row')}
        </Button>
      ) : null}
    </Panel>
  )
}

const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })

function Row({ state, edge }: { readonly state: GraphState; readonly edge: Edge }) {
  return (
    <tr class={isOver(edge, state.asOf.value) ? 'over' : ''}>
      <td>
        <NodeButton state={state} id={edge.from} />
      </td>
      <td class="relation words">{saidOf(edge)}</td>
      <td>
        <NodeButton state={state} id={edge.to} />
      </td>
      <td title={dateAndTime(edge.since)}>
        {edge.until === null
          ? days.format(1000 * edge.since)
          : days.formatRange(1000 * edge.since, 1000 * edge.until)}
      </td>
    </tr>
  )
}

export function NodeButton({ state, id }: { readonly state: GraphState; readonly id: string }) {
  const name = state.graph.value.nodes.get(id)?.name ?? id
  return (
    <button
      type="button"
      class="link-button words"
      aria-pressed={state.selected.value === id}
      onClick={() => {
        state.selected.value = id
      }}
    >
      {name}
    </button>
  )
}
