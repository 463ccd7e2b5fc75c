import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { RelationChances, StatementPair } from '../../memory/ports.ts'
import { createLocalRelation } from './local-relation.ts'

const relation = await createLocalRelation()
after(() => relation.close())

const pairs: readonly StatementPair[] = [
  { older: 'Our office is on Mill Road.', newer: 'The office is at Canal Street since Monday.' },
  { older: 'I keep bees.', newer: 'The hives went to my cousin, I gave up the bees.' },
  { older: 'The kettle is in the left cupboard.', newer: 'Oskar plays the oboe.' },
  { older: 'Lunch is at noon.', newer: 'Lunch is at noon' },
]

const sum = ({ same, replaces, ends, beside }: RelationChances) => same + replaces + ends + beside

test('[SR1] gives one judgement a pair, in order, and none for no pairs', async () => {
  assert.deepEqual(await relation.judge([]), [])
  const judged = await relation.judge(pairs)
  const likeliest = judged.map((chances) =>
    (['same', 'replaces', 'ends', 'beside'] as const).reduce((a, b) => (chances[b] > chances[a] ? b : a)),
  )
  assert.deepEqual(likeliest, ['replaces', 'ends', 'beside', 'same'])
})

test('[SR2] gives chances that add up to 1, whatever the texts', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  await fc.assert(
    fc.asyncProperty(text, text, async (older, newer) => {
      const [chances] = await relation.judge([{ older, newer }])
      assert.ok(chances !== undefined)
      for (const chance of Object.values(chances)) assert.ok(chance >= 0 && chance <= 1)
      assert.ok(Math.abs(sum(chances) - 1) < 1e-9)
    }),
    { numRuns: 30 },
  )
})

test('[SR3] judges a pair alone as beside others, bit by bit', async () => {
  const together = await relation.judge(pairs)
  for (const [at, pair] of pairs.entries()) {
    assert.deepEqual(await relation.judge([pair]), [together[at]])
  }
})

test('[SR4] rejects when the signal aborts', async () => {
  const hangUp = new AbortController()
  const judged = relation.judge(pairs, hangUp.signal)
  hangUp.abort(new Error('hung up'))
  await assert.rejects(judged, /hung up/)
  assert.equal((await relation.judge(pairs)).length, pairs.length)
})

test('[SR5] judges texts of any length', async () => {
  const long = 'The harbour was full of boats. '.repeat(200)
  const [chances] = await relation.judge([{ older: long, newer: long }])
  assert.ok(chances !== undefined && Math.abs(sum(chances) - 1) < 1e-9)
})
