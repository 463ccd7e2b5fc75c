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

test('[SR6] what one speaker says is judged the same with a name before it and without', async () => {
  const named = pairs.map(({ older, newer }) => ({ older: `Ines: ${older}`, newer: `Ines: ${newer}` }))
  assert.deepEqual(await relation.judge(named), await relation.judge(pairs))
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

const question = 'Where does the ferry leave?'
const told = 'The ferry goes from the east pier.'
const near = 'The ferry has a small bar.'

const chanceOf = async (asked: string, text: string) => (await relation.answers(asked, [text]))[0] ?? -1

test('[AR1] holds a text that answers for likelier than one about the same thing, alone and beside it', async () => {
  const [yes, no] = [await chanceOf(question, told), await chanceOf(question, near)]
  assert.ok(yes > 0.5 && no < 0.5, `${yes} ${no}`)
  const [first, second] = await relation.answers(question, [told, near])
  assert.ok(first !== undefined && second !== undefined && first > second)
})

test('[AR2] gives each text a chance between 0 and 1, the same every time, whatever the texts', async () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 60 })
  assert.deepEqual(await relation.answers(question, []), [])
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { minLength: 1, maxLength: 6 }), async (asked, stored) => {
      const [first, second] = await Promise.all([
        relation.answers(asked, stored),
        relation.judge(pairs).then(() => relation.answers(asked, stored)),
      ])
      assert.equal(first.length, stored.length)
      for (const chance of first) assert.ok(chance >= 0 && chance <= 1)
      assert.deepEqual(first, second)
    }),
    { numRuns: 15 },
  )
})

test('[AR3] finds the answer anywhere in a long text, and takes none for one because it is long', async () => {
  const filler = 'Dinner was late, and nobody minded. '.repeat(60)
  const without = await chanceOf(question, filler)
  assert.ok(without < 0.2)
  for (const text of [`${told} ${filler}`, `${filler}${told}`, `${filler}${told} ${filler}`])
    assert.ok((await chanceOf(question, text)) > 5 * without)
  assert.ok((await chanceOf(question, `${filler}${told}`)) > 0.5)
  const six = await relation.answers(`${question} ${filler}`, Array(6).fill(filler))
  assert.equal(six.length, 6)
})

test('[AR4] goes ahead of the pairs that wait, and rejects when the signal aborts', async () => {
  const order: string[] = []
  const judged = relation
    .judge(Array.from({ length: 20 }, () => pairs).flat())
    .then(() => order.push('pairs'))
  await relation.answers(question, [told]).then(() => order.push('question'))
  await judged
  assert.deepEqual(order, ['question', 'pairs'])
  await assert.rejects(relation.answers(question, [told], AbortSignal.abort(new Error('hung up'))), /hung up/)
})

test('[AR5] holds the later of two values for the answer, and the earlier one where it stands alone', async () => {
  const later = 'Since Monday it leaves from the west pier, the ferry.'
  const [first, second] = await relation.answers(question, [told, later])
  assert.ok(first !== undefined && second !== undefined && first < second && second > 0.5)
  assert.ok((await chanceOf(question, told)) > first)
})

test('[AR6] says of a pair what the relation says, ahead of the pairs that wait', async () => {
  const order: string[] = []
  const pair = { older: told, newer: 'Since Monday the ferry leaves from the west pier.' }
  const waiting = relation
    .judge(Array.from({ length: 20 }, () => pairs).flat())
    .then(() => order.push('pairs'))
  const chance = await relation.outdates(pair)
  order.push('search')
  await waiting
  assert.deepEqual(order, ['search', 'pairs'])
  const [judged] = await relation.judge([pair])
  assert.ok(judged !== undefined && chance > 0.5)
  assert.equal(chance, judged.replaces + judged.ends)
  await assert.rejects(relation.outdates(pair, AbortSignal.abort(new Error('hung up'))), /hung up/)
})

test('[AR7] reads texts as alone, in turns with others, up to the first that is sure enough, and none after an abort', async () => {
  const texts = [near, `${near} ${near}`, told, near]
  const alone: number[] = []
  for (const text of texts) alone.push(await chanceOf(question, text))
  const [, , sure = 0] = alone
  assert.deepEqual(await relation.answersUntil(sure, question, texts), alone.slice(0, 3))
  assert.deepEqual(await relation.answersUntil(1, question, texts), alone)
  assert.deepEqual(await relation.answersUntil(0, question, texts), alone.slice(0, 1))
  assert.deepEqual(await relation.answersUntil(1, question, []), [])
  const order: string[] = []
  const many = relation.answersUntil(1, question, Array(20).fill(near)).then(() => order.push('many'))
  await relation.answers(question, [near]).then(() => order.push('one'))
  await many
  assert.deepEqual(order, ['one', 'many'])
  const hangUp = new AbortController()
  const read = relation.answersUntil(1, question, texts, hangUp.signal)
  hangUp.abort(new Error('hung up'))
  await assert.rejects(read, /hung up/)
})
