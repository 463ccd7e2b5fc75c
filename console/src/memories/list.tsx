import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, type components } from '../api.ts'
import { href, place, replaceParams } from '../router.ts'
import { useTask } from '../task.ts'
import { Badge, Button, count, Empty, Meter, Outcome, Screen, Time } from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'
import { FilterForm, type Filters, filtersOf, queryOf } from './filters.tsx'
import { Forget } from './forget.tsx'

type Page = components['schemas']['ListMemoriesReply']
type Memory = components['schemas']['Memory']

const pageSize = 25

export function List() {
  const filters = filtersOf(place.value.params)
  const asked = JSON.stringify(filters)
  /** The cursors of the pages before this one. */
  const before = useSignal<readonly (string | null)[]>([])
  const cursor = useSignal<string | null>(null)
  const selected = useSignal<ReadonlySet<string>>(new Set())
  const forgetting = useSignal<readonly string[] | null>(null)
  const task = useTask<Page>()
  const counting = useTask<components['schemas']['StatsReply']>()
  const recount = () => counting.run((signal) => api().stats({ user_id: 'me', persona: '*' }, { signal }))
  useEffect(() => void recount(), [])

  const load = () =>
    task.run((signal) => {
      const query = { ...queryOf(filters), limit: pageSize, cursor: cursor.value }
      return api().call<Page>({ method: 'GET', path: '/brain/memories', query, signal })
    })

  const turn = (to: string | null, history: readonly (string | null)[]) => {
    before.value = history
    cursor.value = to
    selected.value = new Set()
    load()
  }

  // Typing waits for a moment; the first page comes at once.
  useEffect(() => {
    const timer = setTimeout(() => turn(null, []), task.state.kind === 'idle' ? 0 : 300)
    return () => clearTimeout(timer)
  }, [asked])

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
          {({ memories, next_cursor }) =>
            memories.length === 0 && before.value.length === 0 ? (
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
                  memories={memories}
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
                  {memories.map((memory) => (
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
                <nav class="row spread" aria-label="Pages">
                  <Button
                    disabled={before.value.length === 0}
                    onClick={() => turn(before.value.at(-1) ?? null, before.value.slice(0, -1))}
                  >
                    Newer
                  </Button>
                  <span class="hint">Page {before.value.length + 1}</span>
                  <Button
                    disabled={next_cursor === null}
                    onClick={() => turn(next_cursor, [...before.value, cursor.value])}
                  >
                    Older
                  </Button>
                </nav>
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
            turn(cursor.value, before.value)
            void recount()
          }}
        />
      )}
    </Screen>
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
        <a class="words serif memory-words" href={href(`memories/${memory.id}`)}>
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
