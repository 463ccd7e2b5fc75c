import { messageOf, openFiles, type SourceFile } from './files.ts'
import { type Format, formats } from './formats.ts'
import { isMarkdown, readNote } from './markdown.ts'
import { type Found, fitting } from './record.ts'
import { valuesOf } from './values.ts'

/** What was found, and where. */
export interface Reading {
  readonly file: string
  /** The number of the record in the file; 0: the file as a whole. */
  readonly at: number
  /** The form of the file; null: it is in none that is known, or cannot be read. */
  readonly format: string | null
  readonly found: Found | null
}

const lookedAt = 20

/** Everything in the named folders, ZIPs and files; each file is known by what it holds. */
export async function* readingsOf(named: readonly string[]): AsyncGenerator<Reading> {
  const { files, close } = await openFiles(named)
  try {
    const kinds = new Map<SourceFile, Kind>()
    for (const file of files) if (!isMarkdown(file)) kinds.set(file, await kindOf(file))
    const isFirst = (file: SourceFile) => Number(kinds.get(file)?.format?.isFirst ?? false)
    for (const file of files.toSorted((a, b) => isFirst(b) - isFirst(a))) {
      if (isMarkdown(file)) yield* noteIn(file)
      else yield* recordsIn(file, kinds.get(file) ?? {})
    }
  } finally {
    close()
  }
}

async function* noteIn(file: SourceFile): AsyncGenerator<Reading> {
  const found = await file
    .check()
    .then(() => readNote(file))
    .catch((error: unknown) => ({ problem: messageOf(error) }))
  yield { file: file.name, at: 0, format: 'Markdown', found }
}

/** The form of a file, or why it cannot be read; neither: it is in none that is known. */
interface Kind {
  readonly format?: Format
  readonly problem?: { readonly at: number; readonly problem: string }
}

/** What calls itself so and is not is damaged; other files may begin as JSON does. */
const isNamedJson = ({ name }: SourceFile) => /\.(json|jsonl|ndjson)$/i.test(name)

async function kindOf(file: SourceFile): Promise<Kind> {
  try {
    const kind = await firstKnown(file)
    if (kind.format !== undefined || isNamedJson(file)) await file.check()
    return kind
  } catch (error) {
    return { problem: { at: 0, problem: messageOf(error) } }
  }
}

/** Of the first values one tells; some files begin with lines that belong to no form. */
async function firstKnown(file: SourceFile): Promise<Kind> {
  let kind: Kind = {}
  for await (const entry of valuesOf(asJson(file))) {
    const format = 'value' in entry ? formats.find(({ matches }) => matches(entry.value)) : undefined
    if (format !== undefined) return { format }
    if ('problem' in entry && isNamedJson(file)) kind = { problem: kind.problem ?? entry }
    if (entry.at >= lookedAt) break
  }
  return kind
}

/** The stream of a file that begins as JSON does; empty for another. */
async function* asJson(file: SourceFile): AsyncGenerator<Buffer> {
  let isBegun = false
  for await (const chunk of await file.open()) {
    if (!isBegun) {
      const head = chunk
        .toString('utf8', 0, 64)
        .replace(/^\uFEFF/, '')
        .trim()
      if (head !== '' && !/^[[{]/.test(head)) return
      isBegun = head !== ''
    }
    yield chunk
  }
}

async function* recordsIn(file: SourceFile, { format, problem }: Kind): AsyncGenerator<Reading> {
  const { name } = file
  if (format === undefined)
    return yield { file: name, at: problem?.at ?? 0, format: null, found: problem ?? null }
  const state = new Map<string, string>()
  const say = (at: number, found: Found): Reading => ({ file: name, at, format: format.title, found })
  try {
    for await (const entry of valuesOf(asJson(file))) {
      if ('problem' in entry) yield say(entry.at, entry)
      else
        for (const found of format.read(entry.value, { file: name, at: entry.at, state })) {
          if ('text' in found) for (const fit of fitting(found.text)) yield say(entry.at, fit)
          else yield say(entry.at, found)
        }
    }
  } catch (error) {
    yield say(0, { problem: messageOf(error) })
  }
}
