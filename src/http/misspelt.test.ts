import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { misspeltIn } from './misspelt.ts'

const item = z.object({ text: z.string(), session_id: z.string().nullish() }).meta({ id: 'MisspeltItem' })
const find = misspeltIn(
  z
    .object({
      query: z.string(),
      k: z.int().optional(),
      max_hops: z.int().nullish(),
      include_working: z.boolean().optional(),
      metadata: z.record(z.string(), z.unknown()).optional(),
      items: z.array(item).optional(),
      explain: z.union([z.boolean(), z.object({ id: z.string() })]).optional(),
    })
    .refine(() => true),
)

for (const [body, expected] of [
  [{ query: '', max_hop: 2 }, ['max_hop: did you mean max_hops?']],
  [{ query: '', maxHops: 2 }, ['maxHops: did you mean max_hops?']],
  [{ query: '', 'max-hops': 2 }, ['max-hops: did you mean max_hops?']],
  [{ query: '', K: 2 }, ['K: did you mean k?']],
  [{ query: '', include_wroking: true }, ['include_wroking: did you mean include_working?']],
  [{ qurey: '' }, ['qurey: did you mean query?']],
  [{ items: [{ text: '' }, { text: '', sesion_id: 's' }] }, ['items.1.sesion_id: did you mean session_id?']],
  [{ query: '', explain: { Id: 'x' } }, ['explain.Id: did you mean id?']],
  [{ query: '', user_id: 'me', nonsense: 1, x: 2, q: '', mode: 'fast' }, []],
  [{ query: '', max_hops: 1, max_hop: 2 }, []],
  [{ query: '', metadata: { sesion_id: 1, quer: 2 } }, []],
  [{ query: '', ['max_hops'.repeat(20)]: 1 }, []],
  [[], []],
  ['text', []],
  [null, []],
] as const) {
  test(`${JSON.stringify(body).slice(0, 70)} has ${expected.length === 0 ? 'nothing misspelt' : expected[0]}`, () =>
    assert.deepEqual(find(body), expected))
}

test('never lists more than 20', () => {
  const items = Array.from({ length: 50 }, () => ({ texxt: '' }))
  assert.equal(find({ items }).length, 20)
})
