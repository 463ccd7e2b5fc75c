import neo4j, { type ManagedTransaction, Neo4jError } from 'neo4j-driver'
import { createEngineGuard, type EngineGuard, type EngineReason } from '../guard.ts'

/** One record of a result, by column. */
export type Row = Readonly<Record<string, unknown>>

/** Runs one statement inside a transaction. */
export type RunQuery = (
  query: string,
  parameters: Readonly<Record<string, unknown>>,
) => Promise<readonly Row[]>

/** What the Neo4j adapters need of the driver. Query texts are constants; what varies is a parameter. */
export interface Neo4j {
  readonly guard: EngineGuard
  read(query: string, parameters: Readonly<Record<string, unknown>>): Promise<readonly Row[]>
  write(
    query: string,
    parameters: Readonly<Record<string, unknown>>,
    limitMs?: number,
  ): Promise<readonly Row[]>
  /** All statements or none. Deadlocks and lost leaders are tried again, so `work` may run more than once. */
  transaction<T>(work: (run: RunQuery) => Promise<T>, limitMs?: number): Promise<T>
  close(): Promise<void>
}

export interface Neo4jOptions {
  readonly url: string
  readonly user: string
  readonly password: string
  /** How long a call may take; two in a row that take longer open the circuit. */
  readonly limitMs?: number
  /** Sees every query text that is sent. */
  readonly onQuery?: (text: string) => void
}

/** Two of these in a row stay below the five seconds in which every request is answered. */
const usualLimitMs = 2_200

const connectLimitMs = 10_000

/** Connects lazily; calls are refused by the guard until it is up. */
export function openNeo4j({
  url,
  user,
  password,
  onQuery,
  limitMs: usual = usualLimitMs,
}: Neo4jOptions): Neo4j {
  const driver = neo4j.driver(url, password === '' ? undefined : neo4j.auth.basic(user, password), {
    disableLosslessIntegers: true,
    // The guard's limit is the one that counts. Shorter ones here would call a busy engine unreachable.
    connectionTimeout: connectLimitMs,
    connectionAcquisitionTimeout: connectLimitMs,
    maxTransactionRetryTime: usual,
    maxConnectionPoolSize: 80,
    telemetryDisabled: true,
  })

  const runner =
    (transaction: ManagedTransaction): RunQuery =>
    async (query, parameters) => {
      onQuery?.(query)
      const result = await transaction.run(query, parameters)
      return result.records.map((record) => record.toObject())
    }

  async function inSession<T>(
    mode: 'READ' | 'WRITE',
    work: (run: RunQuery) => Promise<T>,
    limitMs: number,
  ): Promise<T> {
    const session = driver.session({ defaultAccessMode: mode })
    const unit = (transaction: ManagedTransaction) => work(runner(transaction))
    const config = { timeout: limitMs }
    try {
      return mode === 'READ'
        ? await session.executeRead(unit, config)
        : await session.executeWrite(unit, config)
    } finally {
      // Closing a session on a hung server can hang too; nobody waits for it.
      session.close().catch(() => undefined)
    }
  }

  const guard = createEngineGuard({
    engine: 'neo4j',
    probe: async () => {
      await inSession('READ', (run) => run('RETURN 1', {}), usual)
    },
    classify,
    timeoutMs: usual,
  })

  return {
    guard,
    read: (query, parameters) => guard.call(() => inSession('READ', (run) => run(query, parameters), usual)),
    write: (query, parameters, limitMs = usual) =>
      guard.call(() => inSession('WRITE', (run) => run(query, parameters), limitMs), limitMs),
    transaction: (work, limitMs = usual) => guard.call(() => inSession('WRITE', work, limitMs), limitMs),
    async close() {
      guard.close()
      await driver.close()
    },
  }
}

function classify(error: unknown): EngineReason | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : null
  if (!(error instanceof Neo4jError)) return code !== null && /^E[A-Z]+$/.test(code) ? 'unreachable' : null
  if (code?.startsWith('Neo.ClientError.Security')) return 'credentials rejected'
  if (code?.startsWith('Neo.ClientError.Transaction')) return 'overloaded'
  // Our own queries are at fault only where the engine says so; whatever else breaks is the engine or the way to it.
  if (code?.startsWith('Neo.ClientError')) return null
  if (code?.startsWith('Neo.TransientError')) return 'overloaded'
  if (code?.startsWith('Neo.DatabaseError')) return 'failing'
  return 'unreachable'
}
