import { type Answer, type Call, type CallOptions, send, type TransportSettings } from './transport.ts'
import type { components, operations } from './types.gen.ts'

type Schemas = components['schemas']

type QueryOf<Name extends keyof operations> = operations[Name] extends {
  parameters: { query?: infer Query }
}
  ? NonNullable<Query>
  : never

/** What the list of memories is narrowed by; a filter on metadata may be given as an object. */
export type ListQuery = Omit<QueryOf<'listMemories'>, 'cursor' | 'filter' | 'persona'> & {
  readonly filter?: object | string | null | undefined
  /** That of the client unless given; null: every persona. */
  readonly persona?: string | null | undefined
}
export type Memory = Schemas['Memory']
export type IngestItem = Schemas['IngestItem']
export type IngestReply = Schemas['IngestReply']
export type RetrieveRequest = Schemas['RetrieveRequest']
export type RetrieveReply = Schemas['RetrieveReply']
export type RetrievedFact = Schemas['RetrievedFact']
export type ForgetRequest = Schemas['ForgetRequest']
export type ForgetReply = Schemas['ForgetReply']

export interface MemorydOptions {
  /** Where memoryd listens; `MEMORYD_URL` or http://127.0.0.1:7420 unless given. */
  readonly url?: string | undefined
  /** The API key; `MEMORYD_API_KEY` unless given. */
  readonly key?: string | undefined
  /** For every call that stores or looks up and is given none; null in a call that looks up means every persona. */
  readonly persona?: string | undefined
  /** Milliseconds for each try of a request: 30,000 unless given. */
  readonly timeout?: number | undefined
  /** Tries after the first one: 2 unless given. */
  readonly maxRetries?: number | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

export interface BatchOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** Texts of one request, 20 unless given. A plan sets the most. */
  readonly batchSize?: number | undefined
}

/** A memoryd server, as one account sees it. Field names are those of the HTTP API. */
export class Memoryd {
  readonly memories: Memories
  readonly documents: Documents
  readonly persona: string | undefined
  readonly #settings: TransportSettings

  constructor(options: MemorydOptions = {}) {
    const key = options.key ?? environment('MEMORYD_API_KEY')
    if (key === undefined || key === '')
      throw new TypeError('memoryd needs a key: pass { key } or set MEMORYD_API_KEY')
    const url = options.url ?? environment('MEMORYD_URL') ?? 'http://127.0.0.1:7420'
    this.persona = options.persona
    this.#settings = {
      url: url.replace(/\/+$/, ''),
      key,
      timeout: options.timeout ?? 30_000,
      maxRetries: options.maxRetries ?? 2,
      fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    }
    this.memories = new Memories(this)
    this.documents = new Documents(this)
  }

  /** The address of the server. */
  get url(): string {
    return this.#settings.url
  }

  /** Stores a text: what it says can be recalled from then on. */
  async remember(item: string | IngestItem, options: CallOptions = {}): Promise<IngestReply> {
    const body = this.#withPersona(typeof item === 'string' ? { text: item } : item)
    return this.call({ method: 'POST', path: '/brain/ingest', body, ...once(options) })
  }

  /** Stores many texts, in portions. A text that fails is named in `errors`; the others are stored. */
  async rememberAll(
    items: readonly (string | IngestItem)[],
    { batchSize = 20, ...options }: BatchOptions = {},
  ): Promise<Schemas['IngestBatchReply'][]> {
    const replies: Schemas['IngestBatchReply'][] = []
    for (let from = 0; from < items.length; from += batchSize) {
      const portion = items.slice(from, from + batchSize)
      const body = {
        items: portion.map((item) => this.#withPersona(typeof item === 'string' ? { text: item } : item)),
      }
      const timeout = options.timeout ?? 10 * this.#settings.timeout
      replies.push(
        await this.call({ method: 'POST', path: '/brain/ingest/batch', body, ...once(options), timeout }),
      )
    }
    return replies
  }

  /** What is known about a question: ranked facts, and `context` for a prompt. */
  async recall(question: string | RetrieveRequest, options: CallOptions = {}): Promise<RetrieveReply> {
    const body = this.#withPersona(typeof question === 'string' ? { query: question } : question)
    return this.call({ method: 'POST', path: '/brain/retrieve', body, ...options })
  }

  /** An answer in words. The server needs an LLM for it. */
  async ask(
    question: string | Schemas['GraphQaRequest'],
    options: CallOptions = {},
  ): Promise<Schemas['GraphQaReply']> {
    const body = this.#withPersona(typeof question === 'string' ? { query: question } : question)
    return this.call({ method: 'POST', path: '/brain/retrieve/graph-qa', body, ...options })
  }

  /** Forgets by entity, session, persona or ids; `dry_run` only shows what would go. */
  async forget(request: ForgetRequest, options: CallOptions = {}): Promise<ForgetReply> {
    return this.call({ method: 'POST', path: '/brain/forget', body: request, ...options })
  }

  async stats(request: Schemas['StatsRequest'], options: CallOptions = {}): Promise<Schemas['StatsReply']> {
    return this.call({ method: 'POST', path: '/brain/stats', body: request, ...options })
  }

  async health(options: CallOptions = {}): Promise<Schemas['HealthReply']> {
    return this.call({ method: 'GET', path: '/brain/health', ...options })
  }

  async consolidate(
    request: Schemas['ConsolidateRequest'] = {},
    options: CallOptions = {},
  ): Promise<Schemas['ConsolidateReply']> {
    return this.call({ method: 'POST', path: '/brain/consolidate', body: request, ...options })
  }

  async prune(
    request: Schemas['PruneRequest'] = {},
    options: CallOptions = {},
  ): Promise<Schemas['PruneReply']> {
    return this.call({ method: 'POST', path: '/brain/prune', body: request, ...options })
  }

  /** How memories fade, and what the last runs did. */
  async lifecycle(
    query: QueryOf<'lifecycle'> = {},
    options: CallOptions = {},
  ): Promise<Schemas['LifecycleReply']> {
    return this.call({ method: 'GET', path: '/brain/lifecycle', query, ...options })
  }

  /** What ingest would make of a text, and what that would replace; nothing is stored. */
  async extract(
    request: string | Schemas['ExtractRequest'],
    options: CallOptions = {},
  ): Promise<Schemas['ExtractReply']> {
    const body = this.#withPersona(typeof request === 'string' ? { text: request } : request)
    return this.call({ method: 'POST', path: '/brain/extract', body, ...options })
  }

  /** What is known of the user, for the start of a prompt. */
  async profile(query: QueryOf<'profile'> = {}, options: CallOptions = {}): Promise<Schemas['ProfileReply']> {
    return this.call({ method: 'GET', path: '/brain/profile', query: this.#withPersona(query), ...options })
  }

  /** Entities and facts around an entity or a question. */
  async graph(query: QueryOf<'graph'>, options: CallOptions = {}): Promise<Schemas['GraphReply']> {
    return this.call({ method: 'GET', path: '/brain/graph', query: this.#withPersona(query), ...options })
  }

  async entities(
    query: QueryOf<'listEntities'> = {},
    options: CallOptions = {},
  ): Promise<Schemas['ListEntitiesReply']> {
    return this.call({ method: 'GET', path: '/brain/entities', query, ...options })
  }

  /** Operations and rate of this month, and who called last. */
  async usage(options: CallOptions = {}): Promise<Schemas['UsageReply']> {
    return this.call({ method: 'GET', path: '/brain/usage', ...options })
  }

  /** Any route of the server, with the same retries and errors. */
  async call<T>(call: Call): Promise<T> {
    return (await this.callWithHeaders<T>(call)).data
  }

  /** The same, with the headers of the answer. */
  callWithHeaders<T>(call: Call): Promise<Answer<T>> {
    return send<T>(this.#settings, call)
  }

  #withPersona<T extends { persona?: string | null | undefined }>(body: T): T {
    return this.persona === undefined || body.persona !== undefined
      ? body
      : { ...body, persona: this.persona }
  }
}

/** The stored memories one by one. */
export class Memories {
  readonly #client: Memoryd

  constructor(client: Memoryd) {
    this.#client = client
  }

  /** All of them, newest first: `for await (const memory of client.memories.list())`. */
  list(query: ListQuery = {}, options: CallOptions = {}): AsyncIterable<Memory> {
    const pages = this.pages(query, options)
    return {
      async *[Symbol.asyncIterator]() {
        for await (const page of pages) yield* page
      },
    }
  }

  /** The same, page by page. */
  pages(query: ListQuery = {}, options: CallOptions = {}): AsyncIterable<readonly Memory[]> {
    const client = this.#client
    const persona = query.persona === undefined ? client.persona : query.persona
    return {
      async *[Symbol.asyncIterator]() {
        let cursor: string | null = null
        do {
          const call: Call = {
            method: 'GET',
            path: '/brain/memories',
            query: { ...query, persona, cursor },
            ...options,
          }
          const page: Schemas['ListMemoriesReply'] = await client.call(call)
          yield page.memories
          cursor = page.next_cursor
        } while (cursor !== null)
      },
    }
  }

  get(id: string, options: CallOptions = {}): Promise<Memory> {
    return this.#client.call({ method: 'GET', path: pathOf(id), ...options })
  }

  /** Corrects a memory as the user's word, or pins it against fading. */
  update(
    id: string,
    change: Schemas['PatchMemoryRequest'],
    options: CallOptions = {},
  ): Promise<Schemas['PatchMemoryReply']> {
    return this.#client.call({ method: 'PATCH', path: pathOf(id), body: change, ...once(options) })
  }

  delete(id: string, options: CallOptions = {}): Promise<ForgetReply> {
    return this.#client.call({ method: 'DELETE', path: pathOf(id), ...options })
  }

  history(id: string, options: CallOptions = {}): Promise<Schemas['MemoryHistoryReply']> {
    return this.#client.call({ method: 'GET', path: `${pathOf(id)}/history`, ...options })
  }
}

export interface DocumentScope extends CallOptions {
  readonly persona?: string | undefined
}

/** Documents by key: kept as they are, and found by what they say. */
export class Documents {
  readonly #client: Memoryd

  constructor(client: Memoryd) {
    this.#client = client
  }

  /** Stores a document, or a new version of it, which takes the place of the one before. */
  put(
    path: string,
    document: string | Schemas['PutDocumentRequest'],
    { persona, ...options }: DocumentScope = {},
  ): Promise<Schemas['PutDocumentReply']> {
    const body = typeof document === 'string' ? { content: document } : document
    const query = this.#scope(persona)
    return this.#client.call({ method: 'PUT', path: documentPath(path), query, body, ...once(options) })
  }

  /** The text as it was stored. */
  get(path: string, { persona, ...options }: DocumentScope = {}): Promise<string> {
    const query = this.#scope(persona)
    return this.#client.call({ method: 'GET', path: documentPath(path), query, as: 'text', ...options })
  }

  delete(path: string, { persona, ...options }: DocumentScope = {}): Promise<Schemas['DeleteDocumentReply']> {
    const query = this.#scope(persona)
    return this.#client.call({ method: 'DELETE', path: documentPath(path), query, ...options })
  }

  list(
    query: QueryOf<'listDocuments'> = {},
    options: CallOptions = {},
  ): Promise<Schemas['ListDocumentsReply']> {
    const scope = this.#scope(query.persona ?? undefined)
    return this.#client.call({
      method: 'GET',
      path: '/brain/documents',
      query: { ...query, ...scope },
      ...options,
    })
  }

  /** All of them by path, page by page. */
  pages(
    query: Omit<QueryOf<'listDocuments'>, 'after'> = {},
    options: CallOptions = {},
  ): AsyncIterable<readonly Schemas['Document'][]> {
    const list = (after: string | null) =>
      this.list({ limit: 100, ...query, ...(after === null ? {} : { after }) }, options)
    return {
      async *[Symbol.asyncIterator]() {
        let after: string | null = null
        do {
          const page: Schemas['ListDocumentsReply'] = await list(after)
          yield page.documents
          after = page.next_after
        } while (after !== null)
      },
    }
  }

  #scope(persona: string | undefined) {
    return { persona: persona ?? this.#client.persona }
  }
}

const documentPath = (path: string) => `/brain/documents/${path.split('/').map(encodeURIComponent).join('/')}`

const pathOf = (id: string) => `/brain/memories/${encodeURIComponent(id)}`

/** A write is done once, however often it is sent. */
function once(options: CallOptions): CallOptions {
  return { ...options, idempotencyKey: options.idempotencyKey ?? randomKey() }
}

/** Not `randomUUID`, which pages over plain HTTP do not have. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Where there is an environment: not in browsers. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } }
  return process?.env?.[name]
}
