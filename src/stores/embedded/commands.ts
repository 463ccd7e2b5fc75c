import { archiveReads } from './archive/reads.ts'
import { archiveWrites } from './archive/writes.ts'
import { accountReads, accountWrites } from './commands/accounts.ts'
import { clientReads, clientWrites } from './commands/clients.ts'
import { idempotencyWrites } from './commands/idempotency.ts'
import { ledgerReads, ledgerWrites } from './commands/ledger.ts'
import { memoryReads, memoryWrites } from './memory/commands.ts'

/** Every command that changes the store. A store adds its table here and its schema to engine/migrations.ts. */
export const writes = {
  ...accountWrites,
  ...ledgerWrites,
  ...idempotencyWrites,
  ...clientWrites,
  ...memoryWrites,
  ...archiveWrites,
}

/** Every command that only reads; it runs beside the writes, on a connection that cannot write. */
export const reads = { ...accountReads, ...ledgerReads, ...clientReads, ...memoryReads, ...archiveReads }

/** The writes that are refused on a full disk, so that the space kept in reserve is left for deleting. */
export const growing: ReadonlySet<string> = new Set<keyof Writes>([
  'idempotency.begin',
  'journal.remember',
  'working.observe',
  'vectors.replace',
  'archive.put',
])

/** The reads that may walk through all that a namespace, or the store, holds: no question waits for one of them. */
export const walking: ReadonlySet<string> = new Set<keyof Reads>([
  'episodic.list',
  'episodic.count',
  'episodic.countFaded',
  'episodic.selected',
  'episodic.faded',
  'episodic.fadedIds',
  'graph.list',
  'graph.countRelationships',
  'graph.countEntities',
  'graph.countFaded',
  'graph.selected',
  'graph.faded',
  'graph.fadedIds',
  'graph.count',
  'graph.orphans',
  'graph.countOrphans',
  'graph.untoldRoles',
  'graph.namespaces',
  'view.entities',
  'view.nodes',
  'view.edges',
  'vectors.count',
  'vectors.texts',
  'archive.page',
])

export type Writes = typeof writes
export type Reads = typeof reads
