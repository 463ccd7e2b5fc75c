import { createReadStream } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { fromBufferPromise, openPromise, type ZipFile } from 'yauzl'
import { CommandFailure } from '../command.ts'

/** A file to be read, on disk or in a ZIP. */
export interface SourceFile {
  /** With the folder or ZIP that was named, and slashes. */
  readonly name: string
  open(): Promise<AsyncIterable<Buffer>>
  /** Reads all of it; rejects when it is not what the ZIP was made of. */
  check(): Promise<void>
}

/** The files below what was named: folders, ZIPs, files. What is in hidden folders is left alone. */
export async function openFiles(named: readonly string[]) {
  const zips: ZipFile[] = []
  const files: SourceFile[] = []
  for (const place of named) files.push(...(await filesOf(place, zips)))
  return { files, close: () => zips.map((zip) => zip.close()) }
}

async function filesOf(named: string, zips: ZipFile[]): Promise<readonly SourceFile[]> {
  const kind = await stat(named).catch((error: unknown) => {
    throw new CommandFailure(`${named} cannot be read (${messageOf(error)})`)
  })
  const base = path.basename(path.resolve(named))
  if (!kind.isDirectory()) return filesIn(named, base, zips)
  const entries = await readdir(named, { recursive: true, withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(named, path.join(entry.parentPath, entry.name)))
    .filter((file) => !file.split(path.sep).some((part) => part.startsWith('.')))
  const found: SourceFile[] = []
  for (const file of names.sort())
    found.push(...(await filesIn(path.join(named, file), [base, ...file.split(path.sep)].join('/'), zips)))
  return found
}

async function filesIn(file: string, name: string, zips: ZipFile[]): Promise<readonly SourceFile[]> {
  // One that cannot be opened is told when it is read.
  if ((await beginning(file).catch(() => '')) !== 'PK\u0003\u0004')
    return [{ name, open: async () => createReadStream(file), check: async () => {} }]
  try {
    return await entriesOf(await openPromise(file, zipOptions), name, zips)
  } catch (error) {
    throw new CommandFailure(`${name} is not a whole ZIP file (${messageOf(error)})`)
  }
}

const zipOptions = { lazyEntries: true, autoClose: false }
/** Claude puts its memories into a ZIP of their own; any other one in an export is a file that somebody sent. */
const isInnerZip = /^(?:.*\/)?memories[^/]*\.zip$/
const innerLimit = 64 * 2 ** 20

async function entriesOf(zip: ZipFile, name: string, zips: ZipFile[]): Promise<readonly SourceFile[]> {
  zips.push(zip)
  const found: SourceFile[] = []
  for await (const entry of zip.eachEntry()) {
    const { fileName, uncompressedSize } = entry
    if (fileName.endsWith('/') || fileName.split('/').some((part) => /^(\.|__MACOSX$)/.test(part))) continue
    const open = () => zip.openReadStreamPromise(entry)
    const check = async () => {
      let sum = 0
      for await (const chunk of await open()) sum = crc32(chunk, sum)
      if (sum !== entry.crc32) throw new Error('it is damaged: its checksum in the ZIP does not fit')
    }
    const file = { name: `${name}/${fileName}`, open, check }
    const isInner = isInnerZip.test(fileName) && !isInnerZip.test(name)
    if (!isInner || uncompressedSize > innerLimit) found.push(file)
    else {
      await check()
      const inner = await fromBufferPromise(await buffer(await file.open()), zipOptions)
      found.push(...(await entriesOf(inner, file.name, zips)))
    }
  }
  return found
}

async function beginning(file: string): Promise<string> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
