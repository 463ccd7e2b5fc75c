import { createHash } from 'node:crypto'
import type { TextRecord } from './record.ts'

/** The texts under one id: which is the newest, and how often each was found. */
interface Versions {
  readonly at: number | null
  readonly mark: string
  readonly counts: Map<string, number>
}

/** A text without a date counts as told now. */
const toldAt = (at: number | null) => at ?? Number.POSITIVE_INFINITY

/** The server keeps one text under an id, the last to come: of several in an import that must be the newest. */
export function createNewest(persona: string | null) {
  const found = new Map<string, Versions>()
  const keyOf = (record: TextRecord) =>
    JSON.stringify([record.persona ?? persona ?? 'shared', record.external_id])
  return {
    add(record: TextRecord): void {
      const [key, at, mark] = [keyOf(record), record.occurred_at, markOf(record)]
      const before = found.get(key)
      const counts = before?.counts ?? new Map<string, number>()
      counts.set(mark, (counts.get(mark) ?? 0) + 1)
      if (before === undefined || toldAt(at) >= toldAt(before.at)) found.set(key, { at, mark, counts })
    },
    /** Asked when all are added. */
    has(record: TextRecord): boolean {
      const versions = found.get(keyOf(record))
      return versions === undefined || versions.counts.size === 1 || versions.mark === markOf(record)
    },
    all: () => found.values().map(({ at, mark, counts }) => ({ at, count: counts.get(mark) ?? 0 })),
  }
}

export type Newest = ReturnType<typeof createNewest>

/** By all that the server keeps of it. */
function markOf({ text, source, speaker, occurred_at, session_id, metadata }: TextRecord): string {
  const told = JSON.stringify([text, source, speaker, occurred_at, session_id, metadata])
  return createHash('sha256').update(told).digest('base64')
}
