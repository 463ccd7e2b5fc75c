import type { IdempotencyStore } from '../../accounts/ports.ts'
import type { Engine } from './engine/engine.ts'

export function createEmbeddedIdempotencyStore(engine: Engine): IdempotencyStore {
  return {
    begin: (entry) => engine.write('idempotency.begin', entry),
    finish: (entry) => engine.write('idempotency.finish', entry),
    abandon: (entry) => engine.write('idempotency.abandon', entry),
    abandonUnfinished: () => engine.write('idempotency.abandonUnfinished'),
  }
}
