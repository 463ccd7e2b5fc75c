import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
before(async () => {
  server = await startServer()
})
after(() => server.close())

/** What the command prints, given this on standard input. */
async function run(options: readonly string[], input: string, environment: Record<string, string> = {}) {
  const bin = path.join(import.meta.dirname, '..', 'dist', 'bin.js')
  const env = { ...process.env, MEMORYD_URL: server.url, MEMORYD_API_KEY: server.key, ...environment }
  const child = spawn(process.execPath, [bin, ...options], { env })
  child.stdin.end(input)
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { printed, said }
}

const lines = (messages: readonly object[]) =>
  messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')

test('mcp passes the messages of a client on, and the answers back', async () => {
  const clientInfo = { name: 'test', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const { printed } = await run(
    ['mcp'],
    lines([
      { id: 1, method: 'initialize', params },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ]),
  )
  const answers = printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.deepEqual(answers.map(({ id }) => id).sort(), [1, 2])
  const names = answers.find(({ id }) => id === 2).result.tools.map(({ name }: { name: string }) => name)
  assert.ok(names.includes('recall') && names.includes('remember'))
})

test('mcp answers with an error where the server cannot be reached', async () => {
  const { printed } = await run(['mcp'], lines([{ id: 7, method: 'tools/list' }]), {
    MEMORYD_URL: 'http://127.0.0.1:9',
  })
  const { id, error } = JSON.parse(printed)
  assert.equal(id, 7)
  assert.match(error.message, /127\.0\.0\.1:9/)
})

test('mcp answers with what the server says against a call', async () => {
  const { printed } = await run(['mcp'], lines([{ id: 8, method: 'tools/list' }]), {
    MEMORYD_API_KEY: 'mem_wrong',
  })
  const { id, error } = JSON.parse(printed)
  assert.equal(id, 8)
  assert.match(error.message, /Invalid or inactive API key/)
})

test('neither follows a redirect: texts and key go to the address that was named alone', async () => {
  const asked: (string | undefined)[] = []
  const other = createServer((request, response) => {
    asked.push(request.url)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const away = { MEMORYD_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }
  const { printed } = await run(['mcp'], lines([{ id: 9, method: 'tools/list' }]), away)
  assert.match(JSON.parse(printed).error.message, /307/)
  assert.deepEqual(JSON.parse((await run(['hook', 'codex'], '{}', away)).printed), {})
  other.close()
  assert.deepEqual(asked, ['/mcp', '/hooks/codex'])
})

test('hook gives what is known for the prompt, and never fails the agent', async () => {
  const event = {
    hook_event_name: 'UserPromptSubmit',
    session_id: 's',
    prompt: 'My locker is number 4711, remember.',
  }
  const first = await run(['hook', 'claude-code'], JSON.stringify(event))
  assert.deepEqual(JSON.parse(first.printed), {})
  const asked = { ...event, session_id: 't', prompt: 'Which number does my locker have?' }
  const { printed } = await run(['hook', 'claude-code'], JSON.stringify(asked))
  assert.match(JSON.parse(printed).hookSpecificOutput.additionalContext, /4711/)
  const away = await run(['hook', 'claude-code'], JSON.stringify(asked), {
    MEMORYD_URL: 'http://127.0.0.1:9',
  })
  assert.deepEqual(JSON.parse(away.printed), {})
})

test('says what it needs', async () => {
  assert.match((await run([], '')).said, /usage/)
  assert.match((await run(['mcp'], '', { MEMORYD_API_KEY: '' })).said, /MEMORYD_API_KEY/)
})
