/** One namespace filter taken out of the source. A text that is no longer there fails the run: the list must follow the code. */
export interface Mutant {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
}

const embedded = 'src/stores/embedded/memory'

/** Every filter whose absence could show or change something of another tenant. */
export const mutants: readonly Mutant[] = [
  {
    what: 'chunks by id',
    file: `${embedded}/episodic.ts`,
    from: 'WHERE c.namespace = ? AND c.id IN',
    to: 'WHERE ? IS NOT NULL AND c.id IN',
  },
  {
    what: 'touching chunks',
    file: `${embedded}/episodic.ts`,
    from: 'WHERE namespace = :namespace AND id IN (SELECT value FROM json_each(:ids))',
    to: 'WHERE :namespace IS NOT NULL AND id IN (SELECT value FROM json_each(:ids))',
  },
  {
    what: 'facts by id',
    file: `${embedded}/graph-reads.ts`,
    from: 'WHERE r.namespace = ? AND r.id IN',
    to: 'WHERE ? IS NOT NULL AND r.id IN',
  },
  {
    what: 'touching facts',
    file: `${embedded}/graph-writes.ts`,
    from: 'WHERE namespace = :namespace AND id IN (SELECT value FROM json_each(:ids))',
    to: 'WHERE :namespace IS NOT NULL AND id IN (SELECT value FROM json_each(:ids))',
  },
  {
    what: 'the history of a slot',
    file: `${embedded}/graph-reads.ts`,
    from: 'WHERE r.namespace = ? AND a.id = ?',
    to: 'WHERE ? IS NOT NULL AND a.id = ?',
  },
  {
    what: 'the facts of a chunk',
    file: `${embedded}/graph-reads.ts`,
    from: 'WHERE r.namespace = ? AND r.chunk_id IN',
    to: 'WHERE ? IS NOT NULL AND r.chunk_id IN',
  },
  {
    what: 'lists',
    file: `${embedded}/rows.ts`,
    from: '.namespace = :namespace\n',
    to: '.namespace >= substr(:namespace, 1, 0)\n',
  },
  {
    what: 'what is counted and removed by persona or session',
    file: `${embedded}/selection.ts`,
    from: '`WHERE namespace = :namespace\n',
    to: '`WHERE :namespace IS NOT NULL\n',
  },
  {
    what: 'what has faded',
    file: `${embedded}/faded.ts`,
    from: '`WHERE namespace = :namespace AND (:persona',
    to: '`WHERE :namespace IS NOT NULL AND (:persona',
  },
  {
    what: 'decay',
    file: `${embedded}/graph-writes.ts`,
    from: 'WHERE namespace = :namespace AND closed_at IS NULL AND (:persona IS NULL OR persona = :persona)\nAND',
    to: 'WHERE :namespace IS NOT NULL AND closed_at IS NULL AND (:persona IS NULL OR persona = :persona)\nAND',
  },
  {
    what: 'orphaned entities',
    file: `${embedded}/graph-reads.ts`,
    from: 'export const orphaned = `WHERE namespace = :namespace\n',
    to: 'export const orphaned = `WHERE :namespace IS NOT NULL\n',
  },
  {
    what: 'the count of relationships',
    file: `${embedded}/graph-reads.ts`,
    from: 'FROM relationship WHERE namespace = :namespace AND closed_at IS NULL\nAND (:persona',
    to: 'FROM relationship WHERE :namespace IS NOT NULL AND closed_at IS NULL\nAND (:persona',
  },
  {
    what: 'the count of entities',
    file: `${embedded}/graph-reads.ts`,
    from: 'FROM entity WHERE namespace = ?',
    to: 'FROM entity WHERE ? IS NOT NULL',
  },
  {
    what: 'the count of a persona’s entities',
    file: `${embedded}/graph-reads.ts`,
    from: 'SELECT subject_id FROM relationship WHERE namespace = :namespace AND',
    to: 'SELECT subject_id FROM relationship WHERE :namespace IS NOT NULL AND',
  },
  {
    what: 'entities by name',
    file: `${embedded}/graph-reads.ts`,
    from: 'WHERE e.namespace = :namespace AND e.id IN (\n  SELECT n.entity_id FROM entity_name n WHERE n.namespace = :namespace AND',
    to: 'WHERE :namespace IS NOT NULL AND e.id IN (\n  SELECT n.entity_id FROM entity_name n WHERE',
  },
  {
    what: 'the entity to be forgotten',
    file: `${embedded}/graph-writes.ts`,
    from: 'SELECT id FROM entity WHERE namespace = ? AND key = ?',
    to: 'SELECT id FROM entity WHERE ? IS NOT NULL AND key = ?',
  },
  {
    what: 'the entity that a name is merged into',
    file: `${embedded}/remember.ts`,
    from: 'SELECT id, type, aliases FROM entity WHERE namespace = ? AND key = ?',
    to: 'SELECT id, type, aliases FROM entity WHERE ? IS NOT NULL AND key = ?',
  },
  {
    what: 'the text that is there already',
    file: `${embedded}/remember.ts`,
    from: 'FROM chunk c WHERE c.namespace = ? AND c.persona',
    to: 'FROM chunk c WHERE ? IS NOT NULL AND c.persona',
  },
  {
    what: 'what an index is filled with',
    file: `${embedded}/index/indexes.ts`,
    from: 'WHERE namespace = ? AND kind = ? AND live = 1',
    to: 'WHERE ? IS NOT NULL AND kind = ? AND live = 1',
  },
  {
    what: 'the key of an index',
    file: `${embedded}/index/indexes.ts`,
    from: '{request.namespace}`\n',
    to: '{request.budgetBytes}`\n',
  },
  {
    what: 'the topic of a session',
    file: `${embedded}/working.ts`,
    from: 'FROM session WHERE namespace = :namespace AND id = :sessionId',
    to: 'FROM session WHERE :namespace IS NOT NULL AND id = :sessionId',
  },
  {
    what: 'the hot facts of a session',
    file: `${embedded}/working.ts`,
    from: 'FROM session_fact WHERE namespace = ? AND session_id = ? ORDER BY',
    to: 'FROM session_fact WHERE ? IS NOT NULL AND session_id = ? ORDER BY',
  },
  {
    what: 'dropping hot facts',
    file: `${embedded}/working.ts`,
    from: 'DELETE FROM session_fact WHERE namespace = ? AND id IN',
    to: 'DELETE FROM session_fact WHERE ? IS NOT NULL AND id IN',
  },
  {
    what: 'forgetting a session',
    file: `${embedded}/working.ts`,
    from: 'DELETE FROM session WHERE namespace = ? AND id = ?',
    to: 'DELETE FROM session WHERE ? IS NOT NULL AND id = ?',
  },
  {
    what: 'what goes with a session',
    file: `${embedded}/schema.ts`,
    from: 'DELETE FROM session_fact WHERE namespace = old.namespace AND session_id = old.id',
    to: 'DELETE FROM session_fact WHERE session_id = old.id',
  },
  {
    what: 'the last run',
    file: `${embedded}/lifecycle.ts`,
    from: 'SELECT ran_at FROM lifecycle_run WHERE namespace = ? AND persona = ?',
    to: 'SELECT ran_at FROM lifecycle_run WHERE ? IS NOT NULL AND persona = ?',
  },
  {
    what: 'the lease of a run',
    file: 'src/memory/lifecycle/consolidate.ts',
    from: '{namespace}`, leaseSeconds',
    to: '{leaseSeconds}`, leaseSeconds',
  },
  {
    what: 'the cache of names',
    file: 'src/memory/entities.ts',
    from: 'const slot = (namespace: Namespace, key: string) =>',
    to: "const slot = (_: Namespace, key: string, namespace = '') =>",
  },
  {
    what: 'the reply under an idempotency key',
    file: 'src/stores/embedded/commands/idempotency.ts',
    from: 'status, body FROM idempotency WHERE account = ? AND key = ?',
    to: 'status, body FROM idempotency WHERE ? IS NOT NULL AND key = ?',
  },
]
