import { useSignal } from '@preact/signals'
import type { components } from '../api.ts'
import { href } from '../router.ts'
import { Calls, type ShownCall } from '../ui/calls.tsx'
import { Badge, count, Empty, Meter, Portions } from '../ui/parts.tsx'

type Schemas = components['schemas']
type Request = Schemas['ExtractRequest']
type Fact = Schemas['ExtractReply']['facts'][number]

export interface Extracted {
  readonly request: Request
  readonly reply: Schemas['ExtractReply']
}

export interface Stored {
  readonly request: Request
  readonly reply: Schemas['IngestReply']
}

interface UnderstoodProps {
  readonly preview: Extracted | null
  readonly stored: Stored | null
}

/** What a text would become, or what it became. */
export function Understood({ preview, stored }: UnderstoodProps) {
  if (stored !== null) return <Became stored={stored} />
  if (preview !== null) return <WouldBecome preview={preview} />
  return null
}

function WouldBecome({ preview: { request, reply } }: { readonly preview: Extracted }) {
  const chosen = useSignal<number | null>(null)
  const evidence = chosen.value === null ? null : (reply.facts[chosen.value]?.evidence ?? null)
  return (
    <div class="understood" aria-live="polite">
      <p class="hint">
        {count(reply.facts.length, 'fact')}, {count(reply.entities.length, 'entity', 'entities')},{' '}
        {count(reply.chunks.length, 'text')} · nothing is stored yet
      </p>
      {reply.duplicate === null ? null : (
        <p class="note">
          It repeats <a href={href(`memories/${reply.duplicate.id}`)}>a text that is known</a> and would be
          skipped.
        </p>
      )}
      {reply.notice === null ? null : <p class="note">{reply.notice}</p>}
      <div class="read">
        {reply.chunks.map((chunk) => (
          <blockquote key={chunk.start} class="words serif">
            {marked(chunk, evidence)}
          </blockquote>
        ))}
      </div>
      {reply.facts.length === 0 ? (
        <Empty title="No facts in it">
          <p>The text itself would be kept, and found by its words and its meaning.</p>
        </Empty>
      ) : (
        <Portions items={reply.facts} size={50}>
          {(facts) => (
            <ul class="facts">
              {facts.map((fact, at) => (
                <li
                  key={at}
                  class={chosen.value === at ? 'fact chosen' : 'fact'}
                  onMouseEnter={() => {
                    chosen.value = at
                  }}
                  onMouseLeave={() => {
                    chosen.value = null
                  }}
                >
                  <FactCard fact={fact} />
                </li>
              ))}
            </ul>
          )}
        </Portions>
      )}
      {reply.replaces.length === 0 ? null : (
        <div>
          <h3>Would be out of date</h3>
          <ul class="replaced-list">
            {reply.replaces.map(({ id, fact, kind, probability }) => (
              <Gone key={id} {...{ id, fact, kind, probability }} isTold />
            ))}
          </ul>
        </div>
      )}
      {reply.entities.length === 0 ? null : (
        <div>
          <h3>Entities</h3>
          <Portions items={reply.entities} size={100}>
            {(entities) => (
              <ul class="entities">
                {entities.map(({ id, name, type, aliases }) => (
                  <li key={`${name} ${type}`} class="entity">
                    {id === null ? (
                      <span class="words">{name}</span>
                    ) : (
                      <a class="words" href={href('graph', { entity: id })}>
                        {name}
                      </a>
                    )}
                    <span class="hint">
                      {type}
                      {aliases.length === 0 ? '' : `, also ${aliases.join(', ')}`}
                    </span>
                    {id === null ? <Badge tone="accent">new</Badge> : null}
                  </li>
                ))}
              </ul>
            )}
          </Portions>
        </div>
      )}
      <Calls calls={[previewCall(request), storeCall(request)]} />
    </div>
  )
}

const outcomes = {
  new: ['accent', 'new', 'It would hold from now on.'],
  known: ['plain', 'known', 'It holds already.'],
  history: ['warn', 'history', 'It tells of an end, or something more trusted holds.'],
} as const

function FactCard({ fact }: { readonly fact: Fact }) {
  const [tone, name, title] = outcomes[fact.outcome]
  return (
    <>
      <div class="row spread">
        <Triple {...fact} />
        <span class="row">
          {fact.when === null ? null : <Badge>{fact.when}</Badge>}
          {fact.negated ? <Badge title="It says that this does not hold">negation</Badge> : null}
          {fact.ended ? <Badge tone="warn">ended</Badge> : null}
          <Badge tone={tone} title={title}>
            {name}
          </Badge>
          <Meter
            value={fact.certainty}
            unit="sure"
            label="How sure the reader is"
            tone={fact.certainty < 0.5 ? 'low' : ''}
          />
        </span>
      </div>
      <p class="hint words clamp">Read from “{fact.evidence.text}”</p>
      {fact.certainty < 0.5 ? <p class="hint">Less than 50% sure: it would not be stored.</p> : null}
      {fact.replaces.length === 0 ? null : (
        <ul class="replaced-list">
          {fact.replaces.map((gone) => (
            <Gone key={gone.id} {...gone} />
          ))}
        </ul>
      )}
    </>
  )
}

interface TripleProps {
  readonly subject: string
  readonly relation: string
  readonly object: string
}

function Triple({ subject, relation, object }: TripleProps) {
  return (
    <p class="triple words">
      <span>{subject}</span> <em>{relation.replaceAll('_', ' ')}</em> <span>{object}</span>
    </p>
  )
}

interface GoneProps {
  readonly id: string
  readonly fact: string
  readonly kind: 'replaces' | 'ends'
  readonly probability: number
  /** A heading says already what happens to it. */
  readonly isTold?: boolean
}

function Gone({ id, fact, kind, probability, isTold = false }: GoneProps) {
  return (
    <li class="gone">
      {isTold ? null : <span class="hint">{kind === 'ends' ? 'Ends' : 'Replaces'}</span>}{' '}
      <a class="words" href={href(`memories/${id}`)}>
        <s>{fact}</s>
      </a>{' '}
      <Meter value={probability} unit="sure" label="How sure that is" />
    </li>
  )
}

interface Piece {
  readonly text: string
  readonly start: number
}

/** A piece of the text with the words marked that lie in it. */
function marked({ text, start }: Piece, words: { readonly start: number; readonly end: number } | null) {
  if (words === null) return text
  const from = Math.max(0, words.start - start)
  const to = Math.min(text.length, words.end - start)
  if (from >= to) return text
  return (
    <>
      {text.slice(0, from)}
      <mark>{text.slice(from, to)}</mark>
      {text.slice(to)}
    </>
  )
}

const storedText = ({
  facts_ingested: facts,
  episodic_chunks: texts,
  entities_extracted: entities,
}: Stored['reply']) =>
  `Stored ${count(facts, 'fact')}, ${count(texts, 'text')} and ${count(entities, 'entity', 'entities')}.`

function Became({ stored: { request, reply } }: { readonly stored: Stored }) {
  const { facts = [], replaced = [] } = reply
  return (
    <div class="understood" aria-live="polite">
      <p class="note good">{reply.deduplicated ? 'It was known already.' : storedText(reply)}</p>
      {facts.length === 0 ? null : (
        <ul class="facts">
          {facts.map(({ id, triple, certainty }) => (
            <li key={id} class="fact">
              <div class="row spread">
                <Triple {...triple} />
                <span class="row">
                  {triple.negated ? <Badge title="It says that this does not hold">negation</Badge> : null}
                  <Meter value={certainty} unit="sure" label="How sure the reader is" />
                  <a href={href(`memories/${id}`)}>Open</a>
                </span>
              </div>
            </li>
          ))}
        </ul>
      )}
      {replaced.length === 0 ? null : (
        <div>
          <h3>Now out of date</h3>
          <ul class="replaced-list">
            {replaced.map((gone) => (
              <Gone key={gone.id} {...gone} isTold />
            ))}
          </ul>
        </div>
      )}
      <Calls calls={[storeCall(request)]} />
    </div>
  )
}

const json = (value: unknown) => JSON.stringify(value)

const previewCall = (body: Request): ShownCall => ({
  method: 'POST',
  path: '/brain/extract',
  body,
  typescript: `client.extract(${json(body)})`,
  python: `client.call(Call("POST", "/brain/extract", ${json(body)}), models.ExtractReply)`,
})

function storeCall(body: Request): ShownCall {
  const { text, ...rest } = body
  const options = Object.entries(rest).map(([name, value]) => `, ${name}=${json(value)}`)
  return {
    method: 'POST',
    path: '/brain/ingest',
    body,
    typescript: `client.remember(${json(body)})`,
    python: `client.remember(${json(text)}${options.join('')})`,
  }
}
