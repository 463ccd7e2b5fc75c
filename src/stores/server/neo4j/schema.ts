import type { Neo4j } from './connection.ts'

/** Constraints and indexes, created at start. `IF NOT EXISTS` makes it safe for every process to run them. */
const statements: readonly string[] = [
  'CREATE CONSTRAINT account_name IF NOT EXISTS FOR (a:Account) REQUIRE a.name IS UNIQUE',
  'CREATE CONSTRAINT key_id IF NOT EXISTS FOR (k:Key) REQUIRE k.id IS UNIQUE',
  'CREATE CONSTRAINT key_hash IF NOT EXISTS FOR (k:Key) REQUIRE k.hash IS UNIQUE',
  'CREATE CONSTRAINT budget_id IF NOT EXISTS FOR (b:Budget) REQUIRE b.id IS UNIQUE',
  'CREATE CONSTRAINT reservation_id IF NOT EXISTS FOR (r:Reservation) REQUIRE r.id IS UNIQUE',
  'CREATE CONSTRAINT idempotency_id IF NOT EXISTS FOR (i:Idempotency) REQUIRE i.id IS UNIQUE',
  'CREATE CONSTRAINT client_log IF NOT EXISTS FOR (c:ClientLog) REQUIRE c.account IS UNIQUE',
  'CREATE CONSTRAINT namespace_id IF NOT EXISTS FOR (n:Namespace) REQUIRE n.id IS UNIQUE',
  'CREATE CONSTRAINT entity_uid IF NOT EXISTS FOR (e:Entity) REQUIRE e.uid IS UNIQUE',
  'CREATE CONSTRAINT chunk_uid IF NOT EXISTS FOR (c:Chunk) REQUIRE c.uid IS UNIQUE',
  'CREATE CONSTRAINT pending_uid IF NOT EXISTS FOR (p:Pending) REQUIRE p.uid IS UNIQUE',
  'CREATE CONSTRAINT run_id IF NOT EXISTS FOR (r:LifecycleRun) REQUIRE r.id IS UNIQUE',
  'CREATE CONSTRAINT embedding_identity IF NOT EXISTS FOR (i:EmbeddingIdentity) REQUIRE i.id IS UNIQUE',
  'CREATE CONSTRAINT search_index IF NOT EXISTS FOR (i:SearchIndex) REQUIRE i.id IS UNIQUE',
  'CREATE CONSTRAINT lease_name IF NOT EXISTS FOR (l:Lease) REQUIRE l.name IS UNIQUE',
  'CREATE CONSTRAINT entity_name IF NOT EXISTS FOR (n:EntityName) REQUIRE n.uid IS UNIQUE',
  'CREATE CONSTRAINT link_uid IF NOT EXISTS FOR (l:Link) REQUIRE l.uid IS UNIQUE',
  'CREATE INDEX link_newer IF NOT EXISTS FOR (l:Link) ON (l.namespace, l.newer)',
  'CREATE INDEX link_older IF NOT EXISTS FOR (l:Link) ON (l.namespace, l.older)',
  'CREATE INDEX entity_id IF NOT EXISTS FOR (e:Entity) ON (e.id)',
  'CREATE INDEX entity_namespace IF NOT EXISTS FOR (e:Entity) ON (e.namespace)',
  'CREATE INDEX chunk_namespace IF NOT EXISTS FOR (c:Chunk) ON (c.namespace, c.id)',
  'CREATE INDEX chunk_thread IF NOT EXISTS FOR (c:Chunk) ON (c.namespace, c.thread, c.persona, c.order)',
  'CREATE INDEX chunk_hash IF NOT EXISTS FOR (c:Chunk) ON (c.hash_key)',
  'CREATE INDEX chunk_item IF NOT EXISTS FOR (c:Chunk) ON (c.item_uid)',
  'CREATE INDEX chunk_key IF NOT EXISTS FOR (c:Chunk) ON (c.key_uid)',
  'CREATE CONSTRAINT document_uid IF NOT EXISTS FOR (d:Document) REQUIRE d.uid IS UNIQUE',
  'CREATE INDEX document_path IF NOT EXISTS FOR (d:Document) ON (d.namespace, d.persona, d.path)',
  'CREATE INDEX pending_at IF NOT EXISTS FOR (p:Pending) ON (p.at)',
  'CREATE INDEX fact_uid IF NOT EXISTS FOR ()-[f:FACT]-() ON (f.uid)',
  'CREATE INDEX fact_namespace IF NOT EXISTS FOR ()-[f:FACT]-() ON (f.namespace)',
  'CREATE INDEX fact_chunk IF NOT EXISTS FOR ()-[f:FACT]-() ON (f.chunk_id)',
  'CREATE INDEX fact_closer IF NOT EXISTS FOR ()-[f:FACT]-() ON (f.closer)',
  'CREATE INDEX fact_closed_by IF NOT EXISTS FOR ()-[f:FACT]-() ON (f.closed_by)',
]

/**
 * Begins a query that finds everything by an index: its plan is as good when there is more. Neo4j would make it anew
 * whenever what is stored has grown fourfold, which takes a busy engine seconds.
 */
export const plannedOnce = 'CYPHER replan=skip'

const schemaLimitMs = 30_000

/** Brings the database to the schema this version expects. */
export async function applySchema(neo4j: Neo4j): Promise<void> {
  for (const statement of statements) await neo4j.write(statement, {}, schemaLimitMs)
}
