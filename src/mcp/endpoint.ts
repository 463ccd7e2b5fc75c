import { AsyncLocalStorage } from 'node:async_hooks'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type Arrival, admitted, type GateParts } from '../http/answer.ts'
import { shortened, withinTokens } from '../http/brief.ts'
import { limits, optional, persona, prose } from '../http/fields.ts'
import { checked } from '../http/route.ts'
import { profileReply } from '../http/routes/graph-replies.ts'
import { stats } from '../http/routes/lifecycle.ts'
import { profile } from '../http/routes/profile.ts'
import { retrieveReply, statsReply } from '../http/routes/replies.ts'
import { retrieve } from '../http/routes/retrieve.ts'
import { toWire } from '../http/wire.ts'
import { contextString } from '../memory/retrieve/context.ts'
import { version } from '../version.ts'
import { tools } from './tools.ts'
import { createVisit, type Visit } from './visit.ts'

interface McpArrival extends Omit<Arrival, 'params'> {
  readonly explain: Visit['explain']
}

/** Answers one HTTP request of an MCP client, of either era of the protocol. */
export type McpEndpoint = (arrival: McpArrival) => Promise<Response>

/** Streams that only wait for changes, of which this server announces none. */
const maxSubscriptions = 64

export function createMcpEndpoint(parts: GateParts): McpEndpoint {
  const visits = new AsyncLocalStorage<Visit>()
  const handler = createMcpHandler(
    () => {
      const visit = visits.getStore()
      if (visit === undefined) throw new Error('an MCP request outside of its visit')
      return serverFor(visit)
    },
    { maxRequestBodySize: limits.bodyBytes, maxSubscriptions },
  )
  return async (arrival) => {
    const { request, explain } = arrival
    const context = await admitted(parts, arrival)
    const visit = createVisit(parts, context, { persona: personaOf(request), explain })
    return visits.run(visit, () => handler.fetch(request))
  }
}

/** Of the connection, not of a call: a model does not choose whose memory it reads. */
function personaOf({ headers, url }: Request): string | null {
  const given = headers.get('x-memoryd-persona') ?? new URL(url).searchParams.get('persona')
  return checked(z.object({ persona: optional(persona, null) }), { persona: given }).persona
}

const instructions =
  'memoryd remembers across conversations. Call recall before answering anything that may depend on earlier ones, and remember when the user tells something worth keeping.'

function serverFor(visit: Visit): McpServer {
  const server = new McpServer({ name: 'memoryd', title: 'memoryd', version }, { instructions })
  for (const tool of tools) {
    if (tool.needsLlm && !visit.hasLlm) continue
    const { name, title, description, annotations, input, output } = tool
    server.registerTool(
      name,
      { title, description, annotations, inputSchema: input, outputSchema: output },
      async (args) => {
        try {
          const structuredContent = await tool.run(args, visit)
          return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] }
        } catch (error) {
          return { isError: true, content: [{ type: 'text', text: visit.explain(error) }] }
        }
      },
    )
  }
  addResources(server, visit)
  addPrompt(server, visit)
  return server
}

/** What may go into a prompt unasked. */
const unaskedTokens = 900

function addResources(server: McpServer, visit: Visit): void {
  const read = (uri: URL, mimeType: string, body: () => Promise<string>) =>
    body().then(
      (text) => ({ contents: [{ uri: uri.href, mimeType, text }] }),
      (error: unknown) => {
        throw new Error(visit.explain(error))
      },
    )
  server.registerResource(
    'profile',
    'memoryd://profile',
    {
      title: 'What is known of the user',
      description: 'For the start of a prompt: what is pinned, what lasts, and the newest of the rest',
      mimeType: 'text/plain',
    },
    (uri) =>
      read(uri, 'text/plain', async () => {
        const query = { max_tokens: String(unaskedTokens), persona: visit.persona }
        return (await visit.call(profile, profileReply, { query })).text
      }),
  )
  server.registerResource(
    'stats',
    'memoryd://stats',
    {
      title: 'How much is stored',
      description: 'Counts of texts, entities and facts',
      mimeType: 'application/json',
    },
    (uri) =>
      read(uri, 'application/json', async () => {
        const body = { user_id: 'me', persona: visit.persona ?? '*' }
        return JSON.stringify(toWire(await visit.call(stats, statsReply, { body })))
      }),
  )
}

function addPrompt(server: McpServer, visit: Visit): void {
  server.registerPrompt(
    'about',
    {
      title: 'What is known about …',
      description: 'Puts what is remembered about a topic into the conversation',
      argsSchema: z.object({
        topic: prose('topic', limits.queryCharacters).describe('a person, a project, a question'),
      }),
    },
    async ({ topic }) => {
      const body = { query: topic, k: 10, persona: visit.persona }
      const { facts } = await visit.call(retrieve, retrieveReply, { body }).catch((error: unknown) => {
        throw new Error(visit.explain(error))
      })
      const found = withinTokens(facts, { maxTokens: unaskedTokens, maxCharacters: 280 })
      const known = found.length === 0 ? 'Nothing is known about this yet.' : contextString(found)
      const text = `What is remembered about ${shortened(topic, 200)}:\n${known}`
      return { messages: [{ role: 'user', content: { type: 'text', text } }] }
    },
  )
}
