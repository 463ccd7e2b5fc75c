import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { errorFacts, type Log } from '../observe/log.ts'
import type { App } from './app.ts'
import type { Capacity } from './work.ts'

export interface ListenOptions {
  readonly host: string
  readonly port: number
}

/** A listening server. */
export interface Listening {
  readonly port: number
  /** Takes nothing new, waits for what is running, at most `limitMs`, then closes every connection. */
  stop(limitMs: number): Promise<void>
}

/** Slow clients: the head must be here in 10 s, everything in 30 s. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1_000,
  // Longer than the minute that load balancers keep idle connections for.
  keepAliveTimeout: 65_000,
  maxHeaderSize: 16 * 1024,
}

/** Serves the app over HTTP/1.1. Rejects when the address cannot be used, with the system's error code. */
export async function listen(
  app: App,
  { host, port }: ListenOptions,
  { capacity, log }: { capacity: Capacity; log: Log },
): Promise<Listening> {
  const server = createServer(
    timeouts,
    getRequestListener(app.fetch, {
      hostname: host,
      overrideGlobalObjects: false,
      errorHandler: (error) => {
        log.debug(errorFacts(error), 'request refused')
        return Response.json({ detail: 'The request is malformed.' }, { status: 400 })
      },
    }),
  )
  server.on('clientError', refuse)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return { port: (server.address() as AddressInfo).port, stop: (limitMs) => stop(server, capacity, limitMs) }
}

const refusals: Readonly<Record<string, readonly [status: string, detail: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive.'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
}

/** What the HTTP parser refuses gets a JSON answer too. */
function refuse(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, detail] = refusals[error.code ?? ''] ?? ['400 Bad Request', 'The request is malformed.']
  const body = JSON.stringify({ detail })
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
}

async function stop(server: Server, capacity: Capacity, limitMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const { promise: expired, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, limitMs)
  await Promise.race([capacity.drain(), expired])
  // What finished a moment ago is still being written.
  await new Promise((resume) => setImmediate(resume))
  server.closeIdleConnections()
  const grace = setTimeout(() => server.closeAllConnections(), 500)
  await Promise.race([closed, expired])
  server.closeAllConnections()
  clearTimeout(timer)
  clearTimeout(grace)
}
