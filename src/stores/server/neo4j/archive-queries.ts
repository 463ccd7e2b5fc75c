import type { ArchiveKind } from '../../../archive/archive.ts'
import { accountColumns, keyColumns } from './accounts.ts'
import { linkColumns, showSurestLink } from './links.ts'
import { factColumns } from './rows.ts'

/** Rows after a place; a place is a namespace, two numbers and an id, as far as a kind has them. */
const pages = (of: (it: string) => string): Record<ArchiveKind, string> => ({
  identity: `MATCH (i:EmbeddingIdentity {id: 'current'})
    RETURN i.model AS model, i.weights AS weights, i.scale AS scale, i.dimensions AS dimensions`,
  account: `MATCH (a:Account) RETURN ${accountColumns} ORDER BY a.created_at, a.created_order`,
  key: `MATCH (k:Key) RETURN ${keyColumns} ORDER BY k.created_at, k.id`,
  usage:
    'MATCH (b:Budget) MATCH (:Account {name: b.account}) RETURN b.account AS account, b.month AS month, b.used AS used',
  run: 'MATCH (r:LifecycleRun) RETURN r.id AS id, r.at AS at',
  entity: `MATCH (e:Entity)
    WHERE ${of('e')}
      AND (e.namespace > $namespace OR (e.namespace = $namespace AND e.id > $id))
    RETURN e {.*} AS entity, [e.namespace, 0, 0, e.id] AS place ORDER BY e.namespace, e.id LIMIT toInteger($limit)`,
  chunk: `MATCH (c:Chunk)
    WHERE ${of('c')}
      AND (c.namespace > $namespace OR (c.namespace = $namespace AND c.order > $first))
    RETURN c {.*} AS chunk, [c.namespace, c.order, 0, c.id] AS place
    ORDER BY c.namespace, c.order LIMIT toInteger($limit)`,
  fact: `MATCH (s:Entity)-[f:FACT]->(o:Entity)
    WHERE ${of('f')}
      AND (f.namespace > $namespace OR (f.namespace = $namespace AND (f.created_at > $first
      OR (f.created_at = $first AND (f.order > $second OR (f.order = $second AND f.id > $id))))))
    RETURN ${factColumns}, [f.namespace, f.created_at, f.order, f.id] AS place
    ORDER BY f.namespace, f.created_at, f.order, f.id LIMIT toInteger($limit)`,
  link: `MATCH (l:Link)
    WHERE ${of('l')}
      AND (l.namespace > $namespace OR (l.namespace = $namespace AND l.uid > $id))
    RETURN ${linkColumns}, l.namespace AS namespace, [l.namespace, 0, 0, l.uid] AS place
    ORDER BY l.namespace, l.uid LIMIT toInteger($limit)`,
  document: `MATCH (d:Document)
    WHERE ${of('d')}
      AND (d.namespace > $namespace OR (d.namespace = $namespace AND d.uid > $id))
    RETURN d {.*} AS document, [d.namespace, 0, 0, d.uid] AS place
    ORDER BY d.namespace, d.uid LIMIT toInteger($limit)`,
})

/** What is there already is left as it is. New chunks and facts come after the old ones of their namespace. */
export const archiveQueries = {
  pages: pages(() => 'true'),
  // A condition of its own: the index on namespaces leads past the rows of all others.
  pagesOfOne: pages((it) => `${it}.namespace = $only`),
  namespaces: 'MATCH (n:Namespace) RETURN n.id AS id ORDER BY n.id',
  putIdentity: `MERGE (i:EmbeddingIdentity {id: 'current'})
    SET i.model = $model, i.weights = $weights, i.scale = $scale, i.dimensions = $dimensions`,
  putAccount: `MERGE (a:Account {name: $name})
    ON CREATE SET a.namespace = $namespace, a.tier = $tier, a.monthly_ops = $monthlyOps, a.created_at = $createdAt,
      a.created_order = timestamp()`,
  putKey: `MERGE (k:Key {id: $id})
    ON CREATE SET k.account = $account, k.hash = $hash, k.last_four = $lastFour, k.family = $family,
      k.created_at = $createdAt, k.expires_at = $expiresAt`,
  putUsage: `MERGE (b:Budget {id: $id}) ON CREATE SET b.account = $account, b.month = $month, b.used = $used`,
  putRun: 'MERGE (r:LifecycleRun {id: $id}) ON CREATE SET r.at = $at',
  putEntities: `UNWIND $entities AS entity
    MERGE (e:Entity {uid: entity.uid}) ON CREATE SET e = entity.node
    WITH e, entity UNWIND entity.names AS name
    MERGE (n:EntityName {uid: name}) MERGE (n)-[:NAMES]->(e)`,
  putChunks: `MERGE (n:Namespace {id: $namespace})
    SET n.sequence = coalesce(n.sequence, 0.0) + size($chunks)
    WITH n.sequence - size($chunks) AS first
    UNWIND range(0, size($chunks) - 1) AS place
    WITH first + place AS order, $chunks[place] AS chunk
    MERGE (c:Chunk {uid: chunk.uid}) ON CREATE SET c = chunk.node, c.order = order`,
  putFacts: `MERGE (n:Namespace {id: $namespace})
    SET n.facts = coalesce(n.facts, 0.0) + size($facts)
    WITH n.facts - size($facts) AS first
    UNWIND range(0, size($facts) - 1) AS place
    WITH first + place AS order, $facts[place] AS fact
    MATCH (s:Entity {id: fact.subject}) MATCH (o:Entity {id: fact.object})
    MERGE (s)-[f:FACT {uid: fact.uid}]->(o) ON CREATE SET f = fact.edge, f.order = order`,
  putLinks: `UNWIND $links AS link
    MATCH (older:Chunk {uid: link.olderUid}) WHERE older.namespace = $namespace
    MERGE (l:Link {uid: link.properties.uid}) ON CREATE SET l = link.properties
    WITH DISTINCT older ${showSurestLink}`,
} as const
