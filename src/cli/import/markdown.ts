import path from 'node:path'
import { limits } from '../../http/fields.ts'
import type { SourceFile } from './files.ts'
import { type Fields, type Found, time } from './record.ts'
import { decoded, notUtf8 } from './values.ts'

export const isMarkdown = ({ name }: SourceFile) => /\.(md|markdown)$/i.test(name)

/** A file of notes: kept as one document under its own name. */
export async function readNote(file: SourceFile): Promise<Found> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of await file.open()) {
    pieces.push(piece)
    size += piece.length
    if (size > limits.documentBytes)
      return { problem: 'it is larger than 1 MiB, the most a document may have' }
  }
  const content = decoded(Buffer.concat(pieces))
  if (content === null) return { problem: notUtf8 }
  if (content.trim() === '') return { left: 'empty' }
  const about = frontMatter(content)
  const day = /\d{4}-\d{2}-\d{2}/.exec(path.basename(file.name))?.[0]
  const occurred_at = [about.date, about.created, day].map(time).find((at) => at !== null) ?? null
  const metadata = Object.keys(about).length === 0 ? null : about
  const content_type = 'text/markdown' as const
  return { document: { document: file.name, content, content_type, occurred_at, persona: null, metadata } }
}

/** Between two lines of dashes: `key: value`, and lists of both forms. What is nested deeper stays in the text alone. */
function frontMatter(content: string): Fields {
  const block = /^---\r?\n([\s\S]*?)\r?\n---\s*(?:\n|$)/.exec(content)?.[1] ?? ''
  const found: Record<string, string | string[]> = {}
  let last = ''
  for (const line of block.split(/\r?\n/)) {
    const [, item] = /^\s*-\s+(.+)$/.exec(line) ?? []
    const [, key, value = ''] = /^([\w-]{1,40}):\s*(.*)$/.exec(line) ?? []
    if (key !== undefined) {
      last = key
      const inner = /^\[(.*)\]$/.exec(value.trim())?.[1]
      found[key] = inner === undefined ? plain(value) : inner.split(',').map(plain)
    } else if (item !== undefined && last !== '') {
      const before = found[last]
      found[last] = [...(Array.isArray(before) ? before : []), plain(item)]
    }
  }
  const kept = Object.entries(found).filter(([, value]) => value.length > 0)
  return Object.fromEntries(kept.slice(0, 40))
}

const plain = (value: string) => value.trim().replace(/^(["'])(.*)\1$/, '$2')
