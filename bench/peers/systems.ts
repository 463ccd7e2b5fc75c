import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import { startService } from '../memory/service.ts'
import type { Item } from '../retrieval/sets.ts'
import manifest from './package.json' with { type: 'json' }

/** Texts that a search may bring. */
export const k = 10

/** A memory in a process of its own, asked by this one. */
export interface System {
  readonly name: string
  readonly pid: number
  /** Stores texts by one call. */
  add(items: readonly Item[]): Promise<void>
  /** The texts that come back, at most k. */
  search(question: string): Promise<readonly string[]>
  close(): Promise<void>
}

/** A way to start one in a folder that is empty. */
type Open = (folder: string) => Promise<System>

const { dependencies: versions } = manifest

const batchReply = z.object({ failed: z.number() })
const retrieveReply = z.object({ facts: z.array(z.object({ metadata: z.object({ id: z.string() }) })) })

/** The service as users run it, with its log, over HTTP. */
const openMemoryd: Open = async (folder) => {
  const log = join(folder, 'service.log')
  const service = await startService(join(folder, 'data'), { environment: { LOG_LEVEL: 'info' }, log })
  const texts = new Map<string, string>()
  const told = ({ id, text, source }: Item) => ({ text, source, metadata: { id } })
  return {
    ...{ name: 'memoryd', pid: service.pid, close: service.stop },
    add: async (items) => {
      for (const { id, text } of items) texts.set(id, text)
      const [only, ...more] = items.map(told)
      if (more.length === 0) return void (await service.post('/brain/ingest', only))
      const reply = await service.post('/brain/ingest/batch', { items: items.map(told) })
      if (batchReply.parse(reply).failed > 0) throw new Error('memoryd did not store every text')
    },
    search: async (query) => {
      const { facts } = retrieveReply.parse(await service.post('/brain/retrieve', { query, k }))
      return facts.map(({ metadata }) => texts.get(metadata.id) ?? '')
    },
  }
}

const childReply = z.object({ result: z.unknown(), failure: z.string().optional() })

/** Waits for one reply after the other; a process that ends fails the one that is awaited. */
function repliesOf(child: ChildProcess): () => Promise<unknown> {
  let awaited: PromiseWithResolvers<unknown> | null = null
  child.on('message', (message) => {
    const { result, failure } = childReply.parse(message)
    if (failure === undefined) awaited?.resolve(result)
    else awaited?.reject(new Error(failure))
  })
  child.on('exit', () => awaited?.reject(new Error('The process of a peer ended.')))
  return () => {
    awaited = Promise.withResolvers()
    return awaited.promise
  }
}

/** A library, in a process that does nothing else; its files lie in the folder. */
function library(name: string, script: string): Open {
  return async (folder) => {
    const child = fork(join(import.meta.dirname, script), {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, MEM0_TELEMETRY: 'false' },
      // What it prints is no part of the table.
      stdio: ['ignore', 2, 2, 'ipc'],
    })
    const nextReply = repliesOf(child)
    await nextReply()
    const call = (method: string, value: unknown) => {
      const reply = nextReply()
      child.send({ method, value })
      return reply
    }
    return {
      ...{ name, pid: child.pid ?? 0 },
      add: async (items) => {
        const stored = await call('add', items)
        if (stored !== items.length) throw new Error(`${name} stored ${stored} of ${items.length} texts`)
      },
      search: async (question) => z.array(z.string()).parse(await call('search', question)),
      close: async () => {
        if (!child.connected) return
        const ended = once(child, 'exit')
        child.disconnect()
        await ended
      },
    }
  }
}

const graphReply = z.object({
  structuredContent: z.object({ entities: z.array(z.object({ observations: z.array(z.string()) })) }),
})

/** Over stdio. A text is an observation of who said it, and a search looks for the whole question in them. */
const openServerMemory: Open = async (folder) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(import.meta.dirname, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')],
    env: { PATH: process.env.PATH ?? '', MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    stderr: 'ignore',
  })
  const client = new Client({ name: 'memoryd-bench', version: '1' })
  await client.connect(transport)
  const call = async (name: string, parameters: Record<string, unknown>) => {
    const reply = await client.callTool({ name, arguments: parameters })
    if (reply.isError) throw new Error(`server-memory: ${JSON.stringify(reply.content)}`)
    return reply
  }
  const known = new Set<string>()
  return {
    name: `server-memory ${versions['@modelcontextprotocol/server-memory']}`,
    pid: transport.pid ?? 0,
    add: async (items) => {
      const said = Map.groupBy(items, ({ text }) => /^[^:]{1,40}(?=: )/.exec(text)?.[0] ?? 'somebody')
      const created = [...said.keys()].filter((name) => !known.has(name))
      const observations = [...said].map(([entityName, list]) => ({
        entityName,
        contents: list.map(({ text }) => text),
      }))
      for (const name of created) known.add(name)
      if (created.length > 0) {
        const entities = created.map((name) => ({ name, entityType: 'person', observations: [] }))
        await call('create_entities', { entities })
      }
      await call('add_observations', { observations })
    },
    search: async (query) => {
      const { structuredContent } = graphReply.parse(await call('search_nodes', { query }))
      return structuredContent.entities.flatMap(({ observations }) => observations).slice(0, k)
    },
    close: () => client.close(),
  }
}

/** Each with a name for its folder. */
export const opens: readonly (readonly [name: string, open: Open])[] = [
  ['memoryd', openMemoryd],
  ['mem0', library(`mem0ai ${versions.mem0ai}`, 'mem0.mjs')],
  ['mastra', library(`@mastra/memory ${versions['@mastra/memory']}`, 'mastra.mjs')],
  ['server-memory', openServerMemory],
]
