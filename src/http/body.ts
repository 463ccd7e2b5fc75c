import { ServiceError } from '../core/errors.ts'
import { limits } from './fields.ts'

interface BodyRules {
  readonly bodyBytes: number
  readonly mayBeEmpty: boolean
}

/** Keys that could reach an object's prototype in careless code behind us. */
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype'])

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a request, checked for media type, size, depth and names. Too much is refused while it arrives. */
export async function readJson(request: Request, rules: BodyRules): Promise<unknown> {
  requireJson(request.headers)
  const bytes = await readBytes(request, rules.bodyBytes)
  const text = decoded(bytes)
  if (text.trim() === '') {
    if (rules.mayBeEmpty) return {}
    throw invalid('The body is empty; send a JSON object.')
  }
  if (depthOf(text) > limits.jsonDepth) {
    throw invalid(`The body is nested too deeply; at most ${limits.jsonDepth} levels are taken.`)
  }
  const value = parsed(text)
  refuseKeys(value)
  return value
}

function requireJson(headers: Headers): void {
  const encoding = headers.get('content-encoding')
  if (encoding !== null && encoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceError('unsupported_media_type')
  }
  const type = headers.get('content-type')
  // Clients name a form type even when they send nothing.
  if (type === null || type.trim() === '' || headers.get('content-length') === '0') return
  const [name = '', ...parameters] = type
    .toLowerCase()
    .split(';')
    .map((part) => part.trim())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  const isJson = /^application\/([a-z0-9.-]+\+)?json$/.test(name)
  const isUtf8 = charset === undefined || /^"?utf-?8"?$/.test(charset)
  if (!isJson || !isUtf8) throw new ServiceError('unsupported_media_type')
}

async function readBytes(request: Request, maximum: number): Promise<Uint8Array> {
  const declared = request.headers.get('content-length')
  if (declared !== null && Number(declared) > maximum) throw tooLarge(maximum)
  try {
    // The server counts a declared length itself; a body without one is counted here. Only that one needs a stream, which
    // costs much to make.
    if (declared !== null) return withinLimit(new Uint8Array(await request.arrayBuffer()), maximum)
    return request.body === null ? new Uint8Array() : await readStream(request.body, maximum)
  } catch (error) {
    if (error instanceof ServiceError) throw error
    throw new ServiceError('invalid_request', { detail: 'The body ended early.', cause: error })
  }
}

async function readStream(body: ReadableStream<Uint8Array>, maximum: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.byteLength
    if (size > maximum) throw tooLarge(maximum)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function withinLimit(bytes: Uint8Array, maximum: number): Uint8Array {
  if (bytes.byteLength > maximum) throw tooLarge(maximum)
  return bytes
}

function tooLarge(maximum: number): ServiceError {
  return new ServiceError('body_too_large', {
    detail: `The body is larger than ${maximum / 1024} KiB, the most that is taken here.`,
  })
}

function decoded(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw invalid('The body is not valid UTF-8.')
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body is not valid JSON.')
  }
}

/** Brackets open at once, outside strings. Before parsing: a parser takes depths that later code breaks on. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (inString) {
      if (unit === 0x5c) index++
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x7b || unit === 0x5b) deepest = Math.max(deepest, ++depth)
    else if (unit === 0x7d || unit === 0x5d) depth--
  }
  return deepest
}

function refuseKeys(value: unknown): void {
  const place = refusedPlace(value)?.join('.')
  if (place === undefined) return
  const message = `the name ${place.split('.').at(-1)} is not taken anywhere in a body`
  throw new ServiceError('invalid_request', {
    detail: `At ${place}: ${message}.`,
    errors: [{ path: place, message }],
  })
}

/** Where the first refused name stands, from the outside in. The place is put together only when there is one. */
function refusedPlace(value: unknown): readonly string[] | null {
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const inner = refusedPlace(value[index])
      if (inner !== null) return [String(index), ...inner]
    }
    return null
  }
  for (const [name, item] of Object.entries(value)) {
    const inner = refusedKeys.has(name) ? [] : refusedPlace(item)
    if (inner !== null) return [name, ...inner]
  }
  return null
}

function invalid(detail: string): ServiceError {
  return new ServiceError('invalid_request', { detail, errors: [{ path: '', message: detail }] })
}
