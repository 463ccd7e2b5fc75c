import { pino } from 'pino'

/** Structured lines. Callers pass no request bodies, keys or memory texts: there is nothing to redact. */
export interface Log {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** JSON lines on standard error, so that standard output holds only what a person asked for. */
export function createLog(level: string, write?: (line: string) => void): Log {
  const destination = write === undefined ? pino.destination(2) : { write }
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}

/** An error as facts for a log line: name, message and stack, causes included. */
export function errorFacts(error: unknown): object {
  return { err: pino.stdSerializers.errWithCause(error instanceof Error ? error : new Error(String(error))) }
}
