import { cuttingUnits, longestChunk, type Span } from '../ingest/chunk.ts'

/** A piece of a document as it is indexed: with the headings that it stands under. */
export interface Section {
  /** Where its own text stands in the document. */
  readonly span: Span
  /** The headings, one below the other, and the text. */
  readonly text: string
}

interface Block extends Span {
  readonly kind: 'heading' | 'code' | 'table' | 'text'
  /** Of a heading; 0 otherwise. */
  readonly level: number
}

const fence = /^ {0,3}(`{3,}|~{3,})/
const heading = /^(#{1,6})[ \t]+\S/
const tableLine = /^\s*\|/

/** The document line by line, as stretches that belong together. Blank lines divide text, but not code. */
function blocksOf(document: string): readonly Block[] {
  const blocks: Block[] = []
  let open = null as { kind: Block['kind']; start: number; end: number; fence: string | null } | null
  const close = () => {
    if (open !== null) blocks.push({ kind: open.kind, start: open.start, end: open.end, level: 0 })
    open = null
  }
  for (const { line, start, end } of linesOf(document)) {
    const mark = fence.exec(line)?.[1] ?? null
    if (open?.fence != null) {
      open.end = end
      if (mark?.startsWith(open.fence) && line.trim() === mark) close()
      continue
    }
    const level = heading.exec(line)?.[1]?.length ?? 0
    const kind = mark !== null ? 'code' : tableLine.test(line) ? 'table' : 'text'
    if (level > 0 || line.trim() === '' || open?.kind !== kind || kind === 'code') close()
    if (level > 0) blocks.push({ kind: 'heading', start, end, level })
    else if (line.trim() !== '') open = { kind, start: open?.start ?? start, end, fence: mark }
  }
  close()
  return blocks
}

function* linesOf(text: string) {
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    yield { line: text.slice(start, end), start, end }
    start = end + 1
  }
}

const titleOf = (document: string, { start, end }: Span) =>
  document
    .slice(start, end)
    .replace(/^#+\s*|\s*#*\s*$/g, '')
    .slice(0, 200)

/** What stands under the same headings, in pieces that fit a chunk. Code and tables stay in one piece where they fit. */
export function sectionsOf(document: string): readonly Section[] {
  const sections: Section[] = []
  let path: readonly { readonly level: number; readonly title: string }[] = []
  let piece = null as Span | null
  let isUnused = false
  const headings = () => path.map(({ title }) => title).join(' › ')
  const room = () => Math.max(longestChunk / 2, longestChunk - headings().length - 1)
  const add = (span: Span) => {
    const own = document.slice(span.start, span.end)
    sections.push({ span, text: path.length === 0 ? own : `${headings()}\n${own}` })
  }
  const flush = () => {
    if (piece !== null) add(piece)
    piece = null
  }
  for (const block of blocksOf(document)) {
    if (block.kind === 'heading') {
      flush()
      path = [
        ...path.filter(({ level }) => level < block.level),
        { level: block.level, title: titleOf(document, block) },
      ]
      isUnused = true
      continue
    }
    isUnused = false
    for (const span of piecesOf(document, block, room())) {
      if (piece !== null && span.end - piece.start > room()) flush()
      piece = piece === null ? span : { start: piece.start, end: span.end }
    }
  }
  flush()
  const end = document.length
  if (isUnused) sections.push({ span: { start: end, end }, text: headings() })
  return sections
}

/** A block that is too long for a chunk: text between sentences, code and tables between lines. */
function piecesOf(document: string, block: Block, room: number): readonly Span[] {
  if (block.end - block.start <= room) return [block]
  const own = document.slice(block.start, block.end)
  const lines = [...linesOf(own)].flatMap(({ line, start, end }) =>
    line.length <= room ? [{ start, end }] : cuttingUnits(line).map((unit) => shifted(unit, start)),
  )
  const units = block.kind === 'text' ? cuttingUnits(own) : lines
  const pieces: Span[] = []
  for (const unit of units) {
    const last = pieces.at(-1)
    if (last !== undefined && unit.end - last.start <= room) {
      pieces[pieces.length - 1] = { start: last.start, end: unit.end }
    } else pieces.push(unit)
  }
  return (pieces.length > 0 ? pieces : [{ start: 0, end: own.length }]).map((one) =>
    shifted(one, block.start),
  )
}

const shifted = ({ start, end }: Span, by: number): Span => ({ start: start + by, end: end + by })

/** The sentences of a document at their places: headings, code and tables are left blank. */
export function proseOf(document: string): string {
  let prose = ''
  for (const { kind, start, end } of blocksOf(document)) {
    prose = prose.padEnd(start, '\n')
    prose += kind === 'text' ? document.slice(start, end) : ' '.repeat(end - start)
  }
  return prose.padEnd(document.length, '\n')
}
