import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

/** Something that takes time, and how it went. `before` is what was there until it is done. */
export type TaskState<T> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'busy'; readonly before: T | null }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }

export interface Task<T> {
  readonly state: TaskState<T>
  /** The last value, also while the next one is on its way. */
  readonly value: T | null
  /** Starts over: what was under way is ended and its outcome ignored. Resolves to the value; null when it failed. */
  run(work: (signal: AbortSignal) => Promise<T>): Promise<T | null>
  set(value: T): void
  reset(): void
}

/** One task of a screen. Leaving the screen ends it. */
export function useTask<T>(): Task<T> {
  const state = useSignal<TaskState<T>>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const lastValue = (now: TaskState<T>) =>
    now.kind === 'done' ? now.value : now.kind === 'busy' ? now.before : null
  return {
    state: state.value,
    value: lastValue(state.value),
    run: async (work) => {
      running.current?.abort()
      const controller = new AbortController()
      running.current = controller
      state.value = { kind: 'busy', before: lastValue(state.peek()) }
      try {
        const value = await work(controller.signal)
        if (controller.signal.aborted) return null
        state.value = { kind: 'done', value }
        return value
      } catch (error) {
        if (!controller.signal.aborted) state.value = { kind: 'failed', error }
        return null
      }
    },
    set: (value) => {
      running.current?.abort()
      state.value = { kind: 'done', value }
    },
    reset: () => {
      running.current?.abort()
      state.value = { kind: 'idle' }
    },
  }
}
