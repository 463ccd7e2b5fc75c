/** One namespace filter taken out of the source. */
export interface Mutant {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
}

/** The source without the filter. A text that is no longer there throws: the list must follow the code. */
export function mutated(source: string, { what, file, from, to }: Mutant): string {
  if (source.split(from).length !== 2) {
    throw new Error(`mutant "${what}" does not apply any more: ${file} must hold its text exactly once`)
  }
  return source.replace(from, () => to)
}

const embedded = 'src/stores/embedded/memory'

/** Every filter whose absence could show or change something of another tenant. */
export const mutants: readonly Mutant[] = [
  {
    what: 'texts of an export',
    file: 'src/stores/embedded/archive/reads.ts',
    from: 'WHERE t.namespace = :only AND',
    to: 'WHERE :only IS NOT NULL AND',
  },
  {
    what: 'documents of an export',
    file: 'src/stores/embedded/archive/reads.ts',
    from: '(:namespace, :persona, :path) $',
    to: '(:namespace, :persona, :path) AND (:only IS NULL OR :only IS NOT NULL) -- $',
  },
  {
    what: 'chunks by id',
    file: `${embedded}/episodic.ts`,
    from: 'FROM chunk c\nWHERE c.namespace = :namespace AND c.id IN',
    to: 'FROM chunk c\nWHERE :namespace IS NOT NULL AND c.id IN',
  },
  {
    what: 'what had become of chunks',
    file: `${embedded}/episodic.ts`,
    from: ')\nWHERE c.namespace = :namespace AND c.id IN',
    to: ')\nWHERE :namespace IS NOT NULL AND c.id IN',
  },
  {
    what: 'touching chunks',
    file: `${embedded}/episodic.ts`,
    from: 'GROUP BY value) WHERE namespace = :namespace AND id = value',
    to: 'GROUP BY value) WHERE :namespace IS NOT NULL AND id = value',
  },
  {
    what: 'pinning a chunk',
    file: `${embedded}/episodic.ts`,
    from: 'UPDATE chunk SET pinned = ? WHERE namespace = ? AND id = ?',
    to: 'UPDATE chunk SET pinned = ? WHERE ? IS NOT NULL AND id = ?',
  },
  {
    what: 'pinning a fact',
    file: `${embedded}/graph-writes.ts`,
    from: 'UPDATE relationship SET pinned = ? WHERE namespace = ? AND id = ?',
    to: 'UPDATE relationship SET pinned = ? WHERE ? IS NOT NULL AND id = ?',
  },
  {
    what: 'the links of a chunk',
    file: `${embedded}/episodic.ts`,
    from: 'FROM link\nWHERE namespace = :namespace AND older = :id',
    to: 'FROM link\nWHERE :namespace IS NOT NULL AND older = :id',
  },
  {
    what: 'the facts that a link closes',
    file: `${embedded}/remember.ts`,
    from: 'WHERE namespace = :namespace AND id = :id AND (closed_at IS NULL',
    to: 'WHERE :namespace IS NOT NULL AND id = :id AND (closed_at IS NULL',
  },
  {
    what: 'the item of a key',
    file: `${embedded}/keyed.ts`,
    from: "'WHERE namespace = :namespace AND persona = :persona AND item_key",
    to: "'WHERE :namespace IS NOT NULL AND persona = :persona AND item_key",
  },
  {
    what: 'reading a document',
    file: `${embedded}/keyed.ts`,
    from: 'SELECT * FROM document WHERE namespace = ? AND',
    to: 'SELECT * FROM document WHERE ? IS NOT NULL AND',
  },
  {
    what: 'deleting a document',
    file: `${embedded}/keyed.ts`,
    from: 'DELETE FROM document WHERE namespace = ? AND',
    to: 'DELETE FROM document WHERE ? IS NOT NULL AND',
  },
  {
    what: 'forgetting documents',
    file: `${embedded}/keyed.ts`,
    from: 'DELETE FROM document WHERE namespace = :namespace AND',
    to: 'DELETE FROM document WHERE :namespace IS NOT NULL AND',
  },
  {
    what: 'the list of documents',
    file: `${embedded}/keyed.ts`,
    from: 'FROM document\nWHERE namespace = :namespace AND persona',
    to: 'FROM document\nWHERE :namespace IS NOT NULL AND persona',
  },
  {
    what: 'the facts that a removal reopens',
    file: `${embedded}/undo-closings.ts`,
    from: 'closer = :closer\nWHERE namespace = :namespace AND id = :id',
    to: 'closer = :closer\nWHERE :namespace IS NOT NULL AND id = :id',
  },
  {
    what: 'facts by id',
    file: `${embedded}/graph-reads.ts`,
    from: 'WHERE r.namespace = :namespace AND r.id IN',
    to: 'WHERE :namespace IS NOT NULL AND r.id IN',
  },
  {
    what: 'touching facts',
    file: `${embedded}/graph-writes.ts`,
    from: 'GROUP BY value) WHERE namespace = :namespace AND id = value',
    to: 'GROUP BY value) WHERE :namespace IS NOT NULL AND id = value',
  },
  {
    what: 'dropping the evidence of facts',
    file: `${embedded}/graph-writes.ts`,
    from: 'SET evidence = fact\nWHERE namespace = :namespace AND id IN',
    to: 'SET evidence = fact\nWHERE :namespace IS NOT NULL AND id IN',
  },
  {
    what: 'the history of a slot',
    file: `${embedded}/graph-reads.ts`,
    from: 'WHERE r.namespace = :namespace AND a.id = :id',
    to: 'WHERE :namespace IS NOT NULL AND a.id = :id',
  },
  {
    what: 'the facts of a chunk',
    file: `${embedded}/graph-reads.ts`,
    from: 'WHERE r.namespace = :namespace\nAND r.chunk_id IN',
    to: 'WHERE :namespace IS NOT NULL\nAND r.chunk_id IN',
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
    from: '`WHERE namespace = :namespace AND $',
    to: '`WHERE :namespace IS NOT NULL AND $',
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
    file: `${embedded}/graph-reads.ts`,
    from: '(SELECT id FROM entity WHERE namespace = :namespace AND key = :key)',
    to: '(SELECT id FROM entity WHERE :namespace IS NOT NULL AND key = :key)',
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
    file: `${embedded}/index/entries.ts`,
    from: 'WHERE namespace = :namespace AND kind = :kind',
    to: 'WHERE :namespace IS NOT NULL AND kind = :kind',
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
    from: 'FROM session_fact WHERE namespace = :namespace AND session_id = :sessionId ORDER BY',
    to: 'FROM session_fact WHERE :namespace IS NOT NULL AND session_id = :sessionId ORDER BY',
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
    file: 'src/stores/embedded/engine/migrations/0002-memory.sql',
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
    what: 'what the last runs did',
    file: `${embedded}/lifecycle.ts`,
    from: 'SELECT runs FROM lifecycle_run WHERE namespace = ? AND persona = ?',
    to: 'SELECT runs FROM lifecycle_run WHERE ? IS NOT NULL AND persona = ?',
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
    what: 'the list of entities',
    file: `${embedded}/graph-view.ts`,
    from: 'WHERE e.namespace = :namespace AND e.key > :after',
    to: 'WHERE :namespace IS NOT NULL AND e.key > :after',
  },
  {
    what: 'entities by id',
    file: `${embedded}/graph-view.ts`,
    from: 'WHERE e.namespace = :namespace AND e.id IN',
    to: 'WHERE :namespace IS NOT NULL AND e.id IN',
  },
  {
    what: 'what is pinned',
    file: `${embedded}/graph-view.ts`,
    from: '}.namespace = :namespace AND $',
    to: '}.id IS NOT NULL AND :namespace IS NOT NULL AND $',
  },
  {
    what: 'the programs that called',
    file: 'src/stores/embedded/commands/clients.ts',
    from: 'SELECT clients FROM client_log WHERE account = ?',
    to: 'SELECT clients FROM client_log WHERE ? IS NOT NULL ORDER BY length(clients) DESC',
  },
  {
    what: 'the reply under an idempotency key',
    file: 'src/stores/embedded/commands/idempotency.ts',
    from: 'status, body FROM idempotency WHERE account = ? AND key = ?',
    to: 'status, body FROM idempotency WHERE ? IS NOT NULL AND key = ?',
  },
]
