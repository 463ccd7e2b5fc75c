import { signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { api } from '../api.ts'
import { href } from '../router.ts'
import { key } from '../session.ts'
import { type TaskState, useTask } from '../task.ts'
import { Fold } from '../ui/fold.tsx'
import { Button, count, Field, Panel, Problem, Screen } from '../ui/parts.tsx'
import { PersonaInput } from '../ui/persona-input.tsx'
import { toast } from '../ui/toasts.tsx'
import { HopsField, recallRequest, usualHops, whyParams } from './asking.tsx'
import { type Asked, Recalled } from './recalled.tsx'
import { type Extracted, type Stored, Understood } from './understood.tsx'
import './try.css'

const sentences = [
  'My sister Maria lives in Porto and works at Siemens.',
  'I live in Lisbon and I am allergic to peanuts.',
  'I have moved to Berlin.',
]
const questions = ['Where do I live?', 'Where does my sister work?', 'What can I not eat?']

// What was typed stays while one looks at another screen.
const text = signal('')
const persona = signal('')
const source = signal<'user' | 'assistant' | 'document'>('user')
const question = signal('')
const hops = signal(usualHops)

/** The last answer stays, too, but for nobody else. */
const answer = signal<TaskState<Asked>>({ kind: 'idle' })
key.subscribe(() => {
  answer.value = { kind: 'idle' }
})

export function TryScreen() {
  const preview = useTask<Extracted>()
  const storing = useTask<Stored>()
  const asking = useTask<Asked>(answer)
  const ask = useRef<HTMLInputElement>(null)

  const told = () => ({
    text: text.value,
    ...(persona.value === '' ? {} : { persona: persona.value }),
    ...(source.value === 'user' ? {} : { source: source.value }),
  })

  const look = () => {
    storing.reset()
    return preview.run(async (signal) => {
      const request = told()
      return { request, reply: await api().extract(request, { signal }) }
    })
  }

  const isEmpty = text.value.trim() === ''
  const store = async () => {
    if (isEmpty) return
    const request = told()
    const done = await storing.run(async () => ({ request, reply: await api().remember(request) }))
    if (done === null) return
    preview.reset()
    const { reply } = done
    if (reply.deduplicated) return void toast('It is known already: nothing was stored twice.')
    const undo = async () => {
      await api().forget({ ids: reply.ids ?? [] })
      storing.reset()
      toast('Taken back. What it had replaced holds again.')
    }
    toast({
      text: `Remembered, with ${count(reply.facts_ingested, 'fact')}.`,
      action: {
        label: 'Undo',
        run: () => void undo().catch((error) => toast({ text: String(error), tone: 'bad' })),
      },
    })
    ask.current?.focus()
  }

  const asked = () => recallRequest(question.value, hops.value, persona.value)
  const recall = () =>
    asking.run(async (signal) => {
      const request = asked()
      return { request, reply: await api().recall(request, { signal }) }
    })

  return (
    <Screen title="Try it" lead="Tell it something in your own words, see what it understands, and ask.">
      <div class="stack try">
        <Panel title="Tell it something">
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              store()
            }}
          >
            <Field label="A sentence or a few">
              {(attributes) => (
                <textarea
                  {...attributes}
                  class="serif"
                  required
                  maxLength={32_768}
                  placeholder={sentences[0]}
                  value={text.value}
                  onInput={(event) => {
                    text.value = event.currentTarget.value
                  }}
                  onKeyDown={(event) => {
                    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) store()
                  }}
                />
              )}
            </Field>
            <Suggestions
              label="Or take one of these"
              entries={sentences}
              choose={(chosen) => {
                text.value = chosen
                look()
              }}
            />
            <Fold
              class="options"
              summary="Who says it, and for whom"
              isSet={persona.value !== '' || source.value !== 'user'}
            >
              <div class="columns">
                <Field label="Persona" hint="A part of the memory of its own. Empty: shared.">
                  {(attributes) => (
                    <PersonaInput
                      {...attributes}
                      value={persona.value}
                      onInput={(typed) => {
                        persona.value = typed
                      }}
                    />
                  )}
                </Field>
                <Field label="Source" hint="What the user says is believed most.">
                  {(attributes) => (
                    <select
                      {...attributes}
                      value={source.value}
                      onChange={(event) => {
                        source.value = event.currentTarget.value as typeof source.value
                      }}
                    >
                      <option value="user">The user</option>
                      <option value="assistant">The assistant</option>
                      <option value="document">A document</option>
                    </select>
                  )}
                </Field>
              </div>
            </Fold>
            <div class="row">
              <Button type="submit" kind="primary" busy={storing.state.kind === 'busy'} disabled={isEmpty}>
                Remember it
              </Button>
              <Button busy={preview.state.kind === 'busy'} disabled={isEmpty} onClick={() => look()}>
                Only look
              </Button>
            </div>
          </form>
          {[preview, storing].map(({ state }, at) =>
            state.kind === 'failed' ? <Problem key={at} error={state.error} /> : null,
          )}
          {preview.value === null ||
          JSON.stringify(preview.value.request) === JSON.stringify(told()) ? null : (
            <p class="note">This was changed since it was looked at. Look again to see what it becomes.</p>
          )}
          <Understood preview={preview.value} stored={storing.value} />
        </Panel>

        <Panel title="Ask">
          <form
            class="stack"
            onSubmit={(event) => {
              event.preventDefault()
              recall()
            }}
          >
            <div class="ask">
              <Field label="A question">
                {(attributes) => (
                  <input
                    {...attributes}
                    ref={ask}
                    class="serif"
                    required
                    maxLength={4_096}
                    placeholder={questions[0]}
                    value={question.value}
                    onInput={(event) => {
                      question.value = event.currentTarget.value
                    }}
                  />
                )}
              </Field>
              <HopsField
                value={hops.value}
                change={(chosen) => {
                  hops.value = chosen
                }}
              />
              <Button type="submit" kind="primary" busy={asking.state.kind === 'busy'}>
                Ask
              </Button>
            </div>
            <Suggestions
              label="For example"
              entries={questions}
              choose={(chosen) => {
                question.value = chosen
                recall()
              }}
            />
          </form>
          {asking.state.kind === 'failed' ? <Problem error={asking.state.error} /> : null}
          {asking.value === null ? null : <Recalled asked={asking.value} />}
        </Panel>
        <p class="hint try-foot">
          Everything that is remembered is listed under <a href={href('memories')}>Memories</a>; how a result
          came about under <a href={href('why', whyParams(asked()))}>Why</a>.
        </p>
      </div>
    </Screen>
  )
}

interface SuggestionProps {
  readonly label: string
  readonly entries: readonly string[]
  readonly choose: (entry: string) => void
}

function Suggestions({ label, entries, choose }: SuggestionProps) {
  return (
    <div class="suggestions">
      <span class="hint">{label}:</span>
      {entries.map((entry) => (
        <button key={entry} type="button" class="chip" onClick={() => choose(entry)}>
          {entry}
        </button>
      ))}
    </div>
  )
}
