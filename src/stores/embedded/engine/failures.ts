import { type FailureCode, type FailureFacts, ServiceError } from '../../../core/errors.ts'

export type RefusalReason = 'in_use' | 'missing' | 'damaged' | 'newer' | 'older' | 'occupied' | 'foreign'

/** The store will not open; the message says which file, why, and what to do. Nothing was changed. */
export class StoreRefused extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string) {
    super(message)
    this.name = 'StoreRefused'
    this.reason = reason
  }
}

/** An error as it crosses between threads: class and own fields do not survive a structured clone. */
export interface WireFailure {
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  readonly service?: { readonly code: FailureCode; readonly facts: FailureFacts }
  readonly refusal?: RefusalReason
}

/** SQLite's primary result codes that mean trouble outside our statements. */
const outages: Readonly<Record<number, FailureCode>> = {
  5: 'store_unavailable', // BUSY
  6: 'store_unavailable', // LOCKED
  7: 'store_unavailable', // NOMEM
  8: 'store_unavailable', // READONLY
  10: 'store_unavailable', // IOERR
  11: 'store_unavailable', // CORRUPT
  13: 'storage_full', // FULL
  14: 'store_unavailable', // CANTOPEN
  26: 'store_unavailable', // NOTADB
}

/** SQLite's primary result code, or null when the error is not SQLite's. */
export function sqliteCode(error: unknown): number | null {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return null
  return error.errcode & 0xff
}

export function toWire(error: unknown): WireFailure {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) }
  const base = { name: error.name, message: error.message, stack: error.stack }
  if (error instanceof StoreRefused) return { ...base, refusal: error.reason }
  if (error instanceof ServiceError) {
    const { cause: _, ...facts } = error.facts
    return { ...base, service: { code: error.code, facts } }
  }
  const outage = outages[sqliteCode(error) ?? 0]
  return outage === undefined ? base : { ...base, service: { code: outage, facts: {} } }
}

export function fromWire(failure: WireFailure): Error {
  if (failure.refusal !== undefined) return new StoreRefused(failure.refusal, failure.message)
  const error = new Error(failure.message)
  error.name = failure.name
  if (failure.stack !== undefined) error.stack = failure.stack
  if (failure.service === undefined) return error
  return new ServiceError(failure.service.code, { ...failure.service.facts, cause: error })
}
