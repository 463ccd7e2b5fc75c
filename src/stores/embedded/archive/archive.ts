import type { Archive } from '../../../archive/archive.ts'
import type { Engine } from '../engine/engine.ts'

/** The embedded store as a whole, to be copied. */
export function createEmbeddedArchive(engine: Engine): Archive {
  return {
    page: (kind, after, limit, only) =>
      engine.read('archive.page', { kind, after, limit, only: only ?? null }),
    put: (records) => engine.write('archive.put', records),
  }
}
