import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { aNamespace, openSmallMemory, type SmallMemory } from '../../test/support/small-memory.ts'
import { createPatternExtractor } from '../../test/support/small-models.ts'
import type { ListRequest, MemoryRecord } from './memory.ts'

const wholeList: ListRequest = {
  ...{ persona: null, type: null, sessionId: null, source: null, since: null, until: null },
  ...{ limit: 50, cursor: null },
}

/** The memory that says this, as listed. */
async function find({ memory }: SmallMemory, said: string): Promise<MemoryRecord> {
  const { memories } = await memory.list(aNamespace, wholeList)
  const found = memories.find(({ fact }) => fact.includes(said))
  assert.ok(found, `nothing says ${said}`)
  return found
}

const open = async ({ memory }: SmallMemory) =>
  (await memory.list(aNamespace, { ...wholeList, type: 'semantic' })).memories.map(({ fact }) => fact).sort()

const beside = { same: 0, replaces: 0, ends: 0, beside: 1 }

const correct = ({ memory }: SmallMemory, id: string, text: string, pinned: boolean | null = null) =>
  memory.correct(aNamespace, { id, text, pinned })

describe('correct', () => {
  test('stores the text as the user’s word with what the corrected one came with, and keeps that as history', async () => {
    const small = openSmallMemory()
    const item = { source: 'assistant', persona: 'work', sessionId: 's', metadata: { from: 'chat' } } as const
    await small.ingest('The weather was lovely.', item)
    small.clock.advance(10)
    const old = await find(small, 'lovely')
    const reply = await correct(small, old.id, 'It rained cats and dogs.')
    assert.equal(reply?.replaced, old.id)
    const { memory } = reply
    assert.deepEqual(
      [memory.fact, memory.source, memory.persona, memory.sessionId, memory.metadata, memory.confidence],
      ['It rained cats and dogs.', 'user', 'work', 's', { from: 'chat' }, 1],
    )
    const after = await small.memory.get(aNamespace, old.id)
    assert.deepEqual(
      [after?.superseded, after?.replacedBy, after?.replacedAt],
      [true, memory.id, memory.createdAt],
    )
    const expected = {
      newer: { id: memory.id, fact: 'It rained cats and dogs.' },
      older: { id: old.id, fact: 'The weather was lovely.' },
      ...{ kind: 'replaces', probability: 1, at: memory.createdAt },
    }
    for (const id of [old.id, memory.id]) {
      assert.deepEqual((await small.memory.history(aNamespace, id))?.links, [expected])
    }
  })

  test('several at once leave one that holds, each in the place of the one before', async () => {
    const small = openSmallMemory({
      around: (stores) => ({
        ...stores,
        journal: {
          ...stores.journal,
          remember: async (namespace, item) => {
            await setTimeout(2)
            return stores.journal.remember(namespace, item)
          },
        },
      }),
    })
    await small.ingest('The weather was lovely.')
    const { id } = await find(small, 'lovely')
    const told = ['It rained.', 'It snowed a little.', 'A storm came up.']
    const replies = await Promise.all(told.map((text) => correct(small, id, text)))
    assert.deepEqual(
      replies.map((reply) => reply?.memory.fact),
      told,
    )
    const { memories } = await small.memory.list(aNamespace, { ...wholeList, type: 'episodic' })
    assert.deepEqual(
      memories.filter(({ superseded }) => !superseded).map(({ fact }) => fact),
      told.slice(-1),
    )
  })

  test('cannot have been told before what it corrects: nothing would hold', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    const { id, createdAt } = await find(small, 'I live in Lisbon.')
    const request = { id, text: 'I live in Porto.', pinned: null }
    await assert.rejects(small.memory.correct(aNamespace, { ...request, occurredAt: createdAt - 1 }), {
      code: 'invalid_request',
      message: 'occurred_at must not be before the memory that is corrected was told.',
    })
    assert.deepEqual(await open(small), ['user lives in Lisbon'])
    const reply = await small.memory.correct(aNamespace, { ...request, occurredAt: createdAt })
    assert.equal(reply?.memory.superseded, false)
    assert.deepEqual(await open(small), ['user lives in Porto'])
  })

  test('closes the facts of a corrected text, except those that the new one tells again', async () => {
    const small = openSmallMemory()
    await small.ingest('I like tea. I live in Lisbon. Ana works at Siemens.')
    const before = await open(small)
    assert.equal(before.length, 3)
    await correct(small, (await find(small, 'I like tea. I live')).id, 'I like tea. I live in Porto.')
    const after = await open(small)
    assert.equal(after.length, 2)
    assert.ok(after.some((fact) => fact.includes('tea')) && after.some((fact) => fact.includes('Porto')))
  })

  test('closes a corrected fact alone, and its text where it told nothing else', async () => {
    const small = openSmallMemory()
    await small.ingest('I like tea. Ana works at Siemens.')
    const text = await find(small, 'I like tea. Ana')
    const siemens = (await open(small)).find((fact) => fact.includes('Siemens')) ?? ''
    const fact = await find(small, siemens)
    const reply = await correct(small, fact.id, 'Ana took a year off.')
    assert.equal((await small.memory.get(aNamespace, text.id))?.replacedBy, null)
    assert.equal((await small.memory.get(aNamespace, fact.id))?.replacedBy, reply?.id)
    assert.equal((await open(small)).filter((left) => left.includes('Siemens')).length, 0)
    assert.equal((await open(small)).filter((left) => left.includes('tea')).length, 1)
    const history = await small.memory.history(aNamespace, fact.id)
    assert.deepEqual(
      history?.links.map(({ newer, older }) => [newer.fact, older.id]),
      [['Ana took a year off.', fact.id]],
    )
    await small.ingest('Bo works at Acme.')
    const only = await find(small, (await open(small)).find((left) => left.includes('Acme')) ?? '')
    const second = await correct(small, only.id, 'Bo retired.')
    const said = (await small.memory.list(aNamespace, wholeList)).memories.find(
      ({ fact, type }) => type === 'episodic' && fact === 'Bo works at Acme.',
    )
    assert.equal(said?.replacedBy, second?.id)
  })

  test('corrects the last correction of a fact, too', async () => {
    const small = openSmallMemory()
    await small.ingest('I like tea. I live in Lisbon.')
    const { id } = await find(small, (await open(small)).find((fact) => fact.includes('Lisbon')) ?? '')
    const first = await correct(small, id, 'I live in Porto.')
    const second = await correct(small, id, 'I live in Braga.')
    assert.deepEqual([first?.replaced, second?.replaced], [id, first?.id])
    assert.deepEqual(
      (await open(small)).map((one) => /tea|Porto|Braga/.exec(one)?.[0]),
      ['tea', 'Braga'],
    )
    assert.equal((await small.memory.get(aNamespace, first?.id ?? ''))?.superseded, true)
    const third = await correct(small, id, 'I live in Braga.')
    assert.equal(third?.id, second?.id)
  })

  test('closes a corrected fact alone also where the rest of its text was told before', async () => {
    const small = openSmallMemory()
    await small.ingest('I like tea. I live in Lisbon.')
    await correct(small, (await find(small, 'I like tea. I live')).id, 'I like tea. I live in Porto.')
    const text = await find(small, 'I like tea. I live in Porto.')
    const porto = (await open(small)).find((fact) => fact.includes('Porto')) ?? ''
    const fact = await find(small, porto)
    await correct(small, fact.id, 'I live in Braga.')
    const after = await small.memory.get(aNamespace, text.id)
    assert.deepEqual([after?.superseded, after?.replacedBy], [false, null])
    assert.deepEqual(
      (await open(small)).map((one) => /tea|Braga/.exec(one)?.[0]),
      ['tea', 'Braga'],
    )
  })

  test('makes the new value current even where nobody would judge that it replaces', async () => {
    const relation = { judge: async () => assert.fail('asked about a correction') }
    const small = openSmallMemory({ parts: { relation } })
    await small.ingest('I live in Lisbon.')
    await correct(small, (await find(small, 'I live in Lisbon')).id, 'I live in Porto.')
    const facts = await open(small)
    assert.equal(facts.length, 1)
    assert.ok(facts[0]?.includes('Porto'))
    const old = await small.memory.history(aNamespace, (await find(small, facts[0] ?? '')).id)
    assert.equal(old?.history.length, 2)
  })

  test('opens what the corrected memory had closed, unless the new text closes it too', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.')
    assert.deepEqual(await open(small), ['user lives in Berlin'])
    const wrong = await find(small, 'I live in Berlin.')
    const first = await correct(small, wrong.id, 'I live in Rome.')
    assert.deepEqual(await open(small), ['user lives in Rome'])
    await correct(small, first?.id ?? '', 'Ana works at Siemens.')
    assert.deepEqual(await open(small), ['Ana works at Siemens', 'user lives in Lisbon'])
    assert.equal((await find(small, 'I live in Lisbon.')).superseded, false)
  })

  test('keeps closed what was corrected by hand, whatever is said of the next correction', async () => {
    const relation = { judge: async (pairs: readonly unknown[]) => pairs.map(() => beside) }
    const small = openSmallMemory({ parts: { relation } })
    await small.ingest('I like tea. Ana works at Siemens.')
    const siemens = await find(small, (await open(small)).find((fact) => fact.includes('Siemens')) ?? '')
    const first = await correct(small, siemens.id, 'Ana works at Bosch.')
    assert.deepEqual(await open(small), ['Ana works at Bosch', 'user likes tea'])
    const second = await correct(small, first?.id ?? '', 'Ana works at Philips.')
    assert.deepEqual(await open(small), ['Ana works at Philips', 'user likes tea'])
    await correct(small, second?.id ?? '', 'Ana took a year off.')
    assert.ok(!(await open(small)).some((fact) => /Siemens|Bosch|Philips/.test(fact)))
  })

  test('closes what an earlier edition told and the corrected one told again', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    const first = await correct(small, (await find(small, 'I live in Lisbon.')).id, 'I live in Lisbon!')
    assert.deepEqual(await open(small), ['user lives in Lisbon'])
    await correct(small, first?.id ?? '', 'I like tea.')
    assert.deepEqual(await open(small), ['user likes tea'])
  })

  test('corrects the last correction where the memory that is named was corrected already', async () => {
    const small = openSmallMemory()
    await small.ingest('The weather was lovely.')
    const { id } = await find(small, 'lovely')
    const first = await correct(small, id, 'It rained cats and dogs.')
    const again = await correct(small, id, 'It rained cats and dogs.', true)
    assert.deepEqual([again?.id, again?.replaced, again?.memory.pinned], [first?.id, id, true])
    const second = await correct(small, id, 'It snowed all day.')
    assert.deepEqual([second?.replaced, second?.memory.superseded], [first?.id, false])
    assert.equal((await small.memory.get(aNamespace, first?.id ?? ''))?.replacedBy, second?.id)
    const { memories } = await small.memory.list(aNamespace, wholeList)
    assert.deepEqual(
      memories.filter(({ superseded }) => !superseded).map(({ fact }) => fact),
      ['It snowed all day.'],
    )
    const back = await correct(small, id, 'It rained cats and dogs.')
    assert.deepEqual([back?.replaced, back?.memory.superseded], [second?.id, false])
  })

  test('is undone when the correction is forgotten', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    const before = await open(small)
    const old = await find(small, 'I live in Lisbon')
    const reply = await correct(small, old.id, 'I live in Porto.')
    await small.memory.forget(aNamespace, { by: 'ids', ids: [reply?.id ?? ''] })
    assert.deepEqual(await open(small), before)
    const again = await small.memory.get(aNamespace, old.id)
    assert.deepEqual([again?.superseded, again?.replacedBy, again?.replacedAt], [false, null, null])
  })

  test('forgotten, it leaves closed what the corrected memory had closed', async () => {
    const small = openSmallMemory()
    const state = async () => {
      const { memories } = await small.memory.list(aNamespace, wholeList)
      return memories.map(({ fact, superseded, replacedBy }) => [fact, superseded, replacedBy])
    }
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.')
    const [before, facts] = [await state(), await open(small)]
    for (const text of ['I live in Rome.', 'Ana works at Siemens.', 'I live in Lisbon.']) {
      const reply = await correct(small, (await find(small, 'I live in Berlin.')).id, text)
      await small.memory.forget(aNamespace, { by: 'ids', ids: [reply?.id ?? ''] })
      assert.deepEqual([await state(), await open(small)], [before, facts])
    }
  })

  test('corrects to a text that is known elsewhere, and the same again changes nothing', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Porto.')
    await small.ingest('The boat is green.')
    const old = await find(small, 'boat')
    const first = await correct(small, old.id, 'I live in Porto.')
    assert.equal((await small.memory.get(aNamespace, old.id))?.replacedBy, first?.id)
    const count = await small.memory.stats(aNamespace, null)
    const second = await correct(small, old.id, 'I live in Porto.')
    assert.equal(second?.id, first?.id)
    assert.deepEqual(await small.memory.stats(aNamespace, null), count)
  })

  test('stores nothing and closes nothing when reading the text fails', async () => {
    let fails = false
    const pattern = createPatternExtractor()
    const extractor = {
      extract: (...args: Parameters<typeof pattern.extract>) =>
        fails ? Promise.reject(new Error('no model')) : pattern.extract(...args),
    }
    const small = openSmallMemory({ parts: { extractor } })
    await small.ingest('I live in Lisbon.')
    const [before, stats] = [await open(small), await small.memory.stats(aNamespace, null)]
    fails = true
    await assert.rejects(correct(small, (await find(small, 'I live in')).id, 'I live in Porto.'))
    assert.deepEqual([await open(small), await small.memory.stats(aNamespace, null)], [before, stats])
  })

  test('is null for an id that is not there', async () => {
    const small = openSmallMemory()
    assert.equal(await correct(small, 'nothing', 'I live in Porto.'), null)
    assert.equal(await small.memory.pin(aNamespace, 'nothing', true), null)
  })
})

describe('pin', () => {
  test('keeps a text and a fact from decay and pruning, and a correction of one too', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    const { memories } = await small.memory.list(aNamespace, wholeList)
    for (const { id } of memories) {
      assert.equal((await small.memory.pin(aNamespace, id, true))?.pinned, true)
    }
    await small.ingest('The boat is green.')
    small.clock.advance(300 * 86_400)
    await small.memory.prune(aNamespace, { threshold: 0.5, dryRun: false, persona: null })
    const left = (await small.memory.list(aNamespace, wholeList)).memories
    assert.deepEqual(left.map(({ id }) => id).sort(), memories.map(({ id }) => id).sort())
    for (const { retention, confidence } of left) assert.equal(retention, confidence)
    const text = left.find(({ type }) => type === 'episodic')
    const reply = await correct(small, text?.id ?? '', 'I live in Porto.')
    assert.equal(reply?.memory.pinned, true)
    assert.equal((await correct(small, reply?.id ?? '', 'I live in Faro.', false))?.memory.pinned, false)
  })
})
