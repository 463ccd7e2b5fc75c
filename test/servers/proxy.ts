import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** What happens to what passes through. */
export type Passage =
  | { readonly kind: 'pass' }
  /** Nobody listens, and every connection is gone. */
  | { readonly kind: 'refuse' }
  /** Connections are taken and nothing comes back. */
  | { readonly kind: 'hang' }
  /** Every piece arrives so much later. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** The request arrives; the connection goes when the answer comes. */
  | { readonly kind: 'cut' }

/** A stretch of network between memoryd and one engine that can be broken at will. */
export interface Stretch {
  readonly port: number
  set(passage: Passage): Promise<void>
  /** What has passed so far: pieces sent to the engine, and bytes both ways. */
  traffic(): { readonly requests: number; readonly bytes: number }
  close(): Promise<void>
}

export async function openProxy(target: { readonly host: string; readonly port: number }): Promise<Stretch> {
  let passage: Passage = { kind: 'pass' }
  const sockets = new Set<Socket>()
  let requests = 0
  let bytes = 0
  let server: Server = createServer(accept)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.')
  const { port } = address

  function accept(near: Socket): void {
    const far = connect(target)
    for (const [from, to, isAnswer] of [
      [near, far, false],
      [far, near, true],
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on('data', (data) => forward(data, { from, to, isAnswer }))
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  }

  function forward(
    data: Buffer | string,
    { from, to, isAnswer }: { from: Socket; to: Socket; isAnswer: boolean },
  ): void {
    if (!isAnswer) requests += 1
    bytes += data.length
    if (passage.kind === 'hang') return
    if (passage.kind === 'cut' && isAnswer) {
      from.destroy()
      return
    }
    const send = () => {
      if (!to.destroyed) to.write(data)
    }
    if (passage.kind === 'slow') setTimeout(send, passage.ms)
    else send()
  }

  const drop = () => {
    for (const socket of sockets) socket.destroy()
  }
  const stopListening = async () => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    drop()
    await closed
  }
  return {
    port,
    traffic: () => ({ requests, bytes }),
    async set(next) {
      const before = passage
      passage = next
      if (next.kind === 'refuse') await stopListening()
      else if (before.kind === 'refuse') {
        server = createServer(accept)
        server.listen(port, '127.0.0.1')
        await once(server, 'listening')
      }
      // What was swallowed is lost, and what is still under way would arrive behind what is sent now: such connections
      // make no sense to either side any more.
      if (before.kind === 'hang' || before.kind === 'slow') drop()
    },
    async close() {
      await stopListening()
    },
  }
}
