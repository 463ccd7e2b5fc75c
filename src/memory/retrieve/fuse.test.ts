import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asChunkId, asItemId, asRelationshipId } from '../../core/ids.ts'
import type { EpisodicHit, EpisodicMatches, FactHit } from '../ports.ts'
import { scoreAlone, scoreChunks, scoreFacts } from './fuse.ts'
import { readQuestion } from './question.ts'

interface Told {
  readonly id: string
  readonly text: string
  readonly speaker?: string
  readonly session?: string | null
  readonly bm25?: number
  readonly cosine?: number
  readonly previous?: readonly string[]
}

function hitOf(told: Told): EpisodicHit {
  const { id, text, speaker = null, session = 's1', bm25 = 0, cosine = 0, previous = [] } = told
  return {
    chunk: {
      ...{ id: asChunkId(id), itemId: asItemId(`item of ${id}`), persona: 'shared', sessionId: session },
      ...{ source: 'user', speaker, text, start: 0, end: text.length, metadata: null },
      ...{ vector: new Float32Array(2), base: 1, createdAt: 0, lastAccessAt: 0, accessCount: 0 },
      ...{ factCount: 0, closedFactCount: 0 },
    },
    ...{ cosine, bm25, previous: previous.map(asChunkId), next: [] },
  }
}

const matchesOf = (idfSum: number, ...told: Told[]): EpisodicMatches => ({ hits: told.map(hitOf), idfSum })
const order = (question: string, matches: EpisodicMatches) =>
  scoreChunks(readQuestion(question), matches).map(({ hit }) => hit.chunk.id)
const scoreOf = (question: string, matches: EpisodicMatches, id: string) =>
  scoreChunks(readQuestion(question), matches).find(({ hit }) => hit.chunk.id === id)?.score ?? Number.NaN

const filler = 'and then we talked for a while about everything that had happened since, as one does'

test('puts the text that shares words and meaning before those that do not', () => {
  const matches = matchesOf(
    6,
    { id: 'far', text: `The weather was fine, ${filler}`, session: null, cosine: 0 },
    { id: 'near', text: `I moved to Lisbon last year, ${filler}`, session: null, bm25: 5, cosine: 0.6 },
  )
  assert.deepEqual(order('Where in Lisbon did I move?', matches), ['near', 'far'])
  assert.ok(scoreOf('Where in Lisbon did I move?', matches, 'near') >= 0.4)
  assert.ok(scoreOf('Where in Lisbon did I move?', matches, 'far') < 0.2)
})

test('prefers the speaker whom the question names when two say the same', () => {
  const text = `I adopted a dog, ${filler}`
  const matches = matchesOf(
    5,
    { id: 'a', text, speaker: 'Melanie', bm25: 3, cosine: 0.4 },
    { id: 'b', text, speaker: 'Caroline', bm25: 3, cosine: 0.4 },
  )
  assert.deepEqual(order("When was Caroline's dog adopted?", matches), ['b', 'a'])
  assert.deepEqual(order("When was Melanie's dog adopted?", matches), ['a', 'b'])
})

test('scores lower when somebody else than the one named is the match', () => {
  const told = { text: `I adopted a dog, ${filler}`, bm25: 4, cosine: 0.5 }
  const other = { id: 'other', text: `Good for you, ${filler}`, bm25: 1, cosine: 0.1 }
  const right = matchesOf(5, { id: 'hit', speaker: 'Caroline', ...told }, { speaker: 'Melanie', ...other })
  const wrong = matchesOf(5, { id: 'hit', speaker: 'Melanie', ...told }, { speaker: 'Caroline', ...other })
  const question = 'Which dog did Caroline adopt?'
  assert.ok(scoreOf(question, wrong, 'hit') < scoreOf(question, right, 'hit'))
})

test('finds the answer that follows a matching question', () => {
  const asked = { id: 'asked', text: 'Where did you spend your holiday in June?', bm25: 4, cosine: 0.6 }
  const matches = matchesOf(
    5,
    asked,
    { id: 'answer', text: `By the sea, ${filler}`, cosine: 0.1, previous: ['asked'] },
    { id: 'stray', text: `By the sea, ${filler}`, cosine: 0.1, session: 's2' },
  )
  const ranked = order('Where was the holiday in June?', matches)
  assert.ok(ranked.indexOf(asChunkId('answer')) < ranked.indexOf(asChunkId('stray')))
})

test('takes nothing from what was stored next to a text without a session', () => {
  const alone = { text: `By the sea, ${filler}`, cosine: 0.1, session: null }
  const matches = matchesOf(
    5,
    { id: 'strong', text: `Holiday in June, ${filler}`, bm25: 4, cosine: 0.6, session: null },
    { id: 'x', previous: ['strong'], ...alone },
    { id: 'y', ...alone },
  )
  const question = 'Where was the holiday in June?'
  assert.equal(scoreOf(question, matches, 'x'), scoreOf(question, matches, 'y'))
})

const anyTold = fc.record({
  id: fc.uuid(),
  text: fc.string({ maxLength: 60 }),
  speaker: fc.constantFrom('Ann', 'user', 'assistant'),
  session: fc.constantFrom('s1', 's2', null),
  bm25: fc.double({ min: 0, max: 30, noNaN: true }),
  cosine: fc.double({ min: -1, max: 1, noNaN: true }),
})

test('gives scores from 0 to 1 in falling order, the same for every order of the hits', () => {
  const list = fc.uniqueArray(anyTold, { selector: ({ id }) => id, maxLength: 30 })
  fc.assert(
    fc.property(list, fc.double({ min: 0, max: 40, noNaN: true }), fc.string(), (told, idfSum, text) => {
      const question = readQuestion(text)
      const scored = scoreChunks(question, matchesOf(idfSum, ...told))
      scored.forEach(({ score }, at) => {
        assert.ok(score >= 0 && score <= 1 && score <= (scored[at - 1]?.score ?? 1))
      })
      const reversed = scoreChunks(question, matchesOf(idfSum, ...told.toReversed()))
      assert.deepEqual(
        reversed.map(({ hit, score }) => [hit.chunk.id, score.toFixed(9)]),
        scored.map(({ hit, score }) => [hit.chunk.id, score.toFixed(9)]),
      )
    }),
  )
})

function factOf(id: string, chunkId: string, cosine: number, bm25 = 0): FactHit {
  return {
    fact: {
      ...{ id: asRelationshipId(id), itemId: asItemId('item'), chunkId: asChunkId(chunkId), fact: id },
      ...{ persona: 'shared', sessionId: null, source: 'user', relation: 'likes', slot: 'likes|x' },
      ...{ subject: 'e1' as FactHit['fact']['subject'], object: 'e2' as FactHit['fact']['object'] },
      ...{ negated: false, evidence: '', extraction: 1, when: null, metadata: null, closedAt: null },
      ...{ closedBy: null, subjectName: 'user', objectName: 'x', vector: new Float32Array(2), base: 1 },
      ...{ createdAt: 0, lastAccessAt: 0, accessCount: 0 },
    },
    ...{ cosine, bm25 },
  }
}

test('gives a fact most of the score of the text it was read from, the best of its facts most', () => {
  const matches = matchesOf(5, { id: 'c', text: `I love chess, ${filler}`, bm25: 5, cosine: 0.6 })
  const question = readQuestion('Which game do I love?')
  const chunks = scoreChunks(question, matches)
  const [first, second] = scoreFacts(
    question,
    [factOf('weak', 'c', 0.1), factOf('strong', 'c', 0.5)],
    chunks,
    5,
  )
  assert.equal(first?.hit.fact.id, 'strong')
  const whole = chunks[0]?.score ?? 0
  assert.ok((first?.score ?? 0) >= 0.9 * whole && (second?.score ?? 0) >= 0.7 * whole)
})

test('scores a fact whose text was not found by its own words and meaning', () => {
  const question = readQuestion('Which game do I love?')
  const [near, far] = scoreFacts(question, [factOf('near', 'x', 0.8, 4), factOf('far', 'y', 0, 0)], [], 5)
  assert.equal(near?.hit.fact.id, 'near')
  assert.ok((near?.score ?? 0) >= 0.4)
  assert.ok((far?.score ?? 1) < 0.2)
})

test("takes the share of the question's words where no search for texts weighed them", () => {
  const question = readQuestion('Where do I live?')
  const [home, other] = scoreFacts(
    question,
    [factOf('user lives in Rome', 'x', 0.4), factOf('user likes tea', 'y', 0.1)],
    [],
    0,
  )
  assert.deepEqual([home?.hit.fact.fact, home?.isDirect], ['user lives in Rome', true])
  assert.ok((other?.score ?? 1) < 0.3)
})

test('scores a fact at hand by shared words and meaning', () => {
  const hot = (fact: string, vector: readonly number[]) => ({
    ...{ id: fact, fact, persona: 'shared', source: 'user' as const, confidence: 1, createdAt: 0 },
    ...{ metadata: null, vector: Float32Array.from(vector) },
  })
  const question = readQuestion('Where does the user live?')
  const vector = Float32Array.of(1, 0)
  const near = scoreAlone(question, vector, hot('user lives in Lisbon', [0.7, 0.7]))
  const far = scoreAlone(question, vector, hot('user likes chess', [0, 1]))
  assert.ok(near > far)
  assert.ok(near >= 0.4)
})
