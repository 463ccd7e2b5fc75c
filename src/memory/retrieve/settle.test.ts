import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { asChunkId, asEntityId, asItemId, asRelationshipId } from '../../core/ids.ts'
import type { FoundChunk, FoundFact } from '../ports.ts'
import { type Candidate, noMatch } from './candidate.ts'
import type { Scored } from './rank.ts'
import type { Replaced } from './replacements.ts'
import { type Placed, settle } from './settle.ts'

const kept = { base: 1, createdAt: 1, lastAccessAt: 1, accessCount: 0, pinned: false } as const
const shared = { ...kept, persona: 'shared', sessionId: null, source: 'user', metadata: null } as const

function chunk(id: string, part: Partial<FoundChunk> = {}): FoundChunk {
  return {
    ...shared,
    ...{
      id: asChunkId(id),
      itemId: asItemId(`item ${id}`),
      speaker: null,
      text: `text ${id}`,
      start: 0,
      end: 1,
    },
    ...{ factCount: 0, closedFactCount: 0, replaced: null },
    ...part,
  }
}

function fact(id: string, of: string, part: Partial<FoundFact> = {}): FoundFact {
  return {
    ...shared,
    ...{ id: asRelationshipId(id), itemId: asItemId(`item ${of}`), chunkId: asChunkId(of) },
    ...{ subject: asEntityId('user'), relation: 'likes', object: asEntityId(id), slot: `likes|${id}` },
    ...{ negated: false, fact: `fact ${id}`, evidence: '', extraction: 0.9, when: null, closedAt: null },
    ...{ closedBy: null, closer: null, subjectName: 'user', objectName: id },
    ...part,
  }
}

const bare = { hot: null, hotRank: -1, hit: null, own: noMatch, path: null } as const
const textOf = (one: FoundChunk): Candidate => ({ ...bare, id: one.id, chunk: one, fact: null })
const factOf = (one: FoundFact): Candidate => ({ ...bare, id: one.id, chunk: null, fact: one })
const scored = (candidate: Candidate, score: number): Scored => ({
  ...{ candidate, features: new Float64Array(), linear: score, read: 0, probability: score, score },
})

const nothing = { pairs: [], added: [], ends: { until: new Map(), changed: new Map() } }
const ids = (placed: readonly Placed[]) => placed.map(({ candidate }) => candidate.id)
const ruleOf = (placed: readonly Placed[], id: string) =>
  placed.find(({ candidate }) => candidate.id === id)?.rules.at(-1)

const replaces = (older: string, newer: string, isCertain = true): Replaced => ({
  older: asChunkId(older),
  newer: { id: newer, chunkId: asChunkId(newer) },
  isCertain,
})

describe('what was replaced', () => {
  test('never stands above what replaced it, whatever the scores', () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 })
    const links = fc.uniqueArray(
      fc.record({ older: fc.nat(4), by: fc.integer({ min: 1, max: 5 }), isCertain: fc.boolean() }),
      { selector: ({ older }) => older, maxLength: 4 },
    )
    fc.assert(
      fc.property(scores, links, fc.integer({ min: 1, max: 8 }), (list, drawn, k) => {
        // Later names are newer, so that nothing replaces itself in a circle.
        const pairs = drawn.map(({ older, by, isCertain }) =>
          replaces(names[older] ?? '', names[Math.min(5, older + by)] ?? '', isCertain),
        )
        const all = names.map((name, at) => scored(textOf(chunk(name)), list[at] ?? 0))
        const { chosen } = settle(all, { ...nothing, pairs }, { k, minScore: 0 })
        const order = ids(chosen)
        for (const { older, newer, isCertain } of pairs) {
          if (!order.includes(older) || !order.includes(newer.id)) continue
          // A likely replacement that has nothing to do with the question is none here.
          if (!isCertain && (list[names.indexOf(newer.id)] ?? 0) < 0.2) continue
          assert.ok(order.indexOf(newer.id) < order.indexOf(older), `${newer.id} before ${older}`)
        }
        const shown = chosen.map(({ score }) => score)
        assert.deepEqual(
          shown,
          shown.toSorted((a, b) => b - a),
        )
      }),
    )
  })

  test('gives its place to what certainly replaced it, also where that was not found', () => {
    const [old, rival] = [scored(textOf(chunk('old')), 0.9), scored(textOf(chunk('rival')), 0.8)]
    const added = [textOf(chunk('new'))]
    const { chosen } = settle(
      [old, rival],
      { ...nothing, added, pairs: [replaces('old', 'new')] },
      {
        ...{ k: 5, minScore: null },
      },
    )
    assert.deepEqual(ids(chosen), ['new', 'old', 'rival'])
    assert.deepEqual(ruleOf(chosen, 'new'), { rule: 'replaces', by: 'old' })
    assert.deepEqual(ruleOf(chosen, 'old'), { rule: 'replaced', by: 'new' })
  })

  test('stands behind a fact that is new in the session, where that leads the text that replaced it', () => {
    const hot = { ...factOf(fact('told', 'new')), hotRank: 0 }
    const all = [
      scored(textOf(chunk('old')), 0.9),
      scored(hot, 0.7),
      scored(textOf(chunk('new', { factCount: 1 })), 0.6),
    ]
    const found = (k: number) =>
      ids(settle(all, { ...nothing, pairs: [replaces('old', 'new')] }, { k, minScore: 0 }).chosen)
    assert.deepEqual(found(1), ['told'])
    assert.deepEqual(found(2), ['told', 'old'])
  })

  test('keeps its place before a likely replacement that has nothing to do with the question', () => {
    const all = [scored(textOf(chunk('old')), 0.9), scored(textOf(chunk('new')), 0.01)]
    const found = (isCertain: boolean) =>
      ids(
        settle(all, { ...nothing, pairs: [replaces('old', 'new', isCertain)] }, { ...{ k: 5, minScore: 0 } })
          .chosen,
      )
    assert.deepEqual(found(false), ['old', 'new'])
    assert.deepEqual(found(true), ['new', 'old'])
  })

  test('stands right behind what likely replaced it, before what scored less', () => {
    const all = [scored(textOf(chunk('old')), 0.9), scored(textOf(chunk('rival')), 0.8)]
    const newer = scored(textOf(chunk('new')), 0.3)
    const { chosen } = settle(
      [...all, newer],
      { ...nothing, pairs: [replaces('old', 'new', false)] },
      {
        ...{ k: 5, minScore: null },
      },
    )
    assert.deepEqual(ids(chosen), ['new', 'old', 'rival'])
    assert.equal(chosen[0]?.score, 0.9)
    assert.equal(chosen[1]?.superseded, false)
  })

  test('says until when it held', () => {
    const link = { by: asChunkId('new'), at: 77, kind: 'replaces', probability: 1 } as const
    const old = scored(textOf(chunk('old', { replaced: link })), 0.9)
    const { chosen } = settle([old], nothing, { k: 5, minScore: null })
    assert.deepEqual([chosen[0]?.superseded, chosen[0]?.until], [true, 77])
    const likely = scored(textOf(chunk('old', { replaced: { ...link, probability: 0.6 } })), 0.9)
    const [current] = settle([likely], nothing, { k: 5, minScore: null }).chosen
    assert.deepEqual([current?.superseded, current?.until], [false, null])
  })

  test('says since when a part of it does not hold', () => {
    const link = { by: asChunkId('new'), at: 77, kind: 'replaces', probability: 0.99 } as const
    const ends = { until: new Map(), changed: new Map([[asChunkId('old'), 66]]) }
    const changedAt = (part: Partial<FoundChunk>, known = nothing.ends) =>
      settle([scored(textOf(chunk('old', part)), 0.9)], { ...nothing, ends: known }, { k: 5, minScore: null })
        .chosen[0]?.changedAt
    const facts = { factCount: 2, closedFactCount: 0 }
    assert.equal(changedAt({ ...facts, replaced: link }), 77)
    assert.equal(changedAt({ ...facts, closedFactCount: 1 }, ends), 66)
    assert.equal(changedAt({ ...facts, closedFactCount: 2, replaced: link }), null)
    assert.equal(changedAt({ ...facts, replaced: { ...link, probability: 0.9 } }), null)
  })

  test('is behind where what took its place is in the list', () => {
    const pairs = [replaces('old', 'new')]
    const both = [scored(textOf(chunk('old')), 0.9), scored(textOf(chunk('new')), 0.8)]
    const behind = (k: number) =>
      settle(both, { ...nothing, pairs }, { k, minScore: null }).chosen.map(({ isBehind }) => isBehind)
    assert.deepEqual([behind(2), behind(1)], [[false, true], [false]])
  })
})

describe('a text', () => {
  test('takes one place until k is filled; its facts and other pieces follow', () => {
    const long = [
      scored(textOf(chunk('one')), 0.9),
      scored(textOf(chunk('two', { itemId: asItemId('item one') })), 0.8),
      scored(factOf(fact('f', 'one')), 0.7),
    ]
    const others = [scored(textOf(chunk('three')), 0.5), scored(textOf(chunk('four')), 0.4)]
    const order = (k: number) => ids(settle([...long, ...others], nothing, { k, minScore: null }).chosen)
    assert.deepEqual(order(3), ['one', 'three', 'four'])
    assert.deepEqual(order(5), ['one', 'three', 'four', 'two', 'f'])
  })

  test('has at least the score of its best fact and stands before it', () => {
    const all = [scored(textOf(chunk('one')), 0.3), scored(factOf(fact('f', 'one')), 0.6)]
    const { chosen } = settle(all, nothing, { k: 5, minScore: null })
    assert.deepEqual(ids(chosen), ['one', 'f'])
    assert.equal(chosen[0]?.score, 0.6)
  })

  test('is listed once for several copies; another value is not a copy', () => {
    const copies = ['a', 'b'].map((id) => scored(textOf(chunk(id, { text: 'My locker is 12.' })), 0.5))
    const other = scored(textOf(chunk('c', { text: 'My locker is 21.' })), 0.4)
    const { chosen, cut } = settle([...copies, other], nothing, { k: 5, minScore: null })
    assert.deepEqual(ids(chosen), ['a', 'c'])
    assert.deepEqual(ruleOf(cut(), 'b'), { rule: 'copy', by: 'a' })
  })
})

test('of facts that contradict each other the more trusted and then the newer one stays', () => {
  const lives = (id: string, part: Partial<FoundFact>) =>
    scored(
      factOf(fact(id, id, { relation: 'lives_in', slot: 'lives_in', object: asEntityId(id), ...part })),
      0.5,
    )
  const all = [
    lives('rome', { source: 'assistant', createdAt: 9 }),
    lives('oslo', { createdAt: 1 }),
    lives('bern', { createdAt: 2 }),
  ]
  const { chosen, cut } = settle(all, nothing, { k: 5, minScore: null })
  assert.deepEqual(ids(chosen), ['bern'])
  assert.deepEqual(ruleOf(cut(), 'rome'), { rule: 'contradicted', by: 'bern' })
})

test('what is left out says by which rule', () => {
  const all = [0.9, 0.8, 0.1].map((score, at) => scored(textOf(chunk(`c${at}`)), score))
  const { chosen, cut } = settle(all, nothing, { k: 1, minScore: null })
  assert.deepEqual(ids(chosen), ['c0'])
  assert.equal(ruleOf(cut(), 'c1')?.rule, 'k')
  assert.equal(ruleOf(cut(), 'c2')?.rule, 'floor')
})
