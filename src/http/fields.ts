import { z } from 'zod'
import { sharedPersona } from '../memory/model.ts'

/** Limits of what a request may hold. Characters are code points. */
export const limits = {
  textCharacters: 32_768,
  queryCharacters: 4_096,
  idCharacters: 128,
  metadataBytes: 16 * 1024,
  metadataDepth: 5,
  metadataKeys: 64,
  bodyBytes: 256 * 1024,
  batchBodyBytes: 4 * 1024 * 1024,
  jsonDepth: 8,
} as const

/** Bidi controls and the tag block: they change what a person sees, or hide what a model reads. */
const invisible = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}`
const removedFromText = new RegExp(String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f${invisible}\p{Surrogate}]`, 'gu')
const refusedInIds = new RegExp(String.raw`[\0-\x1f\x7f-\x9f${invisible}\p{Surrogate}]`, 'u')

/** Code points, counted without copying the text. */
function characters(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const paired = unit >= 0xd800 && unit <= 0xdbff && text.charCodeAt(index + 1) >> 10 === 0x37
    if (paired) index++
    count++
  }
  return count
}

/** Free text: invisible and control characters are taken out, except tab and newline. */
function prose(name: string, maximum: number) {
  return z
    .string({ error: `${name} must be a string` })
    .meta({ minLength: 1, maxLength: maximum })
    .refine((value) => value.length > 0, { error: `${name} must have at least 1 character`, abort: true })
    .refine((value) => value.length <= maximum || characters(value) <= maximum, {
      error: `${name} must have at most ${maximum.toLocaleString('en')} characters`,
      abort: true,
    })
    .transform((value) => value.replace(removedFromText, ''))
    .refine(
      (value) => value.length > 0,
      `${name} has only characters that are removed (control or invisible ones)`,
    )
}

/** A name that the caller chose: brought to NFC, then checked. */
function id(name: string) {
  return z
    .string({ error: `${name} must be a string` })
    .meta({ minLength: 1, maxLength: limits.idCharacters })
    .transform((value) => value.normalize('NFC'))
    .refine((value) => value.length > 0 && characters(value) <= limits.idCharacters, {
      error: `${name} must have 1 to ${limits.idCharacters} characters`,
      abort: true,
    })
    .refine(
      (value) => !refusedInIds.test(value),
      `${name} must not contain control, bidirectional, tag or lone surrogate characters`,
    )
}

/** An optional field: absent and null both mean the default. */
export function optional<Schema extends z.ZodType, const Default>(schema: Schema, fallback: Default) {
  return schema
    .nullish()
    .transform((value): NonNullable<z.output<Schema>> | Default => value ?? fallback)
    .meta({ fallback })
}

export const text = prose('text', limits.textCharacters)
export const query = prose('query', limits.queryCharacters)
export const sessionId = id('session_id')
/** `*` means every persona, where that may be asked; no memory can live in it. */
export const persona = id('persona').refine(
  (value) => value !== '*',
  'persona must not be *, which is reserved',
)
export const personaOrAll = optional(id('persona'), sharedPersona)
export const memoryId = id('id')
export const entityName = id('entity')
export const accountName = id('account').refine(
  (value) => /^[\p{L}\p{N}][\p{L}\p{N}._@+-]*$/u.test(value),
  'account must start with a letter or digit and may hold letters, digits and . _ @ + -',
)
export const source = z.enum(['user', 'assistant', 'document'], {
  error: 'source must be one of user, assistant, document',
})

export function flag(name: string) {
  return z.boolean({ error: `${name} must be true or false` })
}

export function whole(name: string, minimum: number, maximum: number) {
  const error = `${name} must be a whole number from ${minimum} to ${maximum}`
  return z.int({ error }).min(minimum, { error }).max(maximum, { error })
}

export function between(name: string, minimum: number, maximum: number) {
  const error = `${name} must be a number from ${minimum} to ${maximum}`
  return z.number({ error }).min(minimum, { error }).max(maximum, { error })
}

/** Key/value pairs of the caller's own: bounded in bytes, depth and keys at all depths together. */
export const metadata = z
  .record(z.string(), z.unknown(), { error: 'metadata must be an object' })
  .superRefine((value, context) => {
    const problem = metadataProblem(value)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })

function metadataProblem(value: Record<string, unknown>): string | null {
  const json = JSON.stringify(value)
  if (Buffer.byteLength(json) > limits.metadataBytes) return 'metadata must be at most 16 KiB as JSON'
  const { depth, keys, wellFormed } = measured(value)
  if (!wellFormed) return 'metadata must not contain lone surrogates'
  if (depth > limits.metadataDepth) return `metadata must be at most ${limits.metadataDepth} levels deep`
  if (keys > limits.metadataKeys) return `metadata must have at most ${limits.metadataKeys} keys`
  return null
}

interface Measure {
  readonly depth: number
  readonly keys: number
  readonly wellFormed: boolean
}

/** Containers inside containers, the outermost is 1; keys of all objects. The body's own depth limit bounds this. */
function measured(value: unknown): Measure {
  if (typeof value === 'string') return { depth: 0, keys: 0, wellFormed: value.isWellFormed() }
  if (typeof value !== 'object' || value === null) return { depth: 0, keys: 0, wellFormed: true }
  const names = Array.isArray(value) ? [] : Object.keys(value)
  const inner = Object.values(value).map(measured)
  return {
    depth: 1 + inner.reduce((most, { depth }) => Math.max(most, depth), 0),
    keys: names.length + inner.reduce((sum, { keys }) => sum + keys, 0),
    wellFormed: names.every((name) => name.isWellFormed()) && inner.every(({ wellFormed }) => wellFormed),
  }
}
