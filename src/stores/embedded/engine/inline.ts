import { DatabaseSync } from 'node:sqlite'
import { setImmediate as turn } from 'node:timers/promises'
import { ServiceError } from '../../../core/errors.ts'
import { reads, writes } from '../commands.ts'
import { type CommandTable, createContext, type EngineContext } from './context.ts'
import { type Connection, createEngine, type Engine } from './engine.ts'
import { fromWire } from './failures.ts'
import { migrate } from './migrations.ts'
import { type Outcome, type Request, runRead, runWrites } from './transactions.ts'

/** The same commands on a database in memory, in this thread: for tests. Gone when closed. */
export function openInlineEngine(): Engine {
  const db = new DatabaseSync(':memory:')
  migrate(db, ':memory:')
  const context = createContext(db)
  const write = connection(context, writes, (table, request) => runWrites(context, table, [request]))
  const read = connection(context, reads, (table, request) => [runRead(context, table, request)])
  return createEngine({ ...write, close: async () => db.close() }, read)
}

function connection(
  context: EngineContext,
  table: CommandTable,
  run: (table: CommandTable, request: Request) => readonly Outcome[],
): Connection {
  return {
    // Cloned as between threads, so that a command cannot come to rely on sharing objects.
    call: async ({ name, args }) => {
      if (!context.db.isOpen) throw new ServiceError('store_unavailable')
      const [outcome] = run(table, { id: 0, name, args: structuredClone(args) })
      // Answered in a later turn, as between threads: indexes load in the background meanwhile.
      await turn()
      if (outcome?.ok) return structuredClone(outcome.result)
      throw outcome === undefined ? new Error('The command had no outcome.') : fromWire(outcome.failure)
    },
    close: async () => {},
    pending: 0,
    failure: null,
  }
}
