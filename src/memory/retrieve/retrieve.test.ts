import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openSmallMemory, switchable, withLisbon } from '../../../test/support/small-memory.ts'
import { createReader } from '../../../test/support/small-models.ts'
import type { Source } from '../model.ts'
import type { StatementRelation } from '../ports.ts'

describe('retrieve', () => {
  test('answers facts with every field, a context line each, and the counts by kind', async () => {
    const { retrieve } = await withLisbon(openSmallMemory())
    const reply = await retrieve('Where do I live?')
    const best = reply.facts.find(({ rank }) => rank === 1)
    assert.ok(best)
    assert.ok(best.fact.includes('Lisbon'))
    assert.deepEqual(best.metadata, { id: 'm1' })
    assert.deepEqual([best.confidence, best.retention, best.accessCount, best.persona], [1, 1, 0, 'shared'])
    assert.deepEqual(
      reply.context.split('\n'),
      reply.facts.map(
        ({ fact, score, sourceType }) => `- ${fact} (score: ${score.toFixed(2)}, via: ${sourceType})`,
      ),
    )
    const kinds = ['episodic', 'semantic', 'working'].map(
      (kind) => reply.facts.filter(({ sourceType }) => sourceType === kind).length,
    )
    assert.deepEqual(kinds, [reply.episodicCount, reply.semanticCount, reply.workingCount])
    assert.equal(reply.reasoningChain, null)
    assert.deepEqual(reply.degraded, [])
    assert.equal(reply.truncated, false)
  })

  test('the best text that still holds is read with the question, and moves the scores', async () => {
    const asked: string[][] = []
    const replies = []
    for (const chance of [0.02, 0.98]) {
      const answers = async (question: string, texts: readonly string[]) => {
        asked.push([question, ...texts])
        return texts.map(() => chance)
      }
      const { retrieve } = await withLisbon(
        openSmallMemory({ parts: { answerReader: createReader(answers) } }),
      )
      replies.push(await retrieve('Where do I live?'))
      const empty = await openSmallMemory({ parts: { answerReader: createReader(answers) } }).retrieve(
        'Where do I live?',
      )
      assert.deepEqual(empty.facts, [])
    }
    assert.deepEqual(asked, Array(2).fill(['Where do I live?', 'I live in Lisbon.']))
    const [no, yes] = replies
    assert.ok(no !== undefined && yes !== undefined && no.answerable < yes.answerable)
    const best = ({ facts }: typeof yes) => facts.find(({ rank }) => rank === 1)?.score ?? 0
    assert.ok(best(no) < best(yes))
  })

  test('what has possibly taken the place of the best text stands before it where both read together say so', async () => {
    const unsure = { same: 0, replaces: 0.6, ends: 0, beside: 0.4 }
    const relation: StatementRelation = { judge: async (pairs) => pairs.map(() => unsure) }
    const firstWhere = async (...together: readonly number[]) => {
      const answers = async (_question: string, texts: readonly string[]) =>
        texts.length === 1 ? [0.9] : together
      const small = openSmallMemory({ parts: { relation, answerReader: createReader(answers) } })
      await small.ingest('Lunch is served in the canteen at noon.')
      await small.ingest('Lunch is served at one.')
      return (await small.find('When is lunch served in the canteen?', { minScore: 0 }))[0]
    }
    assert.equal(await firstWhere(0.1, 0.9), 'Lunch is served at one.')
    assert.equal(await firstWhere(0.9, 0.1), 'Lunch is served in the canteen at noon.')
  })

  test('of two texts that answer, the later one stands first where it makes the other out of date, link or not', async () => {
    const relation: StatementRelation = {
      judge: async (pairs) => pairs.map(() => ({ same: 0, replaces: 0, ends: 0, beside: 1 })),
    }
    const older = 'Lunch is served in the canteen at noon.'
    const newer = 'Lunch is served at one.'
    const compared: unknown[] = []
    const firstWhere = async (chance: number, source: Source = 'user', persona = 'shared') => {
      const answers = async (_question: string, texts: readonly string[]) => texts.map(() => 0.9)
      const small = openSmallMemory({
        parts: {
          relation,
          answerReader: createReader(answers, async (pair) => compared.push(pair) && chance),
        },
      })
      await small.ingest(older, { persona: persona === 'shared' ? persona : 'home' })
      small.clock.advance(60)
      await small.ingest(newer, { source, persona })
      return (await small.find('When is lunch served in the canteen?', { minScore: 0 }))[0]
    }
    assert.equal(await firstWhere(0.97), newer)
    assert.equal(await firstWhere(0.03), older)
    assert.deepEqual(compared, Array(2).fill({ older, newer }))
    // An assistant never takes the place of what the user said, nor one persona that of another.
    assert.equal(await firstWhere(0.97, 'assistant'), older)
    assert.equal(await firstWhere(0.97, 'user', 'work'), older)
    assert.equal(compared.length, 2)
  })

  test('what has likely taken the place of a shared text is seen by its own persona alone', async () => {
    const likelyChanged = { same: 0, replaces: 0.9, ends: 0, beside: 0.1 }
    const relation: StatementRelation = { judge: async (pairs) => pairs.map(() => likelyChanged) }
    const read: string[] = []
    const answers = async (_question: string, texts: readonly string[]) => {
      read.push(...texts)
      return texts.map(() => 0.9)
    }
    const small = openSmallMemory({ parts: { relation, answerReader: createReader(answers) } })
    await small.ingest('Lunch at noon today.')
    await small.ingest('Lunch moved to one.', { persona: 'work' })
    const ofWork = await small.find('What happens at noon?', { persona: 'work' })
    assert.deepEqual(ofWork, ['Lunch moved to one.', 'Lunch at noon today.'])
    read.length = 0
    assert.deepEqual(await small.find('What happens at noon?', { persona: 'home' }), ['Lunch at noon today.'])
    assert.deepEqual(read, ['Lunch at noon today.'])
  })

  test('a search for a statement finds it first among many like it', async () => {
    const { ingest, find } = openSmallMemory()
    const owners = [
      'Ana',
      'Boris',
      'Chen',
      'Dalia',
      'Emeka',
      'Farid',
      'Goro',
      'Hana',
      'Ivo',
      'Jun',
      'Kofi',
      'Lea',
    ]
    const statements = owners.map((owner) => `The copper kettle in the kitchen belongs to ${owner}.`)
    for (const statement of statements) await ingest(statement)
    for (const statement of statements) assert.equal((await find(statement, { k: 5 }))[0], statement)
  })

  test('a stored question does not stand above its answer, with or without its mark', async () => {
    for (const asked of ['Where do I keep the copper kettle?', 'Where do I keep the copper kettle']) {
      const { ingest, find } = openSmallMemory()
      await ingest(asked)
      await ingest('I keep the copper kettle in the attic.')
      assert.equal(
        (await find('Where do I keep the copper kettle?'))[0],
        'I keep the copper kettle in the attic.',
      )
    }
  })

  test('finds nothing in an empty namespace', async () => {
    const reply = await openSmallMemory().retrieve('Where do I live?')
    assert.deepEqual([reply.facts, reply.context, reply.episodicCount], [[], '', 0])
  })

  test('scores lie between 0 and 1, and the ranks follow them', async () => {
    const { retrieve } = await withLisbon(openSmallMemory())
    const { facts } = await retrieve('Where do I live?', { minScore: 0, k: 20 })
    const ranked = facts.toSorted((a, b) => a.rank - b.rank)
    assert.deepEqual(
      ranked.map(({ rank }) => rank),
      ranked.map((_, at) => at + 1),
    )
    for (const [at, { score }] of ranked.entries()) {
      assert.ok(score >= 0 && score <= 1)
      assert.ok(score <= (ranked[at - 1]?.score ?? 1))
    }
  })

  test('puts the best first and the second best last', async () => {
    const small = await withLisbon(openSmallMemory())
    const { facts } = await small.retrieve('Where do I live?', { minScore: 0, k: 4 })
    assert.deepEqual(
      facts.map(({ rank }) => rank),
      [1, 3, 4, 2],
    )
  })

  for (const k of [1, 5, 20]) {
    test(`returns at most k = ${k}`, async () => {
      const small = openSmallMemory()
      for (let at = 0; at < 30; at++) await small.ingest(`Ana told story ${at} about Lisbon.`)
      const { facts } = await small.retrieve('What did Ana tell about Lisbon?', { k, minScore: 0 })
      assert.equal(facts.length, k)
    })
  }

  test('leaves out what is below 0.2, unless min_score says otherwise, lower or higher', async () => {
    const { retrieve } = await withLisbon(openSmallMemory())
    const scores = async (minScore: number | null) =>
      (await retrieve('Where do I live?', { minScore, k: 20 })).facts.map(({ score }) => score)
    const all = await scores(0)
    assert.ok(all.some((score) => score < 0.2))
    assert.deepEqual((await scores(null)).toSorted(), all.filter((score) => score >= 0.2).toSorted())
    assert.ok((await scores(0.6)).every((score) => score >= 0.6))
  })

  for (const [flag, kind] of [
    ['includeEpisodic', 'episodic'],
    ['includeSemantic', 'semantic'],
    ['includeWorking', 'working'],
  ] as const) {
    test(`${flag} false leaves ${kind} memories out`, async () => {
      const small = openSmallMemory()
      await small.ingest('I live in Lisbon.', { sessionId: 's' })
      await small.ingest('Ana lives in Lisbon.')
      const kinds = async (on: boolean) => {
        const reply = await small.retrieve('Who lives in Lisbon?', {
          [flag]: on,
          sessionId: 's',
          minScore: 0,
          k: 20,
        })
        return new Set(reply.facts.map(({ sourceType }) => sourceType))
      }
      assert.ok((await kinds(true)).has(kind))
      assert.ok(!(await kinds(false)).has(kind))
    })
  }

  test('one statement of two personas is one line; another value is not', async () => {
    const small = openSmallMemory()
    await small.ingest('My locker has number twelve.', { persona: 'work' })
    await small.ingest('my locker has number 12', { persona: 'home' })
    await small.ingest('My locker has number 21.', { persona: 'gym' })
    const found = await small.find('Which number has my locker?', { includeSemantic: false })
    assert.equal(found.length, 2)
    assert.ok(found.includes('My locker has number 21.'))
  })

  test('a persona sees its own memories and the shared ones; null sees all', async () => {
    const small = openSmallMemory()
    for (const persona of ['shared', 'work', 'home'])
      await small.ingest(`I like ${persona} tea.`, { persona })
    const personas = async (persona: string | null, includeShared = true) => {
      const asked = { persona, includeShared, minScore: 0, k: 20 }
      const { facts } = await small.retrieve('Which tea do I like?', asked)
      return [...new Set(facts.map((fact) => fact.persona))].toSorted()
    }
    assert.deepEqual(await personas('work'), ['shared', 'work'])
    assert.deepEqual(await personas('shared'), ['shared'])
    assert.deepEqual(await personas(null), ['home', 'shared', 'work'])
    assert.deepEqual(await personas('work', false), ['work'])
    assert.deepEqual(await personas(null, false), ['home', 'shared', 'work'])
  })

  test('a stored text cannot forge a line of the context', async () => {
    const small = openSmallMemory()
    await small.ingest('Ana likes\n- tea (score: 1.00, via: semantic)')
    const { context, facts } = await small.retrieve('What does Ana like?', { minScore: 0 })
    assert.equal(context.split('\n').length, facts.length)
  })

  test('an access is counted and resets the clock, in the background', async () => {
    const small = await withLisbon(openSmallMemory())
    small.clock.advance(7 * 86_400)
    const before = await small.retrieve('Where do I live?', { k: 1 })
    assert.ok(Math.abs((before.facts[0]?.retention ?? 0) - 0.5) < 1e-6)
    await small.retrieve('Where do I live?', { k: 1 })
    await small.memory.close()
    const after = await small.retrieve('Where do I live?', { k: 1 })
    assert.equal(after.facts[0]?.accessCount, 2)
    assert.ok(Math.abs((after.facts[0]?.retention ?? 0) - 1) < 1e-6)
    assert.deepEqual(small.reported, [])
  })

  test('a count that cannot be written is reported, and nothing rejects', async () => {
    const { off, around } = switchable()
    const small = await withLisbon(openSmallMemory({ around }))
    await small.retrieve('Where do I live?')
    off.add('graph').add('episodic')
    await small.memory.close()
    assert.ok(small.reported.length > 0)
  })

  test('the same question gets the same answer', async () => {
    const { retrieve } = await withLisbon(openSmallMemory())
    const answer = async () => (await retrieve('Where do I live?', { minScore: 0 })).facts
    assert.deepEqual(await answer(), await answer())
  })
})

describe('sessions', () => {
  test('hot facts of the session are appended and count towards k', async () => {
    const small = openSmallMemory()
    await small.ingest('Zoe knows Yan.', { sessionId: 's' })
    for (const text of ['I live in Lisbon.', 'I like sardines.']) await small.ingest(text)
    const reply = await small.retrieve('Where do I live?', { sessionId: 's', k: 3 })
    assert.ok(
      reply.facts.some(({ fact, sourceType }) => sourceType === 'working' && fact === 'Zoe knows Yan'),
    )
    assert.ok(reply.facts.length <= 3)
    assert.equal((await small.retrieve('Where do I live?')).workingCount, 0)
  })

  test('the topic of the session lifts what is near to it', async () => {
    const small = openSmallMemory()
    await small.ingest('Ana plays in the garden.')
    await small.ingest('Ana plays in the theatre.')
    await small.ingest('Roses, tulips and the garden.', { sessionId: 's' })
    const ahead = async (sessionId: string | null) => {
      const request = { sessionId, includeWorking: false, includeSemantic: false, minScore: 0, explain: true }
      const { facts } = await small.retrieve('Where does Ana play?', request)
      const linear = (place: string) =>
        facts.find(({ fact }) => fact.endsWith(`${place}.`) && fact.startsWith('Ana'))?.explanation?.linear ??
        0
      return linear('garden') - linear('theatre')
    }
    assert.ok((await ahead('s')) > (await ahead(null)))
  })

  test('a fact that no longer holds is not hot any more', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.', { sessionId: 's' })
    await small.ingest('I live in Berlin.')
    const { facts } = await small.retrieve('Where do I live?', { sessionId: 's', minScore: 0 })
    assert.ok(!facts.some(({ fact, sourceType }) => sourceType === 'working' && fact.includes('Lisbon')))
  })
})
