import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { aNamespace, openSmallMemory, type SmallMemory } from '../../../test/support/small-memory.ts'
import type { Extractor, RelationChances, StatementPair, StatementRelation } from '../ports.ts'
import { certain, closesNothing, likely, possible, supported } from './certainty.ts'

const anything = { persona: null, sessionId: null, source: null, since: null, until: null }
const firstPage = { after: null, limit: 50 }

/** The current facts, by name. */
async function current({ stores }: SmallMemory): Promise<string[]> {
  const facts = await stores.graph.list(aNamespace, anything, firstPage)
  return facts.map(({ fact }) => fact).sort()
}

/** Reads the last word of every text as the user's home. */
const homes: Extractor = {
  extract: async (inputs) =>
    inputs.map(({ text }) => {
      const object = text.split(' ').at(-1) ?? ''
      const sure = { confidence: 0.9, negated: false, ended: false, hypothetical: false, when: null }
      const place = { start: 0, end: text.length }
      const facts = [{ subject: 'user', relation: 'lives_in', object, ...sure, ...place }]
      return { facts, entities: [{ name: object, type: 'place', aliases: [] }], notice: null }
    }),
}

const always = (chances: Partial<RelationChances>): StatementRelation => ({
  judge: async (pairs) => pairs.map(() => ({ same: 0, replaces: 0, ends: 0, beside: 0, ...chances })),
})

describe('a newer fact', () => {
  test('takes the place of its rival where the texts say so', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.')
    assert.deepEqual(await current(small), ['user lives in Berlin'])
  })

  test('stands beside its rival where the judge is not sure, and hides nothing', async () => {
    for (const replaces of [0, 0.5, 0.9]) {
      const relation = always({ replaces, beside: 1 - replaces })
      const small = openSmallMemory({ parts: { relation, extractor: homes } })
      await small.ingest('I live in Lisbon')
      await small.ingest('We all went to Berlin')
      assert.deepEqual(await current(small), ['user lives in Berlin', 'user lives in Lisbon'])
      const found = await small.find('Where do I live, Lisbon or Berlin?', { k: 10, minScore: 0 })
      assert.ok(
        found.some((text) => text.includes('Lisbon')) && found.some((text) => text.includes('Berlin')),
      )
    }
  })

  test('stands beside another value of its own text, unless a later sentence takes the earlier one back', async () => {
    const relation = always({ beside: 1 })
    const small = openSmallMemory({ parts: { relation } })
    await small.ingest('I live in Lisbon. I live in Berlin.')
    assert.deepEqual(await current(small), ['user lives in Berlin', 'user lives in Lisbon'])
    const corrected = openSmallMemory({ parts: { relation: always({ replaces: 1 }) } })
    await corrected.ingest('I live in Lisbon. I live in Berlin.')
    assert.deepEqual(await current(corrected), ['user lives in Berlin'])
  })

  test('with a word where the rival has a name is no value', async () => {
    const small = openSmallMemory({ parts: { relation: always({ beside: 1 }), extractor: homes } })
    await small.ingest('I live in Lisbon')
    await small.ingest('I live in fear')
    assert.deepEqual(await current(small), ['user lives in Lisbon'])
  })

  test('needs no judge for the same sentence with another value, what was denied, or against a less trusted source', async () => {
    const small = openSmallMemory({ parts: { relation: always({ beside: 1 }) } })
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.')
    await small.ingest('You work at Siemens.', { source: 'assistant' })
    await small.ingest('Yes. I work at Nokia.')
    await small.ingest('I do not like tea.')
    await small.ingest('I like tea.')
    assert.deepEqual(await current(small), ['user likes tea', 'user lives in Berlin', 'user works at Nokia'])
  })

  test('that denies another takes its place only where the judge says so: it may be of one day alone', async () => {
    const told = async (chances: Partial<RelationChances>) => {
      const small = openSmallMemory({ parts: { relation: always(chances) } })
      await small.ingest('I like tea.')
      await small.ingest('I do not like tea.')
      return current(small)
    }
    assert.deepEqual(await told({ beside: 1 }), ['user does not like tea', 'user likes tea'])
    assert.deepEqual(await told({ ends: 1 }), ['user does not like tea'])
  })

  test('with a word where a less trusted source has a name closes nothing', async () => {
    const small = openSmallMemory({ parts: { relation: always({ beside: 1 }), extractor: homes } })
    await small.ingest('You live in Lisbon', { source: 'assistant' })
    await small.ingest('I live in fear')
    assert.deepEqual(await current(small), ['user lives in Lisbon'])
  })

  test('closes all that stood beside each other where it surely replaces them', async () => {
    let sure = false
    const relation: StatementRelation = {
      judge: async (pairs) =>
        pairs.map(() => ({ same: 0, ends: 0, replaces: sure ? 1 : 0, beside: sure ? 0 : 1 })),
    }
    const small = openSmallMemory({ parts: { relation, extractor: homes } })
    await small.ingest('I live in Lisbon')
    await small.ingest('We all went to Berlin')
    sure = true
    await small.ingest('At last a home of my own in Rome')
    assert.deepEqual(await current(small), ['user lives in Rome'])
  })

  test('takes what else the older text said along only where that is certain', async () => {
    for (const [replaces, left] of [
      [0.9, ['user likes tea', 'user lives in Berlin']],
      [0.99, ['user lives in Berlin']],
    ] as const) {
      const small = openSmallMemory({ parts: { relation: always({ replaces, beside: 1 - replaces }) } })
      await small.ingest('I live in Lisbon. I like tea.')
      await small.ingest('I live in Berlin.')
      assert.deepEqual(await current(small), left)
    }
  })

  test('that ends something ends what only said when that was, and nothing else of its text', async () => {
    const told = (relation: string, object: string, more = {}) => ({
      ...{ subject: 'user', relation, object, confidence: 0.9, negated: false, ended: false },
      ...{ hypothetical: false, when: null, start: 0, end: 10, ...more },
    })
    const extractor: Extractor = {
      extract: async (inputs) =>
        inputs.map(({ text }) => ({
          ...{ entities: [], notice: null },
          facts: text.includes('no longer')
            ? [told('takes', 'insulin', { ended: true })]
            : [
                told('takes', 'insulin', { when: 'insulin twice a day' }),
                told('takes_at', 'twice a day'),
                told('lives_in', 'Graz'),
              ],
        })),
    }
    const ofTexts: StatementRelation = {
      judge: async (pairs) =>
        pairs.map(({ older }) => {
          const ends = older.startsWith('I take') ? 0.99 : 0
          return { same: 0, replaces: 0, ends, beside: 1 - ends }
        }),
    }
    const small = openSmallMemory({ parts: { relation: ofTexts, extractor } })
    await small.ingest('I take insulin twice a day here in Graz.')
    assert.equal((await current(small)).length, 3)
    await small.ingest('I no longer take insulin.')
    assert.deepEqual(await current(small), ['user lives in Graz'])
  })

  test('told by an assistant closes nothing that the user said, however sure the judge is', async () => {
    const small = openSmallMemory({ parts: { relation: always({ replaces: 1 }) } })
    await small.ingest('I live in Lisbon.')
    await small.ingest('You live in Berlin.', { source: 'assistant' })
    assert.deepEqual(await current(small), ['user lives in Lisbon'])
  })
})

test('no part of a document replaces another, nor a fact of another', async () => {
  const small = openSmallMemory({ parts: { relation: always({ replaces: 1 }) } })
  const source = 'document' as const
  await small.ingest('Ana lives in Lisbon.', { source })
  await small.ingest('Ana lives in Berlin.', { source })
  assert.deepEqual(await current(small), ['Ana lives in Berlin', 'Ana lives in Lisbon'])
})

test('what the user tells after a document may stand before it, and closes nothing of it', async () => {
  const small = openSmallMemory({ parts: { relation: always({ replaces: 1 }) } })
  await small.ingest('Ana lives in Lisbon.', { source: 'document' })
  await small.ingest('Home for Ana is Berlin, no longer Lisbon.')
  const stored = await small.stores.episodic.list(aNamespace, anything, firstPage)
  const older = stored.find(({ text }) => text === 'Ana lives in Lisbon.')
  assert.equal(older?.replaced?.probability, possible)
  assert.ok((await current(small)).includes('Ana lives in Lisbon'))
})

test('a question that tells nothing takes the place of nothing, however sure the judge is', async () => {
  const small = openSmallMemory({ parts: { relation: always({ ends: 1 }) } })
  await small.ingest('I live in Lisbon.')
  await small.ingest('Which town do I live in now, Lisbon?')
  assert.deepEqual(await current(small), ['user lives in Lisbon'])
  const stored = await small.stores.episodic.list(aNamespace, anything, firstPage)
  assert.ok(stored.every(({ replaced }) => replaced === null))
})

describe('a newer text', () => {
  test('without facts of its own closes the only fact of what it certainly replaces', async () => {
    const small = openSmallMemory({ parts: { relation: always({ ends: 1 }) } })
    await small.ingest('I live in Lisbon.')
    await small.ingest('Lisbon is over for me, I live out of a suitcase.')
    assert.deepEqual(await current(small), [])
  })

  test('that is planned for another thing makes nothing out of date, however sure the judge is', async () => {
    const told = { confidence: 0.9, negated: false, ended: false, hypothetical: false, when: null }
    const birthday = { subject: 'user', relation: 'has_birthday', object: '8 May' }
    const plan = { subject: "May's birthday party", relation: 'scheduled_for', object: '15th', future: true }
    const extractor: Extractor = {
      extract: async (inputs) =>
        inputs.map(({ text }) => {
          const fact = text.startsWith('My') ? birthday : plan
          const entities = [{ name: fact.object, type: 'date' as const, aliases: [] }]
          return { facts: [{ ...fact, ...told, start: 0, end: text.length }], entities, notice: null }
        }),
    }
    const small = openSmallMemory({ parts: { relation: always({ replaces: 1 }), extractor } })
    await small.ingest('My birthday is 8 May.')
    const { replaced } = await small.ingest("May's birthday party got moved to the 15th.")
    assert.deepEqual(replaced, [])
    assert.equal((await current(small)).length, 2)
  })

  describe('that ends something', () => {
    const chances = new Map([
      ['The green bike stands in the shed.', 0.99],
      ['The green bike in the shed is mine.', likely],
      ['The shed has a window.', 0.98],
    ])
    const end = 'Somebody took the green bike from the shed.'
    const relation: StatementRelation = {
      judge: async (pairs) =>
        pairs.map(({ older, newer }) => {
          const ends = newer === end ? (chances.get(older) ?? 0) : 0
          return { same: 0, replaces: 0, ends, beside: 1 - ends }
        }),
    }
    const olderTexts = [...chances.keys()]
    const wanted = [0.99, certain, closesNothing]
    const linked = async ({ stores }: SmallMemory) => {
      const stored = await stores.episodic.list(aNamespace, anything, firstPage)
      return olderTexts.map((text) => stored.find((one) => one.text === text)?.replaced?.probability)
    }

    test('makes the likeliest out of date and what tells of the same thing, not its neighbours', async () => {
      const small = openSmallMemory({ parts: { relation } })
      for (const text of olderTexts) await small.ingest(text)
      await small.ingest(end)
      assert.deepEqual(await linked(small), wanted)
    })

    test('makes two things out of date where a fact of it speaks of the other one by itself', async () => {
      const readsWindow: Extractor = {
        extract: async (inputs) =>
          inputs.map(({ text }) => {
            const sure = { confidence: 0.9, negated: false, ended: true, hypothetical: false, when: null }
            const fact = {
              subject: 'shed',
              relation: 'has',
              object: 'window',
              ...sure,
              start: 0,
              end: text.length,
            }
            return { facts: text === end ? [fact] : [], entities: [], notice: null }
          }),
      }
      const judging: StatementRelation = {
        judge: async (pairs) => {
          const said = await relation.judge(pairs)
          const isMeant = ({ older, newer }: StatementPair) =>
            older.includes('window') && newer.includes('shed no longer')
          return said.map((chances, at) => {
            const pair = pairs[at]
            return pair && isMeant(pair)
              ? { same: 0, replaces: 0, ends: supported, beside: 1 - supported }
              : chances
          })
        },
      }
      const small = openSmallMemory({ parts: { relation: judging, extractor: readsWindow } })
      for (const text of olderTexts) await small.ingest(text)
      await small.ingest(end)
      assert.deepEqual(await linked(small), [0.99, certain, 0.98])
    })

    test('does so, too, where the others come later but were told before it', async () => {
      const small = openSmallMemory({ parts: { relation } })
      const now = small.clock.now()
      await small.ingest(end)
      for (const [at, text] of olderTexts.entries()) await small.ingest(text, { occurredAt: now - 100 + at })
      assert.deepEqual(await linked(small), wanted)
    })
  })

  test('asks nobody when nothing is near', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    await small.ingest('Trams rattle.')
    assert.equal(small.relation.asked.length, 0)
  })

  test('is judged with the names of both where two people speak', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.', { speaker: 'Ana' })
    await small.ingest('I live in Lisbon, too.', { speaker: 'Tomasz' })
    await small.ingest('I live in Berlin.', { speaker: 'Ana' })
    await small.ingest('I live in Rome.')
    assert.deepEqual(small.relation.asked[0], {
      ...{ older: 'Ana: I live in Lisbon.', newer: 'Tomasz: I live in Lisbon, too.' },
    })
    assert.ok(
      small.relation.asked.some(
        ({ older, newer }) => older === 'Ana: I live in Berlin.' && newer === 'User: I live in Rome.',
      ),
    )
    assert.ok(
      small.relation.asked.some(
        ({ older, newer }) => older === 'I live in Lisbon.' && newer === 'I live in Berlin.',
      ),
    )
  })

  test('asks about eight pairs at most', async () => {
    const asked: number[] = []
    const counting: StatementRelation = {
      judge: async (pairs) => {
        asked.push(pairs.length)
        return pairs.map(() => ({ same: 0, replaces: 0, ends: 0, beside: 1 }))
      },
    }
    const small = openSmallMemory({ parts: { relation: counting } })
    for (let at = 0; at < 20; at++) await small.ingest(`I like tea number ${at}.`)
    assert.ok(asked.length > 0 && Math.max(...asked) <= 8)
  })

  test('does not touch another persona', async () => {
    const small = openSmallMemory({ parts: { relation: always({ replaces: 1 }) } })
    await small.ingest('I live in Lisbon.', { persona: 'work' })
    await small.ingest('I live in Berlin.', { persona: 'home' })
    assert.deepEqual(await current(small), ['user lives in Berlin', 'user lives in Lisbon'])
  })

  test('of a persona stands before what is shared, and closes nothing of it', async () => {
    const small = openSmallMemory({ parts: { relation: always({ replaces: 1 }) } })
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.', { persona: 'work' })
    assert.deepEqual(await current(small), ['user lives in Berlin', 'user lives in Lisbon'])
    const [shared] = await small.stores.episodic.list(
      aNamespace,
      { ...anything, persona: 'shared' },
      firstPage,
    )
    assert.equal(shared?.replaced?.probability, closesNothing)
    const asked = { k: 10, minScore: 0 }
    const ofWork = await small.find('Where do I live?', { ...asked, persona: 'work' })
    assert.ok(ofWork[0]?.includes('Berlin') && ofWork.some((text) => text.includes('Lisbon')))
    const ofHome = await small.find('Where do I live?', { ...asked, persona: 'home' })
    assert.ok(ofHome.length > 0 && ofHome.every((text) => text.includes('Lisbon')))
  })

  test('fails whole when the judge fails', async () => {
    const failing: StatementRelation = { judge: () => Promise.reject(new Error('no judge')) }
    const small = openSmallMemory({ parts: { relation: failing } })
    await small.ingest('I live in Lisbon.')
    await assert.rejects(small.ingest('I live in Berlin.'), /no judge/)
    assert.deepEqual(await current(small), ['user lives in Lisbon'])
  })
})

test('what is current follows from what was told and when, whoever else was told what, retried or not', () => {
  const places = ['Lisbon', 'Berlin', 'Rome', 'Oslo']
  const told = fc.record({
    place: fc.constantFrom(...places),
    persona: fc.constantFrom('home', 'work'),
    retried: fc.boolean(),
  })
  return fc.assert(
    fc.asyncProperty(fc.array(told, { minLength: 1, maxLength: 8 }), async (tellings) => {
      const small = openSmallMemory()
      for (const { place, persona, retried } of tellings) {
        await small.ingest(`I live in ${place}.`, { persona })
        if (retried) await small.ingest(`I live in ${place}.`, { persona })
        small.clock.advance(60)
      }
      for (const persona of ['home', 'work']) {
        const last = tellings.findLast((telling) => telling.persona === persona)
        const filter = { ...anything, persona }
        const facts = await small.stores.graph.list(aNamespace, filter, firstPage)
        assert.deepEqual(
          facts.map(({ objectName }) => objectName),
          last === undefined ? [] : [last.place],
        )
      }
    }),
    { numRuns: 40 },
  )
})
