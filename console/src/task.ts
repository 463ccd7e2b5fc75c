import { type Signal, useSignal } from '@preact/signals'
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

/** One task of a screen. Leaving the screen ends it; `kept` has its last value for who comes back. */
export function useTask<T>(kept?: Signal<TaskState<T>>): Task<T> {
  const own = useSignal<TaskState<T>>({ kind: 'idle' })
  const state = kept ?? own
  const running = useRef<AbortController | null>(null)
  const lastValue = (now: TaskState<T>) =>
    now.kind === 'done' ? now.value : now.kind === 'busy' ? now.before : null
  const leave = () => {
    running.current?.abort()
    const value = lastValue(state.peek())
    state.value = value === null ? { kind: 'idle' } : { kind: 'done', value }
  }
  useEffect(() => leave, [])
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
