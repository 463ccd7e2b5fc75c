import { DatabaseSync } from 'node:sqlite'
import { createContext, type EngineContext } from './context.ts'
import { migrate } from './migrations.ts'

/** For tests: how SQLite finds the rows of every statement that a read prepares. */
export function plansOf(read: (context: EngineContext) => unknown): string[] {
  const db = new DatabaseSync(':memory:')
  migrate(db, ':memory:')
  const context = createContext(db)
  const plans: string[] = []
  const prepare: EngineContext['prepare'] = (sql) => {
    const count = sql.split('?').length - 1
    const rows = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...Array.from({ length: count }, () => null))
    plans.push(...rows.map(({ detail }) => String(detail)))
    return context.prepare(sql)
  }
  read({ ...context, prepare })
  db.close()
  return plans
}
