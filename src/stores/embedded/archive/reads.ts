import type { ArchiveKind, ArchiveRecord } from '../../../archive/archive.ts'
import { asNamespace } from '../../../core/ids.ts'
import { accountReads } from '../commands/accounts.ts'
import type { EngineContext } from '../engine/context.ts'
import {
  chunkColumns,
  chunkOf,
  entityOf,
  factOf,
  type Row,
  selectEntities,
  selectFacts,
} from '../memory/rows.ts'
import { vectorReads } from '../memory/vectors.ts'

interface Page {
  readonly records: readonly ArchiveRecord[]
  readonly cursor: string | null
}

interface Asked {
  readonly kind: ArchiveKind
  readonly after: string | null
  readonly limit: number
}

type Reader = (context: EngineContext, after: number, limit: number) => Page

/** The few of some kinds come in one page. */
const whole =
  (read: (context: EngineContext) => readonly ArchiveRecord[]): Reader =>
  (context) => ({ records: read(context), cursor: null })

/** The many of others come in the order of their rows. */
const paged =
  (sql: string, record: (row: Row, context: EngineContext) => ArchiveRecord): Reader =>
  (context, after, limit) => {
    const rows = context.prepare(sql).all(after, limit)
    const last = rows.at(-1)
    return {
      records: rows.map((row) => record(row, context)),
      cursor: last === undefined ? null : String(last.seq),
    }
  }

const selectChunks = `SELECT ${chunkColumns}, c.namespace, c.text_hash, t.thread FROM chunk c
JOIN memory_text t ON t.namespace = c.namespace AND t.seq = c.seq WHERE c.seq > ? ORDER BY c.seq LIMIT ?`

const readers: Record<ArchiveKind, Reader> = {
  identity: whole((context) => {
    const identity = vectorReads['vectors.identity'](context)
    return identity === null ? [] : [{ kind: 'identity', identity }]
  }),
  account: whole((context) =>
    accountReads['accounts.all'](context).map((account) => ({ kind: 'account', account })),
  ),
  key: whole((context) => accountReads['accounts.keys'](context).map((key) => ({ kind: 'key', key }))),
  usage: whole(({ prepare }) =>
    prepare('SELECT account, month, used FROM usage')
      .all()
      .map(({ account, month, used }) => ({
        ...{ kind: 'usage', account: String(account), month: String(month), used: Number(used) },
      })),
  ),
  run: whole(({ prepare }) =>
    prepare("SELECT namespace, nullif(persona, '') AS persona, ran_at FROM lifecycle_run")
      .all()
      .map(({ namespace, persona, ran_at }) => ({
        kind: 'run',
        namespace: asNamespace(String(namespace)),
        persona: persona === null ? null : String(persona),
        at: Number(ran_at),
      })),
  ),
  entity: paged(`${selectEntities} WHERE e.seq > ? ORDER BY e.seq LIMIT ?`, (row) => ({
    kind: 'entity',
    namespace: asNamespace(String(row.namespace)),
    entity: entityOf(row),
  })),
  chunk: paged(selectChunks, (row) => ({
    kind: 'chunk',
    namespace: asNamespace(String(row.namespace)),
    chunk: chunkOf(row),
    thread: row.thread === null ? null : String(row.thread),
    textHash: row.text_hash === null ? null : String(row.text_hash),
  })),
  fact: paged(`${selectFacts} WHERE r.seq > ? ORDER BY r.seq LIMIT ?`, (row, context) => {
    const { subjectName: _subject, objectName: _object, ...fact } = factOf(row)
    const mentions = context
      .prepare('SELECT chunk_id, closed FROM mention WHERE namespace = ? AND relationship_id = ?')
      .all(String(row.namespace), fact.id)
    return {
      kind: 'fact',
      namespace: asNamespace(String(row.namespace)),
      fact,
      confidence: Number(row.confidence),
      mentions: mentions.map(({ chunk_id }) => String(chunk_id)),
      outdated: mentions.some(({ closed }) => closed === 1),
    }
  }),
}

export const archiveReads = {
  'archive.page': (context: EngineContext, { kind, after, limit }: Asked): Page =>
    readers[kind](context, Number(after ?? 0), limit),
}
