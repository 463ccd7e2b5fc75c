import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { api, type components, sentenceOf } from '../api.ts'
import { go, href } from '../router.ts'
import { useTask } from '../task.ts'
import { Calls, Code } from '../ui/calls.tsx'
import { Badge, Button, dateAndTime, Meter, Outcome, Panel, Screen, Time } from '../ui/parts.tsx'
import { toast } from '../ui/toasts.tsx'
import { Correct } from './correct.tsx'
import { Forget } from './forget.tsx'
import { lastList } from './list.tsx'
import { Versions } from './versions.tsx'

type Schemas = components['schemas']

interface Opened {
  readonly memory: Schemas['Memory']
  readonly history: Schemas['MemoryHistoryReply']
}

/** One memory: what it says, where it comes from, what it replaced, and what can be done about it. */
export function Detail({ id }: { readonly id: string }) {
  const task = useTask<Opened>()
  const list = href('memories', lastList.value)
  const asking = useSignal<'correct' | 'forget' | null>(null)

  const load = () =>
    task.run(async (signal) => {
      const [memory, history] = await Promise.all([
        api().memories.get(id, { signal }),
        api().memories.history(id, { signal }),
      ])
      return { memory, history }
    })
  useEffect(() => void load(), [id])

  const setPinned = async (pinned: boolean) => {
    try {
      await api().memories.update(id, { pinned })
      toast({
        text: pinned ? 'Pinned: it neither fades nor is pruned.' : 'No longer pinned.',
        action: { label: 'Undo', run: () => void setPinned(!pinned) },
      })
      load()
    } catch (error) {
      toast({ text: sentenceOf(error), tone: 'bad' })
    }
  }

  return (
    <Screen
      title="Memory"
      lead={<a href={list}>{list === href('memories') ? 'All memories' : 'Memories as you left them'}</a>}
      actions={
        task.value === null ? null : (
          <>
            <Button
              onClick={() => {
                asking.value = 'correct'
              }}
            >
              Correct …
            </Button>
            <Button onClick={() => setPinned(!task.value?.memory.pinned)}>
              {task.value.memory.pinned ? 'Unpin' : 'Pin'}
            </Button>
            <Button
              kind="danger"
              onClick={() => {
                asking.value = 'forget'
              }}
            >
              Forget …
            </Button>
          </>
        )
      }
    >
      <Outcome task={task} retry={load} lines={5}>
        {({ memory, history }) => (
          <div class="stack">
            <Panel>
              <blockquote class="words memory-full">
                {memory.superseded ? <s>{memory.fact}</s> : memory.fact}
              </blockquote>
              <div class="row memory-marks">
                <Badge>{memory.type === 'semantic' ? 'fact' : 'text'}</Badge>
                {memory.pinned ? <Badge tone="accent">pinned</Badge> : null}
                {memory.superseded ? <Badge tone="warn">replaced</Badge> : <Badge tone="accent">holds</Badge>}
                {memory.triple?.negated === true ? (
                  <Badge title="It says that this does not hold">negation</Badge>
                ) : null}
              </div>
              {memory.replaced_by === null ? null : (
                <p class="note">
                  Replaced{memory.replaced_at === null ? '' : ` on ${dateAndTime(memory.replaced_at)}`} by{' '}
                  <a href={href(`memories/${memory.replaced_by}`)}>this one</a>.
                </p>
              )}
              <Properties memory={memory} />
              {memory.metadata === null ? null : (
                <div class="metadata">
                  <h3>Metadata</h3>
                  <Code text={JSON.stringify(memory.metadata, null, 2)} label="Metadata" wrap />
                </div>
              )}
            </Panel>
            <Versions id={id} history={history} />
            <Calls
              calls={[
                {
                  method: 'GET',
                  path: `/brain/memories/${id}`,
                  typescript: `client.memories.get("${id}")`,
                  python: `client.memory("${id}")`,
                },
                {
                  method: 'GET',
                  path: `/brain/memories/${id}/history`,
                  typescript: `client.memories.history("${id}")`,
                  python: `client.history("${id}")`,
                },
              ]}
            />
          </div>
        )}
      </Outcome>
      {asking.value === 'correct' && task.value !== null ? (
        <Correct
          memory={task.value.memory}
          close={(corrected) => {
            asking.value = null
            if (corrected !== null) go(`memories/${corrected}`)
          }}
        />
      ) : null}
      {asking.value === 'forget' ? (
        <Forget
          ids={[id]}
          close={(outcome) => {
            asking.value = null
            if (outcome === 'gone') go('memories', lastList.value)
            else if (outcome === 'unsure') load()
          }}
        />
      ) : null}
    </Screen>
  )
}

function Properties({ memory }: { readonly memory: Schemas['Memory'] }) {
  const entry = (name: string, value: ComponentChildren) => (
    <div>
      <dt>{name}</dt>
      <dd class="words">{value}</dd>
    </div>
  )
  const { triple } = memory
  return (
    <dl class="properties">
      {triple === null
        ? null
        : entry(
            'Fact',
            <>
              <a href={href('graph', { entity: triple.subject })}>{triple.subject}</a>{' '}
              {triple.relation.replaceAll('_', ' ')}{' '}
              <a href={href('graph', { entity: triple.object })}>{triple.object}</a>
            </>,
          )}
      {entry('Told', <Time at={memory.created_at} />)}
      {entry('By', memory.source)}
      {entry('Persona', memory.persona)}
      {memory.session_id === null
        ? null
        : entry(
            'Session',
            <a href={href('memories', { session_id: memory.session_id })}>{memory.session_id}</a>,
          )}
      {entry('Returned', memory.access_count === 1 ? 'once' : `${memory.access_count} times`)}
      {memory.access_count === 0 ? null : entry('Last returned', <Time at={memory.last_access_at} />)}
      {entry('Confidence', <Meter value={memory.confidence} label="Confidence" />)}
      {entry('Left of it', <Meter value={memory.retention} label="How much is left of it" />)}
    </dl>
  )
}
