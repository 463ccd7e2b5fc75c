import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, openSmallMemory, type SmallMemory } from '../../../test/support/small-memory.ts'
import { createReader } from '../../../test/support/small-models.ts'

describe('facts alone', () => {
  test('what is new in the session does not lower them', async () => {
    const answerReader = createReader(async (_question, texts) => texts.map(() => 0.01))
    const small = openSmallMemory({ parts: { answerReader } })
    for (const text of ['Nina works at Zalora.', 'I like tea.', 'Lunch was late.', 'What a day it was.'])
      await small.ingest(text, { sessionId: 's' })
    const best = async (sessionId: string | null) => {
      const reply = await small.retrieve('Where does Nina work?', { sessionId, includeEpisodic: false })
      const { fact, score } = reply.facts.find(({ rank }) => rank === 1) ?? { fact: '', score: 0 }
      return { fact, score, answerable: reply.answerable }
    }
    const [alone, inSession] = [await best(null), await best('s')]
    assert.equal(inSession.fact, alone.fact)
    assert.ok(Math.abs(inSession.score - alone.score) < 0.1, JSON.stringify([alone, inSession]))
    assert.ok(Math.abs(inSession.answerable - alone.answerable) < 0.1, JSON.stringify([alone, inSession]))
  })
})

describe('conflict resolution', () => {
  test('I live in Lisbon, later I live in Berlin: Berlin is returned, Lisbon is in the history only', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    small.clock.advance(60)
    await small.ingest('I live in Berlin.')
    const { facts } = await small.retrieve('Where do I live?', { minScore: 0, k: 20 })
    const semantic = facts.filter(({ sourceType }) => sourceType === 'semantic')
    assert.deepEqual(
      semantic.map(({ fact }) => fact),
      ['user lives in Berlin'],
    )
    const history = await small.memory.history(aNamespace, semantic[0]?.id ?? '')
    assert.deepEqual(
      history?.history.map(({ fact, current }) => [fact, current]),
      [
        ['user lives in Lisbon', false],
        ['user lives in Berlin', true],
      ],
    )
  })

  test('the text of a replaced fact is marked and stands below what replaced it', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.')
    for (const query of ['Where do I live?', 'I live in Lisbon', 'Lisbon', 'Is it Lisbon where I live?']) {
      const { facts } = await small.retrieve(query, { minScore: 0, k: 20 })
      const old = facts.find(({ fact }) => fact === 'I live in Lisbon.')
      assert.equal(old?.superseded, true, query)
      for (const { fact, rank } of facts) if (fact.includes('Berlin')) assert.ok(rank < old.rank, query)
      assert.ok(
        facts.some(({ fact }) => fact.includes('Berlin')),
        query,
      )
    }
  })

  test('what replaced the best answer takes its place, ahead of what somebody else does', async () => {
    const small = openSmallMemory()
    await small.ingest('Maria lives in Lisbon.')
    await small.ingest('I live in Lisbon.')
    const query = 'Is it Lisbon where I live?'
    for (const includeSemantic of [true, false]) {
      const before = await small.find(query, { includeSemantic })
      await small.ingest('I live in Berlin.')
      const after = await small.find(query, { includeSemantic })
      const place = after.findIndex((fact) => fact.includes('Berlin'))
      assert.ok(place >= 0 && place <= before.findIndex((fact) => !fact.startsWith('Maria')))
    }
  })

  test('without the graph the replaced text still stands below the new text', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    await small.ingest('I live in Berlin.')
    const found = await small.find('I live in Lisbon', { includeSemantic: false, minScore: 0 })
    assert.deepEqual(found, ['I live in Berlin.', 'I live in Lisbon.'])
  })

  test('a text that is half replaced stands behind the new fact, where the question asks for that half', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon. I work at Siemens.')
    await small.ingest('I live in Berlin.')
    const home = await small.find('Do I live in Lisbon?')
    assert.match(home[0] ?? '', /Berlin/)
    assert.equal((await small.find('Do I work at Siemens?'))[0], 'I live in Lisbon. I work at Siemens.')
  })

  test('a text that another persona overrules stands behind the text that does', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Rome.')
    small.clock.advance(60)
    await small.ingest('I live in Oslo.', { persona: 'home' })
    const [first] = await small.find('Do I live in Rome?', { persona: 'home' })
    assert.match(first ?? '', /Oslo/)
    assert.equal((await small.find('Where do I live?', { persona: 'other' }))[0], 'I live in Rome.')
  })

  test('a text stands before the facts that were read from it', async () => {
    for (let round = 0; round < 8; round++) {
      const small = openSmallMemory()
      await small.ingest('I live in Rome.')
      assert.deepEqual(await small.find('Where do I live?', { k: 2 }), [
        'I live in Rome.',
        'user lives in Rome',
      ])
    }
  })

  test("an assistant's claim never replaces the user's", async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    small.clock.advance(60)
    await small.ingest('You live in Berlin.', { source: 'assistant' })
    const { facts } = await small.retrieve('Where do I live?', { minScore: 0, k: 20 })
    assert.deepEqual(
      facts.filter(({ sourceType }) => sourceType === 'semantic').map(({ fact }) => fact),
      ['user lives in Lisbon'],
    )
    const claim = facts.find(({ fact }) => fact === 'You live in Berlin.')
    assert.equal(claim?.superseded, true)
  })

  test('of two personas the user-sourced fact wins, then the newer one', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.', { persona: 'work' })
    small.clock.advance(60)
    await small.ingest('You live in Rome.', { persona: 'home', source: 'assistant' })
    const semantic = () => small.find('Where do I live?', { includeEpisodic: false, minScore: 0, k: 20 })
    assert.deepEqual(await semantic(), ['user lives in Lisbon'])
    small.clock.advance(60)
    await small.ingest('I live in Berlin.', { persona: 'other' })
    assert.deepEqual(await semantic(), ['user lives in Berlin'])
  })

  test('reports 1.0 for a user-sourced fact and the extraction confidence for others', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    await small.ingest('Ana lives in Lisbon.', { source: 'document' })
    const { facts } = await small.retrieve('Who lives in Lisbon?', { includeEpisodic: false, minScore: 0 })
    const confidence = (text: string) =>
      facts.find(({ fact }) => fact.startsWith(text))?.confidence ?? Number.NaN
    assert.equal(confidence('user'), 1)
    assert.ok(Math.abs(confidence('Ana') - 0.72) < 1e-9)
  })
})

describe('traversal', () => {
  async function chain(): Promise<SmallMemory> {
    const small = openSmallMemory()
    for (const text of [
      'I have a sister called Maria.',
      'Maria works at Siemens.',
      'Siemens is located in Munich.',
    ])
      await small.ingest(text)
    await small.ingest('Zoe knows Yan.')
    return small
  }

  for (const maxHops of [null, 1]) {
    test(`max_hops ${maxHops} walks nothing: the chain is null`, async () => {
      const small = await chain()
      assert.equal((await small.retrieve('What of my sister?', { maxHops })).reasoningChain, null)
    })
  }

  test('max_hops 3 reaches the end of a chain of facts from different texts, and explains it', async () => {
    const small = await chain()
    const reply = await small.retrieve('In which city does my sister work?', {
      maxHops: 3,
      includeEpisodic: false,
    })
    assert.ok(reply.facts.some(({ fact }) => fact === 'Siemens is located in Munich'))
    assert.deepEqual(
      reply.reasoningChain?.map(({ hop, from, relation, to }) => [hop, from, relation, to]),
      [
        [1, 'user', 'has_sister', 'Maria'],
        [2, 'Maria', 'works_at', 'Siemens'],
        [3, 'Siemens', 'located_in', 'Munich'],
      ],
    )
    for (const step of reply.reasoningChain ?? [])
      assert.ok(step.fact.includes(step.to) && step.confidence === 1)
  })

  test('facts that hang on the user and have nothing to do with the question do not crowd out the end of a chain', async () => {
    const small = openSmallMemory()
    const chain = ['I know Nina.', 'Nina works at Zalora.', 'Zalora is located in Tallinn.']
    const others = ['I like tea.', 'I live in Graz.', 'I like chess.', 'I like nuts.']
    for (const text of [...chain, ...others]) await small.ingest(text)
    const { facts, reasoningChain } = await small.retrieve('Which city does Nina work in?', {
      maxHops: 3,
      k: 4,
    })
    assert.ok(facts.some(({ fact }) => fact.includes('Tallinn')))
    assert.ok(!reasoningChain?.some(({ fact }) => /tea|Graz|chess|nuts/.test(fact)))
  })

  test('max_hops 2 does not reach the third hop', async () => {
    const small = await chain()
    const reply = await small.retrieve('What of my sister?', {
      maxHops: 2,
      includeEpisodic: false,
      minScore: 0,
    })
    assert.ok(reply.reasoningChain?.every(({ hop }) => hop <= 2))
  })

  test('the chain is empty when nothing was walked', async () => {
    const reply = await openSmallMemory().retrieve('What of my sister?', { maxHops: 3 })
    assert.deepEqual(reply.reasoningChain, [])
  })

  test('a question about nothing that is known starts nowhere: walking adds nothing and lifts nothing', async () => {
    const small = await chain()
    const walked = await small.retrieve('Boiling point of xenon?', { maxHops: 3 })
    const plain = await small.retrieve('Boiling point of xenon?')
    assert.deepEqual(walked.reasoningChain, [])
    assert.deepEqual(
      walked.facts.map(({ fact, score }) => [fact, score]),
      plain.facts.map(({ fact, score }) => [fact, score]),
    )
  })

  describe('over names that texts share, where no fact was read', () => {
    const question = 'Which harbour is the ferry of the island tour from?'
    const first = 'The ferry of the island tour is the Havgula.'
    const second = 'Havgula casts off at Kvaløy every morning.'
    const noFacts = { entities: [], facts: [], notice: null }
    async function told() {
      const nothing = { extract: async (inputs: readonly unknown[]) => inputs.map(() => noFacts) }
      const small = openSmallMemory({ parts: { extractor: nothing } })
      await small.ingest(first)
      await small.ingest(second)
      // Each has a word of the question, so that there are more than a search brings.
      for (let at = 0; at < 60; at++) await small.ingest(`Bird number ${at} nests on an island.`)
      return small
    }

    test('a text that says a name of the best one comes back, behind it', async () => {
      const small = await told()
      assert.ok(!(await small.find(question, { k: 3 })).includes(second))
      assert.deepEqual((await small.find(question, { k: 3, maxHops: 2 })).slice(0, 2), [first, second])
    })

    test('explains it by what it adds and by the names', async () => {
      const small = await told()
      const { facts } = await small.retrieve(question, { k: 3, maxHops: 2, explain: true })
      const features = facts.find(({ fact }) => fact === second)?.explanation?.features ?? []
      assert.ok(features.some(({ name, contribution }) => name === 'namedBefore' && contribution > 0))
    })

    test('brings no text where none are wanted', async () => {
      const small = await told()
      const only = await small.find(question, { maxHops: 2, includeEpisodic: false, minScore: 0 })
      assert.ok(!only.includes(second))
    })
  })

  test('walks through facts of the persona and the shared ones only', async () => {
    const small = openSmallMemory()
    await small.ingest('I have a sister called Maria.')
    await small.ingest('Maria works at Siemens.', { persona: 'work' })
    const reached = async (persona: string) =>
      (await small.retrieve('What of my sister?', { persona, maxHops: 3, minScore: 0 })).reasoningChain
        ?.length
    assert.equal(await reached('work'), 2)
    assert.equal(await reached('home'), 1)
  })
})
