import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { openSmallMemory } from '../../../test/support/small-memory.ts'
import { featureNames } from './feature-rows.ts'
import { bandScore, weights } from './rank.ts'

const words = ['Ana', 'Ben', 'lives', 'likes', 'in', 'Lisbon', 'tea', 'the', 'garden', 'where', 'does', 'not']
const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 2, maxLength: 7 })
  .map((list) => list.join(' '))

describe('explain', () => {
  test('the contributions add up to the linear score, and that leads to the score', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(sentence, { minLength: 1, maxLength: 6 }),
        sentence,
        async (texts, query) => {
          const small = openSmallMemory()
          for (const [at, text] of texts.entries())
            await small.ingest(text, { sessionId: at % 2 === 0 ? 's' : null })
          const { facts, answerable } = await small.retrieve(query, {
            ...{ k: 20, minScore: 0, sessionId: 's', explain: true, maxHops: 2 },
          })
          for (const { explanation, score } of facts) {
            assert.ok(explanation)
            const sum = explanation.features.reduce((total, { value, weight, contribution }) => {
              assert.ok(Math.abs(contribution - value * weight) < 1e-12)
              return total + contribution
            }, 0)
            assert.ok(Math.abs(sum - explanation.linear) < 1e-9)
            assert.ok(explanation.features.every(({ name }) => featureNames.some((known) => known === name)))
            assert.equal(explanation.answerable, answerable)
            assert.ok(
              Math.abs(explanation.calibrated - bandScore(explanation.probability, weights.plain.bands)) <
                1e-12,
            )
            assert.ok(explanation.probability <= answerable)
            assert.equal(explanation.score, score)
            if (explanation.rules.length === 0) assert.ok(score <= explanation.calibrated)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  test('the best candidate has the chance that there is an answer', async () => {
    const small = openSmallMemory()
    await small.ingest('Ana lives in Lisbon.')
    const { facts, answerable } = await small.retrieve('Where does Ana live?', { k: 1, explain: true })
    assert.equal(facts[0]?.explanation?.probability, answerable)
  })

  test('each piece of a long text shows how many were found and how much better the best one matches', async () => {
    const small = openSmallMemory()
    const about = (word: string) => `Ana told a long story about the ${word} again. `.repeat(20)
    await small.ingest(`${about('garden')}\n\n${about('harbour')}`, { sessionId: 's' })
    await small.ingest('Ana likes tea.', { sessionId: 's' })
    const { facts } = await small.retrieve('What did Ana tell about the harbour?', {
      ...{ k: 20, minScore: 0, explain: true, includeSemantic: false },
    })
    const featureOf = ({ explanation }: (typeof facts)[number], feature: string) =>
      explanation?.features.find(({ name }) => name === feature)?.value ?? 0
    const [whole, pieces] = [
      facts.filter(({ fact }) => fact === 'Ana likes tea.'),
      facts.filter(({ fact }) => fact.includes('story')),
    ]
    assert.ok(pieces.length >= 2)
    assert.deepEqual(
      whole.map((one) => [featureOf(one, 'pieces'), featureOf(one, 'textWords')]),
      [[0, 0]],
    )
    for (const piece of pieces) assert.equal(featureOf(piece, 'pieces'), Math.log(pieces.length))
    const behind = pieces.map((piece) => featureOf(piece, 'textWords'))
    assert.equal(Math.min(...behind), 0)
    const words = pieces.map((piece) => featureOf(piece, 'words') + featureOf(piece, 'textWords'))
    for (const best of words) assert.ok(Math.abs(best - (words[0] ?? 0)) < 1e-12)
    assert.ok(Math.max(...behind) > 0)
  })

  test('says nothing where nobody asked', async () => {
    const small = openSmallMemory()
    await small.ingest('Ana lives in Lisbon.')
    const reply = await small.retrieve('Where does Ana live?')
    assert.equal(reply.explanation, undefined)
    assert.ok(reply.facts.every(({ explanation }) => explanation === undefined))
  })

  test('names the rule that left something out', async () => {
    const small = openSmallMemory()
    for (let at = 0; at < 4; at++) await small.ingest(`Ana told story ${at} about Lisbon.`)
    const { explanation, facts } = await small.retrieve('What did Ana tell about Lisbon?', {
      ...{ k: 1, minScore: 0, explain: true },
    })
    assert.equal(facts.length, 1)
    assert.ok((explanation?.cut.length ?? 0) >= 3)
    assert.ok(explanation?.cut.every(({ rule }) => rule === 'k'))
  })

  test('says why one memory did not come back', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    await small.ingest('I like sardines.', { persona: 'home' })
    const query = 'Where do I live?'
    const { facts } = await small.retrieve(query, { k: 20, minScore: 0 })
    const idOf = (text: string) => facts.find(({ fact }) => fact === text)?.id ?? ''
    const outcome = async (id: string, persona: string | null = null, k = 5) =>
      (await small.retrieve(query, { explain: { id }, persona, k })).explanation?.memory?.outcome
    assert.equal(await outcome(idOf('I live in Lisbon.')), 'returned')
    assert.equal(await outcome('nothing'), 'unknown')
    assert.equal(await outcome(idOf('I like sardines.'), 'work'), 'persona')
    assert.equal(await outcome(idOf('I like sardines.')), 'floor')
    assert.equal(await outcome(idOf('user lives in Lisbon'), null, 1), 'k')
  })
})
