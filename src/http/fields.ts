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
  documentBytes: 1024 * 1024,
  pathCharacters: 512,
} as const

/** Bidi controls and the tag block: they change what a person sees, or hide what a model reads. */
const invisible = String.raw`\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}`
const removedFromText = new RegExp(String.raw`[\0-\x08\x0b-\x1f\x7f-\x9f${invisible}\p{Surrogate}]`, 'gu')
const refusedInIds = new RegExp(String.raw`[\0-\x1f\x7f-\x9f${invisible}\p{Surrogate}]`, 'u')

/** Nothing that a reader would see: white space, and characters without a shape of their own. */
const blank = /^[\s\p{Default_Ignorable_Code_Point}]*$/u

const holdsNothing = (name: string) => `${name} must hold more than white space and invisible characters`

/** Code points, counted without copying the text. */
export function characters(text: string): number {
  let count = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    const paired = unit >= 0xd800 && unit <= 0xdbff && text.charCodeAt(index + 1) >> 10 === 0x37
    if (paired) index++
    count++
  }
  return count
}

/** A string whose absence is told apart from a wrong type: the caller may have used another field's name. */
export function requiredString(name: string) {
  return z.string({
    error: ({ input }) => (input === undefined ? `${name} is missing` : `${name} must be a string`),
  })
}

/** A text without what changes how it is seen, or hides in it. */
export const visible = (value: string) => value.replace(removedFromText, '')

/** Free text: invisible and control characters are taken out, except tab and newline. Something must be left to read. */
export function prose(name: string, maximum: number) {
  return requiredString(name)
    .meta({ minLength: 1, maxLength: maximum })
    .refine((value) => value.length > 0, { error: `${name} must have at least 1 character`, abort: true })
    .refine((value) => value.length <= maximum || characters(value) <= maximum, {
      error: `${name} must have at most ${maximum.toLocaleString('en')} characters`,
      abort: true,
    })
    .transform(visible)
    .refine((value) => !blank.test(value), holdsNothing(name))
}

/** A name that the caller chose: brought to NFC, then checked. */
export function id(name: string) {
  return requiredString(name)
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

export const text = prose('text', limits.textCharacters).describe('what to remember, in plain language')
export const query = prose('query', limits.queryCharacters).describe('a question in plain language')
export const sessionId = id('session_id').describe('a conversation, under a name of your own')
/** `*` means every persona, where that may be asked; no memory can live in it. */
export const persona = id('persona').refine(
  (value) => value !== '*',
  'persona must not be *, which is reserved',
)
export const personaOrAll = optional(id('persona'), sharedPersona)
export const memoryId = id('id').describe('of a memory')
export const externalId = id('external_id')
export const speakerName = id('name')
export const entityName = id('entity')
  .refine((value) => !blank.test(value), holdsNothing('entity'))
  .describe('the name of an entity, as it was told')
export const accountName = id('account')
  .refine(
    (value) => /^[\p{L}\p{N}][\p{L}\p{N}._@+-]*$/u.test(value),
    'account must start with a letter or digit and may hold letters, digits and . _ @ + -',
  )
  .describe('the name of the account')
export const source = z
  .enum(['user', 'assistant', 'document'], { error: 'source must be one of user, assistant, document' })
  .describe('who said it; the user is believed most')

export function flag(name: string) {
  return z.boolean({ error: `${name} must be true or false` })
}

/** True or false in a query string. */
export function flagText(name: string) {
  const error = `${name} must be true or false`
  return z
    .enum(['true', 'false'], { error })
    .meta({ type: 'boolean', enum: undefined })
    .transform((value) => value === 'true')
}

export function whole(name: string, minimum: number, maximum: number) {
  const error = `${name} must be a whole number from ${minimum} to ${maximum}`
  return z.int({ error }).min(minimum, { error }).max(maximum, { error })
}

export function between(name: string, minimum: number, maximum: number, what = 'a number') {
  const error = `${name} must be ${what} from ${minimum} to ${maximum}`
  return z.number({ error }).min(minimum, { error }).max(maximum, { error })
}

/** Far enough for every clock. */
export const latestSeconds = 1e12

/** A point in time as Unix seconds. */
export const time = (name: string) => between(name, 0, latestSeconds, 'Unix time in seconds')

interface Span {
  readonly since: number | null
  readonly until: number | null
}

/** One that ends before it begins is a mistake, and would find nothing. */
export const isSpan = ({ since, until }: Span) => since === null || until === null || since < until
export const noSpan = { path: ['until'], error: 'until must be later than since' }

/** Where a document lies: names between slashes. It cannot lead out of itself. */
export const documentPath = requiredString('path')
  .meta({ minLength: 1, maxLength: limits.pathCharacters })
  .transform((value) => value.normalize('NFC'))
  .refine((value) => value.length > 0 && characters(value) <= limits.pathCharacters, {
    error: `path must have 1 to ${limits.pathCharacters} characters`,
    abort: true,
  })
  .refine(
    (value) => !refusedInIds.test(value),
    'path must not contain control, bidirectional, tag or lone surrogate characters',
  )
  .refine(
    (value) => value.split('/').every((name) => name !== '' && name !== '.' && name !== '..'),
    'path must be names between slashes, none of them empty, . or ..',
  )
  .refine((value) => !value.includes('\\'), 'path must not contain a backslash')

/** A document's text as it is. */
export const documentContent = requiredString('content')
  .meta({ maxLength: limits.documentBytes })
  .refine(
    (value) => Buffer.byteLength(value) <= limits.documentBytes,
    'content must be at most 1 MiB in UTF-8',
  )
  .refine((value) => value.isWellFormed(), 'content must not contain lone surrogates')

/** A time of the past; that it is one is asked when the time of the request is known. */
export const occurredAt = time('occurred_at')

/** Key/value pairs of the caller's own: bounded in bytes, depth and keys at all depths together. */
export const metadata = z
  .record(z.string(), z.unknown(), { error: 'metadata must be an object' })
  .superRefine((value, context) => {
    const problem = metadataProblem(value)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
  .describe('key/value pairs of your own, kept with the memory')

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

/** A number in a query string; the document says what it stands for. */
export function digits(
  name: string,
  minimum: number,
  maximum: number,
  type: 'number' | 'integer' = 'number',
) {
  const error = `${name} must be ${type === 'integer' ? 'a whole number' : 'a number'} from ${minimum} to ${maximum}`
  return z
    .string({ error })
    .regex(type === 'integer' ? /^\d{1,15}$/ : /^\d{1,15}(\.\d{1,9})?$/, error)
    .meta({ type, minimum, maximum, pattern: undefined })
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, error)
}
