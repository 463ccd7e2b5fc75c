import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StubMessage {
  readonly role: string
  readonly content: string
}

/** One call as the stub saw it. */
export interface StubCall {
  readonly messages: readonly StubMessage[]
  readonly stream: boolean
  /** True when a schema came along. */
  readonly structured: boolean
  readonly authorization: string | null
}

/** What to answer: a text in the protocol's form, or one of the faults that real servers have. */
export type StubReply =
  | { readonly kind: 'text'; readonly text: string }
  /** Any body under any status. */
  | {
      readonly kind: 'raw'
      readonly status: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** The connection is cut before, or in the middle of, the answer. */
  | { readonly kind: 'reset'; readonly after: 'nothing' | 'half' }
  /** Bytes without an end. */
  | { readonly kind: 'endless' }
  /** No answer at all. */
  | { readonly kind: 'hang' }

export type StubBehaviour = (call: StubCall) => StubReply | Promise<StubReply>

export interface LlmStub {
  /** What LLM_BASE_URL is set to. */
  readonly baseUrl: string
  /** Every call so far, oldest first. */
  readonly calls: readonly StubCall[]
  behave(behaviour: StubBehaviour): void
  close(): Promise<void>
}

/** A server of the OpenAI chat protocol on loopback, streaming and not, that answers as it is told to. */
export async function startLlmStub(behaviour: StubBehaviour, port = 0): Promise<LlmStub> {
  const calls: StubCall[] = []
  let current = behaviour
  const server = createServer((request, response) => {
    response.on('error', () => {})
    serve(request, response, (call) => {
      calls.push(call)
      return current(call)
    }).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    calls,
    behave: (next) => {
      current = next
    },
    close: () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      return closed
    },
  }
}

/** The part of a call that did not come from the service's own instructions. */
export function userPart(call: StubCall): string {
  return call.messages
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => content)
    .join('\n')
}

async function serve(request: IncomingMessage, response: ServerResponse, answer: StubBehaviour) {
  if (request.method === 'GET' && request.url?.endsWith('/models')) {
    return sendJson(response, 200, { object: 'list', data: [{ id: 'stub', object: 'model' }] })
  }
  if (request.method !== 'POST' || !request.url?.endsWith('/chat/completions')) {
    return sendJson(response, 404, { error: { message: 'not found', type: 'invalid_request_error' } })
  }
  const call = readCall(await readBody(request), request.headers.authorization ?? null)
  const reply = await answer(call)
  if (reply.kind === 'text')
    return call.stream ? sendStream(response, reply.text) : sendText(response, reply.text)
  sendFault(response, reply)
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function readCall(body: string, authorization: string | null): StubCall {
  const { messages, stream, response_format } = JSON.parse(body) as {
    messages: { role: string; content: unknown }[]
    stream?: boolean
    response_format?: unknown
  }
  return {
    messages: messages.map(({ role, content }) => ({ role, content: textOf(content) })),
    stream: stream === true,
    structured: response_format !== undefined,
    authorization,
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.map((part: { text?: string }) => part.text ?? '').join('')
}

const head = { id: 'chatcmpl-stub', created: 0, model: 'stub' }

function sendJson(response: ServerResponse, status: number, value: unknown) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function sendText(response: ServerResponse, text: string) {
  const choice = { index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 }
  sendJson(response, 200, { ...head, object: 'chat.completion', choices: [choice], usage })
}

/** Sixteen characters an event, as a model's tokens would come. */
function sendStream(response: ServerResponse, text: string) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta: object, finish_reason: string | null) => {
    const choices = [{ index: 0, delta, finish_reason }]
    response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices })}\n\n`)
  }
  send({ role: 'assistant', content: '' }, null)
  for (const [content] of text.matchAll(/[\s\S]{1,16}/g)) send({ content }, null)
  send({}, 'stop')
  response.end('data: [DONE]\n\n')
}

function sendFault(response: ServerResponse, reply: Exclude<StubReply, { kind: 'text' }>) {
  switch (reply.kind) {
    case 'raw':
      response
        .writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
        .end(reply.body)
      return
    case 'reset':
      if (reply.after === 'nothing') return void response.socket?.resetAndDestroy()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"choices":[{"index":0,"message":', () => response.socket?.resetAndDestroy())
      return
    case 'endless':
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"choices":[{"index":0,"message":{"role":"assistant","content":"')
      return pour(response)
    case 'hang':
      return
  }
}

function pour(response: ServerResponse) {
  const block = 'x'.repeat(65_536)
  const next = () => {
    while (!response.destroyed && response.write(block)) {
      // The socket takes more.
    }
  }
  response.on('drain', next)
  next()
}
