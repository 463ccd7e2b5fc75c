import type { Neo4j } from './connection.ts'

/** Constraints and indexes, created at start. `IF NOT EXISTS` makes it safe for every process to run them. */
const statements: readonly string[] = [
  'CREATE CONSTRAINT account_name IF NOT EXISTS FOR (a:Account) REQUIRE a.name IS UNIQUE',
  'CREATE CONSTRAINT key_id IF NOT EXISTS FOR (k:Key) REQUIRE k.id IS UNIQUE',
  'CREATE CONSTRAINT key_hash IF NOT EXISTS FOR (k:Key) REQUIRE k.hash IS UNIQUE',
  'CREATE CONSTRAINT budget_id IF NOT EXISTS FOR (b:Budget) REQUIRE b.id IS UNIQUE',
  'CREATE CONSTRAINT reservation_id IF NOT EXISTS FOR (r:Reservation) REQUIRE r.id IS UNIQUE',
  'CREATE CONSTRAINT idempotency_id IF NOT EXISTS FOR (i:Idempotency) REQUIRE i.id IS UNIQUE',
]

const schemaLimitMs = 30_000

/** Brings the database to the schema this version expects. */
export async function applySchema(neo4j: Neo4j): Promise<void> {
  for (const statement of statements) await neo4j.write(statement, {}, schemaLimitMs)
}
