import { useSignal } from '@preact/signals'
import { api } from '../api.ts'
import { href } from '../router.ts'
import { useTask } from '../task.ts'
import { Badge, Button, Empty, Panel, Time } from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'
import { curve, daysLeft, inDays, lifeSpent, type Rules } from './curve.ts'
import { Curves } from './curves.tsx'
import { type Memory, type Outlook, shownMemories, usualThreshold } from './outlook.ts'

const rowsAtOnce = 12

export function Ahead({ outlook, reload }: { readonly outlook: Outlook; readonly reload: () => void }) {
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
      <a
        class="words serif memory-words"
        href={href(`memories/${memory.id}`)}
        onFocus={() => select(memory.id)}
      >
        {memory.fact}
      </a>
      <span class="row">
        <Badge>{memory.type === 'episodic' ? 'text' : 'fact'}</Badge>
        {memory.superseded ? <Badge>replaced</Badge> : null}
        <span class="hint">
          {memory.access_count === 0 ? 'never asked for; stored' : 'last asked for'}{' '}
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
