import type { ArchiveKind, ArchiveRecord } from '../../../archive/archive.ts'
import { accountWrites } from '../commands/accounts.ts'
import type { EngineContext } from '../engine/context.ts'
import { putDocument } from '../memory/keyed.ts'
import { addNames, insertChunkRow, insertFactRow, insertLink, insertText } from '../memory/remember.ts'
import { metadataText } from '../memory/rows.ts'
import { storeTokens } from '../memory/tokens.ts'
import { vectorWrites } from '../memory/vectors.ts'

type RecordOf<Kind extends ArchiveKind> = Extract<ArchiveRecord, { kind: Kind }>

type Writers = { readonly [Kind in ArchiveKind]: (context: EngineContext, record: RecordOf<Kind>) => void }

const exists = (
  { prepare }: EngineContext,
  kind: 'entity' | 'chunk' | 'fact',
  namespace: string,
  id: string,
) =>
  prepare('SELECT 1 FROM memory_text WHERE namespace = ? AND kind = ? AND id = ?').get(
    namespace,
    kind,
    id,
  ) !== undefined

const writers: Writers = {
  identity: (context, { identity }) => vectorWrites['vectors.setIdentity'](context, identity),
  account: (context, { account }) => {
    accountWrites['accounts.save'](context, account)
  },
  key: (context, { key }) => {
    const known = context.prepare('SELECT 1 FROM keys WHERE id = ?').get(key.id)
    if (known === undefined) accountWrites['accounts.addKey'](context, key)
  },
  usage: ({ prepare }, { account, month, used }) => {
    prepare('INSERT OR IGNORE INTO usage (account, month, used) VALUES (?, ?, ?)').run(account, month, used)
  },
  run: ({ prepare }, { namespace, persona, at }) => {
    const sql = 'INSERT OR IGNORE INTO lifecycle_run (namespace, persona, ran_at) VALUES (?, ?, ?)'
    prepare(sql).run(namespace, persona ?? '', at)
  },
  entity: (context, { namespace, entity }) => {
    const { id, key, name, type, aliases, createdAt, vector } = entity
    if (exists(context, 'entity', namespace, id)) return
    const text = { kind: 'entity', id, persona: '', thread: null, live: true, text: name, vector } as const
    const seq = insertText(context, namespace, text)
    context
      .prepare(`INSERT INTO entity (seq, namespace, id, key, name, type, aliases, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)`)
      .run(seq, namespace, id, key, name, type, JSON.stringify(aliases), createdAt)
    addNames(context, namespace, id, { key, aliases })
  },
  chunk: (context, { namespace, chunk, thread, textHash, tokens }) => {
    const { id, persona, vector } = chunk
    if (exists(context, 'chunk', namespace, id)) return
    const text = { kind: 'chunk', id, persona, thread, live: true, text: chunk.text, vector } as const
    const seq = insertText(context, namespace, text)
    // The counts of facts come with the facts.
    context.prepare(insertChunkRow).run({
      ...{ seq, namespace, id, itemId: chunk.itemId, persona, sessionId: chunk.sessionId },
      ...{
        source: chunk.source,
        speaker: chunk.speaker,
        text: chunk.text,
        start: chunk.start,
        end: chunk.end,
      },
      ...{ metadata: metadataText(chunk.metadata), base: chunk.base, createdAt: chunk.createdAt },
      ...{ lastAccessAt: chunk.lastAccessAt, accessCount: chunk.accessCount, textHash },
      ...{ pinned: chunk.pinned ? 1 : 0, toldAt: chunk.toldAt ?? null, key: chunk.key ?? null },
    })
    storeTokens(context, seq, tokens)
  },
  fact: (context, { namespace, fact, confidence, mentions, outdated }) => {
    const { id, persona, vector } = fact
    if (exists(context, 'fact', namespace, id)) return
    const live = fact.closedAt === null
    const text = { kind: 'fact', id, persona, thread: null, live, text: fact.fact, vector } as const
    const seq = insertText(context, namespace, text)
    context.prepare(insertFactRow).run({
      ...{ seq, namespace, id, itemId: fact.itemId, chunkId: fact.chunkId, persona },
      ...{ sessionId: fact.sessionId, source: fact.source, subject: fact.subject, relation: fact.relation },
      ...{ object: fact.object, slot: fact.slot, negated: fact.negated ? 1 : 0, fact: fact.fact },
      ...{ evidence: fact.evidence, extraction: fact.extraction, when: fact.when },
      ...{ metadata: metadataText(fact.metadata), base: fact.base, createdAt: fact.createdAt },
      ...{ closedAt: fact.closedAt, closedBy: fact.closedBy, closer: fact.closer },
      ...{ pinned: fact.pinned ? 1 : 0, lastAccessAt: fact.lastAccessAt, toldAt: fact.toldAt ?? null },
    })
    const { prepare } = context
    prepare(`UPDATE relationship SET confidence = ?, access_count = ?
WHERE namespace = ? AND id = ?`).run(confidence, fact.accessCount, namespace, id)
    const mention = prepare(
      'INSERT INTO mention (namespace, relationship_id, chunk_id, closed) VALUES (?, ?, ?, ?)',
    )
    for (const chunk of mentions) mention.run(namespace, id, chunk, outdated ? 1 : 0)
  },
  link: ({ prepare }, { namespace, link }) => {
    const { older, newer, kind, probability, at: createdAt } = link
    prepare(insertLink).run({ namespace, older, newer, kind, probability, createdAt })
  },
  document: (context, { namespace, persona, document }) => putDocument(context, namespace, persona, document),
}

export const archiveWrites = {
  'archive.put': (context: EngineContext, records: readonly ArchiveRecord[]): void => {
    for (const record of records) write(context, record)
  },
}

function write<Kind extends ArchiveKind>(context: EngineContext, record: RecordOf<Kind>): void {
  const writer = writers[record.kind as Kind]
  writer(context, record)
}
