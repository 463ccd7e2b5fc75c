// The shared parts of all screens. A screen is <Screen title lead>…</Screen>; inside it <Panel>s. What takes time is a
// `useTask` (../task.ts) shown by <Outcome>: it has the loading, failed and empty states. Say what happened with
// `toast()` (toasts.tsx), ask with <Dialog> (dialog.tsx), show a call with <Calls> (calls.tsx). All text is JSX text:
// never innerHTML, which the policy of the page refuses. Style by class and custom properties of ../style.css; `style={{…}}`
// with an object is allowed. What a person wrote stands in class `words`, which wraps anything.
import { useSignal } from '@preact/signals'
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { useEffect, useId } from 'preact/hooks'
import { isMissing, sentenceOf } from '../api.ts'
import { useReload } from '../health.ts'
import type { Task } from '../task.ts'

export interface Children {
  readonly children?: ComponentChildren
}

/** A screen with its heading, which takes the focus when one gets there (see Frame). */
export function Screen({ title, lead, actions, children }: ScreenProps) {
  useEffect(() => {
    document.title = `${title} · memoryd`
  }, [title])
  return (
    <>
      <header class="screen-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          {lead === undefined ? null : <p class="lead">{lead}</p>}
        </div>
        {actions === undefined ? null : <div class="row">{actions}</div>}
      </header>
      {children}
    </>
  )
}

interface ScreenProps extends Children {
  readonly title: string
  readonly lead?: ComponentChildren
  readonly actions?: ComponentChildren
}

export function Panel({ title, actions, children, class: extra = '' }: PanelProps) {
  const id = useId()
  return (
    <section class={`panel ${extra}`} {...(title === undefined ? {} : { 'aria-labelledby': id })}>
      {title === undefined ? null : (
        <div class="panel-head">
          <h2 id={id}>{title}</h2>
          {actions === undefined ? null : <div class="row">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

interface PanelProps extends Children {
  readonly title?: ComponentChildren
  readonly actions?: ComponentChildren
  readonly class?: string
}

export interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class'> {
  readonly kind?: 'primary' | 'quiet' | 'danger'
  readonly busy?: boolean
  readonly class?: string
}

export function Button({ kind, busy = false, disabled, children, class: extra = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind ?? ''} ${extra}`}
      aria-busy={busy}
      disabled={busy || disabled === true}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : null}
      {children}
    </button>
  )
}

/** A label over its input, select or textarea, which gets the id. */
export function Field({ label, hint, children, class: extra = '' }: FieldProps) {
  const id = useId()
  const hintId = `${id}-hint`
  return (
    <div class={`field ${extra}`}>
      <label for={id}>{label}</label>
      {children({ id, ...(hint === undefined ? {} : { 'aria-describedby': hintId }) })}
      {hint === undefined ? null : (
        <p class="hint" id={hintId}>
          {hint}
        </p>
      )}
    </div>
  )
}

interface FieldProps {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly class?: string
  readonly children: (attributes: { id: string; 'aria-describedby'?: string }) => ComponentChildren
}

export function Badge({ tone = 'plain', title, children }: BadgeProps) {
  return (
    <span class={`badge ${tone}`} title={title}>
      {children}
    </span>
  )
}

interface BadgeProps extends Children {
  readonly tone?: 'plain' | 'accent' | 'warn' | 'bad'
  readonly title?: string | undefined
}

interface PortionsProps<T> {
  readonly items: readonly T[]
  /** How many are shown at first, and added each time. */
  readonly size: number
  readonly children: (shown: readonly T[]) => ComponentChildren
}

/** A list that may be long, in portions: the rest comes when it is asked for. */
export function Portions<T>({ items, size, children }: PortionsProps<T>) {
  const shown = useSignal(size)
  const left = items.length - shown.value
  return (
    <>
      {children(items.slice(0, shown.value))}
      {left > 0 ? (
        <div>
          <Button
            onClick={() => {
              shown.value += size
            }}
          >
            {`${Math.min(size, left)} more of ${left.toLocaleString('en')}`}
          </Button>
        </div>
      ) : null}
    </>
  )
}

/** Nothing is here yet: says what would be, and what to do. */
export function Empty({ title, children }: Children & { readonly title: string }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** Lines in the place of what is on its way. */
export function Loading({
  lines = 3,
  label = 'Loading',
}: {
  readonly lines?: number
  readonly label?: string
}) {
  return (
    <div class="loading" role="status">
      <span class="hidden">{label} …</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} class="loading-line" aria-hidden="true" />
      ))}
    </div>
  )
}

/** What went wrong, and a way to try again. */
export function Problem({
  error,
  retry,
}: {
  readonly error: unknown
  readonly retry?: (() => void) | undefined
}) {
  return (
    <div class="problem" role="alert">
      <p>{sentenceOf(error)}</p>
      {retry === undefined ? null : <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

/** What went wrong with a task, if something did. */
export function Failed({ task }: { readonly task: Task<unknown> }) {
  return task.state.kind === 'failed' ? <Problem error={task.state.error} /> : null
}

interface OutcomeProps<T> {
  readonly task: Task<T>
  readonly retry?: () => void
  readonly lines?: number
  readonly children: (value: T) => ComponentChildren
}

/** A task's value, or lines while it is on its way, or what went wrong. Nothing before it was started. */
export function Outcome<T>({ task, retry, lines, children }: OutcomeProps<T>) {
  const { state, value } = task
  useReload(task, retry)
  if (state.kind === 'failed')
    return <Problem error={state.error} retry={isMissing(state.error) ? undefined : retry} />
  if (value !== null)
    return (
      <div class="outcome" aria-busy={state.kind === 'busy'}>
        {children(value)}
      </div>
    )
  return state.kind === 'busy' ? <Loading {...(lines === undefined ? {} : { lines })} /> : null
}

interface MeterProps {
  /** 0 to 1. */
  readonly value: number
  readonly label: string
  readonly tone?: 'low' | ''
  /** What it is a share of, in a word behind the number. */
  readonly unit?: string
}

/** A share as a bar with its number. */
export function Meter({ value, label, tone = '', unit = '' }: MeterProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <span class={`meter ${tone}`} title={label}>
      <span class="hidden">{label} </span>
      <span class="meter-track" aria-hidden="true">
        <span class="meter-fill" style={{ width: `${percent}%` }} />
      </span>
      <span>
        <span class="meter-number">{percent}%</span>
        {unit === '' ? '' : ` ${unit}`}
      </span>
    </span>
  )
}

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Unix seconds as `3 hours ago`. */
function ago(seconds: number): string {
  const away = seconds - Date.now() / 1000
  const [unit, size] = units.find(([, each]) => Math.abs(away) >= each) ?? ['second', 1]
  return Math.abs(away) < 60 ? 'just now' : relative.format(Math.round(away / size), unit)
}

export const dateAndTime = (seconds: number) => absolute.format(seconds * 1000)

export function Time({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={dateAndTime(at)}>
      {ago(at)}
    </time>
  )
}

export const count = (number: number, one: string, many = `${one}s`) =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`
