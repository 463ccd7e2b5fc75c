import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listen } from '../../src/http/server.ts'
import { createLog } from '../../src/observe/log.ts'
import { startTestService } from '../harness.ts'

/** The service behind a real socket, and a door that adds the key for callers that cannot. */
export interface Served {
  readonly url: string
  readonly key: string
  /** `/mcp` of the service, with the key added. */
  readonly open: string
  close(): Promise<void>
}

export async function serve(): Promise<Served> {
  const { service, newKey, close } = await startTestService()
  const log = createLog('silent')
  const listening = await listen(
    service.app,
    { host: '127.0.0.1', port: 0 },
    { capacity: service.capacity, log },
  )
  const { key } = await newKey('enterprise')
  const door = createServer((incoming, outgoing) => {
    const { method = 'GET', headers, url: path = '/' } = incoming
    const given = { ...headers, 'x-api-key': key }
    const passed = request({ port: listening.port, method, path, headers: given }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${listening.port}`,
    key,
    open: `http://127.0.0.1:${(door.address() as AddressInfo).port}/mcp`,
    close: async () => {
      door.closeAllConnections()
      door.close()
      await listening.stop(1_000)
      await close()
    },
  }
}
