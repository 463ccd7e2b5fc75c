import { asChunkId, type Namespace } from '../../../core/ids.ts'
import type { ItemWrite, StoredLink } from '../../../memory/ports.ts'
import { corrected } from '../../../memory/relation/certainty.ts'
import type { Undone } from '../../../memory/reopen.ts'
import type { Row, RunQuery } from './connection.ts'
import { uid } from './rows.ts'
import { number, text } from './values.ts'

/**
 * Links are nodes, not relationships between chunks: one stays when its newer text fades. A chunk carries its surest link
 * as properties of its own, so that whoever reads the chunk has it.
 */
export const showSurestLink = `
  CALL (older) {
    OPTIONAL MATCH (l:Link {namespace: older.namespace, older: older.id})
    WITH l ORDER BY l.probability DESC, l.at DESC, l.newer LIMIT 1
    RETURN l AS surest
  }
  SET older.replaced_by = surest.newer, older.replaced_kind = surest.kind,
    older.replaced_probability = surest.probability, older.replaced_at = surest.at`

export const linkColumns =
  'l.newer AS newer, l.older AS older, l.kind AS kind, l.probability AS probability, l.at AS at'

export const linkQueries = {
  ofChunk: `
    CALL () {
      MATCH (l:Link {namespace: $namespace, older: $id}) RETURN l
      UNION MATCH (l:Link {namespace: $namespace, newer: $id}) RETURN l
    }
    RETURN ${linkColumns} ORDER BY l.at, l.newer, l.older`,
  from: `UNWIND $ids AS id MATCH (l:Link {namespace: $namespace, newer: id}) RETURN ${linkColumns} ORDER BY l.at`,
  to: `UNWIND $ids AS id MATCH (l:Link {namespace: $namespace, older: id}) RETURN ${linkColumns} ORDER BY l.at`,
  change: `
    CALL () { UNWIND $gone AS uid MATCH (l:Link {uid: uid}) WHERE l.namespace = $namespace DELETE l }
    CALL () {
      UNWIND $made AS made MATCH (:Chunk {uid: made.olderUid})
      MERGE (l:Link {uid: made.properties.uid}) ON CREATE SET l = made.properties
    }
    CALL () { UNWIND $olderUids AS uid MATCH (older:Chunk {uid: uid}) ${showSurestLink} }
    RETURN size($olderUids) AS changed`,
} as const

export const linkOf = (row: Row): StoredLink => ({
  newer: asChunkId(text(row, 'newer')),
  older: asChunkId(text(row, 'older')),
  kind: text(row, 'kind') as StoredLink['kind'],
  probability: number(row, 'probability'),
  at: number(row, 'at'),
})

const linkUid = (namespace: Namespace, { newer, older }: Pick<StoredLink, 'newer' | 'older'>) =>
  JSON.stringify([namespace, older, newer])

/** A link as the queries that make one take it. */
export function linkRow(namespace: Namespace, { newer, older, kind, probability, at }: StoredLink) {
  const properties = {
    uid: linkUid(namespace, { newer, older }),
    namespace,
    newer,
    older,
    kind,
    probability,
    at,
  }
  return { olderUid: uid(namespace, older), properties }
}

/** The links of a draft that name an older text. */
export function draftedLinks(drafts: ItemWrite['links'], now: number): StoredLink[] {
  return drafts.flatMap(({ newer, older, kind, probability, at = now }) =>
    older === null ? [] : [{ newer, older, kind, probability, at }],
  )
}

/** Takes away the links of texts that go; what replaced one of them replaces in its place. Gives the links. */
export async function undoLinks(
  run: RunQuery,
  namespace: Namespace,
  ids: readonly string[],
  undone: Undone,
): Promise<readonly StoredLink[]> {
  const from = (await run(linkQueries.from, { namespace, ids }))
    .map(linkOf)
    .filter(({ probability }) => undone === 'all' || probability < corrected)
  if (from.length === 0) return []
  const links = new Map(from.map((link) => [linkUid(namespace, link), link]))
  for (const link of (await run(linkQueries.to, { namespace, ids })).map(linkOf)) {
    links.set(linkUid(namespace, link), link)
  }
  const known = new Set(links.keys())
  const gone: string[] = []
  for (const id of ids) {
    const later = [...links.values()].filter(({ older }) => older === id)
    for (const [name, link] of [...links].filter(([, { newer }]) => newer === id)) {
      for (const { newer, kind, probability, at } of later) {
        const passed = {
          newer,
          older: link.older,
          kind,
          probability: Math.min(probability, link.probability),
          at,
        }
        const passedName = linkUid(namespace, passed)
        if (!links.has(passedName)) links.set(passedName, passed)
      }
      links.delete(name)
      gone.push(name)
    }
  }
  const made = [...links].filter(([name]) => !known.has(name)).map(([, link]) => linkRow(namespace, link))
  const olderUids = [...new Set(from.map((link) => uid(namespace, link.older)))]
  await run(linkQueries.change, { namespace, gone, made, olderUids })
  return from
}
