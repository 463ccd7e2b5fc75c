import { signal } from '@preact/signals'
import { Button } from './parts.tsx'

export interface Toast {
  readonly text: string
  readonly tone?: 'plain' | 'bad'
  /** What can be done about it, such as to take it back. */
  readonly action?: { readonly label: string; run(): void } | undefined
  /** Stays until it is closed when 0. */
  readonly seconds?: number
}

const shown = signal<readonly (Toast & { readonly id: number })[]>([])
let last = 0

/** Says what happened, in a corner. Returns a function that takes it away. */
export function toast(given: Toast | string): () => void {
  const id = ++last
  const entry = typeof given === 'string' ? { text: given } : given
  const close = () => {
    shown.value = shown.value.filter((other) => other.id !== id)
  }
  shown.value = [...shown.value.slice(-3), { ...entry, id }]
  const seconds = entry.seconds ?? (entry.action === undefined ? 6 : 12)
  if (seconds > 0) setTimeout(close, seconds * 1000)
  return close
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.value.map(({ id, text, tone, action }) => (
        <div key={id} class={`toast ${tone ?? ''}`}>
          <p class="words">{text}</p>
          {action === undefined ? null : (
            <Button
              kind="quiet"
              onClick={() => {
                shown.value = shown.value.filter((other) => other.id !== id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <button
            type="button"
            class="icon-button"
            aria-label="Close this message"
            onClick={() => {
              shown.value = shown.value.filter((other) => other.id !== id)
            }}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
