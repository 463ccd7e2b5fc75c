import { createReadStream } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
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
  const found: SourceFile[] = []
  for (const file of await namesBelow(named))
    found.push(...(await filesIn(path.join(named, file), [base, ...file.split(path.sep)].join('/'), zips)))
  return found
}

/** Links are followed last: what they lead to is read once, under its own name where that is in the folder, too. */
async function namesBelow(folder: string): Promise<readonly string[]> {
  const seen = new Set<string>()
  const names: string[] = []
  const links: string[] = []
  const places = ['']
  for (let name = places.pop(); name !== undefined; name = places.pop() ?? links.shift()) {
    const place = path.join(folder, name)
    // What a link leads to may be missing: that is told when it is read.
    const real = await realpath(place).catch(() => place)
    if (seen.has(real)) continue
    seen.add(real)
    const kind = await stat(place).catch(() => null)
    if (kind?.isFile() ?? true) names.push(name)
    if (!kind?.isDirectory()) continue
    const entries = (await readdir(place, { withFileTypes: true })).filter((entry) => entry.name[0] !== '.')
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
      (entry.isSymbolicLink() ? links : places).push(path.join(name, entry.name))
  }
  return names.sort()
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
