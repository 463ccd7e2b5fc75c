import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aNamespace, openSmallMemory, type SmallMemory } from '../../../test/support/small-memory.ts'

const day = 86_400
const anything = { persona: null, sessionId: null, source: null, since: null, until: null }
const all = { after: null, limit: 200 }

interface Told {
  readonly text: string
  readonly source: 'user' | 'assistant'
  readonly at: number
}

/** What the memory holds as true now. */
async function current({ stores }: SmallMemory): Promise<string[]> {
  const facts = await stores.graph.list(aNamespace, anything, all)
  return facts.map(({ fact, createdAt }) => `${fact} since ${createdAt}`).sort()
}

/** Which statement made which other one out of date. */
async function links({ stores }: SmallMemory): Promise<string[]> {
  const chunks = await stores.episodic.list(aNamespace, anything, all)
  const nameOf = new Map(chunks.map(({ id, text, createdAt }) => [id, `${text} ${createdAt}`]))
  const found = await Promise.all(chunks.map(({ id }) => stores.episodic.links(aNamespace, id)))
  const told = found
    .flat()
    .map(({ newer, older, kind, at }) => `${nameOf.get(newer)} ${kind} ${nameOf.get(older)} at ${at}`)
  return [...new Set(told)].sort()
}

/** Every fact, with when it was closed and what held in its place. */
async function closings({ stores }: SmallMemory): Promise<string[]> {
  const chunks = await stores.episodic.list(aNamespace, anything, all)
  const facts = await stores.graph.factsOf(
    aNamespace,
    chunks.map(({ id }) => id),
  )
  const nameOf = new Map(facts.map(({ id, fact }) => [id as string, fact]))
  return facts
    .map(({ fact, createdAt, closedAt, closedBy }) =>
      [fact, createdAt, closedAt, closedBy === null ? null : nameOf.get(closedBy)].join(' | '),
    )
    .sort()
}

async function answers(small: SmallMemory): Promise<string[][]> {
  const questions = ['Where do I live?', 'Where do I work?', 'What do I like?']
  return Promise.all(questions.map((question) => small.find(question, { k: 20, minScore: 0 })))
}

/** Told one after the other, each at its time. */
async function live(history: readonly Told[], end: number): Promise<SmallMemory> {
  const small = openSmallMemory()
  for (const { text, source, at } of history.toSorted((a, b) => a.at - b.at)) {
    small.clock.set(at)
    await small.ingest(text, { source })
  }
  small.clock.set(end)
  return small
}

/** Imported at the end, in the order given. */
async function imported(history: readonly Told[], end: number): Promise<SmallMemory> {
  const small = openSmallMemory()
  small.clock.set(end)
  for (const { text, source, at } of history) await small.ingest(text, { source, occurredAt: at })
  return small
}

const start = 1_700_000_000
const end = start + 30 * day
const told = (text: string, at: number, source: Told['source'] = 'user'): Told => ({
  ...{ text, source, at: start + at * day },
})

const homes = ['Lisbon', 'Berlin', 'Rome']
const statement = fc.oneof(
  fc.constantFrom(...homes).map((home) => `I live in ${home}.`),
  fc.constantFrom(...homes).map((home) => `I no longer live in ${home}.`),
  fc.constantFrom('Siemens', 'Nokia').map((firm) => `I work at ${firm}.`),
  fc.constantFrom('I like tea.', 'I do not like tea.', 'I like rye bread.', 'The kettle is blue.'),
)

/** The same may be told again, and what is replaced in between. */
const repeating = fc
  .array(
    statement.filter((text) => !text.includes('no longer')),
    { minLength: 2, maxLength: 6 },
  )
  .map((texts) => texts.map((text, at) => told(text, at)))
  .chain((history) =>
    fc.shuffledSubarray(history, { minLength: history.length }).map((shuffled) => ({ history, shuffled })),
  )

const histories = fc
  .uniqueArray(statement, { minLength: 2, maxLength: 6 })
  .chain((texts) => fc.tuple(fc.constant(texts), fc.shuffledSubarray(texts, { minLength: texts.length })))
  .map(([texts, order]) => {
    const history = texts.map((text, at) => told(text, at))
    return { history, shuffled: order.map((text) => history[texts.indexOf(text)] ?? told(text, 0)) }
  })

describe('a history told again with its times', () => {
  test('gives the same memory in whatever order it is imported', async () => {
    const property = fc.asyncProperty(histories, async ({ history, shuffled }) => {
      const [one, other] = await Promise.all([live(history, end), imported(shuffled, end)])
      assert.deepEqual(await current(other), await current(one), 'what holds')
      assert.deepEqual(await links(other), await links(one), 'what replaced what')
      assert.deepEqual(await closings(other), await closings(one), 'what was closed when')
      assert.deepEqual(await answers(other), await answers(one), 'the answers')
    })
    await fc.assert(property, { numRuns: 40, seed: 7 })
  })

  test('and what was told several times holds as if it had been told live', async () => {
    const bare = (facts: readonly string[]) => facts.map((fact) => fact.replace(/ since.*/, ''))
    const property = fc.asyncProperty(repeating, async ({ history, shuffled }) => {
      const [one, other] = await Promise.all([live(history, end), imported(shuffled, end)])
      assert.deepEqual(bare(await current(other)), bare(await current(one)))
    })
    await fc.assert(property, { numRuns: 60, seed: 11 })
  })
})

describe('a statement of the past', () => {
  test('never replaces what was told after it, and is replaced by it', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Berlin.')
    const at = small.clock.now() - 90 * day
    await small.ingest('I live in Lisbon.', { occurredAt: at })
    const [fact, ...others] = await small.stores.graph.list(aNamespace, anything, all)
    assert.deepEqual([fact?.fact, others.length], ['user lives in Berlin', 0])
    const history = (await small.memory.history(aNamespace, fact?.id ?? ''))?.history ?? []
    assert.deepEqual(
      history.map((entry) => [entry.fact, entry.createdAt, entry.current]),
      [
        ['user lives in Lisbon', at, false],
        ['user lives in Berlin', fact?.createdAt, true],
      ],
    )
    assert.equal((await small.find('Where do I live?'))[0], 'I live in Berlin.')
  })

  test('is related to at most eight others', async () => {
    const small = openSmallMemory()
    for (let at = 0; at < 20; at++) await small.ingest(`I like tea number ${at} in my red cup.`)
    small.relation.asked.length = 0
    await small.ingest('I like tea in my red cup.', { occurredAt: small.clock.now() - day })
    assert.ok(small.relation.asked.length <= 8, `${small.relation.asked.length}`)
  })

  test('fades from the day on which it was stored', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.', { occurredAt: small.clock.now() - 2 * 365 * day })
    small.clock.advance(60)
    await small.memory.consolidate(aNamespace, { persona: null, force: true })
    const { memories } = await small.memory.list(aNamespace, {
      ...anything,
      type: null,
      limit: 10,
      cursor: null,
    })
    assert.deepEqual(memories.map(({ type }) => type).sort(), ['episodic', 'semantic'])
    for (const { retention } of memories) assert.ok(retention > 0.99)
    small.clock.advance(60 * day)
    await small.memory.consolidate(aNamespace, { persona: null, force: true })
    assert.equal((await small.memory.stats(aNamespace, null)).episodicCount, 0)
  })

  test('is read against its own day', async () => {
    const days: number[] = []
    const extractor = {
      extract: async (inputs: readonly { readonly now: number }[]) => {
        days.push(...inputs.map(({ now }) => now))
        return inputs.map(() => ({ facts: [], entities: [], notice: null }))
      },
    }
    const small = openSmallMemory({ parts: { extractor } })
    const now = small.clock.now()
    await small.ingest('I start on Monday.', { occurredAt: now - 400 * day })
    await small.ingest('I start on Tuesday.')
    assert.deepEqual(days, [now - 400 * day, now])
  })
})
