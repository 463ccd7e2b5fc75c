import { createHash } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { syncDirectory } from '../core/sync-directory.ts'
import { type ArchiveRecord, archiveKinds, createTally, type Snapshot, type Tally } from './archive.ts'

/**
 * One file: a line that names the format, then frames, then the SHA-256 of all before it. A frame is its length (four
 * bytes, little-endian) and compressed JSON: first what the backup is, then pages of records, last what they sum up to.
 */
const firstLine = 'memoryd backup 1\n'
const digestBytes = 32
/** More than any frame has: what a damaged length would claim. */
const largestFrame = 2 ** 30

export interface BackupAbout {
  readonly version: string
  /** ISO 8601; everything acknowledged before is in it. */
  readonly startedAt: string
  readonly mode: 'embedded' | 'server'
}

export interface BackupSummary {
  readonly about: BackupAbout
  readonly tally: Tally
  readonly bytes: number
}

export type Progress = (records: number) => void

/** The file is no backup, or not as it was written. Nothing was changed. */
export class BackupRefused extends Error {
  constructor(file: string, what: string) {
    super(`${file} ${what}. Nothing was changed.`)
    this.name = 'BackupRefused'
  }
}

type Frame = { about: BackupAbout } | { records: readonly object[] } | { tally: Tally }

const [compress, decompress] = [promisify(zstdCompress), promisify(zstdDecompress)]

/** The file has its name only when it is whole and on disk; a failure leaves nothing, a crash a `.part`. */
export async function writeBackup(
  snapshot: Snapshot,
  file: string,
  about: BackupAbout,
  progress: Progress,
): Promise<BackupSummary> {
  const part = `${file}.part`
  const out = await open(part, 'w', 0o600).catch((error: Error) => {
    throw new BackupRefused(file, `cannot be written (${error.message}); name another file`)
  })
  try {
    const hash = createHash('sha256')
    const write = async (bytes: Uint8Array) => {
      hash.update(bytes)
      // Unlike write, this goes on until all is written.
      await out.writeFile(bytes)
    }
    const frame = async (content: Frame) => {
      const packed = await compress(JSON.stringify(content))
      const length = Buffer.alloc(4)
      length.writeUInt32LE(packed.length)
      await write(Buffer.concat([length, packed]))
    }
    const { add, tally } = createTally()
    let count = 0
    await write(Buffer.from(firstLine))
    await frame({ about })
    await snapshot.read(async (records) => {
      add(records)
      await frame({ records: records.map(packed) })
      count += records.length
      progress(count)
    })
    await frame({ tally: tally() })
    await out.writeFile(hash.digest())
    await out.sync()
    const { size } = await out.stat()
    await out.close()
    await rename(part, file)
    syncDirectory(path.dirname(file))
    return { about, tally: tally(), bytes: size }
  } catch (error) {
    await out.close().catch(() => {})
    await rm(part, { force: true })
    throw error
  }
}

/** Reads the whole file and checks every byte of it. Rejects with BackupRefused. */
export async function verifyBackup(file: string): Promise<BackupSummary> {
  return withFile(file, async (input) => {
    const { size: bytes } = await input.stat()
    await requireDigest(input, file, bytes)
    const summary: { about?: BackupAbout; tally?: Tally } = {}
    const found = new Map<string, number>()
    for await (const frame of framesOf(input, bytes)) {
      if (!('records' in frame)) Object.assign(summary, frame)
      else for (const { kind } of frame.records.map(unpacked)) found.set(kind, (found.get(kind) ?? 0) + 1)
    }
    const { about, tally: told } = summary
    if (about === undefined || told === undefined) throw new BackupRefused(file, 'is not complete')
    const wrong = archiveKinds.filter((kind) => (found.get(kind) ?? 0) !== told[kind].count)
    if (wrong.length > 0) throw new BackupRefused(file, `does not hold what it says (${wrong.join(', ')})`)
    return { about, tally: told, bytes }
  })
}

/** The records of a file that was verified, page by page. */
export async function readBackup(
  file: string,
  take: (records: readonly ArchiveRecord[]) => Promise<void>,
): Promise<void> {
  await withFile(file, async (input) => {
    for await (const frame of framesOf(input, (await input.stat()).size))
      if ('records' in frame) await take(frame.records.map(unpacked))
  })
}

async function withFile<T>(file: string, read: (input: FileHandle) => Promise<T>): Promise<T> {
  const input = await open(file).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new BackupRefused(file, 'does not exist') : error
  })
  try {
    if ((await input.stat()).isDirectory())
      throw new BackupRefused(file, 'is a folder; name the file of a backup')
    return await read(input)
  } finally {
    await input.close()
  }
}

async function requireDigest(input: FileHandle, file: string, size: number): Promise<void> {
  const start = (await bytesAt(input, 0, Math.min(size, firstLine.length))).toString('latin1')
  if (start !== firstLine) {
    const format = /^memoryd backup (\d+)\n/.exec(start)?.[1]
    const what =
      format === undefined
        ? 'is no backup of memoryd, or its beginning is damaged'
        : `has the format ${format}, this memoryd knows 1: restore it with a newer one`
    throw new BackupRefused(file, what)
  }
  const hash = createHash('sha256')
  const end = Math.max(0, size - digestBytes)
  if (end > 0) {
    const content = input.createReadStream({
      start: 0,
      end: end - 1,
      autoClose: false,
      highWaterMark: 2 ** 20,
    })
    for await (const piece of content) hash.update(piece)
  }
  const told = await bytesAt(input, end, size - end)
  if (!hash.digest().equals(told))
    throw new BackupRefused(file, 'is damaged or not complete: its checksum does not fit')
}

async function* framesOf(input: FileHandle, size: number): AsyncGenerator<Frame> {
  const end = size - digestBytes
  let at = firstLine.length
  while (at < end) {
    const length = (await bytesAt(input, at, 4)).readUInt32LE()
    if (length > Math.min(largestFrame, end - at - 4)) throw new Error('A frame is longer than its file.')
    yield JSON.parse((await decompress(await bytesAt(input, at + 4, length))).toString('utf8'))
    at += 4 + length
  }
}

async function bytesAt(input: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await input.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}

/** A new name is safe when its directory is. */
const base64 = ({ buffer, byteOffset, byteLength }: Float32Array | Int8Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64')
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'base64')).buffer
const withText = <T extends { readonly vector: Float32Array }>(item: T) => ({
  ...item,
  vector: base64(item.vector),
})
const withVector = <T extends { readonly vector: string }>(item: T) => ({
  ...item,
  vector: new Float32Array(bytesOf(item.vector)),
})

/** A record as JSON can have it: numbers of vectors are base64 of their bytes. */
function packed(record: ArchiveRecord) {
  if (record.kind === 'entity') return { ...record, entity: withText(record.entity) }
  if (record.kind === 'fact') return { ...record, fact: withText(record.fact) }
  if (record.kind !== 'chunk') return record
  const { chunk, tokens } = record
  return { ...record, chunk: withText(chunk), tokens: tokens === null ? null : base64(tokens) }
}

/** The checksum has shown that it is what `packed` made. */
function unpacked(object: object): ArchiveRecord {
  const record = object as ReturnType<typeof packed>
  if (record.kind === 'entity') return { ...record, entity: withVector(record.entity) } as ArchiveRecord
  if (record.kind === 'fact') return { ...record, fact: withVector(record.fact) } as ArchiveRecord
  if (record.kind !== 'chunk') return record as ArchiveRecord
  const tokens = record.tokens === null ? null : new Int8Array(bytesOf(String(record.tokens)))
  return { ...record, chunk: withVector(record.chunk), tokens } as ArchiveRecord
}
