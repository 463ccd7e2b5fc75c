import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, type components } from '../api.ts'
import { href } from '../router.ts'
import { useTask } from '../task.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Badge, Button, count, Empty, Field, Outcome, Panel, Problem, Screen, Time } from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'
import { curve, daysLeft, inDays, lifeSpent, type Rules } from './curve.ts'
import { Curves } from './curves.tsx'
import './fading.css'

type Memory = components['schemas']['Memory']
type Forecast = components['schemas']['PruneReply']
type Run = components['schemas']['LifecycleRun']

interface Outlook {
  readonly rules: Rules
  readonly runs: readonly Run[]
  readonly now: Forecast
  readonly week: Forecast
  readonly month: Forecast
}

/** So many memories are shown; the figures count all. */
const shownMemories = 50
const rowsAtOnce = 12

/** Where nothing is deleted the curves are still worth a look: this is what the specification deletes at. */
const usualThreshold = 0.05

async function look(persona: string | null, signal: AbortSignal): Promise<Outlook> {
  const client = api()
  const {
    half_life_days: halfLifeDays,
    prune_threshold: threshold,
    runs,
  } = await client.lifecycle(persona === null ? {} : { persona }, { signal })
  const below = threshold === 0 ? usualThreshold : threshold
  const ahead = (in_days: number, limit: number) =>
    client.prune({ dry_run: true, threshold: below, persona, in_days, limit }, { signal })
  const [now, week, month] = await Promise.all([
    ahead(0, shownMemories),
    ahead(7, 0),
    ahead(30, shownMemories),
  ])
  return { rules: { halfLifeDays, threshold }, runs, now, week, month }
}

export function FadingScreen() {
  const outlook = useTask<Outlook>()
  const running = useTask<components['schemas']['ConsolidateReply']>()
  const persona = useSignal<string | null>(null)
  const isPruning = useSignal(false)
  const load = () => outlook.run((signal) => look(persona.peek(), signal))
  useEffect(() => void load(), [persona.value])

  const consolidate = async () => {
    const reply = await running.run((signal) =>
      api().consolidate({ force: true, persona: persona.peek() }, { signal, timeout: 300_000 }),
    )
    if (reply === null) return
    const { memories_decayed: faded, memories_pruned: pruned } = reply
    toast(`Done: ${count(faded, 'fact')} faded, ${count(pruned, 'memory', 'memories')} deleted.`)
    void load()
  }
  const value = outlook.value
  return (
    <Screen
      title="Fading"
      lead={value === null ? 'What nobody asks for fades, and is deleted in the end.' : leadOf(value.rules)}
      actions={
        <Button busy={running.state.kind === 'busy'} onClick={consolidate}>
          Consolidate now
        </Button>
      }
    >
      <div class="stack">
        {running.state.kind === 'failed' ? <Problem error={running.state.error} retry={consolidate} /> : null}
        <Field label="Persona" class="persona-field">
          {(attributes) => (
            <input
              {...attributes}
              type="text"
              maxLength={128}
              placeholder="All"
              onChange={(event) => {
                persona.value = event.currentTarget.value.trim() || null
              }}
            />
          )}
        </Field>
        <Outcome task={outlook} retry={load} lines={8}>
          {(shown) => (
            <div class="stack">
              <Figures outlook={shown} prune={() => (isPruning.value = true)} />
              <Ahead outlook={shown} reload={load} />
              <Runs runs={shown.runs} />
            </div>
          )}
        </Outcome>
      </div>
      {isPruning.value && value !== null ? (
        <PruneDialog
          outlook={value}
          persona={persona.value}
          close={(isDone) => {
            isPruning.value = false
            if (isDone) void load()
          }}
        />
      ) : null}
    </Screen>
  )
}

function leadOf(rules: Rules): string {
  const half = `Half of a memory’s weight is gone after ${count(rules.halfLifeDays, 'day')} without a question.`
  const left = daysLeft(1, rules)
  return left === null
    ? `${half} This server deletes nothing by itself.`
    : `${half} Below ${Math.round(rules.threshold * 1000) / 10}%, after about ${Math.round(left)} days, it is deleted.`
}

function Figures({ outlook, prune }: { readonly outlook: Outlook; readonly prune: () => void }) {
  const { now, week, month, rules } = outlook
  const isOff = rules.threshold === 0
  const figures = [
    ['Now', now],
    ['In 7 days', week],
    ['In 30 days', month],
  ] as const
  return (
    <Panel
      title={isOff ? 'What would fade, if it were deleted' : 'What fades if nobody asks for it'}
      actions={
        <Button kind="danger" disabled={now.candidates === 0} onClick={prune}>
          Delete what has faded …
        </Button>
      }
    >
      <dl class="figures">
        {figures.map(([name, { candidates, chunks, relations, orphaned_entities: entities }]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <span class="figure">{candidates.toLocaleString('en')}</span>
              <span class="hint">
                {count(chunks, 'text')}, {count(relations, 'fact')}, {count(entities, 'entity', 'entities')}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}

function Ahead({ outlook, reload }: { readonly outlook: Outlook; readonly reload: () => void }) {
  const days = useSignal<7 | 30>(30)
  const selected = useSignal<string | null>(null)
  const rows = useSignal(rowsAtOnce)
  const rules =
    outlook.rules.threshold === 0 ? { ...outlook.rules, threshold: usualThreshold } : outlook.rules
  const memories = outlook.month.memories.filter(
    ({ retention }) => (daysLeft(retention, rules) ?? Number.POSITIVE_INFINITY) < days.value,
  )
  const pin = async (memory: Memory, pinned: boolean) => {
    await api().memories.update(memory.id, { pinned })
    reload()
    if (pinned)
      toast({
        text: 'Pinned: it no longer fades.',
        action: {
          label: 'Undo',
          run: () => void pin(memory, false).catch(() => toast('It could not be undone.')),
        },
      })
  }
  return (
    <Panel
      title="What goes first"
      actions={
        <fieldset class="segmented">
          <legend class="hidden">How far ahead</legend>
          {([7, 30] as const).map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="ahead"
                checked={days.value === each}
                onChange={() => {
                  days.value = each
                }}
              />
              <span>{each} days</span>
            </label>
          ))}
        </fieldset>
      }
    >
      {memories.length === 0 ? (
        <Empty title={`Nothing fades in the next ${days.value} days`}>
          <p>Whatever is asked for begins anew, and what is pinned never fades.</p>
        </Empty>
      ) : (
        <>
          <Curves memories={memories} rules={rules} days={days.value} selected={selected.value} />
          <ul class="fading-list">
            {memories.slice(0, rows.value).map((memory) => (
              <Fading
                key={memory.id}
                memory={memory}
                rules={rules}
                select={(id) => {
                  selected.value = id
                }}
                pin={() => pin(memory, true)}
              />
            ))}
          </ul>
          {memories.length > rows.value ? (
            <Button
              kind="quiet"
              onClick={() => {
                rows.value = shownMemories
              }}
            >
              Show {memories.length - rows.value} more
            </Button>
          ) : outlook.month.candidates > memories.length && days.value === 30 ? (
            <p class="hint">
              The {memories.length} most faded of {outlook.month.candidates.toLocaleString('en')}.
            </p>
          ) : null}
        </>
      )}
    </Panel>
  )
}

interface FadingProps {
  readonly memory: Memory
  readonly rules: Rules
  readonly select: (id: string | null) => void
  readonly pin: () => Promise<void>
}

function Fading({ memory, rules, select, pin }: FadingProps) {
  const pinning = useTask<void>()
  const left = daysLeft(memory.retention, rules)
  return (
    <li onMouseEnter={() => select(memory.id)} onMouseLeave={() => select(null)}>
      <a class="words fading-text" href={href(`memories/${memory.id}`)} onFocus={() => select(memory.id)}>
        {memory.fact}
      </a>
      <span class="row">
        <Badge>{memory.type === 'episodic' ? 'text' : 'fact'}</Badge>
        {memory.superseded ? <Badge>replaced</Badge> : null}
        <span class="hint">
          {memory.access_count === 0 ? 'never asked for; told' : 'last asked for'}{' '}
          <Time at={memory.last_access_at} />
        </span>
      </span>
      <Spark memory={memory} rules={rules} />
      <span class="left">
        <b>{Math.round(memory.retention * 100)}%</b>
        <span class="hint">{left === null ? '' : `gone ${inDays(left)}`}</span>
      </span>
      <Button
        busy={pinning.state.kind === 'busy'}
        aria-label={`Pin: ${memory.fact.slice(0, 80)}`}
        onClick={() => pinning.run(pin)}
      >
        Pin
      </Button>
      {pinning.state.kind === 'failed' ? (
        <p class="hint" role="alert">
          It could not be pinned.
        </p>
      ) : null}
    </li>
  )
}

const spark = { width: 96, height: 28 }

/** The whole life of a memory, and a dot where it stands. */
function Spark({ memory, rules }: Pick<FadingProps, 'memory' | 'rules'>) {
  const { confidence, retention } = memory
  const days = daysLeft(confidence, rules) ?? 30
  const spent = lifeSpent(confidence, retention, rules)
  return (
    <svg
      class="spark"
      viewBox={`-4 -4 ${spark.width + 8} ${spark.height + 8}`}
      role="img"
      aria-label={`${Math.round(spent * 100)}% of the way to being deleted`}
    >
      <polyline points={curve(confidence, rules, { days, top: 1, ...spark })} />
      <circle cx={spent * spark.width} cy={spark.height * (1 - retention)} r="3.5" />
    </svg>
  )
}

function Runs({ runs }: { readonly runs: readonly Run[] }) {
  return (
    <Panel title="What the last runs did">
      {runs.length === 0 ? (
        <p class="hint">None has run yet. One runs every hour by itself.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        <section class="table-scroll" tabIndex={0} aria-label="Last runs">
          <table class="runs">
            <thead>
              <tr>
                <th scope="col">When</th>
                <th scope="col">Started</th>
                <th scope="col" class="number">
                  Faded
                </th>
                <th scope="col" class="number">
                  Refreshed
                </th>
                <th scope="col" class="number">
                  Deleted
                </th>
                <th scope="col" class="number">
                  Left for later
                </th>
                <th scope="col" class="number">
                  Merged
                </th>
              </tr>
            </thead>
            <tbody>
              {runs.map((run) => (
                <tr key={run.at}>
                  <td>
                    <Time at={run.at} />
                  </td>
                  <td>{run.automatic ? 'by itself' : 'by hand'}</td>
                  <td class="number">{run.decayed.toLocaleString('en')}</td>
                  <td class="number">{run.reinforced.toLocaleString('en')}</td>
                  <td class="number">{run.pruned.toLocaleString('en')}</td>
                  <td class="number">{run.held_back.toLocaleString('en')}</td>
                  <td class="number">{run.compressed.toLocaleString('en')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </Panel>
  )
}

interface PruneDialogProps {
  readonly outlook: Outlook
  readonly persona: string | null
  readonly close: (isDone: boolean) => void
}

/** A dry run is what it shows; only then something goes. */
function PruneDialog({ outlook, persona, close }: PruneDialogProps) {
  const { now, rules } = outlook
  const pruning = useTask<Forecast>()
  const threshold = rules.threshold === 0 ? usualThreshold : rules.threshold
  const prune = async () => {
    const reply = await pruning.run((signal) =>
      api().prune({ dry_run: false, threshold, persona }, { signal }),
    )
    if (reply === null) return
    toast(`${count(reply.pruned, 'memory', 'memories')} deleted.`)
    close(true)
  }
  return (
    <Dialog
      title={`Delete ${count(now.candidates, 'faded memory', 'faded memories')}?`}
      close={() => close(false)}
      actions={
        <>
          <Button onClick={() => close(false)}>Keep them</Button>
          <Button kind="danger" busy={pruning.state.kind === 'busy'} onClick={prune}>
            Delete
          </Button>
        </>
      }
    >
      <p>
        {count(now.chunks, 'text')} and {count(now.relations, 'fact')} have less than{' '}
        {Math.round(threshold * 1000) / 10}% left. This cannot be undone.
      </p>
      <ul class="fading-preview">
        {now.memories.map(({ id, fact }) => (
          <li key={id} class="words">
            {fact}
          </li>
        ))}
      </ul>
      {pruning.state.kind === 'failed' ? <Problem error={pruning.state.error} /> : null}
    </Dialog>
  )
}
