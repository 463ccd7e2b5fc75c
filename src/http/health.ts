import type { StoreName } from '../memory/memory.ts'

/** What a store says of itself: `connected`, or `error: <reason>`. */
export type StoreState = 'connected' | `error: ${string}`

export type ModelState = 'loaded' | 'loading' | `error: ${string}`

/** The service's condition as it is known right now: reading it never waits for anything. */
export interface Health {
  readonly version: string
  readonly mode: 'embedded' | 'server'
  /** The model that turns texts into vectors. */
  readonly embedder: string
  /** `loaded`, `loading`, or why they cannot be used. */
  models(): ModelState
  stores(): Readonly<Record<StoreName, StoreState>>
}

/** The single usability signal: models are loaded and every store is connected. */
export function isReady(health: Health): boolean {
  return (
    health.models() === 'loaded' && Object.values(health.stores()).every((state) => state === 'connected')
  )
}
