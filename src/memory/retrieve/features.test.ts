import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asChunkId, asItemId } from '../../core/ids.ts'
import type { EpisodicHit } from '../ports.ts'
import { type FeatureName, featureNames, featuresOf } from './features.ts'
import { readQuestion } from './question.ts'

interface Told {
  readonly id: string
  readonly text: string
  readonly speaker?: string
  readonly source?: 'user' | 'assistant'
  readonly session?: string
  readonly start?: number
  readonly cosine?: number
}

function hitOf({ id, text, speaker, source = 'user', session, start = 0, cosine = 0.1 }: Told): EpisodicHit {
  return {
    chunk: {
      ...{ id: asChunkId(id), itemId: asItemId(`item of ${id}`), persona: 'shared', source },
      ...{ speaker: speaker ?? null, sessionId: session ?? null, text, start, end: start + text.length },
      ...{ metadata: null, vector: new Float32Array(2), base: 1, createdAt: 0, lastAccessAt: 0 },
      ...{ accessCount: 0, factCount: 0, closedFactCount: 0 },
    },
    ...{ cosine, bm25: 0, previous: [], next: [] },
  }
}

function valuesOf(name: FeatureName, ...told: readonly Told[]): Record<string, number> {
  const candidates = featuresOf(readQuestion('Where is it?'), { hits: told.map(hitOf), idfSum: 1 })
  const at = featureNames.indexOf(name)
  return Object.fromEntries(candidates.map(({ hit, features }) => [hit.chunk.id, features[at] ?? Number.NaN]))
}

const first = { id: 'first', text: 'Angi Vera: a film that Pál Gábor directed.', cosine: 0.6 }
const second = { id: 'second', text: 'Pál Gábor (director): born in Budapest.' }

test('a titled text that the best match names is spoken of, as strongly as that one matches', () => {
  assert.deepEqual(valuesOf('spokenOf', first, second), { first: 0, second: 0.5 })
})

for (const [what, told] of Object.entries({
  'a text that no other names': [first, { id: 'second', text: 'Pál Gáborjani: born in Budapest.' }],
  'a text with a session': [first, { ...second, session: 's1' }],
  'a piece from the middle of a text': [first, { ...second, start: 400 }],
  'a text that is named by itself alone': [
    { id: 'x', text: 'x' },
    { ...second, text: `${second.text} Pál Gábor` },
  ],
  'one of several texts with the same title': [first, second, { ...second, id: 'third' }],
  'a text whose title is too short to tell': [first, { id: 'second', text: 'Pál: born in Budapest.' }],
})) {
  test(`${what} is not spoken of`, () => {
    assert.deepEqual(new Set(Object.values(valuesOf('spokenOf', ...told))), new Set([0]))
  })
}

test('reads the eight best matches alone for titles', () => {
  const better = Array.from({ length: 8 }, (_, at) => ({ id: `b${at}`, text: 'Nothing here.', cosine: 0.7 }))
  assert.equal(valuesOf('spokenOf', ...better.slice(1), first, second).second, 0.6 / 0.7 / 2)
  assert.equal(valuesOf('spokenOf', ...better, first, second).second, 0)
})

test('knows what an assistant said, by its name or by the source', () => {
  assert.deepEqual(
    valuesOf(
      'byAssistant',
      { id: 'named', text: 'a', speaker: 'Assistant' },
      { id: 'sent', text: 'a', source: 'assistant' },
      { id: 'user', text: 'a' },
      { id: 'person', text: 'a', speaker: 'Ann', source: 'assistant' },
    ),
    { named: 1, sent: 1, user: 0, person: 0 },
  )
})
