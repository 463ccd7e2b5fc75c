import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { anItem } from '../../../test/support/small-memory.ts'
import { createWordEmbedder, createWordRelation } from '../../../test/support/small-models.ts'
import { asNamespace, type Namespace, randomId } from '../../core/ids.ts'
import { createLocalExtractor } from '../../models/facts/local-extractor.ts'
import { openEngine } from '../../stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../stores/embedded/memory/stores.ts'
import { createMemory, type OwnedMemory } from '../create-memory.ts'
import type { IngestItem } from '../memory.ts'
import type { Llm } from '../ports.ts'
import { createLlmExtractor } from './llm-extraction.ts'

type Step = (method: string | symbol) => void

/** Calls its hook before a method runs, while it runs and when it has ended. */
function stepped<T extends object>(part: T, step: Step): T {
  return new Proxy(part, {
    get: (target, name) => {
      const method = Reflect.get(target, name)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]) => {
        step(name)
        const running = method.apply(target, args)
        step(name)
        return Promise.resolve(running).finally(() => step(name))
      }
    },
  })
}

/** A model that is asked and then aborted, as a hang-up aborts it; without that it reads nothing it could make up. */
const llm: Llm = {
  text: () => Promise.reject(new Error('not asked for text')),
  object: (schema, { signal }) =>
    new Promise((resolve, reject) => {
      const answer = () => (signal?.aborted ? reject(signal.reason) : resolve(schema.parse(reading)))
      setImmediate(answer)
    }),
}
const reading = { entities: [], facts: [{ subject: 'Ana', relation: 'works_at', object: 'Siemens' }] }

const aText = 'I live in Lisbon. My sister Ana works at Siemens.'
const aLongText = [
  aText,
  ...Array.from({ length: 30 }, (_, at) => `Ben bought boat number ${at} in May.`),
].join(' ')
const batch = [aText, 'My brother Tom is a teacher.', 'I am allergic to peanuts.'].map((text) => anItem(text))

interface Scenario {
  /** What is stored already. */
  readonly before: readonly IngestItem[]
  readonly items: readonly IngestItem[]
}
const scenarios: Readonly<Record<string, Scenario>> = {
  'a text': { before: [], items: [anItem(aText, { sessionId: 's' })] },
  'a long text': { before: [], items: [anItem(aLongText)] },
  'a text that an LLM reads': { before: [], items: [anItem(aText, { useLlmExtraction: true })] },
  'a text from a more trusted source': {
    before: [anItem(aText, { source: 'assistant' })],
    items: [anItem(aText)],
  },
  'a batch': { before: [], items: batch },
}
const timesEach = 40

describe('a hang-up while a text is being stored', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'memoryd-abort-'))
  const engine = await openEngine({ directory })
  const extractor = await createLocalExtractor()
  const stores = createEmbeddedMemoryStores(engine)
  after(async () => {
    await extractor.close()
    await engine.close()
    await rm(directory, { recursive: true })
  })

  const openMemory = (step: Step): OwnedMemory => {
    const reader = stepped(extractor, step)
    return createMemory({
      stores: {
        ...stores,
        ...{ journal: stepped(stores.journal, step), graph: stepped(stores.graph, step) },
        ...{ episodic: stepped(stores.episodic, step), working: stepped(stores.working, step) },
      },
      embedder: stepped(createWordEmbedder(), step),
      extractor: reader,
      relation: stepped(createWordRelation(), step),
      llmExtractor: createLlmExtractor({ llm: stepped(llm, step), fallback: reader, newId: randomId }),
      ...{ graphQa: null, compressContext: null, compressClusters: null, newId: randomId },
      clock: { now: () => 1_780_000_000 },
      settings: { halfLifeDays: 7, pruneThreshold: 0.05 },
    })
  }
  const plain = openMemory(() => {})

  /** What is kept, item by item: its texts with their sources, and its facts. */
  const kept = async (namespace: Namespace) => {
    const filter = { persona: null, sessionId: null, source: null, since: null, until: null }
    const page = { after: null, limit: 500 }
    const [chunks, facts, { semanticEntities }] = await Promise.all([
      stores.episodic.list(namespace, filter, page),
      stores.graph.list(namespace, filter, page),
      plain.stats(namespace, null),
    ])
    const told = (id: string) =>
      facts
        .filter(({ chunkId }) => chunkId === id)
        .map(({ fact, source }) => `${fact} (${source})`)
        .sort()
    const texts = chunks.map(({ id, text, source }) => ({ text, source, facts: told(id) }))
    return { texts: texts.sort((a, b) => a.text.localeCompare(b.text)), semanticEntities }
  }
  const store = async (
    memory: OwnedMemory,
    namespace: Namespace,
    items: readonly IngestItem[],
    signal?: AbortSignal,
  ) => {
    const [only, ...others] = items
    if (only === undefined || others.length > 0) await memory.ingestBatch(namespace, items, signal)
    else await memory.ingest(namespace, only, signal)
  }
  const opened = async (name: string, { before }: Scenario) => {
    const namespace = asNamespace(name)
    for (const item of before) await plain.ingest(namespace, item)
    return namespace
  }

  for (const [name, scenario] of Object.entries(scenarios)) {
    test(`${name}: aborted at any step, all of it is stored or nothing, and a retry stores all`, async () => {
      const untouched = await kept(await opened(`${name} before`, scenario))
      const reference = await opened(`${name} complete`, scenario)
      let steps = 0
      await store(
        openMemory(() => steps++),
        reference,
        scenario.items,
      )
      const whole = await kept(reference)
      assert.ok(whole.texts.some(({ facts }) => facts.length > 0))
      assert.notDeepEqual(whole, untouched)

      const endings = { nothing: 0, everything: 0 }
      for (let round = 0; round < timesEach; round++) {
        const namespace = await opened(`${name} ${round}`, scenario)
        const hangUp = new AbortController()
        let left = Math.floor((round * steps) / timesEach)
        let begun = false
        const memory = openMemory((method) => {
          if (!hangUp.signal.aborted) begun ||= method === 'remember'
          if (left-- === 0) hangUp.abort(new Error('hung up'))
        })
        await store(memory, namespace, scenario.items, hangUp.signal).catch((error: unknown) =>
          assert.equal(error, hangUp.signal.reason),
        )
        assert.ok(hangUp.signal.aborted)
        const found = await kept(namespace)
        const about = `round ${round}: ${JSON.stringify(found)}`
        if (scenario.items.length > 1) {
          for (const text of found.texts)
            assert.ok(
              whole.texts.some((other) => isSame(other, text)),
              about,
            )
        } else assert.deepEqual(found, begun ? whole : untouched, about)
        endings[isSame(found, untouched) ? 'nothing' : 'everything']++
        await store(plain, namespace, scenario.items)
        assert.deepEqual(await kept(namespace), whole, about)
      }
      assert.ok(endings.nothing > 0 && endings.everything > 0, JSON.stringify(endings))
    })
  }
})

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
