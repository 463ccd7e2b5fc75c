import { z } from 'zod'
import type { MetadataFilter, MetadataValue } from '../memory/ports.ts'

const limits = { characters: 8_192, depth: 4, conditions: 64 } as const

/** What is wrong with a filter, as a sentence without its end. */
class FilterProblem extends Error {}

export const filterRules = `\`{"field": value}\`, \`{"field": {"in": [value, …]}}\`, \`{"field": {"exists": true}}\`, \`{"and": [filter, …]}\`, \`{"or": [filter, …]}\`, \`{"not": filter}\`. Several fields in one object must all be so. A value is a string, a number, true, false or null, and equals nothing of another type; a list equals what one of its entries is. \`a.b\` is the field \`b\` inside \`a\`, unless there is one of the name \`a.b\`. At most ${limits.depth} levels of and, or, not, ${limits.conditions} conditions and ${limits.characters.toLocaleString('en')} characters as JSON`

/** Conditions on metadata, from JSON. */
export const metadataFilter = z
  .record(z.string(), z.unknown(), { error: 'filter must be an object' })
  .transform((value, context): MetadataFilter => {
    try {
      return readFilter(value)
    } catch (error) {
      if (!(error instanceof FilterProblem)) throw error
      context.addIssue({ code: 'custom', message: `filter ${error.message}` })
      return z.NEVER
    }
  })

/** The same as a query parameter: JSON in a string. */
export const metadataFilterText = z
  .string()
  .max(limits.characters, `filter must have at most ${limits.characters} characters`)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'filter must be JSON' })
      return z.NEVER
    }
  })
  .pipe(metadataFilter)

function readFilter(value: Readonly<Record<string, unknown>>): MetadataFilter {
  if (JSON.stringify(value).length > limits.characters) {
    throw new FilterProblem(`must have at most ${limits.characters} characters as JSON`)
  }
  let conditions = 0
  const count = () => {
    if (++conditions > limits.conditions) {
      throw new FilterProblem(`must have at most ${limits.conditions} conditions`)
    }
  }

  const read = (part: unknown, depth: number): MetadataFilter => {
    if (!isObject(part)) throw new FilterProblem('must be an object, and so must every part of and, or, not')
    if (depth > limits.depth)
      throw new FilterProblem(`must have at most ${limits.depth} levels of and, or, not`)
    const parts = Object.entries(part).map(([name, asked]) => readField(name, asked, depth))
    const [only] = parts
    if (only === undefined) throw new FilterProblem('must not be empty, nor have empty parts')
    return parts.length === 1 ? only : { and: parts }
  }
  const readAll = (name: string, asked: unknown, depth: number): readonly MetadataFilter[] => {
    if (!Array.isArray(asked) || asked.length === 0) {
      throw new FilterProblem(`must have a list of filters for ${name}`)
    }
    return asked.map((part) => read(part, depth + 1))
  }
  const readField = (name: string, asked: unknown, depth: number): MetadataFilter => {
    if (name === 'and') return { and: readAll(name, asked, depth) }
    if (name === 'or') return { or: readAll(name, asked, depth) }
    if (name === 'not') return { not: read(asked, depth + 1) }
    count()
    return readCondition(name, asked)
  }
  return read(value, 0)
}

function readCondition(field: string, asked: unknown): MetadataFilter {
  if (field === '') throw new FilterProblem('must name a field')
  if (isValue(asked)) return { field, in: [asked] }
  const problem = `must give ${JSON.stringify(field)} a string, a number, true, false, null, {"in": [value, …]} or {"exists": true|false}`
  const [entry, ...others] = isObject(asked) ? Object.entries(asked) : []
  if (entry === undefined || others.length > 0) throw new FilterProblem(problem)
  const [operator, operand] = entry
  if (operator === 'exists' && typeof operand === 'boolean') return { field, exists: operand }
  if (operator === 'in' && Array.isArray(operand) && operand.length > 0 && operand.every(isValue)) {
    return { field, in: operand }
  }
  throw new FilterProblem(problem)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isValue(value: unknown): value is MetadataValue {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}
