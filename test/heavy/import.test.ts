import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type RunningServer, smallServers } from '../crash/processes.ts'
import { chatExport, firstMessageAt } from '../support/chat-export.ts'
import { memoryd, startMemoryd } from '../support/command-line.ts'
import { zipOf } from '../support/zip.ts'

const messages = 10_000
const wordsOf = (index: number) =>
  `Message number ${index}: the ${index % 97}. boat of harbour ${index % 89} was seen.`

const root = mkdtempSync(path.join(tmpdir(), 'memoryd-import-'))
const dataDir = path.join(root, 'data')
const servers = smallServers(dataDir)
let running: RunningServer | null = null

/** One address for every server that comes after another. */
const door = createServer((incoming, outgoing) => {
  const { method = 'GET', headers, url = '/' } = incoming
  const passed = request(`${running?.address}${url}`, { method, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(outgoing)
    reply.on('error', () => outgoing.destroy())
  })
  passed.on('error', () => outgoing.destroy())
  incoming.pipe(passed)
})

after(async () => {
  door.close()
  await running?.kill()
  await servers.close()
  rmSync(root, { recursive: true, force: true })
})

test(`an export of ${messages} messages, killed twice on its way: every message once, with its date`, async () => {
  running = await servers.next()
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  const url = `http://127.0.0.1:${(door.address() as AddressInfo).port}`
  const environment = {
    ...{ MEMORYD_URL: url, MEMORYD_API_KEY: readFileSync(path.join(dataDir, 'default-key'), 'utf8').trim() },
  }
  const conversations = chatExport(messages, wordsOf)
  const file = path.join(root, 'chatgpt.zip')
  const half = conversations.length / 2
  writeFileSync(
    file,
    zipOf({
      'conversations-000.json': JSON.stringify(conversations.slice(0, half)),
      'conversations-001.json': JSON.stringify(conversations.slice(half)),
      'user.json': '{"id": "u"}',
    }),
  )
  const stored = async () => {
    const headers = { 'x-api-key': environment.MEMORYD_API_KEY, 'content-type': 'application/json' }
    const body = JSON.stringify({ user_id: 'me', persona: '*' })
    const reply = await fetch(`${url}/brain/stats`, { method: 'POST', headers, body })
    return ((await reply.json()) as { episodic_count: number }).episodic_count
  }
  const atLeast = async (count: number) => {
    while ((await stored()) < count) await wait(100)
  }

  const dry = await memoryd(['import', file, '--dry-run'], environment)
  assert.equal(dry.code, 0, dry.err)
  assert.match(dry.out, /10,000 texts, from 2023-11-14 to 2023-11-21/)
  assert.match(dry.out, /Costs 50,000 operations/)
  assert.equal(await stored(), 0)

  const first = startMemoryd(['import', file], environment)
  await atLeast(messages / 4)
  first.child.kill('SIGKILL')
  await first.ended
  const before = await stored()
  assert.ok(before < messages, 'it was killed on its way')

  const second = startMemoryd(['import', file], environment)
  await atLeast(Math.min(messages, Math.max(before + 500, messages / 2)))
  await running.kill()
  running = await servers.next()
  const { code, out, err } = await second.ended
  assert.equal(code, 0, err)
  assert.match(out, /Done: /)
  assert.equal(await stored(), messages)

  const written = path.join(root, 'export.jsonl')
  assert.equal((await memoryd(['export', written], environment)).code, 0)
  const records = readFileSync(written, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const found = new Map(records.map((record) => [record.external_id, record]))
  assert.equal(records.length, messages)
  assert.equal(found.size, messages)
  for (let index = 0; index < messages; index++) {
    const record = found.get(`chatgpt:message-${index}`)
    assert.equal(record?.text, wordsOf(index))
    assert.equal(record?.occurred_at, firstMessageAt + 60 * index)
    assert.equal(record?.source, index % 2 === 0 ? 'user' : 'assistant')
    assert.equal(record?.session_id, `chatgpt:conversation-${Math.floor(index / 100)}`)
  }

  const third = await memoryd(['import', file], environment)
  assert.match(third.out, /Done: 0 stored, 10000 were there already/)
})
