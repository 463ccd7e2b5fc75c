import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createReader } from '../../../test/support/small-models.ts'
import { asChunkId, asItemId } from '../../core/ids.ts'
import type { Source } from '../model.ts'
import type { FoundChunk } from '../ports.ts'
import { type Candidate, noMatch } from './candidate.ts'
import { type Features, featureNames, place } from './feature-rows.ts'
import type { Path } from './paths.ts'
import { weights } from './rank.ts'
import { isTaken, isWorthReading, moreTrusted, readInTurn, surely, withReading } from './reading.ts'

const fitted = [weights.late, weights.plain]
const unit = fc.double({ min: 0, max: 1, noNaN: true })
const linears = fc.array(fc.double({ min: -5, max: 10, noNaN: true }), { minLength: 2, maxLength: 12 })

/** Texts with these linear scores, the first of which were read with these chances. */
function read(
  linear: readonly number[],
  chosen: (typeof fitted)[number],
  chances: readonly number[],
  sources: readonly Source[] = [],
) {
  const scored = linear.map((value, at) => ({
    ...{ linear: value, probability: 0, score: 0, read: 0, features: new Float64Array() },
    candidate: candidateOf(at, sources[at]),
  }))
  const reads = new Map(chances.map((chance, at) => [asChunkId(`${at}`), chance]))
  return withReading({ scored, answerable: 0.5, crowd: 1, weights: chosen }, reads)
}

test('of one text, what is read moves every score the same way, and no place', () => {
  for (const chosen of fitted) {
    fc.assert(
      fc.property(linears, unit, unit, (linear, a, b) => {
        const less = read(linear, chosen, [Math.min(a, b)])
        const more = read(linear, chosen, [Math.max(a, b)])
        assert.ok(0 <= less.answerable && less.answerable <= more.answerable && more.answerable <= 1)
        for (const [at, one] of less.scored.entries()) {
          assert.ok(one.linear === linear[at])
          assert.ok(one.score <= (more.scored[at]?.score ?? 0) + 1e-9)
          assert.ok(one.probability <= less.answerable + 1e-9)
        }
      }),
    )
  }
})

test('of two texts, the one that answers less surely falls, by what the explanation says', () => {
  for (const chosen of fitted) {
    fc.assert(
      fc.property(linears, unit, unit, (linear, a, b) => {
        const { scored } = read(linear, chosen, [a, b])
        for (const [at, one] of scored.entries()) {
          assert.ok(one.read <= 0)
          assert.ok(Math.abs(one.linear - ((linear[at] ?? 0) + chosen.reading.choice * one.read)) < 1e-9)
        }
        assert.equal(Math.max(...scored.slice(0, 2).map((one) => one.read)), 0)
      }),
    )
  }
})

test('a text that was read falls behind none that was not, and behind one that answers better', () => {
  for (const chosen of fitted) {
    fc.assert(
      fc.property(linears, unit, unit, (values, a, b) => {
        const linear = values.toSorted((x, y) => y - x)
        const [first, second, ...others] = read(linear, chosen, [a, b]).scored.map((one) => one.linear)
        assert.ok(first !== undefined && second !== undefined)
        for (const other of others) assert.ok(Math.min(first, second) >= other)
        if (a > b) assert.ok(first >= second)
      }),
    )
  }
  const fallen = read([5, 5, 5, 4], weights.late, [0.99, 1e-3, 1e-5]).scored.map((one) => one.linear)
  assert.deepEqual(
    fallen,
    fallen.toSorted((x, y) => y - x),
  )
  assert.equal(new Set(fallen).size, fallen.length)
})

test('what an assistant or a document says does not push back what the user said', () => {
  for (const source of ['assistant', 'document'] as const) {
    const { scored } = read([1, 1], weights.late, [0.01, 0.99], ['user', source])
    assert.deepEqual(
      scored.map((one) => one.linear),
      [1, 1],
    )
    const [, other] = read([1, 1], weights.late, [0.99, 0.01], ['user', source]).scored
    assert.ok((other?.linear ?? 1) < 1)
  }
})

test('what lies on a way over several facts is not judged alone, and a question pushes back nothing', () => {
  const scoredOf = (path: Path | null, features: Features) =>
    [0.01, 0.99].map((_, at) => ({
      ...{ linear: 1, probability: 0, score: 0, read: 0, features },
      candidate: { ...candidateOf(at), path },
    }))
  const linearOf = (path: Path | null, features: Features) => {
    const scored = scoredOf(path, features)
    const reads = new Map([0.01, 0.99].map((chance, at) => [asChunkId(`${at}`), chance]))
    return withReading({ scored, answerable: 0.5, crowd: 1, weights: weights.late }, reads).scored[0]?.linear
  }
  const telling = new Float64Array(featureNames.length)
  const asking = telling.with(place.isQuestion, 1)
  assert.ok((linearOf(null, telling) ?? 1) < 1)
  assert.equal(linearOf(null, asking), 1)
  assert.equal(linearOf({ closeness: 1, narrowness: 1, hop: 1, after: null }, telling), 1)
})

/** Reads the texts in turn where each has this chance. */
const readAll = (texts: readonly FoundChunk[], chances: readonly number[]) => {
  const chanceOf = (text: string) => chances[texts.findIndex((one) => one.text === text)] ?? 0
  return readInTurn(
    createReader(async (_question, alone) => alone.map(chanceOf)),
    '',
    texts,
  )
}

test('texts are read until one surely answers; behind that only what was told after it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(unit, fc.nat(9)), { minLength: 1, maxLength: 6 }), async (list) => {
      const texts = list.map(([, createdAt], at) => ({ ...chunkOf(at), createdAt }))
      const reads = await readAll(
        texts,
        list.map(([chance]) => chance),
      )
      const sure = texts.findIndex(({ id }) => (reads.get(id) ?? 0) >= surely)
      const told = texts[sure]?.createdAt ?? -1
      const expected = texts.filter(({ createdAt }, at) => sure < 0 || at <= sure || createdAt > told)
      assert.deepEqual(
        [...reads.keys()],
        expected.map(({ id }) => id),
      )
    }),
  )
})

test('what is read, several texts at a time, is what each text need be read after those before it', async () => {
  const source = fc.constantFrom<Source>('user', 'assistant', 'document')
  const chance = fc.constantFrom(0.1, surely, 1)
  const text = fc.record({ chance, source, createdAt: fc.nat(4), isQuestion: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), async (list) => {
      const texts = list.map((one, at) => ({
        ...{ ...chunkOf(at, one.source), createdAt: one.createdAt },
        text: `text ${at}${one.isQuestion ? '?' : ''}`,
      }))
      const chances = list.map((one) => one.chance)
      const expected = new Map<FoundChunk['id'], number>()
      for (const [at, one] of texts.entries())
        if (isWorthReading(one, texts, expected)) expected.set(one.id, chances[at] ?? 0)
      assert.deepEqual([...(await readAll(texts, chances))], [...expected])
    }),
  )
})

test('neither a question nor what somebody less trusted says keeps a text from being read', () => {
  const [first, second] = [
    { ...chunkOf(0), createdAt: 2 },
    { ...chunkOf(1), createdAt: 1 },
  ]
  const isRead = (before: Partial<FoundChunk>) => {
    const texts = [{ ...first, ...before }, second]
    return isWorthReading(second, texts, new Map([[first.id, 0.99]]))
  }
  assert.equal(isRead({}), false)
  assert.equal(isRead({ text: 'Where do I live?' }), true)
  assert.equal(isRead({ source: 'assistant' }), true)
})

test('what somebody more trusted said before, and surely answers, may say otherwise', () => {
  const told = (at: number, source: Source, more: Partial<FoundChunk> = {}) => ({
    ...{ ...chunkOf(at, source), createdAt: at, ...more },
  })
  const text = told(2, 'document')
  const whoMay = (other: FoundChunk, chance: number) =>
    moreTrusted(text, [other, text], new Map([[other.id, chance]])).length === 1
  assert.equal(whoMay(told(1, 'user'), 0.95), true)
  assert.equal(whoMay(told(1, 'user'), 0.5), false)
  assert.equal(whoMay(told(3, 'user'), 0.95), false)
  assert.equal(whoMay(told(1, 'assistant'), 0.95), false)
  assert.equal(whoMay(told(1, 'user', { factCount: 1, closedFactCount: 1 }), 0.95), false)
})

test('a text is the sooner out of date for a question, the surer the link, the better the newer one answers and the worse the older', () => {
  assert.equal(isTaken(0.95, { older: 0.1, newer: 0.9 }), true)
  assert.equal(isTaken(0.6, { older: 0.95, newer: 0.02 }), false)
  fc.assert(
    fc.property(unit, unit, unit, unit, (link, older, newer, more) => {
      if (!isTaken(link, { older, newer })) return
      assert.ok(isTaken(Math.max(link, more), { older, newer }))
      assert.ok(isTaken(link, { older: Math.min(older, more), newer }))
      assert.ok(isTaken(link, { older, newer: Math.max(newer, more) }))
    }),
  )
})

const kept = { base: 1, createdAt: 1, lastAccessAt: 1, accessCount: 0, pinned: false } as const

function chunkOf(at: number, source: Source = 'user'): FoundChunk {
  return {
    ...{ ...kept, persona: 'shared', sessionId: null, source, metadata: null, speaker: null },
    ...{ id: asChunkId(`${at}`), itemId: asItemId(`${at}`), text: `text ${at}`, start: 0, end: 1 },
    ...{ factCount: 0, closedFactCount: 0, replaced: null },
  }
}

function candidateOf(at: number, source?: Source): Candidate {
  const chunk = chunkOf(at, source)
  return { id: chunk.id, chunk, fact: null, hot: null, hotRank: -1, hit: null, own: noMatch, path: null }
}
