import { useSignal } from '@preact/signals'
import { useEffect, useId, useMemo } from 'preact/hooks'
import { go, href, place, replaceParams } from '../router.ts'
import { useTask } from '../task.ts'
import {
  Badge,
  Button,
  count,
  dateAndTime,
  Empty,
  Field,
  Loading,
  Panel,
  Problem,
  Screen,
} from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'
import { GraphCanvas } from './canvas.tsx'
import './graph.css'
import { type Edge, isOver, relationsOf, saidOf } from './model.ts'
import { EntitySearch } from './search.tsx'
import { createGraphState, type GraphState, portion } from './state.ts'

export function GraphScreen() {
  const state = useMemo(createGraphState, [])
  const loading = useTask<unknown>()
  const work = useTask<unknown>()
  const { params } = place.value
  const [entity, query, persona] = ['entity', 'query', 'persona'].map((name) => params.get(name)) as [
    string | null,
    string | null,
    string | null,
  ]
  const begin = () => loading.run((signal) => state.begin({ entity, query, persona }, signal))
  useEffect(() => void begin(), [entity, query, persona])
  const start = (next: { entity?: string; query?: string }) => go('graph', { ...next, persona })

  const expand = async (id: string) => {
    state.selected.value = id
    if (state.more(id) === 0) return
    const shown = await work.run((signal) => state.expand(id, signal))
    if (shown === false) toast('The graph shows at most 300 entities around one. Memories has all of them.')
  }
  const { nodes } = state.graph.value
  const failed = work.state.kind === 'failed' ? work.state.error : null
  return (
    <Screen
      title="Graph"
      lead="People, places and things, and the facts between them. Dashed lines were true once."
      actions={
        <>
          <Button onClick={state.undo} disabled={state.steps.value.length < 2}>
            Undo
          </Button>
          <Button
            busy={work.state.kind === 'busy'}
            disabled={nodes.size === 0}
            onClick={() => work.run((signal) => state.widen(signal))}
          >
            Show wider
          </Button>
        </>
      }
    >
      <div class="stack">
        <Toolbar
          state={state}
          persona={persona}
          setPersona={(next) => replaceParams('graph', { entity, query, persona: next })}
          start={start}
        />
        {failed === null ? null : <Problem error={failed} />}
        {loading.state.kind === 'failed' ? (
          <Problem error={loading.state.error} retry={begin} />
        ) : nodes.size > 0 ? (
          <Shown
            state={state}
            expand={expand}
            busy={work.state.kind === 'busy'}
            start={start}
            connect={work.run}
          />
        ) : loading.state.kind === 'done' ? (
          <Empty title={query === null ? 'No facts yet' : 'The question names nothing that is known'}>
            <p>Tell memoryd something, such as “My sister Maria lives in Porto.”</p>
            <a class="button primary" href={href('try')}>
              Try it
            </a>
          </Empty>
        ) : (
          <Loading lines={6} />
        )}
      </div>
    </Screen>
  )
}

interface ToolbarProps {
  readonly state: GraphState
  readonly persona: string | null
  readonly setPersona: (persona: string | null) => void
  readonly start: (next: { entity?: string; query?: string }) => void
}

function Toolbar({ state, persona, setPersona, start }: ToolbarProps) {
  const relations = relationsOf(state.graph.value)
  const { hidden } = state
  const id = useId()
  const toggle = (relation: string) => {
    const next = new Set(hidden.value)
    if (!next.delete(relation)) next.add(relation)
    hidden.value = next
  }
  return (
    <div class="graph-toolbar">
      <EntitySearch
        label="Begin at"
        placeholder="A name, or a question"
        choose={(entity) => start({ entity: entity.id })}
        ask={(question) => start({ query: question })}
      />
      <Field label="Persona">
        {(attributes) => (
          <input
            {...attributes}
            type="text"
            maxLength={128}
            placeholder="All"
            value={persona ?? ''}
            onChange={(event) => setPersona(event.currentTarget.value.trim() || null)}
          />
        )}
      </Field>
      <details class="relations">
        <summary class="button">
          Relations
          {hidden.value.size === 0 ? '' : ` (${relations.length - hidden.value.size} of ${relations.length})`}
        </summary>
        <fieldset class="relation-list panel">
          <legend class="hidden">Relations that are shown</legend>
          <div class="row">
            <Button kind="quiet" onClick={() => (hidden.value = new Set())}>
              All
            </Button>
            <Button kind="quiet" onClick={() => (hidden.value = new Set(relations.map(([name]) => name)))}>
              None
            </Button>
          </div>
          {relations.map(([relation, many], at) => (
            <label key={relation} class="check" for={`${id}-${at}`}>
              <input
                id={`${id}-${at}`}
                type="checkbox"
                checked={!hidden.value.has(relation)}
                onChange={() => toggle(relation)}
              />
              <span class="words">{relation}</span>
              <span class="hint">{many}</span>
            </label>
          ))}
        </fieldset>
      </details>
      <label class="check">
        <input
          type="checkbox"
          checked={state.replaced.value}
          onChange={(event) => {
            state.replaced.value = event.currentTarget.checked
          }}
        />
        <span>Replaced facts</span>
      </label>
    </div>
  )
}

interface ShownProps {
  readonly state: GraphState
  readonly expand: (id: string) => void
  readonly busy: boolean
  readonly start: (next: { entity?: string; query?: string }) => void
  readonly connect: (work: (signal: AbortSignal) => Promise<boolean>) => Promise<unknown>
}

function Shown({ state, expand, busy, start, connect }: ShownProps) {
  const { nodes, edges } = state.seen.value
  const selected = state.selected.value
  const node = selected === null ? undefined : state.graph.value.nodes.get(selected)
  const findWay = async (to: string) => {
    if (selected === null || to === selected) return
    const found = await connect((signal) => state.connect(selected, to, signal))
    if (found === false) toast('There is no way between the two within six steps.')
  }
  return (
    <>
      <div class="graph-split">
        <div class="graph-stage">
          <GraphCanvas state={state} expand={expand} />
          <AsOf state={state} />
          <p class="hint">
            {count(nodes.size, 'entity', 'entities')}, {count(edges.size, 'fact')} ·{' '}
            <b class="dot-strong">●</b> people <b class="dot-ring">○</b> places and dates{' '}
            <b class="dot-plain">●</b> all else
          </p>
        </div>
        <div class="graph-side">
          {node === undefined ? (
            <Panel>
              <p class="hint">
                Choose an entity to see its facts. In the table below every one can be reached by keyboard.
              </p>
            </Panel>
          ) : (
            <Panel title={<span class="words">{node.name}</span>} actions={<Badge>{node.type}</Badge>}>
              <div class="row">
                {state.more(node.id) === 0 ? null : (
                  <Button kind="primary" busy={busy} onClick={() => expand(node.id)}>
                    {Math.min(portion, state.more(node.id))} more
                  </Button>
                )}
                <Button onClick={() => state.collapse(node.id)}>Collapse</Button>
                {node.seed ? null : <Button onClick={() => start({ entity: node.id })}>Begin here</Button>}
              </div>
              <Facts state={state} id={node.id} />
              <EntitySearch
                label="Way to"
                placeholder="Another entity"
                choose={(entity) => void findWay(entity.id)}
              />
              <Way state={state} />
            </Panel>
          )}
        </div>
      </div>
      <FactTable state={state} />
    </>
  )
}

/** Goes from change to change, not from day to day: mostly nothing happens. */
function AsOf({ state }: { readonly state: GraphState }) {
  const moments = state.moments.value
  const id = useId()
  if (moments.length < 2) return null
  const at = state.moment.value ?? moments.length
  const text = state.asOf.value === null ? 'now' : dateAndTime(state.asOf.value)
  return (
    <div class="as-of">
      <label for={id}>As of</label>
      <input
        id={id}
        type="range"
        min={0}
        max={moments.length}
        value={at}
        aria-valuetext={text}
        onInput={(event) => {
          const next = Number(event.currentTarget.value)
          state.moment.value = next >= moments.length ? null : next
        }}
      />
      <output for={id}>{text}</output>
    </div>
  )
}

const factsAtOnce = 12

function Facts({ state, id }: { readonly state: GraphState; readonly id: string }) {
  const all = useSignal<string | null>(null)
  const edges = [...state.seen.value.edges.values()].filter(({ from, to }) => from === id || to === id)
  const shown = all.value === id ? edges : edges.slice(0, factsAtOnce)
  if (edges.length === 0) return <p class="hint">Nothing is known of it at that time.</p>
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

function NodeButton({ state, id }: { readonly state: GraphState; readonly id: string }) {
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

const rowsAtOnce = 50

/** The same as the picture, to be read and walked through. */
function FactTable({ state }: { readonly state: GraphState }) {
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
              <th scope="col">Until</th>
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

function Row({ state, edge }: { readonly state: GraphState; readonly edge: Edge }) {
  const day = (seconds: number) => new Date(seconds * 1000).toLocaleDateString('en', { dateStyle: 'medium' })
  return (
    <tr class={isOver(edge, state.asOf.value) ? 'over' : ''}>
      <td>
        <NodeButton state={state} id={edge.from} />
      </td>
      <td class="relation words">{saidOf(edge)}</td>
      <td>
        <NodeButton state={state} id={edge.to} />
      </td>
      <td title={dateAndTime(edge.since)}>{day(edge.since)}</td>
      <td>{edge.until === null ? '' : day(edge.until)}</td>
    </tr>
  )
}
