import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Memoryd } from '../../clients/typescript/src/index.ts'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/observe/log.ts'
import { loadModels } from '../../src/service/models.ts'
import { startTestService, type TestService } from '../harness.ts'
import { sessions, type Turn } from './bakery.ts'

// One agent over days, with the models that ship: whichever door it uses, what holds now comes first.

interface Door {
  /** What the memory says to the user's words, best first; then the turn is remembered. */
  take(turn: Turn, session: string): Promise<readonly string[]>
}

type Fact = { readonly fact: string }

/** A chat loop that recalls before every answer, and remembers both sides after it. */
function clientDoor(key: string, fetch: typeof globalThis.fetch): Door {
  const memory = new Memoryd({ url: 'http://localhost', key, fetch })
  return {
    take: async ({ user, agent }, session_id) => {
      const { facts } = await memory.recall({ query: user, session_id })
      await memory.remember({ text: user, session_id })
      await memory.remember({ text: agent, session_id, source: 'assistant' })
      return facts.toSorted((a, b) => a.rank - b.rank).map(({ fact }) => fact)
    },
  }
}

/** An agent that calls recall for a question, and remember for what it is told. */
async function mcpDoor(key: string, fetch: typeof globalThis.fetch): Promise<Door> {
  const client = new Client({ name: 'loop', version: '1' })
  const address = new URL('http://localhost/mcp')
  const requestInit = { headers: { 'x-api-key': key } }
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit, fetch }))
  return {
    take: async ({ user, first }, session_id) => {
      if (first !== undefined) {
        const { structuredContent } = await client.callTool({ name: 'recall', arguments: { query: user } })
        return (structuredContent as { facts: Fact[] }).facts.map(({ fact }) => fact)
      }
      if (!user.endsWith('?'))
        await client.callTool({ name: 'remember', arguments: { text: user, session_id } })
      return []
    },
  }
}

/** An agent that knows nothing of the memory: its hooks look up every prompt and remember every turn. */
function hooksDoor(key: string, call: TestService['call']): Door {
  const hook = async (body: object) => {
    const { status, text, json } = await call('POST', '/hooks/claude-code', { key, body })
    assert.equal(status, 200, text)
    const { additionalContext = '' } = (json.hookSpecificOutput ?? {}) as { additionalContext?: string }
    return additionalContext.split('\n').filter((line) => line.startsWith('- '))
  }
  return {
    take: async ({ user, agent }, session_id) => {
      const known = await hook({ hook_event_name: 'UserPromptSubmit', session_id, prompt: user })
      await hook({ hook_event_name: 'Stop', session_id, last_assistant_message: agent })
      return known
    },
  }
}

describe('an agent of forty turns over five days', () => {
  const answers = new Map<string, readonly string[]>()
  let service: TestService
  before(async () => {
    const { config } = readConfig({})
    if (config === null) throw new Error('the default configuration is invalid')
    const log = createLog('fatal', () => {})
    service = await startTestService({ models: await loadModels(config, log) })
    const { app } = service.service
    const fetch: typeof globalThis.fetch = async (address, init) => app.request(new Request(address, init))
    const newKey = async () => (await service.newKey('enterprise')).key
    const doors: Record<'client' | 'mcp' | 'hooks', Door> = {
      client: clientDoor(await newKey(), fetch),
      mcp: await mcpDoor(await newKey(), fetch),
      hooks: hooksDoor(await newKey(), service.call),
    }
    for (const [day, turns] of sessions.entries()) {
      for (const turn of turns) {
        for (const [name, door] of Object.entries(doors)) {
          answers.set(`${name} ${turn.user}`, await door.take(turn, `day-${day}`))
        }
        service.clock.advance(60)
      }
      service.clock.advance(86_400)
    }
  })
  after(() => service.close())

  test('has forty turns, ten of them questions', () => {
    const turns = sessions.flat()
    assert.deepEqual([sessions.length, turns.length], [5, 40])
    assert.equal(turns.filter(({ first }) => first !== undefined).length, 10)
  })

  for (const door of ['client', 'mcp', 'hooks'] as const) {
    for (const { user, first = '' } of sessions.flat().filter((turn) => turn.first !== undefined)) {
      test(`${door}: ${user}`, () => {
        const known = answers.get(`${door} ${user}`) ?? []
        const isRight = (known[0] ?? '').toLowerCase().includes(first)
        assert.ok(isRight, `"${first}" must come first:\n${known.join('\n')}`)
      })
    }
  }
})
