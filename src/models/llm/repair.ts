import { jsonrepair } from 'jsonrepair'
import type { z } from 'zod'

/** Longer texts are not repaired: no answer that is asked for here comes near it. */
const longestRepair = 262_144

/**
 * The object that a model meant: the text itself, a fenced block in it, or its outermost braces, each as JSON and
 * then repaired (quotes, commas, comments, a cut end). Null when nothing fits the schema.
 */
export function readObject<T>(text: string, schema: z.ZodType<T>): T | null {
  if (text.length > longestRepair) return null
  for (const candidate of candidates(text)) {
    for (const value of [parse(candidate), parse(repaired(candidate))]) {
      const result = schema.safeParse(value)
      if (result.success) return result.data
    }
  }
  return null
}

function candidates(text: string): string[] {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/i.exec(text)?.[1]
  const open = text.search(/[{[]/)
  const close = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  const braced = open >= 0 ? text.slice(open, close > open ? close + 1 : undefined) : undefined
  return [text, fenced, braced].filter((candidate) => candidate !== undefined)
}

function parse(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function repaired(text: string): string | null {
  try {
    return jsonrepair(text)
  } catch {
    return null
  }
}
