import { monthOf } from '../accounts/month.ts'
import type { Account, AccountStores } from '../accounts/ports.ts'
import type { Clock } from '../core/clock.ts'
import { invalidField, type ServiceError } from '../core/errors.ts'
import type { Namespace } from '../core/ids.ts'
import { createEntityResolver } from '../memory/entities.ts'
import { forget } from '../memory/forget.ts'
import type { MemoryStores } from '../memory/ports.ts'
import type { Archive, ArchiveKind, ArchiveRecord } from './archive.ts'
import { openPosition, portablePage, portableStart, sealPosition } from './portable.ts'

/** What went with an account. */
export interface Erasure {
  readonly account: string
  readonly keys: number
  readonly chunks: number
  readonly relations: number
  readonly entities: number
  /** Counted again after the removal: 0 is the proof. */
  readonly remaining: number
}

export interface ExportPage {
  /** One record each, as JSON. */
  readonly lines: readonly string[]
  /** Null on the last page. */
  readonly nextCursor: string | null
}

/** `archive`: every record as it is kept. `texts`: what was told, in the form that `memoryd import` takes back. */
export type ExportForm = 'archive' | 'texts'

/** What the operator can do with everything of an account. Both give null when it is unknown. */
export interface AccountAdministration {
  export(account: string, cursor: string | null, form?: ExportForm): Promise<ExportPage | null>
  /** Removes memories, keys, usage and the account itself, for good. What fails may be done again. */
  erase(account: string): Promise<Erasure | null>
}

export interface AccountRecords extends AccountAdministration {
  /** What was told in a namespace, page by page. */
  texts(namespace: Namespace, cursor: string | null): Promise<ExportPage>
}

export interface AccountRecordsParts {
  readonly accounts: AccountStores
  readonly memory: MemoryStores
  readonly archive: Archive
  readonly clock: Clock
}

/** Keys stay at home: they open the account, and say nothing of it. */
const exportedKinds = [
  ...['identity', 'account', 'usage', 'run', 'entity', 'chunk', 'fact', 'link', 'document'],
] as const satisfies readonly ArchiveKind[]
const pageSize = 200

export function createAccountRecords({
  accounts: stores,
  memory,
  archive,
  clock,
}: AccountRecordsParts): AccountRecords {
  const parts = {
    ...memory,
    resolver: createEntityResolver(memory.graph, clock),
    milliseconds: () => performance.now(),
  }
  const store = stores.accounts
  const texts: AccountRecords['texts'] = async (namespace, cursor) => {
    const position = cursor === null ? portableStart : openPosition(namespace, cursor)
    if (position === null) throw notACursor()
    const { records, next } = await portablePage({ archive, graph: memory.graph }, namespace, position)
    return {
      lines: records.map((record) => JSON.stringify(record)),
      nextCursor: next === null ? null : sealPosition(namespace, next),
    }
  }
  return {
    texts,
    export: async (name, cursor, form = 'archive') => {
      const account = await store.account(name)
      if (account === null) return null
      return form === 'texts'
        ? texts(account.namespace, cursor)
        : exportPage(archive, account, readCursor(cursor))
    },
    erase: async (name) => {
      const account = await store.account(name)
      if (account === null) return null
      const keys = (await store.keys()).filter((key) => key.account === name)
      // From now on nobody comes in any more.
      for (const { id } of keys) await store.expireKey(id, clock.now())
      const { chunks, relations, entities } = await forget(parts, account.namespace, { by: 'everything' })
      // Asking writes down what was counted in memory, which would come after the account has gone.
      await stores.ledger.used(name, monthOf(clock.now()))
      await store.removeAccount(name)
      // What was on its way when the keys ended.
      const { remaining } = await forget(parts, account.namespace, { by: 'everything' })
      return { account: name, keys: keys.length, chunks, relations, entities, remaining }
    },
  }
}

interface Position {
  /** A place in `exportedKinds`. */
  readonly kind: number
  readonly after: string | null
}

async function exportPage(
  archive: Archive,
  account: Account,
  { kind: place, after }: Position,
): Promise<ExportPage> {
  const kind = exportedKinds[place]
  if (kind === undefined) return { lines: [], nextCursor: null }
  const { records, cursor } = await archive.page(kind, after, pageSize, account.namespace)
  const isLast = records.length === 0 || cursor === null
  const next = isLast ? { kind: place + 1, after: null } : { kind: place, after: cursor }
  return {
    lines: records.filter((record) => isOf(account, record)).map(lineOf),
    nextCursor:
      next.kind < exportedKinds.length
        ? Buffer.from(JSON.stringify([next.kind, next.after])).toString('base64url')
        : null,
  }
}

function isOf({ name, namespace }: Account, record: ArchiveRecord): boolean {
  switch (record.kind) {
    case 'identity':
      return true
    case 'account':
      return record.account.name === name
    case 'key':
      return false
    case 'usage':
      return record.account === name
    default:
      return record.namespace === namespace
  }
}

/** Numbers of vectors as base64 of their bytes, little-endian. */
function lineOf(record: ArchiveRecord): string {
  return JSON.stringify(record, (_, value: unknown) => {
    if (value instanceof Float32Array)
      return { float32: Buffer.from(value.slice().buffer).toString('base64') }
    if (value instanceof Int8Array) return { int8: Buffer.from(value.slice().buffer).toString('base64') }
    return value
  })
}

function readCursor(cursor: string | null): Position {
  if (cursor === null) return { kind: 0, after: null }
  try {
    const [kind, after]: unknown[] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    const isPlace = Number.isInteger(kind) && (after === null || typeof after === 'string')
    if (isPlace) return { kind: Number(kind), after: after as string | null }
  } catch {
    // Told below: whatever is wrong with it, the caller can only begin anew.
  }
  throw notACursor()
}

function notACursor(): ServiceError {
  return invalidField('cursor', 'cursor is not a cursor of this export; leave it out to begin anew')
}
