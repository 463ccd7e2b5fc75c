import neo4j, {
  type ManagedTransaction,
  Neo4jError,
  type RoutingControl,
  type Session,
  type SessionMode,
} from 'neo4j-driver'
import { createShared } from '../../../core/batch.ts'
import { createEngineGuard, type EngineGuard, type EngineReason, longestCallMs } from '../engine/guard.ts'
import { raceAgainstBudget, withoutWaitBudget } from '../engine/wait-budget.ts'
import { untorn } from './torn-rows.ts'

/** One record of a result, by column. */
export type Row = Readonly<Record<string, unknown>>

type Parameters = Readonly<Record<string, unknown>>

/** Runs one statement inside a transaction. */
export type RunQuery = (query: string, parameters: Parameters) => Promise<readonly Row[]>

/** How one call ends: its caller gives up, or the engine ends it by itself. */
interface Call {
  readonly signal: AbortSignal
  readonly timeout: number
}

/** What the Neo4j adapters need of the driver. Query texts are constants; what varies is a parameter. */
export interface Neo4j {
  readonly guard: EngineGuard
  read(query: string, parameters: Parameters, limitMs?: number): Promise<readonly Row[]>
  /** The same for what many ask at once: one answer serves all who asked before it was begun. */
  readShared(query: string, parameters: Parameters): Promise<readonly Row[]>
  write(query: string, parameters: Parameters, limitMs?: number): Promise<readonly Row[]>
  /** All statements or none. Deadlocks, lost leaders and torn rows are tried again: `work` may run more than once. */
  transaction<T>(work: (run: RunQuery) => Promise<T>, limitMs?: number): Promise<T>
  close(): Promise<void>
}

export interface Neo4jOptions {
  readonly url: string
  readonly user: string
  readonly password: string
  /** How long a call may take while the engine does not answer its probe. */
  readonly limitMs?: number
  /** Sees every query text that is sent. */
  readonly onQuery?: (text: string) => void
}

/** As long as a request waits in all: what it has left is the limit that counts. */
const usualLimitMs = 2_800
const usualSilenceMs = 5_000
/** What a warm engine takes hundreds of milliseconds for stands in a queue inside it. */
const slowMs = 400

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

  /** Closed when the work is given up: what was not committed by then never is. */
  async function inSession<T>(
    mode: SessionMode,
    signal: AbortSignal,
    work: (session: Session) => Promise<T>,
  ): Promise<T> {
    const session = driver.session({ defaultAccessMode: mode })
    // Closing a session on a hung server can hang too; nobody waits for it.
    const close = () => void session.close().catch(() => undefined)
    signal.addEventListener('abort', close, { once: true })
    try {
      return await work(session)
    } finally {
      signal.removeEventListener('abort', close)
      close()
    }
  }

  /** One statement that changes nothing needs no transaction: one round trip. */
  async function readAlone(query: string, parameters: Parameters, call: Call): Promise<readonly Row[]> {
    onQuery?.(query)
    const read = async (session: Session) =>
      (await session.run(query, parameters, { timeout: call.timeout })).records
    const records = await inSession('READ', call.signal, read).catch((error: unknown) => {
      if (!neo4j.isRetryableError(error)) throw error
      return executeAlone(neo4j.routing.READ, query, parameters, call)
    })
    return records.map((record) => record.toObject())
  }

  /** One statement in a transaction that is begun with it: two round trips, and further tries where that can help. */
  async function executeAlone(routing: RoutingControl, query: string, parameters: Parameters, call: Call) {
    const { signal, timeout } = call
    const config = { routing, signal, bookmarkManager: null, transactionConfig: { timeout } }
    return (await driver.executeQuery(query, parameters, config)).records
  }

  async function writeAlone(query: string, parameters: Parameters, call: Call): Promise<readonly Row[]> {
    onQuery?.(query)
    const records = await executeAlone(neo4j.routing.WRITE, query, parameters, call)
    return records.map((record) => record.toObject())
  }

  const runIn =
    (transaction: ManagedTransaction): RunQuery =>
    async (query, parameters) => {
      onQuery?.(query)
      const { records } = await transaction.run(query, parameters)
      return records.map((record) => record.toObject())
    }

  const writeTogether = <T>(work: (run: RunQuery) => Promise<T>, { signal, timeout }: Call) =>
    inSession('WRITE', signal, (session) =>
      untorn(() => session.executeWrite((transaction) => work(runIn(transaction)), { timeout })),
    )

  const guarded = <T>(work: (call: Call) => Promise<T>, limitMs: number) =>
    guard.call((signal) => work({ signal, timeout: Math.max(limitMs, longestCallMs) }), limitMs)

  const guard = createEngineGuard({
    engine: 'neo4j',
    probe: async () => {
      const session = driver.session({ defaultAccessMode: 'READ' })
      try {
        // Outside of a managed transaction, which would hide a refused connection by trying again.
        await session.run('RETURN 1', {}, { timeout: usual })
      } finally {
        session.close().catch(() => undefined)
      }
    },
    classify,
    timeoutMs: usual,
    slowMs,
    // Who gives calls more time, as the warm-up of a cold engine does, gives the probe as much.
    silenceMs: Math.max(usual, usualSilenceMs),
  })

  const read = (query: string, parameters: Parameters, limitMs = usual) =>
    guarded((call) => readAlone(query, parameters, call), limitMs)
  const shared = createShared<readonly Row[]>()

  return {
    guard,
    read,
    readShared(query, parameters) {
      const ask = () => withoutWaitBudget(() => read(query, parameters))
      return raceAgainstBudget(() => shared(JSON.stringify([query, parameters]), ask), guard.answersUntil)
    },
    write: (query, parameters, limitMs = usual) =>
      guarded((call) => writeAlone(query, parameters, call), limitMs),
    transaction: (work, limitMs = usual) => guarded((call) => writeTogether(work, call), limitMs),
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
