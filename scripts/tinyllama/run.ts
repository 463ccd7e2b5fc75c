import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { asNamespace, randomId } from '../../src/core/ids.ts'
import { createFactCompressor } from '../../src/memory/graph-qa/compress.ts'
import { createGraphQa } from '../../src/memory/graph-qa/graph-qa.ts'
import { createLlmExtractor } from '../../src/memory/ingest/llm-extraction.ts'
import { currentFacts, isAbstraction } from '../../src/memory/lifecycle/abstractions.ts'
import { createClusterCompressor } from '../../src/memory/lifecycle/compress.ts'
import { createOpenAiLlm } from '../../src/models/llm/openai.ts'
import { type LlmStub, startLlmStub } from '../../test/support/llm-stub.ts'
import { openTripleMemory, type Triple, wordEmbedder } from '../../test/support/triple-memory.ts'
import { fetchTinyLlama } from './fetch.ts'
import { loadTinyLlama } from './model.ts'

/**
 * Runs every LLM path once against a real small model (TinyLlama 1.1B on the CPU), behind the same protocol as any
 * other. `--serve` keeps it listening, for a memoryd started with LLM_BASE_URL.
 */
const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: path.resolve('.cache/tinyllama') },
    port: { type: 'string', default: '7431' },
    serve: { type: 'boolean', default: false },
  },
})

const answer = await loadTinyLlama(await fetchTinyLlama(values.folder))
const stub = await startLlmStub(async (call) => {
  const start = performance.now()
  const text = await answer(call)
  console.log(
    `  the model said, after ${((performance.now() - start) / 1_000).toFixed(1)} s: ${JSON.stringify(text)}`,
  )
  return { kind: 'text', text }
}, Number(values.port))
if (values.serve)
  console.log(`LLM_BASE_URL=${stub.baseUrl} LLM_MODEL=tinyllama LLM_TIMEOUT_MS=120000 npm start`)
else await endToEnd(stub)
// The runtime keeps threads of its own.
if (!values.serve) process.exit()

async function endToEnd({ baseUrl }: LlmStub): Promise<void> {
  const llm = createOpenAiLlm({
    baseUrl,
    apiKey: null,
    model: 'tinyllama',
    timeoutMs: 300_000,
    random: Math.random,
  })
  const { stores, say } = openTripleMemory()
  const parts = {
    ...stores,
    llm,
    embedder: wordEmbedder,
    newId: randomId,
    milliseconds: () => performance.now(),
  }
  const namespace = asNamespace('tinyllama')
  const facts: readonly Triple[] = [
    ['Maria', 'lives_in', 'Lisbon'],
    ['Maria', 'works_at', 'Siemens'],
    ['Tom', 'works_with', 'Maria'],
    ['Tom', 'works_at', 'Siemens'],
    ['Maria', 'likes', 'jazz'],
  ]
  for (const fact of facts) await say(namespace, fact)

  const ask = createGraphQa(parts)
  for (const query of ['Where does Maria live?', 'Who works with Maria?', 'What is the capital of France?']) {
    await show(`graph QA: ${query}`, () => ask(namespace, { query, maxHops: 2, k: 5, persona: null }))
  }
  const fallback = { extract: async () => [{ facts: [], entities: [], notice: null }] }
  const text = 'Anna lives in Oslo and works at Equinor.'
  const extractor = createLlmExtractor({ ...parts, fallback })
  await show('extraction', () => extractor.extract([{ text, source: 'user', speaker: null, now: 0 }]))
  const long = ['Maria told me yesterday at lunch that she lives in Lisbon, near the river, with two cats.']
  await show('compression', () =>
    createFactCompressor(parts)({ query: 'Where does Maria live?', facts: long }),
  )
  const club = asNamespace('tinyllama-club')
  const members = ['Ana', 'Ben', 'Cara', 'Dan']
  for (const one of members)
    for (const other of members) if (one < other) await say(club, [one, 'plays_chess_with', other])
  await show('abstraction', () => createClusterCompressor(parts)(club, { persona: null, now: 0 }))
  await show('what it says', async () =>
    (await currentFacts(stores.graph, club, { persona: null, limit: 100 }))
      .filter(isAbstraction)
      .map(({ fact }) => fact),
  )
}

/** A path that fails says so and lets the others run: slow machines run into the deadline. */
async function show(path: string, run: () => Promise<unknown>): Promise<void> {
  console.log(path)
  const outcome = await run().catch((error: unknown) => `failed: ${error}`)
  console.log(`  memoryd: ${JSON.stringify(outcome)}`)
}
