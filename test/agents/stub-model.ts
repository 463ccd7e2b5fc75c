import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the model says: a text, or a call of one of the tools that it was offered. */
export type Said = { readonly text: string } | { readonly tool: RegExp; readonly input: object }

export interface StubModel {
  readonly url: string
  /** The bodies of all requests that offered tools, oldest first. Others are for titles and the like. */
  readonly requests: string[]
  /** Tells the model what to say from now on, one answer a request, the last one for ever. */
  say(...answers: readonly Said[]): void
  close(): Promise<void>
}

interface Asked {
  readonly model?: string
  readonly stream?: boolean
  readonly tools?: readonly {
    readonly name?: string
    readonly tools?: readonly { readonly name: string }[]
  }[]
}

/** Speaks as much of Anthropic's Messages and OpenAI's Responses as the agents need. */
export async function startStubModel(): Promise<StubModel> {
  const requests: string[] = []
  let answers: Said[] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const asked: Asked = body === '' ? {} : JSON.parse(body)
    const isMain = request.method === 'POST' && (asked.tools?.length ?? 0) > 0
    if (isMain) requests.push(body)
    const said = isMain ? (answers.length > 1 ? answers.shift() : answers[0]) : { text: 'Fine.' }
    const path = request.url ?? ''
    if (path.includes('count_tokens')) return json(response, { input_tokens: 10 })
    if (path.includes('/messages')) return stream(response, messageEvents(asked, said ?? { text: 'Fine.' }))
    if (path.includes('/responses')) return stream(response, responseEvents(asked, said ?? { text: 'Fine.' }))
    return json(response, { data: [], models: [] })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    say: (...given) => {
      answers = [...given]
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

function json(response: ServerResponse, body: object): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

type Event = { readonly type: string } & Record<string, unknown>

function stream(response: ServerResponse, events: readonly Event[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
}

/** The first tool offered whose name matches, with the namespace it stands in. */
function offered({ tools = [] }: Asked, wanted: RegExp): { name: string; namespace?: string } {
  for (const { name = '', tools: inner } of tools) {
    if (inner === undefined && wanted.test(name)) return { name }
    const found = inner?.find((tool) => wanted.test(`${name}${tool.name}`))
    if (found !== undefined) return { name: found.name, namespace: name }
  }
  throw new Error(`no tool ${wanted} among ${JSON.stringify(tools.map(({ name }) => name))}`)
}

function messageEvents(asked: Asked, said: Said): Event[] {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const isText = 'text' in said
  const block = isText
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: 'call_1', name: offered(asked, said.tool).name, input: {} }
  const delta = isText
    ? { type: 'text_delta', text: said.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(said.input) }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: asked.model, content: [], usage }
  return [
    { type: 'message_start', message: { ...message, stop_reason: null, stop_sequence: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: isText ? 'end_turn' : 'tool_use', stop_sequence: null },
      usage,
    },
    { type: 'message_stop' },
  ]
}

function responseEvents(asked: Asked, said: Said): Event[] {
  const item =
    'text' in said
      ? { type: 'message', role: 'assistant', id: 'm1', content: [{ type: 'output_text', text: said.text }] }
      : {
          type: 'function_call',
          id: 'f1',
          call_id: 'call_1',
          ...offered(asked, said.tool),
          arguments: JSON.stringify(said.input),
        }
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
  return [
    { type: 'response.created', response: { id: 'r1' } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id: 'r1', output: [item], usage } },
  ]
}
