import type { Row } from './connection.ts'
import { TornRow } from './torn-rows.ts'

/** Columns of a row, checked: a value of another kind is a bug in a query, and says so. */
export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw unfit(value, `Neo4j column ${column} is not a string.`)
  return value
}

/** What is missing may have gone away meanwhile. */
export const unfit = (value: unknown, message: string) =>
  value === null || value === undefined ? new TornRow(message) : new TypeError(message)

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null || row[column] === undefined ? null : text(row, column)
}

export function number(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw unfit(value, `Neo4j column ${column} is not a number.`)
  return value
}

export function numberOrNull(row: Row, column: string): number | null {
  return row[column] === null || row[column] === undefined ? null : number(row, column)
}

/** A column that is a list of anything. */
export function list(row: Row, column: string): readonly unknown[] {
  const value = row[column]
  if (!Array.isArray(value)) throw new TypeError(`Neo4j column ${column} is not a list.`)
  return value
}

/** A column that is a list of maps: what a query collected on the side. */
export const rows = (row: Row, column: string): readonly Row[] => list(row, column) as readonly Row[]
