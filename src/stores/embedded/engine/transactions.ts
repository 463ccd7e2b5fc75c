import type * as thread from '../../../core/worker-client.ts'
import type { CommandTable, EngineContext } from './context.ts'
import { toWire, type WireFailure } from './failures.ts'

/** A command by its name. */
export interface Call {
  readonly name: string
  readonly args: unknown
}

/** A command waiting to run. */
export interface Request extends Call {
  readonly id: number
}

export type Outcome = thread.Outcome<WireFailure>

/**
 * Runs writes as one transaction, so that they share one fsync. A command that throws is undone alone; when the
 * transaction itself fails, every command of the group fails. The outcomes are durable when this returns.
 */
export function runWrites(
  context: EngineContext,
  table: CommandTable,
  requests: readonly Request[],
): Outcome[] {
  const { db } = context
  try {
    db.exec('BEGIN IMMEDIATE')
    const outcomes = requests.map((request) => inSavepoint(context, table, request))
    db.exec('COMMIT')
    return outcomes
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    const failure = toWire(error)
    return requests.map(({ id }) => ({ id, ok: false, failure }))
  }
}

/** The name under which several reads come in one message; the result is the outcome of each. */
export const severalReads = 'several'

/** Runs one read on one snapshot, however many statements it has. */
export function runRead(context: EngineContext, table: CommandTable, request: Request): Outcome {
  const { db } = context
  if (request.name === severalReads) {
    const calls = request.args as readonly Call[]
    return {
      id: request.id,
      ok: true,
      result: calls.map((call, id) => runRead(context, table, { id, ...call })),
    }
  }
  try {
    db.exec('BEGIN')
    return { id: request.id, ok: true, result: call(context, table, request) }
  } catch (error) {
    return { id: request.id, ok: false, failure: toWire(error) }
  } finally {
    if (db.isTransaction) db.exec('COMMIT')
  }
}

function inSavepoint(context: EngineContext, table: CommandTable, request: Request): Outcome {
  const { db } = context
  db.exec('SAVEPOINT command')
  try {
    const result = call(context, table, request)
    db.exec('RELEASE command')
    return { id: request.id, ok: true, result }
  } catch (error) {
    // A full disk or a failing one ends the whole transaction: nothing of the group is left to keep.
    if (!db.isTransaction) throw error
    db.exec('ROLLBACK TO command; RELEASE command')
    return { id: request.id, ok: false, failure: toWire(error) }
  }
}

function call(context: EngineContext, table: CommandTable, { name, args }: Request): unknown {
  const command = Object.hasOwn(table, name) ? table[name] : undefined
  if (command === undefined) throw new Error(`There is no command ${name}.`)
  // The engine's methods tie each name to its arguments; the thread boundary is where that type is lost.
  return command(context, args as never)
}
