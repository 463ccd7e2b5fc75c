import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Source } from './model.ts'
import { reopen, type StandingFact } from './reopen.ts'

const fact = (objectKey: string, createdAt: number, more: Partial<StandingFact> = {}): StandingFact => ({
  ...{ id: `${objectKey} ${createdAt}`, relation: 'lives_in', objectKey, negated: false },
  ...{ source: 'user' as Source, place: 'home', createdAt, ...more },
})

test('opens what nothing excludes', () => {
  assert.deepEqual(reopen([fact('oslo', 2, { place: 'elsewhere' })], [fact('rome', 1)]), {
    ...{ opened: ['rome 1'], closings: [] },
  })
})

test('leaves closed what a current fact excludes or tells already', () => {
  const closings = [{ id: 'rome 1', closer: 'oslo 2', by: 'oslo 2', at: 2 }]
  assert.deepEqual(reopen([fact('oslo', 2)], [fact('rome', 1)]), { opened: [], closings })
  const same = [{ id: 'rome 1', closer: 'rome 2', by: 'rome 2', at: 2 }]
  assert.deepEqual(reopen([fact('rome', 2)], [fact('rome', 1)]), { opened: [], closings: same })
})

test('closes by an opened fact what could only be current without it', () => {
  const claim = fact('oslo', 2, { source: 'assistant' })
  const closings = [{ id: 'oslo 2', closer: 'rome 1', by: 'rome 1', at: 2 }]
  assert.deepEqual(reopen([claim], [fact('rome', 1)]), { opened: ['rome 1'], closings })
})

test('opens one of several that exclude each other, in whatever order they come', () => {
  const [bern, lima] = [fact('bern', 1), fact('lima', 2)]
  const expected = { opened: ['lima 2'], closings: [{ id: 'bern 1', closer: 'lima 2', by: 'lima 2', at: 2 }] }
  assert.deepEqual(reopen([], [bern, lima]), expected)
  assert.deepEqual(reopen([], [lima, bern]), expected)
})

test('leaves closed what another end, told since, ends; not what was told after that, and not another value', () => {
  const end = fact('rome', 3, { ended: true })
  const closings = [{ id: 'rome 1', closer: 'rome 3', by: null, at: 3 }]
  assert.deepEqual(reopen([end], [fact('rome', 1)]), { opened: [], closings })
  assert.deepEqual(reopen([end], [fact('rome', 4)]), { opened: ['rome 4'], closings: [] })
  assert.deepEqual(reopen([end], [fact('oslo', 1)]), { opened: ['oslo 1'], closings: [] })
  const claim = fact('rome', 3, { ended: true, source: 'assistant' })
  assert.deepEqual(reopen([claim], [fact('rome', 1)]), { opened: ['rome 1'], closings: [] })
})
