import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { api, type components } from '../api.ts'
import { health } from '../health.ts'
import { key } from '../session.ts'
import { useTask } from '../task.ts'
import { Code, CopyButton } from '../ui/calls.tsx'
import { Badge, count, Meter, Outcome, Panel, Screen, Time } from '../ui/parts.tsx'
import { Admin } from './admin/admin.tsx'
import './connect.css'
import { masked, type Program, programs } from './snippets.ts'

type Usage = components['schemas']['UsageReply']
type Caller = Usage['clients'][number]

/** Often enough to see a program call for the first time, and far below every plan's rate. */
const everyMs = 20_000
/** Who called within this time is there. */
const hereSeconds = 300

export function ConnectScreen() {
  const usage = useTask<Usage>()
  const load = () => usage.run((signal) => api().usage({ signal }))
  useEffect(() => {
    void load()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void load()
    }, everyMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <Screen title="Connect & usage" lead="Give your agent this memory, and see who uses it.">
      <div class="stack">
        <Connect callers={usage.value?.clients ?? []} />
        <Outcome task={usage} retry={load} lines={4}>
          {(shown) => (
            <div class="columns">
              <Month usage={shown} />
              <Callers callers={shown.clients} />
            </div>
          )}
        </Outcome>
        <Server />
        <Admin />
      </div>
    </Screen>
  )
}

const isHere = ({ last_call_at: at }: Caller) => Date.now() / 1000 - at < hereSeconds

function Dot({ caller }: { readonly caller: Caller | undefined }) {
  const state = caller === undefined ? 'never' : isHere(caller) ? 'here' : 'known'
  return <span class={`dot ${state}`} aria-hidden="true" />
}

function Connect({ callers }: { readonly callers: readonly Caller[] }) {
  const chosen = useSignal('claude-code')
  const isShown = useSignal(false)
  const target = { url: location.origin, key: key.value ?? '' }
  const all = programs(target)
  const callerOf = ({ calls }: Program) => callers.find(({ client }) => calls.test(client))
  const program = all.find(({ id }) => id === chosen.value)
  return (
    <Panel
      title="Connect"
      actions={
        <label class="check">
          <input
            type="checkbox"
            checked={isShown.value}
            onChange={(event) => {
              isShown.value = event.currentTarget.checked
            }}
          />
          <span>Show the key</span>
        </label>
      }
    >
      <div class="connect">
        <fieldset class="programs">
          <legend class="hidden">Program</legend>
          {all.map((each) => (
            <label key={each.id} class="program">
              <input
                type="radio"
                name="program"
                checked={each.id === chosen.value}
                onChange={() => {
                  chosen.value = each.id
                }}
              />
              <Dot caller={callerOf(each)} />
              <span class="program-name">{each.title}</span>
              <LastCall caller={callerOf(each)} />
            </label>
          ))}
        </fieldset>
        {program === undefined ? null : (
          <div class="snippets">
            {program.note === undefined ? null : <p class="hint">{program.note}</p>}
            {program.parts.map(({ title, text }, at) => (
              // The first one is what most people want; of the others they choose one.
              <details
                key={`${program.id} ${title}`}
                class="snippet"
                open={at === 0 || program.parts.length <= 2}
              >
                <summary>{title}</summary>
                <Code
                  label={`${program.title}: ${title}`}
                  text={isShown.value ? text : text.replaceAll(target.key, masked(target.key))}
                />
                <CopyButton text={text} />
              </details>
            ))}
            <p class="hint">What is copied holds the key, whether it is shown or not.</p>
          </div>
        )}
      </div>
    </Panel>
  )
}

function LastCall({ caller }: { readonly caller: Caller | undefined }) {
  if (caller === undefined) return null
  return (
    <span class="hint">
      <span class="hidden">last called </span>
      <Time at={caller.last_call_at} />
    </span>
  )
}

/** `2026-11` as people say it. */
const monthName = (month: string) =>
  new Date(`${month}-01T00:00Z`).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

function Month({ usage }: { readonly usage: Usage }) {
  const { ops_used: used, ops_limit: limit, rate } = usage
  return (
    <Panel title={monthName(usage.month)} actions={<Badge>{usage.tier}</Badge>}>
      <dl class="usage">
        <div>
          <dt>Operations</dt>
          <dd>
            <span class="figure">{used.toLocaleString('en')}</span>
            <span class="hint">
              {limit === null ? 'without a limit' : `of ${limit.toLocaleString('en')}`}
            </span>
            {limit === null ? null : (
              <Meter
                value={used / Math.max(1, limit)}
                label="Operations used"
                tone={used > 0.9 * limit ? 'low' : ''}
              />
            )}
          </dd>
        </div>
        <div>
          <dt>Requests a minute</dt>
          <dd>
            <span class="figure">{rate === null ? '∞' : rate.remaining.toLocaleString('en')}</span>
            <span class="hint">
              {rate === null ? 'without a limit' : `left of ${rate.limit.toLocaleString('en')} for this key`}
            </span>
          </dd>
        </div>
      </dl>
      <p class="hint">
        Account <b class="words">{usage.account}</b>; {count(usage.batch_items, 'text')} a batch
        {limit === null
          ? ''
          : `; a new month begins ${new Date(usage.resets_at * 1000).toLocaleDateString('en')}`}
        .
      </p>
    </Panel>
  )
}

function Callers({ callers }: { readonly callers: readonly Caller[] }) {
  return (
    <Panel title="Who called last">
      <table>
        <thead>
          <tr>
            <th scope="col">Program</th>
            <th scope="col" class="number">
              Calls
            </th>
            <th scope="col">Last</th>
          </tr>
        </thead>
        <tbody>
          {callers.map((caller) => (
            <tr key={caller.client}>
              <td>
                <span class="caller">
                  <Dot caller={caller} />
                  <span class="words">
                    {caller.client === 'memoryd-console' ? 'this console' : caller.client}
                    {isHere(caller) ? <span class="hidden"> (active)</span> : null}
                  </span>
                </span>
              </td>
              <td class="number">{caller.calls.toLocaleString('en')}</td>
              <td>
                <Time at={caller.last_call_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  )
}

function Server() {
  const now = health.value
  if (now === null) return null
  if (now === 'gone')
    return (
      <Panel title="Server">
        <p class="problem" role="alert">
          It does not answer.
        </p>
      </Panel>
    )
  const stores =
    now.mode === 'embedded'
      ? ([['Store (SQLite)', now.neo4j]] as const)
      : ([
          ['Neo4j', now.neo4j],
          ['Qdrant', now.qdrant],
          ['Redis', now.redis],
        ] as const)
  const rows = [
    ['Version', now.version, true],
    ['Mode', now.mode, true],
    ['Embedding model', now.embedder, true],
    ['Models', now.models, now.models === 'loaded'],
    ...stores.map(([name, state]) => [name, state, state === 'connected'] as const),
  ] as const
  return (
    <Panel
      title="Server"
      actions={<Badge tone={now.ready ? 'accent' : 'warn'}>{now.ready ? 'ready' : 'not ready'}</Badge>}
    >
      <dl class="server">
        {rows.map(([name, text, isWell]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={isWell ? 'words' : 'words unwell'}>{text}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  )
}
