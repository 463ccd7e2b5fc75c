import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type MatchCondition,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint'
import type { Memoryd } from './client.ts'
import { BadRequestError, NotFoundError } from './errors.ts'
import type { components } from './types.gen.ts'

type Info = components['schemas']['Document']
type Value = Item['value']

export interface MemorydStoreOptions {
  readonly persona?: string | undefined
  /** Where its documents lie: `langgraph` unless given. Stores with different folders do not see each other. */
  readonly folder?: string | undefined
}

/** As many as a retrieve gives. */
const mostFacts = 20
/** Of the paths that a search has seen and asks no more for; a filter may have 8,192. */
const mostSeenCharacters = 7_000

/**
 * A store of LangGraph on documents by key: what is put is read back exactly, and searched by what it says. A value of more
 * than 16 KiB, 64 keys or 4 levels costs a second request to read.
 */
export class MemorydStore extends BaseStore {
  readonly #client: Memoryd
  readonly #persona: string
  readonly #folder: string

  constructor(client: Memoryd, options: MemorydStoreOptions = {}) {
    super()
    this.#client = client
    this.#persona = options.persona ?? client.persona ?? 'shared'
    this.#folder = options.folder ?? 'langgraph'
  }

  /** Reads see what was there before the writes of the same batch; of two writes to one key the last one counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const writes = new Map<string, PutOperation>()
    const results = await Promise.all(
      operations.map(async (operation: Operation) => {
        if ('namespacePrefix' in operation) return this.#search(operation)
        if (!('key' in operation)) return this.#namespaces(operation)
        if (!('value' in operation)) return this.#get(operation)
        writes.set(this.#path([...operation.namespace, operation.key]), operation)
      }),
    )
    await Promise.all([...writes].map(([path, operation]) => this.#put(path, operation)))
    return results as OperationResults<Op>
  }

  async #get({ namespace, key }: GetOperation): Promise<Item | null> {
    return this.#itemAt(this.#path([...namespace, key]))
  }

  async #put(path: string, { namespace, value, index }: PutOperation): Promise<void> {
    const scope = { persona: this.#persona }
    if (value === null) {
      await this.#client.documents.delete(path, scope).catch(ignoreMissing)
      return
    }
    const text = textOf(value, index === false ? [] : (index ?? null))
    // Searches ask for one of these; without them it is out of every search.
    const within = namespace.map((_, at) => this.#mark(namespace.slice(0, at + 1)))
    const marks = index === false ? {} : { within: [this.#mark([]), ...within] }
    try {
      await this.#client.documents.put(path, { content: text, metadata: { ...marks, value } }, scope)
    } catch (error) {
      // Metadata is bounded, content hardly.
      if (!(error instanceof BadRequestError)) throw error
      const content = `${text}\n\n~~~json\n${JSON.stringify(value)}\n~~~\n`
      await this.#client.documents.put(path, { content, metadata: marks }, scope)
    }
  }

  #search(operation: SearchOperation): Promise<SearchItem[]> {
    const { query } = operation
    return query === undefined || query === '' ? this.#list(operation) : this.#ranked(operation, query)
  }

  async #list({ namespacePrefix, filter = {}, limit = 10, offset = 0 }: SearchOperation) {
    const found: SearchItem[] = []
    for await (const page of this.#pages(namespacePrefix)) {
      const items = await Promise.all(page.map((info) => this.#itemOf(info)))
      found.push(...items.flatMap((item) => (item !== null && matches(item.value, filter) ? [item] : [])))
      if (found.length >= offset + limit) break
    }
    return found.slice(offset, offset + limit)
  }

  /** Asks again for what is not among the best, until there is enough: a filter may leave out all of those. */
  async #ranked(
    { namespacePrefix, filter = {}, limit = 10, offset = 0 }: SearchOperation,
    query: string,
  ): Promise<SearchItem[]> {
    const found: SearchItem[] = []
    const seen: string[] = []
    while (found.length < offset + limit && JSON.stringify(seen).length < mostSeenCharacters) {
      const { facts } = await this.#client.recall({
        ...{ query, k: mostFacts, min_score: 0, persona: this.#persona },
        ...{ include_semantic: false, include_working: false },
        filter: {
          within: this.#mark(namespacePrefix),
          ...(seen.length === 0 ? {} : { not: { document: { in: seen } } }),
        },
      })
      const scores = new Map<string, number>()
      for (const { metadata, score } of facts.toSorted((a, b) => a.rank - b.rank)) {
        const path = String(metadata?.document)
        if (!scores.has(path)) scores.set(path, score)
      }
      if (scores.size === 0) break
      seen.push(...scores.keys())
      const items = await Promise.all([...scores.keys()].map((path) => this.#itemAt(path)))
      for (const [at, score] of [...scores.values()].entries()) {
        const item = items[at]
        if (item && matches(item.value, filter)) found.push({ ...item, score })
      }
    }
    return found.slice(offset, offset + limit)
  }

  async #namespaces({ matchConditions = [], maxDepth, limit, offset }: ListNamespacesOperation) {
    const found = new Map<string, string[]>()
    for await (const page of this.#pages([])) {
      for (const { path } of page) {
        const namespace = this.#names(path).slice(0, -1)
        if (!matchConditions.every((condition) => fits(namespace, condition))) continue
        const shown = namespace.slice(0, maxDepth)
        found.set(JSON.stringify(shown), shown)
      }
    }
    return [...found.values()].slice(offset, offset + limit)
  }

  #pages(namespace: readonly string[]): AsyncIterable<readonly Info[]> {
    return this.#client.documents.pages({ persona: this.#persona, prefix: `${this.#path(namespace)}/` })
  }

  async #itemAt(path: string): Promise<Item | null> {
    const asked = { persona: this.#persona, prefix: path, limit: 1 }
    const [info] = (await this.#client.documents.list(asked)).documents
    return info?.path === path ? this.#itemOf(info) : null
  }

  async #itemOf({ path, metadata, created_at, updated_at }: Info): Promise<Item | null> {
    const value = metadata?.value ?? (await this.#longValue(path))
    if (value === null) return null
    const names = this.#names(path)
    return {
      ...{ namespace: names.slice(0, -1), key: names.at(-1) ?? '', value: value as Value },
      ...{ createdAt: new Date(created_at * 1_000), updatedAt: new Date(updated_at * 1_000) },
    }
  }

  async #longValue(path: string): Promise<Value | null> {
    const content = await this.#client.documents.get(path, { persona: this.#persona }).catch(ignoreMissing)
    return content === null ? null : JSON.parse(content.split('\n').at(-3) ?? 'null')
  }

  /** Any name can be a part of a path in this form. */
  #path(names: readonly string[]): string {
    return [this.#folder, ...names.map((name) => encodeURIComponent(name).replaceAll('.', '%2E'))].join('/')
  }

  #names(path: string): string[] {
    return path
      .slice(this.#folder.length + 1)
      .split('/')
      .map(decodeURIComponent)
  }

  /** A search with a persona finds what is shared, too, which is another store. */
  #mark(namespace: readonly string[]): string {
    return `${this.#persona}/${this.#path(namespace)}`
  }
}

function ignoreMissing(error: unknown): null {
  if (error instanceof NotFoundError) return null
  throw error
}

/** What a value says: its texts as they are, what is no text by its name. Null: all of it. */
function textOf(value: Value, paths: readonly string[] | null): string {
  const roots = paths === null ? [value] : paths.flatMap((path) => valuesAt(value, path.split(/\.|(?=\[)/)))
  return roots.flatMap((root) => linesOf(root, '')).join('\n\n')
}

function linesOf(value: unknown, name: string): string[] {
  if (value === null || value === undefined) return []
  if (typeof value === 'object') {
    const isList = Array.isArray(value)
    return Object.entries(value).flatMap(([field, inner]) => linesOf(inner, isList ? name : field))
  }
  const text = String(value)
  return [name === '' || /\s/.test(text) ? text : `${name}: ${text}`]
}

/** `chapters[*].title`, `authors[0].name`, `$` for everything. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value]
  if (step === '$') return valuesAt(value, rest)
  if (typeof value !== 'object' || value === null) return []
  const index = /^\[(.+)\]$/.exec(step)?.[1]
  if (index === '*') return Object.values(value).flatMap((inner) => valuesAt(inner, rest))
  const inner = Array.isArray(value)
    ? value.at(Number(index))
    : (value as Record<string, unknown>)[index ?? step]
  return inner === undefined ? [] : valuesAt(inner, rest)
}

const comparisons: Readonly<Record<string, (held: unknown, asked: unknown) => boolean>> = {
  $eq: isSame,
  $ne: (held, asked) => !isSame(held, asked),
  $gt: (held, asked) => Number(held) > Number(asked),
  $gte: (held, asked) => Number(held) >= Number(asked),
  $lt: (held, asked) => Number(held) < Number(asked),
  $lte: (held, asked) => Number(held) <= Number(asked),
  $in: (held, asked) => Array.isArray(asked) && asked.some((one) => isSame(held, one)),
  $nin: (held, asked) => !Array.isArray(asked) || !asked.some((one) => isSame(held, one)),
}

/** Filters of LangGraph: the fields of a value and what they must be. */
function matches(value: Value, filter: Value): boolean {
  return Object.entries(filter).every(([name, asked]) => {
    const parts = typeof asked === 'object' && asked !== null ? Object.entries(asked) : []
    const isComparison = parts.length > 0 && parts.every(([operator]) => Object.hasOwn(comparisons, operator))
    if (!isComparison) return isSame(value[name], asked)
    return parts.every(([operator, operand]) => comparisons[operator]?.(value[name], operand))
  })
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function fits(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  const start = matchType === 'prefix' ? 0 : namespace.length - path.length
  return (
    path.length <= namespace.length &&
    path.every((name, at) => name === '*' || name === namespace[start + at])
  )
}
