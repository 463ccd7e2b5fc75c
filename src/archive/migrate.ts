import {
  type Archive,
  type ArchiveKind,
  archiveKinds,
  differingKinds,
  pagesOf,
  type Tally,
  tallyOf,
} from './archive.ts'

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
  /** The target holds something that this migration has not put there. Nothing was written. */
  | { readonly outcome: 'occupied'; readonly holds: Holdings }
  /** The target holds something else: memories of its own, or a copy that came out different. */
  | {
      readonly outcome: 'different'
      readonly kinds: readonly ArchiveKind[]
      readonly from: Tally
      readonly to: Tally
    }

/** How many records of each kind that has any. */
export type Holdings = Partial<Readonly<Record<ArchiveKind, number>>>

/** Little enough to show progress and to fit one transaction of a server. */
const pageSize = 200

/** Copies everything into an empty target, page by page, then counts and sums up both sides again. */
export async function migrate({ from, to, position, keep }: MigrateParts): Promise<MigrateOutcome> {
  const holds = await holdingsOf(to)
  if (!isOwn(holds, position)) return { outcome: 'occupied', holds }
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
  const kinds = differingKinds(tallies.from, tallies.to)
  return kinds.length === 0
    ? { outcome: 'done', tally: tallies.to }
    : { outcome: 'different', kinds, ...tallies }
}

export async function holdingsOf(archive: Archive): Promise<Holdings> {
  const holds: Partial<Record<ArchiveKind, number>> = {}
  for (const kind of archiveKinds) {
    let count = 0
    for await (const { records } of pagesOf(archive, kind, null, pageSize)) count += records.length
    if (count > 0) holds[kind] = count
  }
  return holds
}

/**
 * Whether all that a target holds can be what an earlier try has copied: that much, or one page more whose position was
 * not kept any more. The name of the embedding model alone is no data; every start writes it.
 */
function isOwn({ identity = 0, ...rest }: Holdings, position: Position | null): boolean {
  const records = Object.values(rest).reduce((sum, count) => sum + count, 0)
  if (position === null) return records === 0
  const copied = position.copied - identity
  return copied <= records && records <= copied + pageSize
}
