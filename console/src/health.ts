import { signal } from '@preact/signals'
import { clientWith, type components } from './api.ts'

type Health = components['schemas']['HealthReply']

/** How the service is: null until it was asked, `gone` while it does not answer. */
export const health = signal<Health | 'gone' | null>(null)

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
