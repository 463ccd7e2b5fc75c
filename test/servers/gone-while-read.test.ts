import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Reply, TestService } from '../harness.ts'
import { startMode } from './open.ts'
import { openEngines } from './support.ts'

const rounds = 60
const names = ['Ana', 'Ben', 'Cleo', 'Dan']

let service: TestService
before(async () => {
  const engines = await openEngines()
  await engines.wipe()
  await engines.close()
  service = await startMode('server')
})
after(() => service.close())

test('what is deleted, forgotten or told again while others read it is there or gone, never half', async () => {
  const { key } = await service.newKey('enterprise')
  const replies: Reply[] = []
  const call = async (method: string, path: string, body?: object) => {
    const reply = await service.call(method, `/brain/${path}`, { key, body })
    replies.push(reply)
    return reply.json
  }
  const newest = async () => {
    const { memories } = await call('GET', 'memories?limit=5')
    return Array.isArray(memories) ? memories.map(({ id }) => String(id)) : []
  }
  const repeated = (work: (name: string, round: number) => Promise<unknown>) => async () => {
    for (let round = 0; round < rounds; round++) await work(names[round % names.length] ?? '', round)
  }
  const clients = [
    ...[0, 1, 2].map(() => repeated((name) => call('POST', 'ingest', { text: `${name} works at Siemens.` }))),
    repeated((name, round) => {
      const text = `${name} lives in ${round % 2 === 0 ? 'Rome' : 'Oslo'}.`
      return call('POST', 'ingest', { text, external_id: name })
    }),
    repeated((name) => call('POST', 'retrieve', { query: `Where does ${name} work?`, max_hops: 3 })),
    repeated(async () => {
      for (const id of await newest()) await call('GET', `memories/${id}/history`)
    }),
    repeated(async () => {
      for (const id of (await newest()).slice(0, 2)) await call('DELETE', `memories/${id}`)
    }),
    repeated((name) => call('POST', 'forget', { entity: name })),
  ]
  await Promise.all(clients.map((client) => client()))
  const broken = replies.filter(({ status }) => status === 500).map(({ text }) => text)
  assert.deepEqual(broken, [])
  const found = replies.filter(({ status }) => status === 200).length
  assert.ok(found > replies.length / 2, `${found} of ${replies.length} were answered`)
})
