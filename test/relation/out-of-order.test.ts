import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { asNamespace, type Namespace } from '../../src/core/ids.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { createLocalExtractor } from '../../src/models/facts/local-extractor.ts'
import { createLocalRelation } from '../../src/models/relation/local-relation.ts'
import { anItem, aRequest, openSmallMemory, type SmallMemory } from '../support/small-memory.ts'

/** A year of somebody, in the order in which it was told. */
const history = [
  'I live in Lisbon and work as a nurse.',
  'My sister Maria works at Siemens.',
  "We're launching the new billing dashboard on October 12.",
  'I take the 7:42 train to work.',
  'I have moved to Berlin.',
  "The launch slipped. It's November 3 now.",
  'I switched to the 8:12 train, the 7:42 got cancelled.',
  'Maria left Siemens, she is at Bosch now.',
  'I drink a lot of tea.',
  'I live in Hamburg now.',
]
/** As an export might have it. */
const orders = [
  [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  [4, 9, 0, 6, 2, 7, 5, 1, 8, 3],
]
const questions = [
  ...['Where do I live?', 'Which train do I take to work?', 'When is the launch?'],
  ...['Where does Maria work?', 'What do I drink?'],
]

const day = 86_400
const start = 1_700_000_000
const anything = { persona: null, sessionId: null, source: null, since: null, until: null }
const all = { after: null, limit: 200 }

describe('with the models that ship, a history with its times', () => {
  let small: SmallMemory
  const closing: (() => Promise<void>)[] = []
  before(async () => {
    const [embedder, extractor, relation] = await Promise.all([
      createLocalEmbedder(),
      createLocalExtractor(),
      createLocalRelation(),
    ])
    closing.push(embedder.close, extractor.close, relation.close)
    small = openSmallMemory({ parts: { embedder, extractor, relation } })
  })
  after(() => Promise.all(closing.map((close) => close())))

  async function known(namespace: Namespace) {
    small.clock.set(start + 365 * day)
    const { episodic, graph } = small.stores
    const chunks = await episodic.list(namespace, anything, all)
    const textOf = new Map(chunks.map(({ id, text }) => [id, text]))
    const links = (await Promise.all(chunks.map(({ id }) => episodic.links(namespace, id)))).flat()
    const answers = questions.map(async (question) => {
      const { facts } = await small.memory.retrieve(namespace, aRequest(question, { k: 3 }))
      return [question, facts.find(({ rank }) => rank === 1)?.fact]
    })
    return {
      facts: (await graph.list(namespace, anything, all)).map(({ fact }) => fact).sort(),
      links: [
        ...new Set(
          links.map(({ newer, older, kind }) => `${textOf.get(newer)} ${kind} ${textOf.get(older)}`),
        ),
      ].sort(),
      answers: await Promise.all(answers),
    }
  }

  test('leaves the same facts, links and answers in whatever order it is imported', async () => {
    const live = asNamespace('live')
    for (const [at, text] of history.entries()) {
      small.clock.set(start + at * 30 * day)
      await small.memory.ingest(live, anItem(text))
    }
    const expected = await known(live)
    assert.ok(expected.links.length >= 3, 'something was replaced')
    for (const [index, order] of orders.entries()) {
      const namespace = asNamespace(`imported ${index}`)
      for (const at of order) {
        const occurredAt = start + at * 30 * day
        await small.memory.ingest(namespace, anItem(history[at] ?? '', { occurredAt }))
      }
      assert.deepEqual(await known(namespace), expected)
    }
  })
})
