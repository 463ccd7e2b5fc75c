import type { components } from '../api.ts'
import { href } from '../router.ts'
import { Calls, Code, CopyButton, type ShownCall } from '../ui/calls.tsx'
import { Badge, Empty, Meter, Time } from '../ui/parts.tsx'
import { type RecallRequest, whyParams } from './asking.tsx'

type Schemas = components['schemas']
type Reply = Schemas['RetrieveReply']
type Fact = Reply['facts'][number]
type Step = NonNullable<Reply['reasoning_chain']>[number]

export interface Asked {
  readonly request: RecallRequest
  readonly reply: Reply
}

const bands = [
  ['Directly relevant', 0.7],
  ['Probably', 0.4],
  ['Tangential', 0],
] as const

/** What came back for a question: by bands, the way over the facts, and the context for a prompt. */
export function Recalled({ asked: { request, reply } }: { readonly asked: Asked }) {
  const ranked = reply.facts.toSorted((a, b) => a.rank - b.rank)
  return (
    <div class="recalled" aria-live="polite">
      <div class="row spread">
        <p>
          <strong>
            {reply.answerable >= 0.5 ? 'The answer is here.' : 'The answer is probably not in the memory.'}
          </strong>{' '}
          <Meter value={reply.answerable} label="The chance that the memory holds the answer" />
        </p>
        <p class="hint">
          {reply.latency_ms.toFixed(0)} ms · <a href={href('why', whyParams(request))}>Why these?</a>
        </p>
      </div>
      {reply.degraded.length === 0 ? null : (
        <p class="note">{reply.degraded.join(', ')} did not answer: this may be incomplete.</p>
      )}
      {ranked.length === 0 ? (
        <Empty title="Nothing is known about that">
          <p>Tell it something above, then ask again.</p>
        </Empty>
      ) : (
        bands.map(([name, least], at) => {
          const most = at === 0 ? Number.POSITIVE_INFINITY : (bands[at - 1]?.[1] ?? 0)
          const inside = ranked.filter(({ score }) => score >= least && score < most)
          return inside.length === 0 ? null : (
            <section key={name} aria-label={name}>
              <h3 class="band">{name}</h3>
              <ol class="results">
                {inside.map((fact) => (
                  <Result key={fact.id} fact={fact} request={request} />
                ))}
              </ol>
            </section>
          )
        })
      )}
      {reply.reasoning_chain === null || reply.reasoning_chain.length === 0 ? null : (
        <Path steps={reply.reasoning_chain} truncated={reply.truncated} />
      )}
      {reply.context === '' ? null : (
        <div>
          <div class="row spread">
            <h3>Context for a prompt</h3>
            <CopyButton text={reply.context} label="Copy the context" />
          </div>
          <Code text={reply.context} label="The context" wrap />
        </div>
      )}
      <Calls calls={[recallCall(request)]} />
    </div>
  )
}

const kinds = { episodic: 'text', semantic: 'fact', working: 'session' } as const

function Result({ fact, request }: { readonly fact: Fact; readonly request: RecallRequest }) {
  return (
    <li class="result">
      <a class="result-words words serif" href={href(`memories/${fact.id}`)}>
        {fact.superseded ? <s>{fact.fact}</s> : fact.fact}
      </a>
      <div class="row hint">
        <Meter value={fact.score} label="Score" tone={fact.score < 0.4 ? 'low' : ''} />
        <Badge>{kinds[fact.source_type]}</Badge>
        {fact.superseded ? <Badge tone="warn">replaced</Badge> : null}
        {fact.changed_at === null ? null : <Badge tone="warn">changed in part</Badge>}
        {fact.persona === 'shared' ? null : <Badge>{fact.persona}</Badge>}
        <Time at={fact.created_at} />
        <a href={href('why', whyParams(request, fact.id))}>Why</a>
      </div>
    </li>
  )
}

function Path({ steps, truncated }: { readonly steps: readonly Step[]; readonly truncated: boolean }) {
  return (
    <div>
      <h3>The way over the facts</h3>
      <ol class="path">
        {steps.map(({ hop, from, relation, to }, at) => (
          <li key={at}>
            <span class="hint">{hop === steps[at - 1]?.hop ? '' : `Step ${hop}`}</span>
            <span class="words">
              {from} <em>{relation.replaceAll('_', ' ')}</em> {to}
            </span>
          </li>
        ))}
      </ol>
      {truncated ? <p class="hint">There were more ways than were followed.</p> : null}
    </div>
  )
}

export function recallCall(body: RecallRequest): ShownCall {
  const { query, ...rest } = body
  const named = ([name, value]: [string, unknown]) => `, ${name}=${python(value)}`
  return {
    method: 'POST',
    path: '/brain/retrieve',
    body,
    typescript: `client.recall(${JSON.stringify(body)})`,
    python: `client.recall(${JSON.stringify(query)}${Object.entries(rest).map(named).join('')})`,
  }
}

/** JSON is Python but for these three words. */
const python = (value: unknown) =>
  value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : JSON.stringify(value)
