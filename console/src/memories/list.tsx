import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { api, type components } from '../api.ts'
import { useReload } from '../health.ts'
import { href, leaveFor, leftFor, type Params, place, replaceParams } from '../router.ts'
import { useTask } from '../task.ts'
import { Badge, Button, count, Empty, Meter, Outcome, Screen, Time } from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'
import { FilterForm, type Filters, filtersOf, queryOf } from './filters.tsx'
import { Forget } from './forget.tsx'

type Page = components['schemas']['ListMemoriesReply']
type Memory = components['schemas']['Memory']

const pageSize = 25

/** A page of the list, and which one it is. */
interface Shown extends Page {
  readonly cursor: string | null
  readonly number: number
}

/** By the cursor of a page the one of the page before it. The API only knows the way on. */
const newerOf = new Map<string, string | null>()

/** The filters and the page with which the list was left. */
export const lastList = signal<Params>({})

export function List() {
  const { params } = place.value
  const filters = filtersOf(params)
  const asked = JSON.stringify(filters)
  const cursor = params.get('cursor')
  const number = cursor === null ? 1 : Number(params.get('page')) || 2
  const inAddress = (to: string | null, page: number) => ({
    ...filters,
    cursor: to,
    page: to === null ? null : String(page),
  })
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const forgetting = useSignal<readonly string[] | null>(null)
  const task = useTask<Shown>()
  const counting = useTask<components['schemas']['StatsReply']>()
  const recount = () => counting.run((signal) => api().stats({ user_id: 'me', persona: '*' }, { signal }))
  useEffect(() => void recount(), [])
  useReload(counting, recount)

  const load = () =>
    task.run(async (signal) => {
      const query = { ...queryOf(filters), limit: pageSize, cursor }
      const page = await api().call<Page>({ method: 'GET', path: '/brain/memories', query, signal })
      return { ...page, cursor, number }
    })

  // Typing waits for a moment; a page comes at once.
  const lastAsked = useRef(asked)
  useEffect(() => {
    lastList.value = inAddress(cursor, number)
    selected.value = new Set()
    const timer = setTimeout(load, lastAsked.current === asked ? 0 : 300)
    lastAsked.current = asked
    return () => clearTimeout(timer)
  }, [asked, cursor])

  // Who comes back finds the memory that was opened, and goes on from there.
  const opened = useRef(leftFor())
  useEffect(() => {
    if (task.value === null || opened.current === null) return
    document.getElementById(opened.current)?.focus()
    opened.current = null
  }, [task.value])

  const turn = (to: string | null, page: number) => replaceParams('memories', inAddress(to, page))
  const change = (name: keyof Filters, value: string) =>
    replaceParams('memories', { ...filters, [name]: value })

  const pin = async () => {
    const ids = [...selected.value]
    for (const id of ids) await api().memories.update(id, { pinned: true })
    toast(`${count(ids.length, 'memory', 'memories')} pinned: they neither fade nor are pruned.`)
    load()
  }

  const isFiltered = Object.values(filters).some((value) => value !== '')
  return (
    <Screen title="Memories" lead={leadOf(counting.value)}>
      <div class="stack">
        <FilterForm filters={filters} change={change} />
        <Outcome task={task} retry={load} lines={8}>
          {(shown) =>
            shown.memories.length === 0 && shown.cursor === null ? (
              <Empty title={isFiltered ? 'Nothing matches these filters' : 'Nothing is remembered yet'}>
                <p>
                  <a href={isFiltered ? href('memories') : href('try')}>
                    {isFiltered ? 'Show everything' : 'Tell it something'}
                  </a>
                </p>
              </Empty>
            ) : (
              <div class="stack">
                <Toolbar
                  memories={shown.memories}
                  selected={selected.value}
                  select={(ids) => {
                    selected.value = ids
                  }}
                  pin={() => void pin().catch((error) => toast({ text: String(error), tone: 'bad' }))}
                  forget={() => {
                    forgetting.value = [...selected.value]
                  }}
                />
                <ul class="memories">
                  {shown.memories.map((memory) => (
                    <Row
                      key={memory.id}
                      memory={memory}
                      isSelected={selected.value.has(memory.id)}
                      toggle={() => {
                        const next = new Set(selected.value)
                        if (!next.delete(memory.id)) next.add(memory.id)
                        selected.value = next
                      }}
                    />
                  ))}
                </ul>
                <Turn shown={shown} turn={turn} />
              </div>
            )
          }
        </Outcome>
      </div>
      {forgetting.value === null ? null : (
        <Forget
          ids={forgetting.value}
          close={(outcome) => {
            forgetting.value = null
            if (outcome === 'kept') return
            selected.value = new Set()
            void load()
            void recount()
          }}
        />
      )}
    </Screen>
  )
}

interface TurnProps {
  readonly shown: Shown
  readonly turn: (cursor: string | null, number: number) => void
}

function Turn({ shown: { cursor, number, next_cursor }, turn }: TurnProps) {
  // Unknown to who came by the address of this page: all that is left then is the first one.
  const newer = newerOf.get(cursor ?? '')
  return (
    <nav class="row spread" aria-label="Pages">
      <Button disabled={cursor === null} onClick={() => turn(newer ?? null, number - 1)}>
        {cursor === null || newer !== undefined ? 'Newer' : 'Newest'}
      </Button>
      <span class="hint">Page {number}</span>
      <Button
        disabled={next_cursor === null}
        onClick={() => {
          if (next_cursor === null) return
          newerOf.set(next_cursor, cursor)
          turn(next_cursor, number + 1)
        }}
      >
        Older
      </Button>
    </nav>
  )
}

function leadOf(counts: components['schemas']['StatsReply'] | null): string {
  if (counts === null) return 'Everything that is remembered, the newest first.'
  const { episodic_count: texts, semantic_relations: facts } = counts
  return `Everything that is remembered, the newest first: ${count(texts, 'text')} and ${count(facts, 'fact')}.`
}

interface ToolbarProps {
  readonly memories: readonly Memory[]
  readonly selected: ReadonlySet<string>
  readonly select: (ids: ReadonlySet<string>) => void
  readonly pin: () => void
  readonly forget: () => void
}

function Toolbar({ memories, selected, select, pin, forget }: ToolbarProps) {
  const isAll = selected.size > 0 && memories.every(({ id }) => selected.has(id))
  return (
    <div class="row spread toolbar">
      <label class="check">
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => select(new Set(isAll ? [] : memories.map(({ id }) => id)))}
        />
        {selected.size === 0 ? 'Select this page' : `${selected.size} selected`}
      </label>
      <div class="row">
        <Button disabled={selected.size === 0} onClick={pin}>
          Pin
        </Button>
        <Button kind="danger" disabled={selected.size === 0} onClick={forget}>
          Forget …
        </Button>
      </div>
    </div>
  )
}

interface RowProps {
  readonly memory: Memory
  readonly isSelected: boolean
  readonly toggle: () => void
}

function Row({ memory, isSelected, toggle }: RowProps) {
  return (
    <li class={isSelected ? 'memory selected' : 'memory'}>
      <input
        type="checkbox"
        checked={isSelected}
        onChange={toggle}
        aria-label={`Select: ${memory.fact.slice(0, 80)}`}
      />
      <div class="memory-body">
        <a
          id={memory.id}
          class="words serif memory-words"
          href={href(`memories/${memory.id}`)}
          onClick={() => leaveFor(memory.id)}
        >
          {memory.superseded ? <s>{memory.fact}</s> : memory.fact}
        </a>
        <div class="row hint">
          <Badge>{memory.type === 'semantic' ? 'fact' : 'text'}</Badge>
          {memory.superseded ? <Badge tone="warn">replaced</Badge> : null}
          {memory.triple?.negated === true ? (
            <Badge title="It says that this does not hold">negation</Badge>
          ) : null}
          {memory.pinned ? <Badge tone="accent">pinned</Badge> : null}
          {memory.persona === 'shared' ? null : <Badge title="Persona">{memory.persona}</Badge>}
          {memory.source === 'user' ? null : <Badge title="Source">{memory.source}</Badge>}
          <Time at={memory.created_at} />
        </div>
      </div>
      <Meter
        value={memory.retention}
        unit="left"
        label="How much is left of it"
        tone={memory.retention < 0.3 ? 'low' : ''}
      />
    </li>
  )
}
