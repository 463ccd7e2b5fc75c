import {
  type Archive,
  type ArchiveKind,
  type ArchiveRecord,
  documentsPerPage,
  memoryKinds,
  type Snapshot,
} from '../../archive/archive.ts'
import { ServiceError } from '../../core/errors.ts'
import { asNamespace, type Namespace } from '../../core/ids.ts'
import type { Follower } from './follow.ts'
import { accountOf, keyOf } from './neo4j/accounts.ts'
import { archiveQueries as queries } from './neo4j/archive-queries.ts'
import { type Neo4j, type Neo4jOptions, openNeo4j, type Row, type RunQuery } from './neo4j/connection.ts'
import { documentOf, keyProperties, lockNamespace, putDocument } from './neo4j/keyed.ts'
import { budgetId } from './neo4j/ledger.ts'
import { runId } from './neo4j/lifecycle-runs.ts'
import { linkOf, linkRow } from './neo4j/links.ts'
import { chunkOf, entityOf, factOf, metadataText, properties, uid, vectorBytes } from './neo4j/rows.ts'
import { untorn } from './neo4j/torn-rows.ts'
import { number, text, textOrNull } from './neo4j/values.ts'
import { withoutPlace } from './qdrant/chunks.ts'
import { identityOf } from './vectors.ts'

type RecordOf<Kind extends ArchiveKind> = Extract<ArchiveRecord, { kind: Kind }>

/** The server stores as a whole, to be copied. Points in Qdrant follow what is put into Neo4j. */
export function createServerArchive(neo4j: Neo4j, follower: Follower): Archive {
  return {
    page: (kind, after, limit, only) => untorn(() => pageOf(neo4j.read, { kind, after, limit, only })),
    async put(records) {
      const of = <Kind extends ArchiveKind>(kind: Kind) =>
        records.filter((record): record is RecordOf<Kind> => record.kind === kind)
      await neo4j.transaction(async (run) => {
        for (const { identity } of of('identity')) await run(queries.putIdentity, { ...identity })
        for (const { account } of of('account')) await run(queries.putAccount, { ...account })
        for (const { key } of of('key')) await run(queries.putKey, { ...key })
        for (const usage of of('usage')) {
          await run(queries.putUsage, { ...usage, id: budgetId(usage.account, usage.month) })
        }
        for (const { namespace, persona, at } of of('run')) {
          await run(queries.putRun, { id: runId(namespace, persona), namespace, persona, at })
        }
        for (const { namespace, persona, document } of of('document')) {
          await putDocument(run, namespace, persona, document)
        }
      })
      const memories = records.filter(
        (record) => 'namespace' in record && record.kind !== 'run' && record.kind !== 'document',
      )
      for (const [namespace, group] of Map.groupBy(memories, (record) =>
        'namespace' in record ? record.namespace : '',
      )) {
        await putMemories(asNamespace(namespace), group)
      }
    },
  }

  async function putMemories(namespace: Namespace, records: readonly ArchiveRecord[]): Promise<void> {
    const entities = records.flatMap((record) => (record.kind === 'entity' ? [entityRow(record)] : []))
    const chunks = records.flatMap((record) => (record.kind === 'chunk' ? [chunkRow(record)] : []))
    const facts = records.flatMap((record) => (record.kind === 'fact' ? [factRow(record)] : []))
    const linked = records.flatMap((record) => (record.kind === 'link' ? [record.link] : []))
    const links = linked.map((link) => linkRow(namespace, link))
    await follower.change(namespace, async (run) => {
      if (entities.length > 0) await run(queries.putEntities, { entities })
      if (chunks.length > 0) await run(queries.putChunks, { namespace, chunks })
      if (facts.length > 0) await run(queries.putFacts, { namespace, facts })
      if (links.length > 0) await run(queries.putLinks, { namespace, links })
      const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
      return {
        result: undefined,
        marked: {
          ...{ entities: ids(entities), facts: ids(facts) },
          chunks: [...new Set([...ids(chunks), ...linked.map(({ older }) => older as string)])],
        },
      }
    })
  }
}

interface Asked {
  readonly kind: ArchiveKind
  readonly after: string | null
  readonly limit: number
  readonly only: Namespace | undefined
}

async function pageOf(read: RunQuery, { kind, after, limit, only }: Asked) {
  const start: unknown[] = after === null ? ['', -1, -1, ''] : JSON.parse(after)
  const [namespace, first, second, id] = start
  const most = kind === 'document' ? Math.min(limit, documentsPerPage) : limit
  const pages = only === undefined ? queries.pages : queries.pagesOfOne
  const rows = await read(pages[kind], {
    ...{ namespace, first, second, id, limit: most, only: only ?? null },
  })
  const last = rows.at(-1)
  const isWhole = wholeKinds.has(kind)
  return {
    records: after !== null && isWhole ? [] : rows.map((row) => readers[kind](row)),
    cursor: last === undefined || isWhole ? null : JSON.stringify(last.place),
  }
}

/** Every page asked for is a search of its own: large ones for reading, of which some at a time are handed over. */
const snapshotPage = { read: 2_000, handed: 200 }
/** Longer than reading any account takes. */
const snapshotLimitMs = 3_600_000

/**
 * Neo4j as it is while others write. It has no snapshots of its own, so each account is read under the lock that its
 * writers take: they wait until its pages are read, all others go on.
 */
export async function openServerSnapshot(options: Neo4jOptions): Promise<Snapshot> {
  const neo4j = openNeo4j(options)
  const state = await neo4j.guard.check()
  if (state !== 'connected') {
    await neo4j.close()
    throw new ServiceError('store_unavailable', { detail: `The store neo4j is not available (${state}).` })
  }
  const readKinds = async (run: RunQuery, kinds: readonly ArchiveKind[], take: Take, only?: Namespace) => {
    for (const kind of kinds) {
      let after: string | null = null
      do {
        const page = await pageOf(run, { kind, after, limit: snapshotPage.read, only })
        for (let at = 0; at < page.records.length; at += snapshotPage.handed)
          await take(page.records.slice(at, at + snapshotPage.handed))
        after = page.cursor
      } while (after !== null)
    }
  }
  const readNamespace = (namespace: Namespace, take: Take) => {
    let hasBegun = false
    return neo4j.transaction(async (run) => {
      // A transaction is tried again when the engine asks for it, but what was handed over cannot be taken back.
      if (hasBegun) throw new Error('Neo4j broke off reading an account; begin anew.')
      await lockNamespace(run, namespace)
      hasBegun = true
      await readKinds(run, memoryKinds, take, namespace)
    }, snapshotLimitMs)
  }
  return {
    read: async (take) => {
      await readKinds(neo4j.read, ['identity', 'run'], take)
      for (const row of await neo4j.read(queries.namespaces, {}))
        await readNamespace(asNamespace(text(row, 'id')), take)
      await readKinds(neo4j.read, ['account', 'usage', 'key'], take)
    },
    close: () => neo4j.close(),
  }
}

type Take = Parameters<Snapshot['read']>[0]

/** There are few of these: one page has them all. */
const wholeKinds: ReadonlySet<ArchiveKind> = new Set(['identity', 'account', 'key', 'usage', 'run'])

const readers: Record<ArchiveKind, (row: Row) => ArchiveRecord> = {
  identity: (row) => ({ kind: 'identity', identity: identityOf(row) }),
  account: (row) => ({ kind: 'account', account: accountOf(row) }),
  key: (row) => ({ kind: 'key', key: keyOf(row) }),
  usage: (row) => ({
    ...{ kind: 'usage', account: text(row, 'account'), month: text(row, 'month'), used: number(row, 'used') },
  }),
  run: (row) => {
    const [namespace, persona]: [string, string | null] = JSON.parse(text(row, 'id'))
    return { kind: 'run', namespace: asNamespace(namespace), persona, at: number(row, 'at') }
  },
  entity: (row) => {
    const node = properties(row, 'entity')
    return { kind: 'entity', namespace: asNamespace(text(node, 'namespace')), entity: entityOf(node) }
  },
  chunk: (row) => {
    const node = properties(row, 'chunk')
    const chunk = chunkOf(node)
    const hashKey = textOrNull(node, 'hash_key')
    const textHash = hashKey === null ? null : String(JSON.parse(hashKey)[2])
    const namespace = asNamespace(text(node, 'namespace'))
    const { thread, tokens } = chunk
    return { kind: 'chunk', namespace, chunk: withoutPlace(chunk), thread, textHash, tokens }
  },
  fact: (row) => {
    const edge = properties(row, 'fact')
    const { subjectName: _subject, objectName: _object, ...fact } = factOf(row)
    const mentions = Array.isArray(edge.mentions)
      ? edge.mentions.map((mention) => String(JSON.parse(mention)[1]))
      : []
    const namespace = asNamespace(text(edge, 'namespace'))
    return {
      kind: 'fact',
      namespace,
      fact,
      confidence: number(edge, 'confidence'),
      mentions,
      outdated: edge.outdated === true,
    }
  },
  document: (row) => {
    const node = properties(row, 'document')
    const owner = { namespace: asNamespace(text(node, 'namespace')), persona: text(node, 'persona') }
    return { kind: 'document', ...owner, document: documentOf(node) }
  },
  link: (row) => ({ kind: 'link', namespace: asNamespace(text(row, 'namespace')), link: linkOf(row) }),
}

function entityRow({ namespace, entity }: RecordOf<'entity'>) {
  const names = [...new Set([entity.key, ...entity.aliases.map((alias) => alias.toLowerCase())])]
  const node = {
    ...{ uid: uid(namespace, entity.key), id: entity.id, namespace, key: entity.key, name: entity.name },
    ...{ type: entity.type, aliases: [...entity.aliases], created_at: entity.createdAt },
    vector: vectorBytes(entity.vector),
  }
  return { id: entity.id as string, uid: node.uid, node, names: names.map((name) => uid(namespace, name)) }
}

function chunkRow({ namespace, chunk, thread, textHash, tokens }: RecordOf<'chunk'>) {
  const node = {
    ...{ uid: uid(namespace, chunk.id), id: chunk.id, namespace, item_id: chunk.itemId },
    ...{ item_uid: uid(namespace, chunk.itemId), persona: chunk.persona, session_id: chunk.sessionId },
    ...{
      source: chunk.source,
      speaker: chunk.speaker,
      text: chunk.text,
      start_at: chunk.start,
      end_at: chunk.end,
    },
    ...{ metadata: metadataText(chunk.metadata), base: chunk.base, created_at: chunk.createdAt },
    ...{ last_access_at: chunk.lastAccessAt, access_count: chunk.accessCount, fact_count: chunk.factCount },
    ...{ pinned: chunk.pinned, tokens, told_at: chunk.toldAt ?? null },
    ...keyProperties({ namespace, persona: chunk.persona, key: chunk.key }),
    ...{ closed_fact_count: chunk.closedFactCount, thread, vector: vectorBytes(chunk.vector) },
    hash_key: textHash === null ? null : JSON.stringify([namespace, chunk.persona, textHash]),
  }
  return { id: chunk.id as string, uid: node.uid, node }
}

function factRow({ namespace, fact, confidence, mentions, outdated }: RecordOf<'fact'>) {
  const edge = {
    ...{ uid: uid(namespace, fact.id), id: fact.id, namespace, item_id: fact.itemId, chunk_id: fact.chunkId },
    ...{ mentions: mentions.map((chunk) => uid(namespace, chunk)), outdated, persona: fact.persona },
    ...{ session_id: fact.sessionId, source: fact.source, relation: fact.relation, slot: fact.slot },
    ...{ negated: fact.negated, fact: fact.fact, evidence: fact.evidence, extraction: fact.extraction },
    ...{ when_text: fact.when, metadata: metadataText(fact.metadata), base: fact.base, confidence },
    ...{ created_at: fact.createdAt, last_access_at: fact.lastAccessAt, access_count: fact.accessCount },
    ...{ closed_at: fact.closedAt, closed_by: fact.closedBy, closer: fact.closer },
    ...{ pinned: fact.pinned, told_at: fact.toldAt ?? null, vector: vectorBytes(fact.vector) },
  }
  return { id: fact.id as string, uid: edge.uid, subject: fact.subject, object: fact.object, edge }
}
