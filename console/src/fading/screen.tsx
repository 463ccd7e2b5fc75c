import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, type components } from '../api.ts'
import { useTask } from '../task.ts'
import { Button, count, Field, Outcome, Panel, Problem, Screen } from '../ui/parts.tsx'
import { PersonaInput } from '../ui/persona-input.tsx'
import { toast } from '../ui/toasts.tsx'
import { Ahead } from './ahead.tsx'
import { daysLeft, type Rules } from './curve.ts'
import './fading.css'
import { look, type Outlook } from './outlook.ts'
import { PruneDialog } from './prune.tsx'
import { Runs } from './runs.tsx'

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
            <PersonaInput
              {...attributes}
              placeholder="All"
              onChange={(typed) => {
                persona.value = typed.trim() || null
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
                {candidates === 0
                  ? ''
                  : `${count(chunks, 'text')}, ${count(relations, 'fact')}, ${count(entities, 'entity', 'entities')}`}
              </span>
            </dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
