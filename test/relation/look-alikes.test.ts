import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { asNamespace } from '../../src/core/ids.ts'
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'
import { createLocalExtractor } from '../../src/models/facts/local-extractor.ts'
import { createLocalRelation } from '../../src/models/relation/local-relation.ts'
import { anItem, openSmallMemory, type SmallMemory } from '../support/small-memory.ts'

/** Everyday sentences that sound like a change and are none. */
const harmless: readonly (readonly [told: string, then: string])[] = [
  ['My name is Anna Bauer.', 'My name is on the list.'],
  ['I live in Berlin.', 'We moved to Slack last week.'],
  ['I work at Siemens.', 'I work at the kitchen table.'],
  ['I live in Berlin.', 'I live in fear of spiders.'],
  ['I live in Berlin.', 'In the story, I live in a castle and work as a wizard.'],
  ['I am a nurse.', 'In the story, I live in a castle and work as a wizard.'],
  ['I live in Berlin.', 'I was about to move to Oslo.'],
  ['I work at Siemens.', 'The email says: I work at Contoso.'],
  ['I own a MacBook.', 'I wiped my MacBook.'],
  ['I have a guitar.', 'I dropped my guitar on the floor.'],
  ['I have a dog called Rex.', 'I left Rex with my neighbour.'],
  ['I own a bakery.', 'I closed the bakery for the holidays.'],
  ['I own a Yamaha.', 'I returned my Yamaha to the garage.'],
  ['I play the cello.', 'I finished playing the cello at noon.'],
  ['I own a house in Galway.', 'I am back from my house in Galway.'],
  ['I own a bike.', 'I crashed my bike yesterday but it is fine.'],
  ['I live in Berlin.', 'I moved the sofa to Berlin Street.'],
]

/** Told freely, in people's own words. */
const changes: readonly (readonly [told: string, then: string])[] = [
  ["We're launching the new billing dashboard on October 12.", "The launch slipped. It's November 3 now."],
  ['I take the 7:42 train to work.', 'I switched to the 8:12 train, the 7:42 got cancelled.'],
  ['I weigh 78 kg.', "I'm down to 75 kilos!"],
  ['I have a knee injury.', 'My knee is fine again, the physio cleared me yesterday.'],
  [
    'The beta customer is Hofland BV.',
    'Hofland BV dropped out of the beta, Veldkamp Logistics joined instead.',
  ],
  ['The launch party is at Café Orloff.', 'Actually the party is at Bar Beton, not Café Orloff.'],
  ['I live in Lisbon.', 'I have moved to Berlin.'],
]

const anything = { persona: null, sessionId: null, source: null, since: null, until: null }

describe('with the models that ship', () => {
  let small: SmallMemory
  const closing: (() => Promise<void>)[] = []
  let namespaces = 0
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

  /** Whether the second text closed a fact of the first, or made it out of date. */
  async function isClosed(told: string, then: string): Promise<boolean> {
    const namespace = asNamespace(`pair ${namespaces++}`)
    const standing = async () => {
      const chunks = await small.stores.episodic.list(namespace, anything, { after: null, limit: 5 })
      const first = chunks.find(({ text }) => text === told)
      assert.ok(first !== undefined, 'the first text is there')
      const facts = await small.stores.graph.factsOf(namespace, [first.id])
      const record = await small.memory.get(namespace, first.id)
      return {
        open: facts.filter(({ closedAt }) => closedAt === null).length,
        superseded: record?.superseded,
      }
    }
    await small.memory.ingest(namespace, anItem(told))
    const before = await standing()
    small.clock.advance(60)
    await small.memory.ingest(namespace, anItem(then))
    const after = await standing()
    return after.open < before.open || after.superseded === true
  }

  for (const [told, then] of harmless) {
    test(`"${then}" closes nothing of "${told}"`, async () => assert.equal(await isClosed(told, then), false))
  }

  test('of 200 look-alikes by somebody who does not know the model, at most 2 close anything', async () => {
    const file = new URL('../../data/relations/unseen/look-alikes.tsv', import.meta.url)
    const closed: string[] = []
    for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
      const [told = '', then = ''] = line.split('\t')
      if (await isClosed(told, then)) closed.push(`${told} | ${then}`)
    }
    assert.ok(closed.length <= 2, closed.join('\n'))
  })

  for (const [told, then] of changes) {
    test(`after "${then}" the newer text is first on that matter`, async () => {
      const namespace = asNamespace(`change ${namespaces++}`)
      for (const text of [told, 'Lunch was good today.', then]) {
        await small.memory.ingest(namespace, anItem(text))
        small.clock.advance(60)
      }
      const chunks = await small.stores.episodic.list(namespace, anything, { after: null, limit: 5 })
      const older = chunks.find(({ text }) => text === told)
      const newer = chunks.find(({ text }) => text === then)
      assert.equal(older?.replaced?.by, newer?.id)
    })
  }
})
