import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { correctReply, historyReply, listReply } from '../src/http/routes/replies.ts'
import { startTestService, type TestService } from './harness.ts'

let service: TestService
let key: string
before(async () => {
  service = await startTestService()
  key = (await service.newKey('pro')).key
})
after(() => service.close())

const call = (method: string, path: string, body?: unknown) =>
  service.call(method, `/brain/${path}`, { key, body })

async function told(text: string): Promise<string> {
  assert.equal((await call('POST', 'ingest', { text, metadata: { page: 3 } })).status, 200)
  const { memories } = listReply.parse((await call('GET', 'memories?type=episodic')).json)
  return memories.find(({ fact }) => fact === text)?.id ?? assert.fail('it is not listed')
}

test('PATCH corrects a memory, and the history of both tells it', async () => {
  const id = await told('The meeting is on Monday.')
  const reply = await call('PATCH', `memories/${id}`, { text: 'The meeting was called off.' })
  assert.equal(reply.status, 200)
  const { memory, replaced, id: now } = correctReply.parse(reply.json)
  assert.deepEqual([replaced, now, memory.metadata], [id, memory.id, { page: 3 }])
  assert.equal(memory.fact, 'The meeting was called off.')
  const old = await call('GET', `memories/${id}`)
  assert.deepEqual([old.json.superseded, old.json.replaced_by], [true, now])
  for (const one of [id, now]) {
    const { links } = historyReply.parse((await call('GET', `memories/${one}/history`)).json)
    const [link, ...others] = links
    assert.deepEqual(others, [])
    assert.deepEqual([link?.kind, link?.probability], ['replaces', 1])
    assert.deepEqual([link?.older.fact, link?.newer.fact], ['The meeting is on Monday.', memory.fact])
  }
  assert.equal((await call('DELETE', `memories/${now}`)).status, 200)
  const again = await call('GET', `memories/${id}`)
  assert.deepEqual([again.json.superseded, again.json.replaced_by], [false, null])
})

test('PATCH pins a memory and lets it go', async () => {
  const id = await told('The key is under the mat.')
  for (const pinned of [true, false]) {
    const reply = correctReply.parse((await call('PATCH', `memories/${id}`, { pinned })).json)
    assert.deepEqual([reply.id, reply.replaced, reply.memory.pinned], [id, null, pinned])
  }
})

test('PATCH costs 5 with a text, 1 with a pin alone, nothing when its form is wrong', async () => {
  const text = 'The boat is green.'
  const [ingested, listed, pinned, corrected] = [5, 1, 1, 5]
  const own = await service.newKey('pro', ingested + listed + pinned + corrected)
  const ask = (method: string, path: string, body?: unknown) =>
    service.call(method, `/brain/${path}`, { key: own.key, body })
  await ask('POST', 'ingest', { text })
  const { memories } = listReply.parse((await ask('GET', 'memories?type=episodic')).json)
  const path = `memories/${memories[0]?.id}`
  const statuses: number[] = []
  for (const body of [{ pinned: true }, {}, { text: 'The boat is blue.' }, { pinned: true }]) {
    statuses.push((await ask('PATCH', path, body)).status)
  }
  assert.deepEqual(statuses, [200, 400, 200, 429])
})

test('PATCH refuses what it cannot do and names the field', async () => {
  const id = await told('The door is red.')
  for (const [body, path] of [
    [{}, null],
    [{ text: null, pinned: null }, null],
    [{ text: '  \n ' }, 'text'],
    [{ text: 7 }, 'text'],
    [{ pinned: 'yes' }, 'pinned'],
    [[], null],
  ] as const) {
    const { status, json } = await call('PATCH', `memories/${id}`, body)
    assert.equal(status, 400, JSON.stringify(body))
    if (path === null) assert.match(String(json.detail), /text, pinned|JSON object/)
    else assert.match(JSON.stringify(json.errors), new RegExp(`"path":"${path}"`))
  }
  assert.equal((await call('PATCH', 'memories/unknown', { pinned: true })).status, 404)
  assert.equal((await call('PATCH', 'memories/unknown', { text: 'It is blue.' })).status, 404)
})
