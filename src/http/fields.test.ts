import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { z } from 'zod'
import {
  accountName,
  limits,
  metadata,
  optional,
  persona,
  personaOrAll,
  query,
  sessionId,
  text,
  whole,
} from './fields.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success

describe('text', () => {
  for (const [title, given, expected] of [
    ['keeps tabs, newlines and emoji', 'a\tb\nc 👩‍🚀', 'a\tb\nc 👩‍🚀'],
    ['removes C0 and C1 controls', 'a\u0000b\u001bc\u0085d\r\n', 'abcd\n'],
    ['removes bidi controls', 'a\u202eb\u2066c\u200fd\u061c', 'abcd'],
    ['removes the tag block', 'a\u{e0041}\u{e007f}b', 'ab'],
    ['removes lone surrogates and keeps pairs', 'a\ud83db\udc00c\ud83d\ude00', 'abc😀'],
  ] as const) {
    test(title, () => assert.equal(text.parse(given), expected))
  }

  test('has 1 to 32,768 characters, counted in code points', () => {
    assert.ok(!accepts(text, ''))
    assert.ok(accepts(text, 'x'))
    assert.ok(accepts(text, '😀'.repeat(limits.textCharacters)))
    assert.ok(!accepts(text, '😀'.repeat(limits.textCharacters + 1)))
    assert.ok(!accepts(text, 'x'.repeat(limits.textCharacters + 1)))
  })

  test('is refused when nothing is left of it', () => assert.ok(!accepts(text, '\u0000\u202e\u{e0020}')))

  test('never holds a removed character, whatever was sent', () => {
    const forbidden =
      /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (given) => {
        const outcome = text.safeParse(given)
        if (outcome.success) assert.ok(!forbidden.test(outcome.data) && outcome.data.isWellFormed())
      }),
    )
  })
})

test('query has 1 to 4,096 characters', () => {
  assert.ok(accepts(query, 'é'.repeat(4_096)))
  assert.ok(!accepts(query, 'é'.repeat(4_097)))
  assert.ok(!accepts(query, ''))
})

describe('ids', () => {
  test('are brought to NFC before they are checked', () => {
    assert.equal(persona.parse('e\u0301'), '\u00e9')
    assert.ok(accepts(sessionId, 'e\u0301'.repeat(128)))
  })
  test('have 1 to 128 characters', () => {
    assert.ok(accepts(sessionId, '😀'.repeat(128)))
    assert.ok(!accepts(sessionId, 'x'.repeat(129)))
    assert.ok(!accepts(sessionId, ''))
  })
  for (const bad of ['a\nb', 'a\tb', '\u0000', 'a\u202eb', '\u{e0041}', '\ud800', 'x\u0085']) {
    test(`refuse ${JSON.stringify(bad)}`, () => assert.ok(!accepts(persona, bad)))
  }
  test('the persona * is reserved, except where all personas may be asked for', () => {
    assert.ok(!accepts(persona, '*'))
    assert.equal(personaOrAll.parse('*'), '*')
    assert.equal(personaOrAll.parse(undefined), 'shared')
  })
  test('account names cannot be mistaken for a path', () => {
    for (const name of ['acme', 'acme.org', 'a@b', 'Zoë-1']) assert.ok(accepts(accountName, name), name)
    for (const name of ['../x', 'a/b', '.hidden', 'a b', '']) assert.ok(!accepts(accountName, name), name)
  })
})

describe('metadata', () => {
  const nested = (depth: number): object => (depth === 1 ? {} : { a: nested(depth - 1) })
  test('is at most 5 levels deep', () => {
    assert.ok(accepts(metadata, nested(5)))
    assert.ok(!accepts(metadata, nested(6)))
    assert.ok(!accepts(metadata, { a: [[[[[1]]]]] }))
  })
  test('has at most 64 keys, those inside included', () => {
    const keys = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]))
    assert.ok(accepts(metadata, keys(64)))
    assert.ok(!accepts(metadata, keys(65)))
    assert.ok(!accepts(metadata, { ...keys(60), inner: keys(4) }))
  })
  test('is at most 16 KiB as JSON', () => {
    assert.ok(accepts(metadata, { a: 'x'.repeat(16 * 1024 - 8) }))
    assert.ok(!accepts(metadata, { a: 'x'.repeat(16 * 1024 - 7) }))
    assert.ok(!accepts(metadata, { a: 'é'.repeat(8 * 1024) }))
  })
  test('holds no lone surrogates; a backslash and a u are just text', () => {
    assert.ok(!accepts(metadata, { a: ['\ud800'] }))
    assert.ok(!accepts(metadata, { '\udfff': 1 }))
    assert.ok(accepts(metadata, { a: String.raw`\ud800` }))
  })
  for (const bad of [[], 'x', 1, true]) {
    test(`is an object, not ${JSON.stringify(bad)}`, () => assert.ok(!accepts(metadata, bad)))
  }
})

test('null and absent both mean the default', () => {
  const k = optional(whole('k', 1, 20), 5)
  assert.equal(k.parse(null), 5)
  assert.equal(k.parse(undefined), 5)
  assert.equal(k.parse(20), 20)
  for (const bad of [0, 21, 1.5, '5', true, []]) assert.ok(!accepts(k, bad), JSON.stringify(bad))
})
