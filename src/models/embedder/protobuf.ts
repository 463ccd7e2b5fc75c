/** One field of a protobuf message: its number, and a varint, four bytes, or a nested run of bytes. */
export interface ProtobufField {
  readonly number: number
  readonly value: bigint | Uint8Array
}

const VARINT = 0
const EIGHT_BYTES = 1
const BYTES = 2
const FOUR_BYTES = 5

/** The fields of a message in order, without copying. Throws on a wire type that no ONNX file uses. */
export function* readFields(message: Uint8Array): Generator<ProtobufField> {
  let position = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[position++]
      if (byte === undefined) throw new Error('protobuf: the message ends inside a number')
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number): Uint8Array => {
    if (position + length > message.length) throw new Error('protobuf: the message ends inside a field')
    position += length
    return message.subarray(position - length, position)
  }
  const readers: Record<number, () => bigint | Uint8Array> = {
    [VARINT]: varint,
    [EIGHT_BYTES]: () => take(8),
    [BYTES]: () => take(Number(varint())),
    [FOUR_BYTES]: () => take(4),
  }
  while (position < message.length) {
    const key = Number(varint())
    const read = readers[key & 7]
    if (!read) throw new Error(`protobuf: wire type ${key & 7} is not supported`)
    yield { number: key >> 3, value: read() }
  }
}

/** A field written as a list of byte runs, so that large weights are never copied before the file is put together. */
export type Written = readonly Uint8Array[]

const utf8 = new TextEncoder()

function varintBytes(value: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, BigInt(value)); ; rest >>= 7n) {
    const low = Number(rest & 0x7fn)
    if (rest < 0x80n) return Uint8Array.from([...bytes, low])
    bytes.push(low | 0x80)
  }
}

export function integerField(number: number, value: number): Written {
  return [varintBytes(number << 3), varintBytes(value)]
}

export function floatField(number: number, value: number): Written {
  return [varintBytes((number << 3) | FOUR_BYTES), new Uint8Array(Float32Array.of(value).buffer)]
}

export function bytesField(number: number, value: Uint8Array): Written {
  return [varintBytes((number << 3) | BYTES), varintBytes(value.length), value]
}

export function textField(number: number, value: string): Written {
  return bytesField(number, utf8.encode(value))
}

export function messageField(number: number, fields: readonly Written[]): Written {
  const runs = fields.flat()
  const length = runs.reduce((sum, run) => sum + run.length, 0)
  return [varintBytes((number << 3) | BYTES), varintBytes(length), ...runs]
}

/** The bytes of a whole message. */
export function joinFields(fields: readonly Written[]): Uint8Array {
  return Buffer.concat(fields.flat())
}
