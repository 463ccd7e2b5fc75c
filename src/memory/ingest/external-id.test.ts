import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, anItem, openSmallMemory, type SmallMemory } from '../../../test/support/small-memory.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Message } from '../learned.ts'
import type { Conversation } from '../memory.ts'

const anything = { persona: null, sessionId: null, source: null, since: null, until: null }
const all = { after: null, limit: 200 }

const current = async ({ stores }: SmallMemory) =>
  (await stores.graph.list(aNamespace, anything, all)).map(({ fact }) => fact).sort()

const texts = async ({ stores }: SmallMemory) =>
  (await stores.episodic.list(aNamespace, anything, all)).map(({ text }) => text).sort()

const under = (externalId: string, more: object = {}) => ({ externalId, ...more })

describe('an item with an id of the caller', () => {
  test('takes the place of the one before: its texts, facts and entities are gone, and what it closed holds again', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    const first = await small.ingest('I live in Berlin.', under('note', { sessionId: 's' }))
    assert.deepEqual(await current(small), ['user lives in Berlin'])
    assert.deepEqual(
      first.replaced?.map(({ fact }) => fact),
      ['user lives in Lisbon'],
    )
    const second = await small.ingest('I like rye bread.', under('note'))
    assert.equal(second.deduplicated, false)
    assert.deepEqual(await current(small), ['user likes rye bread', 'user lives in Lisbon'])
    assert.deepEqual(await texts(small), ['I like rye bread.', 'I live in Lisbon.'])
    assert.deepEqual(await small.stores.graph.entitiesNamed(aNamespace, ['berlin']), [])
    assert.equal(await small.memory.get(aNamespace, first.ids?.[0] ?? ''), null)
    const session = await small.stores.working.session(aNamespace, 's', small.clock.now())
    assert.deepEqual(session?.facts, [])
    assert.equal((await small.find('Where do I live?'))[0], 'I live in Lisbon.')
  })

  test('is related as if the one before had never been told', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.', under('note'))
    const { replaced } = await small.ingest('I live in Rome.', under('note'))
    assert.deepEqual(
      replaced?.map(({ fact, kind }) => [fact, kind]),
      [['user lives in Lisbon', 'replaces']],
    )
    assert.deepEqual(await current(small), ['user lives in Rome'])
    const [fact] = await small.stores.graph.list(aNamespace, anything, all)
    const history = (await small.memory.history(aNamespace, fact?.id ?? ''))?.history ?? []
    assert.deepEqual(
      history.map((entry) => entry.fact),
      ['user lives in Lisbon', 'user lives in Rome'],
    )
  })

  test('closes by its words alone what the one before had closed so, however often it is changed', async () => {
    const replaces = { same: 0, replaces: 1, ends: 0, beside: 0 }
    const relation = { judge: async (pairs: readonly unknown[]) => pairs.map(() => replaces) }
    const small = openSmallMemory({ parts: { relation } })
    await small.ingest('I live in Lisbon.')
    for (const since of ['May', 'June', 'July']) {
      const { replaced } = await small.ingest(`Not in Lisbon since ${since}.`, under('note'))
      assert.deepEqual(
        replaced?.map(({ fact, kind }) => [fact, kind]),
        [['user lives in Lisbon', 'replaces']],
        since,
      )
      assert.deepEqual(await current(small), [])
    }
  })

  test('told again as it is changes nothing and says so; with other metadata it is another one', async () => {
    const small = openSmallMemory()
    const item = under('note', { metadata: { v: 1 } })
    const first = await small.ingest('I live in Berlin.', item)
    small.clock.advance(60)
    const again = await small.ingest('I live in Berlin.', item)
    assert.equal(again.deduplicated, true)
    assert.deepEqual(again.ids, first.ids)
    assert.equal(
      (await small.ingest('I live in Berlin.', under('note', { metadata: { v: 2 } }))).deduplicated,
      false,
    )
    assert.deepEqual(await texts(small), ['I live in Berlin.'])
    assert.deepEqual(await current(small), ['user lives in Berlin'])
  })

  test('is one per persona, and what others told in the same words stays', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Berlin.', under('note'))
    await small.ingest('I live in Berlin.')
    await small.ingest('I live in Berlin.', under('note', { persona: 'work' }))
    await small.ingest('The kettle is blue.', under('note'))
    assert.deepEqual(await texts(small), ['I live in Berlin.', 'I live in Berlin.', 'The kettle is blue.'])
  })

  test('stays whole when its successor fails', async () => {
    let isBroken = false
    const small = openSmallMemory({
      around: (stores) => ({
        ...stores,
        journal: {
          ...stores.journal,
          remember: (namespace, item) =>
            isBroken
              ? Promise.reject(new ServiceError('storage_full'))
              : stores.journal.remember(namespace, item),
        },
      }),
    })
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.', under('note'))
    isBroken = true
    await assert.rejects(small.ingest('I live in Rome.', under('note')))
    assert.deepEqual(await texts(small), ['I live in Berlin.', 'I live in Lisbon.'])
    assert.deepEqual(await current(small), ['user lives in Berlin'])
  })

  test('in one batch the last of an id holds', async () => {
    const small = openSmallMemory()
    const items = ['Lisbon', 'Berlin', 'Rome'].map((home) => anItem(`I live in ${home}.`, under('note')))
    const { results } = await small.memory.ingestBatch(aNamespace, items)
    assert.equal(results.length, 3)
    assert.deepEqual(await texts(small), ['I live in Rome.'])
  })
})

test('what is known is told for each item in order, and looked up together', async () => {
  let asking = 0
  const askedAtOnce: number[] = []
  const small = openSmallMemory({
    around: (stores) => ({
      ...stores,
      episodic: {
        ...stores.episodic,
        keyed: async (...item) => {
          askedAtOnce.push(++asking)
          return stores.episodic.keyed(...item).finally(() => asking--)
        },
      },
    }),
  })
  const items = Array.from({ length: 120 }, (_, at) => anItem(`Cup ${at} is red.`, under(`cup ${at}`)))
  const stored = await small.memory.ingestBatch(
    aNamespace,
    items.filter((_, at) => at % 40 === 0),
  )
  const [first, second, third] = stored.results.map((result) => ('error' in result ? null : result.ids))
  askedAtOnce.length = 0
  const mixed = [...items, anItem('No id.'), talk([said('user', 'A turn.')], under('talk'))]
  const known = await small.memory.known(aNamespace, mixed)
  const expected = new Map([...[first, second, third].entries()].map(([at, ids]) => [at * 40, ids]))
  assert.deepEqual(
    known,
    mixed.map((_, at) => expected.get(at) ?? null),
  )
  assert.equal(askedAtOnce.length, items.length)
  assert.equal(Math.max(...askedAtOnce), 50)
})

const said = (role: Message['role'], content: string, more: Partial<Message> = {}): Message => ({
  ...{ role, content, name: null, occurredAt: null, ...more },
})

const talk = (messages: readonly Message[], more: Partial<Conversation> = {}): Conversation => {
  const { text: _text, source: _source, ...shared } = anItem('')
  return { ...shared, messages, ...more }
}

describe('a conversation', () => {
  test('is stored as its turns, in their order, each with its source and speaker', async () => {
    const small = openSmallMemory()
    const at = small.clock.now() - 1_000
    const reply = await small.memory.ingest(
      aNamespace,
      talk(
        [
          said('system', 'The kettle is blue.'),
          said('user', 'I live in Berlin.', { name: 'Ana' }),
          said('assistant', 'You work at Siemens.', { occurredAt: at + 10 }),
        ],
        { sessionId: 's', occurredAt: at },
      ),
    )
    const chunks = (await small.stores.episodic.list(aNamespace, anything, all)).toReversed()
    assert.deepEqual(
      chunks.map(({ source, speaker, sessionId, text }) => [source, speaker, sessionId, text]),
      [
        ['document', null, 's', 'The kettle is blue.'],
        ['user', 'Ana', 's', 'I live in Berlin.'],
        ['assistant', null, 's', 'You work at Siemens.'],
      ],
    )
    const times = chunks.map(({ createdAt }) => createdAt - at)
    assert.deepEqual(
      times.toSorted((a, b) => a - b),
      times,
    )
    assert.ok((times[1] ?? 1) < 0.001 && (times[1] ?? 0) > 0)
    assert.deepEqual(
      reply.ids,
      chunks.map(({ id }) => id),
    )
    assert.deepEqual([reply.episodicChunks, reply.facts?.length, reply.workingMemoryUpdated], [3, 2, true])
  })

  test('under an id keeps what is the same, adds what is new, and loses what is gone', async () => {
    const small = openSmallMemory()
    const [one, two, three] = ['The kettle is blue.', 'The cup is red.', 'The pot is green.']
    const turns = (...contents: readonly string[]) =>
      talk(
        contents.map((content) => said('user', content)),
        under('talk'),
      )
    const first = await small.memory.ingest(aNamespace, turns(one, two))
    const grown = await small.memory.ingest(aNamespace, turns(one, two, three))
    assert.equal(grown.episodicChunks, 1)
    assert.deepEqual(grown.ids?.slice(0, 2), first.ids)
    await small.memory.ingest(aNamespace, turns(one))
    assert.deepEqual(await texts(small), [one])
    await small.ingest('Only this.', under('talk'))
    assert.deepEqual(await texts(small), ['Only this.'])
    await small.memory.ingest(aNamespace, turns(two))
    assert.deepEqual(await texts(small), [two])
  })

  test('that takes the place of a text, or the other way round, names nothing as replaced that is gone', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.', under('talk'))
    const turns = talk([said('user', 'I live in Berlin.')], under('talk'))
    const { results } = await small.memory.ingestBatch(aNamespace, [turns])
    assert.deepEqual(
      results.map((result) => ('error' in result ? result : result.replaced)),
      [[]],
    )
    assert.deepEqual((await small.ingest('I live in Rome.', under('talk'))).replaced, [])
    assert.deepEqual(await texts(small), ['I live in Rome.'])
  })

  test('fails as a whole where a message cannot be stored, and a retry stores the rest', async () => {
    let isBroken = true
    const small = openSmallMemory({
      around: (stores) => ({
        ...stores,
        journal: {
          ...stores.journal,
          remember: (namespace, item) =>
            isBroken && item.chunks.some(({ text }) => text.includes('red'))
              ? Promise.reject(new ServiceError('storage_full'))
              : stores.journal.remember(namespace, item),
        },
      }),
    })
    const turns = talk([said('user', 'The kettle is blue.'), said('user', 'The cup is red.')])
    await assert.rejects(small.memory.ingest(aNamespace, turns))
    const { results } = await small.memory.ingestBatch(aNamespace, [turns, anItem('The pot is green.')])
    assert.deepEqual(
      results.map((result) => 'error' in result),
      [true, false],
    )
    isBroken = false
    await small.memory.ingest(aNamespace, turns)
    assert.deepEqual(await texts(small), ['The cup is red.', 'The kettle is blue.', 'The pot is green.'])
  })
})

describe('the reply to a text', () => {
  test('names the memories, the facts, and what they made out of date', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    const reply = await small.ingest('I live in Berlin. I like tea.')
    const [chunk] = reply.ids ?? []
    assert.equal((await small.memory.get(aNamespace, chunk ?? ''))?.fact, 'I live in Berlin. I like tea.')
    assert.deepEqual(
      reply.facts?.map(({ fact, triple, certainty }) => [fact, triple.object, certainty]),
      [
        ['user lives in Berlin', 'Berlin', 0.9],
        ['user likes tea', 'tea', 0.9],
      ],
    )
    assert.deepEqual(
      reply.replaced?.map(({ fact, kind }) => [fact, kind]),
      [['user lives in Lisbon', 'replaces']],
    )
    for (const { id } of [...(reply.facts ?? []), ...(reply.replaced ?? [])])
      assert.notEqual(await small.memory.get(aNamespace, id), null)
  })

  test('names a fact that was known by its one id, and a known text by its own', async () => {
    const small = openSmallMemory()
    const first = await small.ingest('I like tea.')
    const other = await small.ingest('Yes. I like tea.')
    assert.deepEqual(other.facts, first.facts)
    const again = await small.ingest('I like tea.')
    assert.deepEqual([again.deduplicated, again.ids, again.facts], [true, first.ids, first.facts])
  })

  test('names a text that is out of date where it told no fact', async () => {
    const replaces = { same: 0, replaces: 1, ends: 0, beside: 0 }
    const relation = { judge: async (pairs: readonly unknown[]) => pairs.map(() => replaces) }
    const small = openSmallMemory({ parts: { relation } })
    const first = await small.ingest('The launch is planned for May.')
    const { replaced } = await small.ingest('The launch is planned for June now.')
    assert.deepEqual(replaced, [
      { id: first.ids?.[0], fact: 'The launch is planned for May.', kind: 'replaces', probability: 0.9999 },
    ])
  })
})
