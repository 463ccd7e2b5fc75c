import { createHash } from 'node:crypto'
import { characters, limits } from '../../http/fields.ts'

/** A line of our own form: every reader converts to it. Field names are those of the HTTP API. */
export interface TextRecord {
  readonly text: string
  /** Unix seconds; null: not known. */
  readonly occurred_at: number | null
  readonly source: 'user' | 'assistant' | 'document'
  readonly persona: string | null
  readonly session_id: string | null
  readonly external_id: string
  readonly metadata: Readonly<Record<string, unknown>> | null
  /** What an export of ours says beside it. */
  readonly speaker?: string
  readonly pinned?: boolean
  readonly pinned_facts?: readonly string[]
  readonly id?: string
  /** The id of the record that corrects it. */
  readonly corrected_by?: string
}

export interface DocumentRecord {
  readonly document: string
  readonly content: string
  readonly content_type: 'text/markdown' | 'text/plain'
  readonly occurred_at: number | null
  readonly persona: string | null
  readonly metadata: Readonly<Record<string, unknown>> | null
}

/** What a reader finds: something to store, something left out for a reason, or something it cannot read. */
export type Found =
  | { readonly text: TextRecord }
  | { readonly document: DocumentRecord }
  | { readonly left: string }
  | { readonly problem: string }

export type Fields = Readonly<Record<string, unknown>>

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
export const fields = (value: unknown): Fields => (isFields(value) ? value : {})
export const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** As much as the server allows: the clock that wrote a time may be ahead of this one. */
const skewSeconds = 60

/** Seconds, milliseconds or a date in words as Unix seconds; null for none, and for the future. */
export function time(value: unknown): number | null {
  const number = typeof value === 'string' ? Date.parse(value) / 1000 : Number(value ?? Number.NaN)
  const seconds = number > 1e11 ? number / 1000 : number
  return seconds > 0 && seconds <= Date.now() / 1000 + skewSeconds ? seconds : null
}

const hashOf = (value: string) => createHash('sha256').update(value).digest('hex').slice(0, 32)

/** A name for ever, of the format and its own id, or of what the record says. */
export function named(format: string, ...parts: readonly (string | number)[]): string {
  const id = [format, ...parts].join(':')
  return id.length <= 100 && /^[\x21-\x7e]+$/.test(id) ? id : `${format}:${hashOf(id)}`
}

/** Below the limit of a text, so that pieces keep whole sentences. */
const longestPiece = limits.textCharacters - 768

/** The record as the server takes it: well-formed, and in several where it is too long. */
export function* fitting(record: TextRecord): Generator<Found> {
  const text = record.text.toWellFormed()
  if (/^[\s\p{C}]*$/u.test(text)) return yield { left: 'empty' }
  const isShort = text.length <= limits.textCharacters || characters(text) <= limits.textCharacters
  if (isShort) return yield { text: { ...record, text } }
  const pieces = cut(text)
  for (const [at, piece] of pieces.entries()) {
    const external_id = at === 0 ? record.external_id : named(record.external_id, at + 1)
    yield { text: { ...record, text: piece, external_id, metadata: { ...record.metadata, part: at + 1 } } }
  }
}

/** At the last blank line, line, sentence or word that fits. */
function cut(text: string): readonly string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > longestPiece) {
    const head = rest.slice(0, longestPiece)
    const breaks = ['\n\n', '\n', '. ', ' '].map((mark) => head.lastIndexOf(mark) + mark.length)
    const end = breaks.find((place) => place > longestPiece / 2) ?? head.length
    const isPairCut = end === head.length && head.charCodeAt(end - 1) >> 10 === 0x36
    pieces.push(rest.slice(0, isPairCut ? end - 1 : end))
    rest = rest.slice(isPairCut ? end - 1 : end)
  }
  return [...pieces, rest].filter((piece) => piece.trim() !== '')
}
