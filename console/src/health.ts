import { computed, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { clientWith, type components } from './api.ts'
import type { Task } from './task.ts'

type Health = components['schemas']['HealthReply']

/** How the service is: null until it was asked, `gone` while it does not answer. */
export const health = signal<Health | 'gone' | null>(null)

const answers = computed(() => {
  const now = health.value
  return now !== null && now !== 'gone' && now.models !== 'loading'
})

/** Loads anew what could not be loaded, as soon as the service answers again. */
export function useReload(task: Task<unknown>, load: (() => unknown) | undefined): void {
  useEffect(() => {
    if (answers.value && task.state.kind === 'failed') load?.()
  }, [answers.value])
}

/** Asks now and then: often until it is ready, rarely afterwards. */
export async function watchHealth(): Promise<never> {
  const client = clientWith('none')
  for (;;) {
    try {
      health.value = await client.health({ maxRetries: 0, timeout: 5_000 })
    } catch {
      health.value = 'gone'
    }
    const now = health.value
    const isWell = now !== null && now !== 'gone' && now.ready
    await new Promise((resume) => setTimeout(resume, isWell ? 15_000 : 1_000))
  }
}
