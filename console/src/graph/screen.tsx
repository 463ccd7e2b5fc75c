import { useEffect, useId, useMemo } from 'preact/hooks'
import { useReload } from '../health.ts'
import { go, href, place, replaceParams } from '../router.ts'
import { useTask } from '../task.ts'
import { Button, count, dateAndTime, Empty, Loading, Problem, Screen } from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'
import { GraphCanvas } from './picture/canvas.tsx'
import './graph.css'
import { Side } from './side.tsx'
import { createGraphState, type GraphState } from './state.ts'
import { FactTable } from './table.tsx'
import { Toolbar } from './toolbar.tsx'

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
  useReload(loading, begin)
  const start = (next: { entity?: string; query?: string }) => go('graph', { ...next, persona })

  const expand = async (id: string) => {
    state.selected.value = id
    if (state.more(id) === 0) return
    const shown = await work.run((signal) => state.expand(id, signal))
    if (shown === false) toast('The graph shows at most 5,000 entities around one. Memories has all of them.')
  }
  const widen = async () => {
    const shown = await work.run((signal) => state.widen(signal))
    if (shown === false) toast('There is no more to show, or more than a picture can hold.')
  }
  const { nodes, edges } = state.graph.value
  // The user is there for every persona, also for one that nobody told anything.
  const isNothing = nodes.size === 0 || (persona !== null && edges.size === 0)
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
          <Button busy={work.state.kind === 'busy'} disabled={nodes.size === 0} onClick={widen}>
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
        ) : !isNothing ? (
          <Shown
            state={state}
            expand={expand}
            busy={work.state.kind === 'busy'}
            start={start}
            connect={work.run}
          />
        ) : loading.state.kind !== 'done' ? (
          <Loading lines={6} />
        ) : persona !== null ? (
          <Empty title={`There are no facts for the persona “${persona}”`}>
            <a href={href('graph', { entity, query })}>Look in all personas</a>
          </Empty>
        ) : (
          <Empty title={query === null ? 'No facts yet' : 'The question names nothing that is known'}>
            <p>Tell memoryd something, such as “My sister Maria lives in Porto.”</p>
            <a class="button primary" href={href('try')}>
              Try it
            </a>
          </Empty>
        )}
      </div>
    </Screen>
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
  const findWay = async (from: string, to: string) => {
    if (to === from) return
    const found = await connect((signal) => state.connect(from, to, signal))
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
        <Side
          state={state}
          busy={busy}
          expand={expand}
          begin={(id) => start({ entity: id })}
          findWay={findWay}
        />
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
