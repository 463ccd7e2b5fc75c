// `memoryd mcp` of the server package uses this very file, and brings nothing else of the client along: it imports nothing
// but Node's own modules.
import { createInterface } from 'node:readline'

/** From standard input to the HTTP endpoints of memoryd, for programs that can only start a command. */
export interface BridgeSettings {
  readonly url: string
  readonly key: string
}

/** It would carry texts and key to an address that nobody named. */
const noRedirect = { redirect: 'manual' } as const

/** What a connection of the older protocol has settled. */
interface BridgeState {
  version: string | null
}

interface Message {
  readonly id?: string | number | null
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly uri?: string
    readonly _meta?: Readonly<Record<string, unknown>>
  }
  readonly result?: { readonly protocolVersion?: string }
}

/** One JSON message of MCP a line, each answered as soon as it can be. */
export async function passOnMessages(
  settings: BridgeSettings,
  input: NodeJS.ReadableStream,
  give: (message: string) => void,
): Promise<void> {
  const state = { version: null }
  const open = new Set<Promise<void>>()
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue
    const sent = forwardMessage(settings, state, line, give)
    open.add(sent)
    void sent.finally(() => open.delete(sent))
    // What follows an initialize depends on the version that it settles.
    if (line.includes('"initialize"')) await sent
  }
  await Promise.all(open)
}

/** Sends one MCP message to the server and gives back what it answers: nothing, one message or several. */
async function forwardMessage(
  settings: BridgeSettings,
  state: BridgeState,
  line: string,
  give: (message: string) => void,
): Promise<void> {
  let message: Message = {}
  try {
    message = JSON.parse(line)
    const response = await fetch(`${settings.url}/mcp`, {
      method: 'POST',
      headers: headersOf(settings, state, message),
      body: line,
      ...noRedirect,
    })
    const body = await response.text()
    const type = response.headers.get('content-type') ?? ''
    const answers = messagesOf(body, type)
    for (const answer of answers) {
      const { result }: Message = JSON.parse(answer)
      if (message.method === 'initialize') state.version = result?.protocolVersion ?? state.version
      give(answer)
    }
    if (answers.length > 0 || response.ok) return
    const { detail }: { detail?: string } = type.includes('json') ? JSON.parse(body) : {}
    throw new Error(detail ?? `it answered ${response.status}`)
  } catch (error) {
    // A notification has no id and gets no answer, whatever happens.
    if (message.id === undefined && message.method !== undefined) return
    const reason = error instanceof Error ? error.message : String(error)
    const failure = { code: -32_603, message: `memoryd at ${settings.url}: ${reason}` }
    give(JSON.stringify({ jsonrpc: '2.0', id: message.id ?? null, error: failure }))
  }
}

const versionField = 'io.modelcontextprotocol/protocolVersion'

/** The newer protocol repeats in the headers what the message says. */
function headersOf({ key }: BridgeSettings, { version }: BridgeState, { method, params }: Message) {
  const own = params?._meta?.[versionField]
  const asked = typeof own === 'string' ? own : version
  const name = params?.name ?? params?.uri
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${key}`,
    'x-client': 'memoryd-mcp',
    ...(asked === null ? {} : { 'mcp-protocol-version': asked }),
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(name === undefined ? {} : { 'mcp-name': name }),
  }
}

/** The messages of a reply: one of JSON, or those of an event stream. A reply that is no message holds none. */
function messagesOf(body: string, type: string): string[] {
  const found = type.includes('text/event-stream')
    ? body.split(/\r?\n/).flatMap((line) => (line.startsWith('data:') ? line.slice(5).trim() : []))
    : [body.trim()]
  return found
    .filter((one) => one.startsWith('{') && one.includes('"jsonrpc"'))
    .map((one) => one.replaceAll('\n', ' '))
}

/** Sends a hook's event and gives the reply for the agent. */
export async function forwardHook(settings: BridgeSettings, agent: string, event: string): Promise<string> {
  const response = await fetch(`${settings.url}/hooks/${encodeURIComponent(agent)}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${settings.key}`,
      'x-client': agent,
    },
    body: event,
    ...noRedirect,
    signal: AbortSignal.timeout(5_000),
  })
  const reply = await response.text()
  if (!response.ok) throw new Error(`${settings.url} answered ${response.status}: ${reply.slice(0, 200)}`)
  return reply
}
