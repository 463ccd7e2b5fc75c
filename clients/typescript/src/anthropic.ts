import { betaMemoryTool, type MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory'
import type { Memoryd } from './client.ts'
import { NotFoundError } from './errors.ts'

export interface MemoryFilesOptions {
  readonly persona?: string | undefined
}

/** Claude's memory tool on memoryd: `client.beta.messages.toolRunner({ tools: [memoryTool(memory)], … })`. */
export function memoryTool(client: Memoryd, options: MemoryFilesOptions = {}) {
  return betaMemoryTool(memoryFiles(client, options))
}

const root = '/memories'
/** As wide as the tool's own line numbers. */
const numberWidth = 6

/**
 * The files of Claude's memory tool as documents by key: what Claude writes down is found by every recall, too. The
 * sentences that Claude reads are those of Anthropic's own implementation.
 */
export function memoryFiles(client: Memoryd, { persona }: MemoryFilesOptions = {}): MemoryToolHandlers {
  const scope = { persona: persona ?? client.persona ?? 'shared' }
  const { documents } = client

  const contentOf = (file: string) =>
    documents.get(keyOf(file), scope).catch((error: unknown) => {
      if (error instanceof NotFoundError) return null
      throw error
    })

  /** Everything in a folder, by path. */
  const filesBelow = async (folder: string) => {
    const files: { readonly path: string; readonly bytes: number }[] = []
    for await (const page of documents.pages({ ...scope, prefix: `${keyOf(folder)}/` }))
      files.push(...page.map(({ path, bytes }) => ({ path: `/${path}`, bytes })))
    return files
  }

  const editable = async (file: string) => {
    const content = await contentOf(file)
    if (content !== null) return content
    if ((await filesBelow(file)).length > 0) throw new Error(`The path ${file} is not a file.`)
    throw new Error(`The path ${file} does not exist. Please provide a valid path.`)
  }

  return {
    view: async ({ path, view_range }) => {
      const content = keyOf(path) === keyOf(root) ? null : await contentOf(path)
      if (content !== null) return shownFile(path, content, view_range)
      const files = await filesBelow(path)
      if (files.length === 0 && keyOf(path) !== keyOf(root))
        throw new Error(`The path ${path} does not exist. Please provide a valid path.`)
      return shownFolder(path.replace(/\/+$/, ''), files)
    },
    create: async ({ path, file_text }) => {
      if ((await contentOf(path)) !== null) throw new Error(`File ${path} already exists`)
      await documents.put(keyOf(path), file_text, scope)
      return `File created successfully at: ${path}`
    },
    str_replace: async ({ path, old_str, new_str }) => {
      const content = await editable(path)
      const places = placesOf(content, old_str)
      const [place] = places
      if (place === undefined)
        throw new Error(
          `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`,
        )
      if (places.length > 1) {
        const lines = places.map((at) => lineOf(content, at)).join(', ')
        throw new Error(
          `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${lines}. Please ensure it is unique`,
        )
      }
      const changed = content.slice(0, place) + new_str + content.slice(place + old_str.length)
      await documents.put(keyOf(path), changed, scope)
      const line = lineOf(changed, place)
      const from = Math.max(1, line - 2)
      const snippet = changed.split('\n').slice(from - 1, line + 2)
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${numbered(snippet, from)}`
    },
    insert: async ({ path, insert_line, insert_text }) => {
      const lines = (await editable(path)).split('\n')
      if (insert_line < 0 || insert_line > lines.length)
        throw new Error(
          `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines.length}]`,
        )
      lines.splice(insert_line, 0, insert_text.replace(/\n$/, ''))
      await documents.put(keyOf(path), lines.join('\n'), scope)
      return `The file ${path} has been edited.`
    },
    delete: async ({ path }) => {
      if (keyOf(path) === keyOf(root)) throw new Error(`Cannot delete the ${root} directory itself`)
      const below = await filesBelow(path)
      const own = (await contentOf(path)) === null ? [] : [path]
      if (own.length + below.length === 0) throw new Error(`The path ${path} does not exist`)
      for (const file of [...own, ...below.map((one) => one.path)]) await documents.delete(keyOf(file), scope)
      return `Successfully deleted ${path}`
    },
    rename: async ({ old_path, new_path }) => {
      if (keyOf(old_path) === keyOf(root)) throw new Error(`Cannot rename the ${root} directory itself`)
      if ((await contentOf(new_path)) !== null || (await filesBelow(new_path)).length > 0)
        throw new Error(`The destination ${new_path} already exists`)
      const own = (await contentOf(old_path)) === null ? [] : [`/${keyOf(old_path)}`]
      const moved = [...own, ...(await filesBelow(old_path)).map((one) => one.path)]
      if (moved.length === 0) throw new Error(`The path ${old_path} does not exist`)
      for (const file of moved) {
        const place = keyOf(new_path) + keyOf(file).slice(keyOf(old_path).length)
        await documents.put(place, (await contentOf(file)) ?? '', scope)
        await documents.delete(keyOf(file), scope)
      }
      return `Successfully renamed ${old_path} to ${new_path}`
    },
  }
}

/** Where a file lies among the documents. Nothing outside of the root has one. */
function keyOf(file: string): string {
  const names = file.split('/').filter((name) => name !== '')
  if (!file.startsWith('/') || `/${names[0]}` !== root)
    throw new Error(`Path must start with ${root}, got: ${file}`)
  if (names.some((name) => name === '.' || name === '..'))
    throw new Error(`Path ${file} would escape ${root} directory`)
  return names.join('/')
}

function placesOf(content: string, searched: string): number[] {
  const places: number[] = []
  for (let at = content.indexOf(searched); at >= 0; at = content.indexOf(searched, at + 1)) places.push(at)
  return places
}

const lineOf = (content: string, place: number) => content.slice(0, place).split('\n').length

const numbered = (lines: readonly string[], first: number) =>
  lines.map((line, at) => `${String(first + at).padStart(numberWidth)}\t${line}`).join('\n')

function shownFile(path: string, content: string, range: readonly number[] | null | undefined): string {
  const lines = content.split('\n')
  const [first = 1, last = -1] = range ?? []
  const from = Math.max(1, first)
  const shown = lines.slice(from - 1, last === -1 ? lines.length : last)
  return `Here's the content of ${path} with line numbers:\n${numbered(shown, from)}`
}

/** Two levels of a folder with their sizes, folders with what is in them. */
function shownFolder(
  folder: string,
  files: readonly { readonly path: string; readonly bytes: number }[],
): string {
  const sizes = new Map([[folder, 0]])
  for (const { path, bytes } of files) {
    const names = path.slice(folder.length + 1).split('/')
    if (names.some((name) => name.startsWith('.') || name === 'node_modules')) continue
    sizes.set(folder, (sizes.get(folder) ?? 0) + bytes)
    for (const depth of [1, 2].filter((one) => one <= names.length)) {
      const place = `${folder}/${names.slice(0, depth).join('/')}${depth < names.length ? '/' : ''}`
      sizes.set(place, (sizes.get(place) ?? 0) + bytes)
    }
  }
  const lines = [...sizes].map(([place, bytes]) => `${sizeOf(bytes)}\t${place}`)
  return `Here're the files and directories up to 2 levels deep in ${folder}, excluding hidden items and node_modules:\n${lines.join('\n')}`
}

function sizeOf(bytes: number): string {
  const power = bytes === 0 ? 0 : Math.min(3, Math.floor(Math.log(bytes) / Math.log(1024)))
  const size = bytes / 1024 ** power
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${'BKMG'[power]}`
}
