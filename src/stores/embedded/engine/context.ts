import type { DatabaseSync, StatementSync } from 'node:sqlite'
import { addMetadataMatches } from '../memory/metadata-matches.ts'
import type { SnapshotFiles } from './snapshot-files.ts'

/** What a command works on. In a worker there is one for the life of its connection. */
export interface EngineContext {
  readonly db: DatabaseSync
  /** The statement for this text, prepared once per connection. Texts are constants, so the set is finite. */
  prepare(sql: string): StatementSync
  /** Where its indexes lie on disk; null where they do not. */
  readonly snapshot: SnapshotFiles | null
}

/** One step inside a transaction: synchronous; arguments and result must survive a structured clone. */
export type Command<Args, Result> = (context: EngineContext, args: Args) => Result

/** Commands by name, as `ledger.reserve`. */
export type CommandTable = Readonly<Record<string, Command<never, unknown>>>

/** The arguments that go with a command's name: none when the command takes only the context. */
export type ArgsOf<Entry> = Entry extends (context: EngineContext, args: infer Args) => unknown
  ? unknown extends Args
    ? []
    : [args: Args]
  : never

export type ResultOf<Entry> = Entry extends (context: EngineContext, args: never) => infer Result
  ? Result
  : never

export function createContext(db: DatabaseSync, snapshot: SnapshotFiles | null = null): EngineContext {
  const statements = new Map<string, StatementSync>()
  addMetadataMatches(db)
  return {
    db,
    snapshot,
    prepare: (sql) => {
      const known = statements.get(sql)
      if (known !== undefined) return known
      const statement = db.prepare(sql)
      statements.set(sql, statement)
      return statement
    },
  }
}
