/** A JSON value of a file with its number, from 1; or what is wrong with it. */
export type Value =
  | { readonly at: number; readonly value: unknown }
  | { readonly at: number; readonly problem: string }

const bytes = {
  quote: 0x22,
  comma: 0x2c,
  openList: 0x5b,
  escape: 0x5c,
  closeList: 0x5d,
  open: 0x7b,
  close: 0x7d,
}
/** Of one value: more than any has, and what fits into memory. A small ZIP may hold far more. */
const largest = 256 * 2 ** 20
const tooLarge = 'a value of more than 256 MiB'

const isBlank = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)

/** The values of a file one by one, however large it is: the elements of a list, JSON lines, or the only value. */
export async function* valuesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Value> {
  const chunks = stream[Symbol.asyncIterator]()
  try {
    const { value: first, done } = await chunks.next()
    if (done) return
    const whole = { [Symbol.asyncIterator]: () => startingWith(first, chunks) }
    const start = first.findIndex((byte: number, at: number) => !isBlank(byte) && !isMark(first, at))
    yield* first[start] === bytes.openList ? elementsOf(whole) : linesOf(whole)
  } finally {
    await chunks.return?.()
  }
}

/** The mark that some programs put before UTF-8. */
const isMark = (chunk: Buffer, at: number) =>
  at < 3 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Null: the bytes are no UTF-8. A mark before it is no part of the text. */
export function decoded(bytes: Uint8Array): string | null {
  try {
    return utf8.decode(bytes)
  } catch {
    return null
  }
}

export const notUtf8 = 'it is not UTF-8'

function parsed(at: number, text: string | null): Value {
  if (text === null) return { at, problem: notUtf8 }
  try {
    return { at, value: JSON.parse(text) }
  } catch (error) {
    return { at, problem: error instanceof Error ? error.message : String(error) }
  }
}

/** The elements of a list, without ever holding more than one of them. */
async function* elementsOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Value> {
  let at = 0
  let depth = 0
  let inString = false
  let isEscaped = false
  let hasBegun = false
  let pieces: Buffer[] = []
  let size = 0
  const take = (last: Buffer): Value => {
    const text = decoded(Buffer.concat([...pieces, last]))
    pieces = []
    size = 0
    hasBegun = false
    return parsed(++at, text)
  }
  for await (const chunk of stream) {
    let start = 0
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] ?? 0
      if (inString) {
        if (isEscaped) isEscaped = false
        else if (byte === bytes.escape) isEscaped = true
        else if (byte === bytes.quote) inString = false
        continue
      }
      if (isBlank(byte) || (depth === 0 && byte !== bytes.openList)) continue
      if (depth === 1 && (byte === bytes.comma || byte === bytes.closeList)) {
        if (hasBegun) yield take(chunk.subarray(start, index))
        if (byte === bytes.closeList) return
        continue
      }
      if (depth >= 1 && !hasBegun) {
        hasBegun = true
        start = index
      }
      if (byte === bytes.quote) inString = true
      else if (byte === bytes.open || byte === bytes.openList) depth++
      else if (byte === bytes.close || byte === bytes.closeList) depth--
      if (hasBegun && depth === 1 && (byte === bytes.close || byte === bytes.closeList))
        yield take(chunk.subarray(start, index + 1))
    }
    if (!hasBegun) continue
    pieces.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > largest) return void (yield { at: at + 1, problem: tooLarge })
  }
  yield { at: at + 1, problem: 'the file ends before its list does' }
}

/** A value a line; where the first line alone is none, the whole file may be one. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<Value> {
  let at = 0
  let isWhole: boolean | null = null
  let rest: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    let start = 0
    for (let end = chunk.indexOf(0x0a); end >= 0 && isWhole !== true; end = chunk.indexOf(0x0a, start)) {
      const value = lineOf(at + 1, [...rest, chunk.subarray(start, end)])
      if (value !== null) {
        isWhole ??= 'problem' in value
        if (isWhole) break
        yield value
      }
      at++
      rest = []
      size = 0
      start = end + 1
    }
    rest.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > largest) return void (yield { at: at + 1, problem: tooLarge })
  }
  const last = lineOf(at + 1, rest)
  if (last === null) return
  if (isWhole !== true || 'value' in last) return void (yield last)
  const whole = Buffer.concat(rest)
  for (let start = 0, end = 0; end >= 0; start = end + 1) {
    end = whole.indexOf(0x0a, start)
    const value = lineOf(++at, [whole.subarray(start, end < 0 ? whole.length : end)])
    if (value !== null) yield value
  }
}

/** Null for an empty one. */
function lineOf(at: number, pieces: readonly Buffer[]): Value | null {
  const text = decoded(Buffer.concat(pieces))
  return text?.trim() === '' ? null : parsed(at, text)
}
