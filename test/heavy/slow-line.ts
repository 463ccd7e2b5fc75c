// A line to the registry as people have one at home: a proxy on loopback that lets so many bits a second through.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { pipeline, Transform } from 'node:stream'

export interface SlowLine {
  /** For npm's `https-proxy`. */
  readonly address: string
  /** What went through so far. */
  bytes(): number
  close(): void
}

/** One line for all connections together, and for both directions. */
export async function openSlowLine(bitsPerSecond: number): Promise<SlowLine> {
  let bytes = 0
  /** When all that was let in will have passed. */
  let free = 0
  const line = () =>
    new Transform({
      transform(chunk: Buffer, _, done) {
        const now = performance.now()
        bytes += chunk.length
        free = Math.max(free, now) + (chunk.length * 8000) / bitsPerSecond
        setTimeout(done, free - now, null, chunk)
      },
    })
  const proxy = createServer((_, reply) => reply.writeHead(405).end())
  proxy.on('connect', ({ url = '' }, client) => {
    const { hostname, port } = new URL(`http://${url}`)
    const registry = connect(Number(port || 80), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      // A broken connection is npm's to notice and to try again: either end closes the other.
      pipeline(client, line(), registry, () => client.destroy())
      pipeline(registry, line(), client, () => registry.destroy())
    })
    registry.on('error', () => client.destroy())
    client.on('error', () => registry.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    address: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    bytes: () => bytes,
    close: () => {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
