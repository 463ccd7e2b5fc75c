import { type ArchiveKind, type ArchiveRecord, documentsPerPage } from '../../../archive/archive.ts'
import { asNamespace, type Namespace } from '../../../core/ids.ts'
import { accountReads } from '../commands/accounts.ts'
import type { EngineContext } from '../engine/context.ts'
import { documentOf } from '../memory/keyed.ts'
import {
  chunkColumns,
  chunkOf,
  entityOf,
  factOf,
  linkOf,
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
  /** Null: of every namespace. */
  readonly only: Namespace | null
}

type Reader = (context: EngineContext, asked: Asked) => Page

/** The few of some kinds come in one page. */
const whole =
  (read: (context: EngineContext) => readonly ArchiveRecord[]): Reader =>
  (context) => ({ records: read(context), cursor: null })

/** The many of others come in the order of their rows. */
const paged =
  (
    sql: (only: Namespace | null) => string,
    record: (row: Row, context: EngineContext) => ArchiveRecord,
  ): Reader =>
  (context, { after, limit, only }) => {
    const place = { after: Number(after ?? 0), limit, ...named(only) }
    const rows = context.prepare(sql(only)).all(place)
    const last = rows.at(-1)
    return {
      records: rows.map((row) => record(row, context)),
      cursor: last === undefined ? null : String(last.seq),
    }
  }

const named = (only: Namespace | null) => (only === null ? {} : { only })

/** A condition of its own where a namespace is asked for: the index leads to its rows, past those of all others. */
const within = (column: string, only: Namespace | null) => (only === null ? '' : `AND ${column} = :only`)

const pageOf = (select: string, table: 'c' | 'e' | 'r') => (only: Namespace | null) =>
  `${select} WHERE ${table}.seq > :after ${within(`${table}.namespace`, only)} ORDER BY ${table}.seq LIMIT :limit`

const sameChunk = 'ON c.namespace = t.namespace AND c.seq = t.seq LEFT JOIN chunk_tokens k ON k.seq = c.seq'
const archivedChunk = `SELECT ${chunkColumns}, c.namespace, c.text_hash, t.thread, k.codes`
const chunksOfAll = pageOf(`${archivedChunk} FROM chunk c JOIN memory_text t ${sameChunk}`, 'c')
// Chunks have no index by namespace and row, what is searched of them has: it is always live.
const chunksOfOne = `${archivedChunk} FROM memory_text t INDEXED BY memory_text_live CROSS JOIN chunk c ${sameChunk}
WHERE t.namespace = :only AND t.kind = 'chunk' AND t.live = 1 AND t.seq > :after ORDER BY t.seq LIMIT :limit`

const selectLinks = (only: Namespace | null) =>
  `SELECT namespace, older, newer, kind, probability, created_at FROM link
WHERE (namespace, older, newer) > (:namespace, :older, :newer) ${within('namespace', only)}
ORDER BY namespace, older, newer LIMIT :limit`

const selectDocuments = (only: Namespace | null) => `SELECT * FROM document
WHERE (namespace, persona, path) > (:namespace, :persona, :path) ${within('namespace', only)}
ORDER BY namespace, persona, path LIMIT :limit`

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
  entity: paged(pageOf(selectEntities, 'e'), (row) => ({
    kind: 'entity',
    namespace: asNamespace(String(row.namespace)),
    entity: entityOf(row),
  })),
  chunk: paged(
    (only) => (only === null ? chunksOfAll(only) : chunksOfOne),
    (row) => ({
      kind: 'chunk',
      namespace: asNamespace(String(row.namespace)),
      chunk: chunkOf(row),
      thread: row.thread === null ? null : String(row.thread),
      textHash: row.text_hash === null ? null : String(row.text_hash),
      tokens: row.codes instanceof Uint8Array ? Int8Array.from(row.codes) : null,
    }),
  ),
  fact: paged(pageOf(selectFacts, 'r'), (row, context) => {
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
  link: ({ prepare }, { after, limit, only }) => {
    const [namespace, older, newer] = after === null ? ['', '', ''] : JSON.parse(after)
    const rows = prepare(selectLinks(only)).all({ namespace, older, newer, limit, ...named(only) })
    const last = rows.at(-1)
    return {
      records: rows.map((row) => ({
        ...{ kind: 'link', namespace: asNamespace(String(row.namespace)), link: linkOf(row) },
      })),
      cursor: last === undefined ? null : JSON.stringify([last.namespace, last.older, last.newer]),
    }
  },
  document: ({ prepare }, { after, limit, only }) => {
    const [namespace, persona, path] = after === null ? ['', '', ''] : JSON.parse(after)
    const place = { namespace, persona, path, limit: Math.min(limit, documentsPerPage), ...named(only) }
    const rows = prepare(selectDocuments(only)).all(place)
    const last = rows.at(-1)
    return {
      records: rows.map((row) => ({
        ...{ kind: 'document', namespace: asNamespace(String(row.namespace)), persona: String(row.persona) },
        document: documentOf(row),
      })),
      cursor: last === undefined ? null : JSON.stringify([last.namespace, last.persona, last.path]),
    }
  },
}

export const archiveReads = {
  'archive.page': (context: EngineContext, asked: Asked): Page => readers[asked.kind](context, asked),
}
