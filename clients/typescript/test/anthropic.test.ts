import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import Anthropic from '@anthropic-ai/sdk'
import { BetaLocalFilesystemMemoryTool, betaMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import { memoryTool } from '../src/anthropic.ts'
import { Memoryd } from '../src/index.ts'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
let client: Memoryd
let folder: string
before(async () => {
  server = await startServer()
  client = new Memoryd({ url: server.url, key: server.key })
  folder = await mkdtemp(path.join(tmpdir(), 'memory-tool-'))
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

type Command = Parameters<ReturnType<typeof memoryTool>['run']>[0]

/** Every command and everything that can be wrong with it. */
const commands: readonly Command[] = [
  { command: 'view', path: '/memories/none.md' },
  { command: 'create', path: '/memories/user.md', file_text: '# Ann\n\nplays chess\nlives in Lisbon\n' },
  { command: 'create', path: '/memories/user.md', file_text: 'again' },
  { command: 'view', path: '/memories/user.md' },
  { command: 'view', path: '/memories/user.md', view_range: [2, 3] },
  { command: 'view', path: '/memories/user.md', view_range: [4, -1] },
  { command: 'str_replace', path: '/memories/user.md', old_str: 'Lisbon', new_str: 'Porto $& $1' },
  { command: 'str_replace', path: '/memories/user.md', old_str: 'Madrid', new_str: 'x' },
  { command: 'str_replace', path: '/memories/none.md', old_str: 'x', new_str: 'y' },
  { command: 'insert', path: '/memories/user.md', insert_line: 1, insert_text: 'likes tea\n' },
  { command: 'insert', path: '/memories/user.md', insert_line: 99, insert_text: 'x' },
  { command: 'insert', path: '/memories/none.md', insert_line: 0, insert_text: 'x' },
  { command: 'view', path: '/memories/user.md' },
  { command: 'create', path: '/memories/twice.md', file_text: 'a b\na b\n' },
  { command: 'str_replace', path: '/memories/twice.md', old_str: 'a b', new_str: 'c' },
  { command: 'create', path: '/memories/work/plan.md', file_text: '' },
  { command: 'create', path: '/memories/work/old/log.md', file_text: 'entry' },
  { command: 'str_replace', path: '/memories/work', old_str: 'x', new_str: 'y' },
  { command: 'rename', old_path: '/memories/work/plan.md', new_path: '/memories/user.md' },
  { command: 'rename', old_path: '/memories/work', new_path: '/memories/job/now' },
  { command: 'rename', old_path: '/memories/work', new_path: '/memories/x' },
  { command: 'view', path: '/memories/job/now/old/log.md' },
  { command: 'view', path: '/memories/job/now/plan.md' },
  { command: 'delete', path: '/memories/job' },
  { command: 'view', path: '/memories/job/now/plan.md' },
  { command: 'delete', path: '/memories/job' },
  { command: 'delete', path: '/memories' },
  { command: 'rename', old_path: '/memories', new_path: '/memories/x' },
  { command: 'view', path: '/etc/passwd' },
  { command: 'view', path: '/memories/../etc/passwd' },
]

const answerOf = async (tool: ReturnType<typeof memoryTool>, command: Command) => {
  try {
    return await tool.run(command)
  } catch (error) {
    return `refused: ${error instanceof Error ? error.message : error}`
  }
}

describe('the memory tool of Claude', () => {
  test('answers word for word as the one on files does', async () => {
    const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(folder))
    const ours = memoryTool(client, { persona: 'same' })
    for (const command of commands) {
      assert.equal(await answerOf(ours, command), await answerOf(theirs, command), JSON.stringify(command))
    }
  })

  test('shows what is in a folder, two levels deep, and nothing hidden', async () => {
    const tool = memoryTool(client, { persona: 'folders' })
    const create = (place: string, file_text: string) =>
      tool.run({ command: 'create', path: `/memories/${place}`, file_text })
    assert.match(String(await tool.run({ command: 'view', path: '/memories' })), /:\n0B\t\/memories$/)
    await create('a.md', 'x'.repeat(1536))
    await create('sub/b.md', '12345')
    await create('sub/deep/c.md', '1')
    await create('.hidden', 'x')
    const [, ...lines] = String(await tool.run({ command: 'view', path: '/memories/' })).split('\n')
    assert.deepEqual(lines, [
      '1.5K\t/memories',
      '1.5K\t/memories/a.md',
      '6B\t/memories/sub/',
      '5B\t/memories/sub/b.md',
      '1B\t/memories/sub/deep/',
    ])
    await assert.rejects(async () => tool.run({ command: 'view', path: '/memories/sub/b' }), /does not exist/)
  })

  test('what Claude writes down through the SDK is recalled like everything else', async () => {
    const input = {
      command: 'create',
      path: '/memories/trip.md',
      file_text: '# Trip\n\nThe ferry to Gozo leaves from pier 9.\n',
    }
    const usage = { input_tokens: 1, output_tokens: 1 }
    const turns = [
      { stop_reason: 'tool_use', content: [{ type: 'tool_use', id: 't1', name: 'memory', input }] },
      { stop_reason: 'end_turn', content: [{ type: 'text', text: 'Noted.' }] },
    ]
    const asked: string[] = []
    const anthropic = new Anthropic({
      apiKey: 'none',
      fetch: async (_, init) => {
        asked.push(String(init?.body))
        const message = { id: 'm', type: 'message', role: 'assistant', model: 'x', usage, ...turns.shift() }
        return Response.json(message)
      },
    })
    const final = await anthropic.beta.messages.toolRunner({
      model: 'claude-opus-4-5',
      max_tokens: 100,
      tools: [memoryTool(client, { persona: 'claude' })],
      messages: [{ role: 'user', content: 'Write down where the ferry leaves.' }],
    })
    assert.deepEqual(final.content, [{ type: 'text', text: 'Noted.' }])
    assert.match(asked[0] ?? '', /memory_20250818/)
    assert.match(asked[1] ?? '', /File created successfully at: \/memories\/trip\.md/)
    const { facts } = await client.recall({
      query: 'Which pier does the ferry leave from?',
      persona: 'claude',
    })
    assert.match(facts[0]?.fact ?? '', /pier 9/)
  })
})
