import { type Archive, type ArchiveKind, archiveKinds, pagesOf, type Tally, tallyOf } from './archive.ts'

/** How far a migration has come: the kind at work, and the position in it. */
export interface Position {
  readonly kind: ArchiveKind
  readonly cursor: string | null
  readonly copied: number
}

export interface MigrateParts {
  readonly from: Archive
  readonly to: Archive
  /** Where an earlier try stopped; null: from the beginning. */
  readonly position: Position | null
  /** Called after every page that is safe in the target, with what to go on from. */
  readonly keep: (position: Position) => Promise<void>
}

export type MigrateOutcome =
  | { readonly outcome: 'done'; readonly tally: Tally }
  /** The target holds something else: memories of its own, or a copy that came out different. */
  | {
      readonly outcome: 'different'
      readonly kinds: readonly ArchiveKind[]
      readonly from: Tally
      readonly to: Tally
    }

/** Little enough to show progress and to fit one transaction of a server. */
const pageSize = 200

/** Copies everything, page by page, then counts and sums up both sides again. */
export async function migrate({ from, to, position, keep }: MigrateParts): Promise<MigrateOutcome> {
  const first = position === null ? 0 : archiveKinds.indexOf(position.kind)
  let copied = position?.copied ?? 0
  for (const kind of archiveKinds.slice(first)) {
    const after = kind === position?.kind ? position.cursor : null
    for await (const { records, cursor } of pagesOf(from, kind, after, pageSize)) {
      await to.put(records)
      copied += records.length
      await keep({ kind, cursor, copied })
    }
  }
  const tallies = { from: await tallyOf(from, pageSize), to: await tallyOf(to, pageSize) }
  const kinds = archiveKinds.filter((kind) => {
    const [a, b] = [tallies.from[kind], tallies.to[kind]]
    return a.count !== b.count || a.checksum !== b.checksum
  })
  return kinds.length === 0
    ? { outcome: 'done', tally: tallies.to }
    : { outcome: 'different', kinds, ...tallies }
}
