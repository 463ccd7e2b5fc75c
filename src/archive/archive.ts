import { createHash } from 'node:crypto'
import type { Account, KeyRecord } from '../accounts/ports.ts'
import type { Seconds } from '../core/clock.ts'
import type { Namespace } from '../core/ids.ts'
import type { Entity, Relationship } from '../memory/model.ts'
import type { Document, EmbeddingIdentity, StoredChunk, StoredLink } from '../memory/ports.ts'

/** Everything a backend keeps for longer than a day, in the words of the domain. Sessions and idempotent replies are not. */
export type ArchiveRecord =
  | { readonly kind: 'identity'; readonly identity: EmbeddingIdentity }
  | { readonly kind: 'account'; readonly account: Account }
  | { readonly kind: 'key'; readonly key: KeyRecord }
  | { readonly kind: 'usage'; readonly account: string; readonly month: string; readonly used: number }
  | {
      readonly kind: 'run'
      readonly namespace: Namespace
      readonly persona: string | null
      readonly at: Seconds
    }
  | { readonly kind: 'entity'; readonly namespace: Namespace; readonly entity: Entity }
  | {
      readonly kind: 'chunk'
      readonly namespace: Namespace
      readonly chunk: StoredChunk
      /** Chunks of one thread and persona are neighbours. */
      readonly thread: string | null
      /** By which a repeat of the text is known; null when one is to be stored again. */
      readonly textHash: string | null
      /** The rows of its token vectors; null: it has none. */
      readonly tokens: Int8Array | null
    }
  | {
      readonly kind: 'fact'
      readonly namespace: Namespace
      readonly fact: Relationship
      /** As of the last decay. */
      readonly confidence: number
      /** Ids of the chunks that told or confirmed it. */
      readonly mentions: readonly string[]
      /** Whether those chunks are out of date with it. */
      readonly outdated: boolean
    }
  | { readonly kind: 'link'; readonly namespace: Namespace; readonly link: StoredLink }
  | {
      readonly kind: 'document'
      readonly namespace: Namespace
      readonly persona: string
      readonly document: Document
    }

export type ArchiveKind = ArchiveRecord['kind']

/** In the order in which they can be put: nothing comes before what it refers to. */
export const archiveKinds: readonly ArchiveKind[] = [
  'identity',
  'account',
  'key',
  'usage',
  'run',
  'entity',
  'chunk',
  'fact',
  'link',
  'document',
]

/** Whatever page is asked for: a document may have a mebibyte, and six times that as JSON. */
export const documentsPerPage = 8

/** A backend as a whole, to be copied. Nobody else may write to it meanwhile. Rules AR1 to AR5 in docs/ports/archive.md. */
export interface Archive {
  /** Records of a kind in their order of writing, after the cursor; an empty page is the last. */
  page(
    kind: ArchiveKind,
    after: string | null,
    limit: number,
    /** Memories of this namespace alone. Absent: of all. */
    only?: Namespace,
  ): Promise<{ readonly records: readonly ArchiveRecord[]; readonly cursor: string | null }>
  /** A record that is there already is left as it is, so that a repeated put changes nothing. */
  put(records: readonly ArchiveRecord[]): Promise<void>
}

/**
 * A backend as it was at one moment, read while others write: every account's memories are of one moment, later than the
 * opening's begin. Rules AR6 and AR7 in docs/ports/archive.md.
 */
export interface Snapshot {
  /**
   * Hands over every record once, page by page, each page of one kind: memories in the order in which they can be put,
   * keys last, so that nobody comes in to a copy that was cut off.
   */
  read(take: (records: readonly ArchiveRecord[]) => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** Of a namespace, in the order in which they can be put. */
export const memoryKinds = [
  ...['entity', 'chunk', 'fact', 'link', 'document'],
] as const satisfies readonly ArchiveKind[]

/** What an archive holds: how many of a kind, and a checksum that does not depend on their order. */
export type Tally = Readonly<Record<ArchiveKind, { readonly count: number; readonly checksum: string }>>

/** Every page of a kind, from a position on, with the position after it. */
export async function* pagesOf(archive: Archive, kind: ArchiveKind, after: string | null, limit: number) {
  let cursor = after
  while (true) {
    const page = await archive.page(kind, cursor, limit)
    if (page.records.length === 0) return
    cursor = page.cursor
    yield page
    if (cursor === null) return
  }
}

const checksumModulus = 1n << 128n

/** Counts and sums up records as they come. */
export function createTally() {
  const sums = new Map(archiveKinds.map((kind) => [kind, { count: 0, sum: 0n }]))
  return {
    add: (records: readonly ArchiveRecord[]) => {
      for (const record of records) {
        const { count, sum } = sums.get(record.kind) ?? { count: 0, sum: 0n }
        sums.set(record.kind, { count: count + 1, sum: (sum + digestOf(record)) % checksumModulus })
      }
    },
    tally: () =>
      Object.fromEntries(
        [...sums].map(([kind, { count, sum }]) => [
          kind,
          { count, checksum: sum.toString(16).padStart(32, '0') },
        ]),
      ) as Tally,
  }
}

export async function tallyOf(archive: Archive, pageSize: number): Promise<Tally> {
  const { add, tally } = createTally()
  for (const kind of archiveKinds)
    for await (const { records } of pagesOf(archive, kind, null, pageSize)) add(records)
  return tally()
}

/** The kinds of which two archives hold something else. */
export function differingKinds(a: Tally, b: Tally): ArchiveKind[] {
  return archiveKinds.filter(
    (kind) => a[kind].count !== b[kind].count || a[kind].checksum !== b[kind].checksum,
  )
}

function digestOf(record: ArchiveRecord): bigint {
  return BigInt(`0x${createHash('sha256').update(canonical(record)).digest('hex').slice(0, 32)}`)
}

/** The same text for the same record, whatever the order of its fields or of its lists of names. */
function canonical(value: unknown): string {
  if (value instanceof Float32Array || value instanceof Int8Array)
    return Buffer.from(value.slice().buffer).toString('base64')
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`)
  return `{${fields.sort().join(',')}}`
}
