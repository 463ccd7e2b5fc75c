import type { StoreName } from '../memory/memory.ts'

/** What a store says of itself: `connected`, or `error: <reason>`. */
export type StoreState = 'connected' | `error: ${string}`

/** The service's condition as it is known right now: reading it never waits for anything. */
export interface Health {
  readonly version: string
  readonly mode: 'embedded' | 'server'
  modelsLoaded(): boolean
  stores(): Readonly<Record<StoreName, StoreState>>
}

/** The single usability signal: models are loaded and every store is connected. */
export function isReady(health: Health): boolean {
  return health.modelsLoaded() && Object.values(health.stores()).every((state) => state === 'connected')
}
