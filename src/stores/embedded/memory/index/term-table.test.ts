import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTermTable } from './term-table.ts'

const terms = fc.array(fc.oneof(fc.string({ maxLength: 3 }), fc.string({ unit: 'grapheme' })), {
  maxLength: 300,
})

test('a term has one number, wherever it stands, and the next new one gets the next', () => {
  fc.assert(
    fc.property(terms, fc.string(), (told, before) => {
      const table = createTermTable()
      const numbers = new Map<string, number>()
      for (const term of told) {
        const end = before.length + term.length
        const number = numbers.get(term) ?? numbers.size
        assert.equal(table.find(term, 0, term.length), numbers.get(term) ?? -1)
        assert.equal(table.numberOf(`${before}${term} after`, before.length, end), number)
        numbers.set(term, number)
      }
      for (const [term, number] of numbers) assert.equal(table.find(term, 0, term.length), number)
    }),
  )
})
