import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Agent, Runner } from '@openai/agents'
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing'
import { generateText, stepCountIs, streamText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { AIMessage, createAgent, fakeModel } from 'langchain'
import { memoryMiddleware as aiMiddleware, memoryTools as aiTools } from '../src/ai-sdk.ts'
import { Memoryd } from '../src/index.ts'
import { memoryMiddleware as chainMiddleware, MemorydRetriever } from '../src/langchain.ts'
import { memoryTools as agentTools } from '../src/openai-agents.ts'
import { startServer, type TestServer } from './server.ts'

let server: TestServer
let client: Memoryd
before(async () => {
  server = await startServer()
  client = new Memoryd({ url: server.url, key: server.key })
})
after(() => server.close())

const unreachable = new Memoryd({ url: 'http://127.0.0.1:9', key: 'k', maxRetries: 0 })
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const stop = { unified: 'stop', raw: 'stop' } as const

describe('AI SDK', () => {
  test('the middleware puts what is known into the prompt and remembers the turn', async () => {
    const scope = { persona: 'ai-sdk', session: 's1' }
    await client.remember({ text: 'My locker combination is 31-7-19.', persona: 'ai-sdk' })
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text: 'It is 31-7-19, as you told me.' }],
        finishReason: stop,
        usage,
        warnings: [],
      },
    })
    const prompt = 'What is my locker combination? By the way, my gym is Ironhouse.'
    await generateText({
      model: wrapLanguageModel({ model, middleware: aiMiddleware(client, scope) }),
      prompt,
    })
    const [system] = model.doGenerateCalls[0]?.prompt ?? []
    assert.equal(system?.role, 'system')
    assert.match(String(system?.content), /<memory>[\s\S]*31-7-19[\s\S]*<\/memory>/)
    const { context } = await client.recall({ query: 'Which gym do I go to?', persona: 'ai-sdk' })
    assert.match(context, /Ironhouse/)
    const stored = await Array.fromAsync(
      client.memories.list({ persona: 'ai-sdk', source: 'assistant', type: 'episodic' }),
    )
    assert.deepEqual(
      stored.map(({ fact }) => fact),
      ['It is 31-7-19, as you told me.'],
    )
  })

  test('the middleware remembers what was streamed', async () => {
    const model = new MockLanguageModelV4({
      doStream: {
        stream: simulateReadableStream({
          chunks: [
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: 'Your ferry leaves ' },
            { type: 'text-delta', id: '1', delta: 'from pier 9.' },
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason: stop, usage },
          ],
        }),
      },
    })
    const middleware = aiMiddleware(client, { persona: 'stream' })
    const { text } = streamText({
      model: wrapLanguageModel({ model, middleware }),
      prompt: 'Where does my ferry leave from?',
    })
    assert.equal(await text, 'Your ferry leaves from pier 9.')
    const { context } = await client.recall({ query: 'ferry pier', persona: 'stream' })
    assert.match(context, /pier 9/)
  })

  test('a memory that cannot be reached is told, and does not fail the model', async () => {
    const errors: unknown[] = []
    const model = new MockLanguageModelV4({
      doGenerate: {
        content: [{ type: 'text', text: 'I do not know that one.' }],
        finishReason: stop,
        usage,
        warnings: [],
      },
    })
    const middleware = aiMiddleware(unreachable, { onError: (error) => errors.push(error) })
    const { text } = await generateText({
      model: wrapLanguageModel({ model, middleware }),
      prompt: 'Where do I live, do you know?',
    })
    assert.equal(text, 'I do not know that one.')
    assert.equal(errors.length, 2)
  })

  test('the tools store and look up', async () => {
    const calls = [
      { toolCallId: '1', toolName: 'remember', input: '{"text":"Nadia teaches pottery on Fridays."}' },
      { toolCallId: '2', toolName: 'recall', input: '{"question":"What does Nadia teach?"}' },
    ]
    const model = new MockLanguageModelV4({
      doGenerate: async ({ prompt }) => {
        const call = calls[prompt.filter(({ role }) => role === 'tool').length]
        const finishReason = call === undefined ? stop : ({ unified: 'tool-calls', raw: 'tool' } as const)
        const content =
          call === undefined
            ? { type: 'text' as const, text: 'Pottery.' }
            : { type: 'tool-call' as const, ...call }
        return { content: [content], finishReason, usage, warnings: [] }
      },
    })
    const tools = aiTools(client, { persona: 'tools' })
    const { steps, text } = await generateText({ model, tools, prompt: 'Nadia?', stopWhen: stepCountIs(4) })
    assert.equal(text, 'Pottery.')
    assert.match(String(steps[1]?.toolResults[0]?.output), /pottery/)
  })
})

describe('LangChain', () => {
  test('the agent middleware puts what is known into the system prompt and remembers the turn', async () => {
    await client.remember({ text: 'My tent is stored in unit 14B.', persona: 'chain' })
    const model = fakeModel().respond(new AIMessage('Your tent is in unit 14B.'))
    const agent = createAgent({
      model,
      systemPrompt: 'Be brief.',
      middleware: [chainMiddleware(client, { persona: 'chain' })],
    })
    const asked = 'Where is my tent stored? I will need it on the trip to Brandberg.'
    await agent.invoke({ messages: [{ role: 'user', content: asked }] })
    const system = model.calls[0]?.messages[0]?.text ?? ''
    assert.match(system, /Be brief\.[\s\S]*14B/)
    const { context } = await client.recall({ query: 'Which trip?', persona: 'chain' })
    assert.match(context, /Brandberg/)
  })

  test('the retriever gives documents with score and id', async () => {
    await client.remember({
      text: 'The archive key hangs behind the map.',
      persona: 'retriever',
      metadata: { room: 3 },
    })
    const retriever = new MemorydRetriever({ client, request: { persona: 'retriever', k: 3 } })
    const [document] = await retriever.invoke('Where is the archive key?')
    assert.match(document?.pageContent ?? '', /behind the map/)
    assert.equal(document?.metadata.room, 3)
    assert.ok(document?.metadata.score > 0)
  })
})

describe('OpenAI Agents', () => {
  test('the tools store and look up', async () => {
    const model = new ScriptedModel([
      [functionCall('remember', { text: 'The bakery opens at 6:15.' }, { callId: '1' })],
      [functionCall('recall', { question: 'When does the bakery open?' }, { callId: '2' })],
      [assistantMessage('At 6:15.')],
    ])
    const agent = new Agent({ name: 'tester', model, tools: agentTools(client, { persona: 'agents' }) })
    const { finalOutput } = await new Runner({ tracingDisabled: true }).run(agent, 'When?')
    assert.equal(finalOutput, 'At 6:15.')
    assert.match(JSON.stringify(model.lastCall?.request.input), /bakery opens at 6:15/)
  })
})
