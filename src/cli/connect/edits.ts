import { applyEdits, type JSONPath, modify, type ParseError, parse } from 'jsonc-parser'
import { CommandFailure } from '../command.ts'

/** A change of one file of a client. `null` stands for no file. */
export interface FileEdit {
  readonly path: string
  change(text: string | null): string | null
}

type JsonChange = (text: string) => string

/** Edits JSON in place: what others wrote, comments and form included, stays as it is. An empty object is no file. */
export function jsonEdit(path: string, ...changes: readonly JsonChange[]): FileEdit {
  return {
    path,
    change: (text) => {
      const before = text === null || text.trim() === '' ? '{}\n' : text
      const errors: ParseError[] = []
      parse(before, errors, { allowTrailingComma: true })
      if (errors.length > 0) throw new CommandFailure(`${path} is not valid JSON; mend it, or see --print`)
      const after = changes.reduce((current, change) => change(current), before)
      if (after === before) return text
      return Object.keys(valueAt(after, []) ?? {}).length === 0 ? null : after
    },
  }
}

/** What stands at a place; undefined when nothing does. */
function valueAt(text: string, place: JSONPath): unknown {
  return place.reduce<unknown>(
    (value, name) => (value === null || value === undefined ? undefined : Object(value)[name]),
    parse(text, [], { allowTrailingComma: true }),
  )
}

export const set =
  (place: JSONPath, value: unknown): JsonChange =>
  (text) =>
    modified(text, place, value)

/** Takes a place out, and what it leaves empty. */
export const unset =
  (place: JSONPath): JsonChange =>
  (text) => {
    if (valueAt(text, place) === undefined) return text
    const without = modified(text, place, undefined)
    const parent = place.slice(0, -1)
    const left = valueAt(without, parent)
    const isEmpty = typeof left === 'object' && left !== null && Object.keys(left).length === 0
    return isEmpty && parent.length > 0 ? unset(parent)(without) : without
  }

/** Replaces those entries of a list that are ours by the given ones. */
export const setOwn =
  (place: JSONPath, isOwn: (entry: unknown) => boolean, own: readonly unknown[]): JsonChange =>
  (text) => {
    const entries = listAt(text, place)
    const others = entries.filter((entry) => !isOwn(entry))
    if (others.length + own.length === 0) return entries.length === 0 ? text : unset(place)(text)
    return modified(text, place, [...others, ...own])
  }

function listAt(text: string, place: JSONPath): readonly unknown[] {
  const value = valueAt(text, place) ?? []
  if (!Array.isArray(value)) throw new CommandFailure(`${place.join('.')} is not a list; see --print`)
  return value
}

function modified(text: string, place: JSONPath, value: unknown): string {
  const indent = text.match(/^([ \t]+)\S/m)?.[1] ?? '  '
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length, eol: '\n' }
  return applyEdits(text, modify(text, place, value, { formattingOptions }))
}

/** Puts a TOML table, with those below it, at the end of a file; without lines it is taken out. */
export function tomlEdit(path: string, table: string, lines: readonly string[]): FileEdit {
  const isHeader = (line: string) => /^\s*\[/.test(line)
  const isOwn = (line: string) => line.trim() === `[${table}]` || line.trim().startsWith(`[${table}.`)
  return {
    path,
    change: (text) => {
      let inside = false
      const kept = (text ?? '').split('\n').filter((line) => {
        if (isHeader(line)) inside = isOwn(line)
        return !inside
      })
      if (lines.length === 0 && kept.join('\n') === (text ?? '')) return text
      const others = kept.join('\n').trimEnd()
      const own = lines.length === 0 ? [] : [[`[${table}]`, ...lines].join('\n')]
      const parts = [...(others === '' ? [] : [others]), ...own]
      return parts.length === 0 ? null : `${parts.join('\n\n')}\n`
    },
  }
}

/** The whole of a file that is ours alone. */
export function ownFile(path: string, text: string | null): FileEdit {
  return { path, change: () => text }
}

/** The lines that differ, with a few around them. */
export function diff(before: string, after: string): string {
  const [old, fresh] = [before, after].map((text) => (text === '' ? [] : text.trimEnd().split('\n')))
  if (old === undefined || fresh === undefined) return ''
  let start = 0
  while (start < Math.min(old.length, fresh.length) && old[start] === fresh[start]) start++
  let end = 0
  while (end < Math.min(old.length, fresh.length) - start && old.at(-1 - end) === fresh.at(-1 - end)) end++
  const around = 2
  return [
    ...old.slice(Math.max(0, start - around), start).map((line) => `  ${line}`),
    ...old.slice(start, old.length - end).map((line) => `- ${line}`),
    ...fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`),
    ...fresh.slice(fresh.length - end, fresh.length - end + around).map((line) => `  ${line}`),
  ].join('\n')
}
