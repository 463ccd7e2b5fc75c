import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, type components } from '../api.ts'
import { href, place, replaceParams } from '../router.ts'
import { type Task, useTask } from '../task.ts'
import { HopsField, type RecallRequest, recallRequest, usualHops, whyParams } from '../try/asking.tsx'
import { recallCall } from '../try/recalled.tsx'
import { Calls } from '../ui/calls.tsx'
import { Fold } from '../ui/fold.tsx'
import { Badge, Button, Empty, Failed, Field, Meter, Outcome, Panel, Portions, Screen } from '../ui/parts.tsx'
import { PersonaInput } from '../ui/persona-input.tsx'
import { Explained } from './explained.tsx'
import { Finder } from './finder.tsx'
import { outcomeWords, ruleWords } from './rules.ts'
import './why.css'

type Schemas = components['schemas']
type Reply = Schemas['RetrieveReply']
type Looked = NonNullable<NonNullable<Reply['explanation']>['memory']>

interface Opened {
  readonly request: Schemas['RetrieveRequest']
  readonly reply: Reply
}

// As it stands in the form; what is explained stands in the address.
const asked = signal('')
const persona = signal('')
const hops = signal(usualHops)
const k = signal(5)

/** One retrieval opened: how every score came about, what was left out, and why not another one. */
export function WhyScreen() {
  const { params } = place.value
  const id = params.get('id')
  const given = recallRequest(
    params.get('q') ?? '',
    Number(params.get('hops') ?? usualHops),
    params.get('persona') ?? '',
  )
  const inAddress = JSON.stringify(given)
  const task = useTask<Opened>()
  const looking = useTask<Looked | null>()

  const ask = async (explain: true | { readonly id: string }, signal: AbortSignal) => {
    const request = { ...given, k: k.value, explain }
    return { request, reply: await api().recall(request, { signal }) }
  }
  const lookAt = (one: string) =>
    looking.run(async (signal) => (await ask({ id: one }, signal)).reply.explanation?.memory ?? null)
  const run = () => {
    if (id !== null) lookAt(id)
    return task.run((signal) => ask(true, signal))
  }

  useEffect(() => {
    hops.value = given.max_hops ?? 1
    persona.value = given.persona ?? ''
    if (given.query === '') return task.reset()
    asked.value = given.query
    task.run((signal) => ask(true, signal))
  }, [inAddress])
  useEffect(() => {
    if (given.query === '' || id === null) looking.reset()
    else lookAt(id)
  }, [inAddress, id])

  const submit = (event: Event) => {
    event.preventDefault()
    const wanted = recallRequest(asked.value, hops.value, persona.value)
    if (JSON.stringify(wanted) === inAddress) run()
    else replaceParams('why', whyParams(wanted, id))
  }

  // Who asks about one memory sees that first.
  const whyNot = <WhyNot request={given} chosen={id} looking={looking} />

  return (
    <Screen
      title="Why"
      lead="One question, opened: what speaks for and against every memory, and which rule left something out."
    >
      <div class="stack">
        <Panel>
          <form class="ask" onSubmit={submit}>
            <Field label="The question">
              {(attributes) => (
                <input
                  {...attributes}
                  class="serif"
                  required
                  maxLength={4_096}
                  value={asked.value}
                  onInput={(event) => {
                    asked.value = event.currentTarget.value
                  }}
                />
              )}
            </Field>
            <Field label="Results at most">
              {(attributes) => (
                <select
                  {...attributes}
                  value={String(k.value)}
                  onChange={(event) => {
                    k.value = Number(event.currentTarget.value)
                  }}
                >
                  {[1, 3, 5, 10, 20].map((number) => (
                    <option key={number} value={String(number)}>
                      {number}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <Button type="submit" kind="primary" busy={task.state.kind === 'busy'}>
              Explain
            </Button>
            <Fold
              class="options"
              summary="For whom, and how far"
              isSet={persona.value !== '' || hops.value !== usualHops}
            >
              <div class="columns">
                <Field label="Persona">
                  {(attributes) => (
                    <PersonaInput
                      {...attributes}
                      placeholder="shared"
                      value={persona.value}
                      onInput={(typed) => {
                        persona.value = typed
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
              </div>
            </Fold>
          </form>
        </Panel>
        {task.state.kind === 'idle' ? (
          <Empty title="Ask a question to open it up">
            <p>Every result then shows what counted for it, and what was left out says by which rule.</p>
          </Empty>
        ) : null}
        <Outcome task={task} retry={run} lines={6}>
          {({ request, reply }) => (
            <div class="stack">
              {id === null ? null : whyNot}
              <Returned reply={reply} open={id} />
              {id === null ? whyNot : null}
              <LeftOut reply={reply} request={given} />
              <Calls calls={[recallCall(request)]} />
            </div>
          )}
        </Outcome>
      </div>
    </Screen>
  )
}

function Returned({ reply, open }: { readonly reply: Reply; readonly open: string | null }) {
  const ranked = reply.facts.toSorted((a, b) => a.rank - b.rank)
  return (
    <Panel
      title="What came back"
      actions={
        <span class="row hint">
          the answer is here <Meter value={reply.answerable} label="The chance of it" />
        </span>
      }
    >
      {ranked.length === 0 ? (
        <Empty title="Nothing was near enough" />
      ) : (
        <ol class="opened">
          {ranked.map((fact, at) => (
            <li key={fact.id}>
              <details open={open === null ? at === 0 : fact.id === open}>
                <summary class="opened-summary">
                  <span class="opened-head">
                    <span class="rank">{fact.rank}</span>
                    <span class="words serif clamp">{fact.superseded ? <s>{fact.fact}</s> : fact.fact}</span>
                    <Meter value={fact.score} label="Score" tone={fact.score < 0.4 ? 'low' : ''} />
                  </span>
                </summary>
                {fact.explanation === undefined ? (
                  <p class="hint">No explanation came with it.</p>
                ) : (
                  <Explained explanation={fact.explanation} />
                )}
                <p class="hint">
                  <a href={href(`memories/${fact.id}`)}>Open this memory</a>
                </p>
              </details>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** By rule, in the order of the best that each of them left out. */
function LeftOut({ reply, request }: { readonly reply: Reply; readonly request: RecallRequest }) {
  const cut = reply.explanation?.cut ?? []
  return (
    <Panel title="What was found and left out">
      {cut.length === 0 ? <p class="hint">Nothing: everything that was near came back.</p> : null}
      <div class="stack">
        {[...Map.groupBy(cut, ({ rule }) => rule)].map(([rule, entries]) => (
          <section key={rule} class="cuts" aria-label={ruleWords[rule]}>
            <h3>
              {ruleWords[rule]} <span class="hint">{entries.length}</span>
            </h3>
            <Portions items={entries} size={8}>
              {(shown) => (
                <ul>
                  {shown.map(({ id, fact, score, by }) => (
                    <li key={id} class="cut">
                      <a class="result-words words serif" href={href(`memories/${id}`)}>
                        {fact}
                      </a>
                      <span class="row hint">
                        {by === null ? null : <a href={href(`memories/${by}`)}>That one</a>}
                        <Meter value={score} label="Score" tone="low" />
                        <a href={href('why', whyParams(request, id))}>Why</a>
                      </span>
                    </li>
                  ))}
                </ul>
              )}
            </Portions>
          </section>
        ))}
      </div>
    </Panel>
  )
}

interface WhyNotProps {
  readonly request: RecallRequest
  readonly chosen: string | null
  readonly looking: Task<Looked | null>
}

/** One memory that one would have expected. */
function WhyNot({ request, chosen, looking }: WhyNotProps) {
  const looked = looking.value
  return (
    <Panel title="Why not this memory?">
      <Finder
        choose={(id) => replaceParams('why', whyParams(request, id))}
        {...(chosen === null ? {} : { clear: () => replaceParams('why', whyParams(request)) })}
      />
      <Failed task={looking} />
      {looked === null ? null : (
        <div class="looked" aria-live="polite">
          <p>
            <Badge tone={looked.outcome === 'returned' ? 'accent' : 'warn'}>
              {looked.outcome.replaceAll('_', ' ')}
            </Badge>{' '}
            {outcomeWords[looked.outcome]}{' '}
            {looked.by === null ? null : <a href={href(`memories/${looked.by}`)}>That one</a>}
          </p>
          <Expected id={looked.id} />
          {looked.explanation === null ? null : <Explained explanation={looked.explanation} />}
        </div>
      )}
    </Panel>
  )
}

function Expected({ id }: { readonly id: string }) {
  const task = useTask<Schemas['Memory']>()
  useEffect(() => void task.run((abort) => api().memories.get(id, { signal: abort })), [id])
  // What it says is a help; that it is unknown is told beside it already.
  return task.value === null ? null : <p class="words serif clamp">{task.value.fact}</p>
}
