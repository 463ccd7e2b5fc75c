import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, anItem, openSmallMemory, type SmallMemory } from '../../../test/support/small-memory.ts'
import { asNamespace } from '../../core/ids.ts'

const day = 86_400
const hour = 3_600
const request = { persona: null, force: false }
const wholeList = {
  ...{
    persona: null,
    sessionId: null,
    source: null,
    since: null,
    until: null,
    type: null,
    limit: 50,
    cursor: null,
  },
}

async function aged(days: number, texts: readonly string[] = ['I live in Lisbon.']): Promise<SmallMemory> {
  const small = openSmallMemory()
  for (const text of texts) await small.ingest(text)
  small.clock.advance(days * day)
  return small
}

describe('consolidate', () => {
  test('counts relationships whose confidence fell, and not chunks', async () => {
    const { memory } = await aged(1, ['I live in Lisbon.', 'The weather was lovely.'])
    const reply = await memory.consolidate(aNamespace, request)
    assert.equal(reply.memoriesDecayed, 1)
    assert.deepEqual([reply.memoriesReinforced, reply.memoriesPruned, reply.skipped], [0, 0, false])
    assert.ok(reply.latencyMs >= 0)
  })

  test('24 hourly runs leave what one run after a day leaves: 0.906, not 0.290', async () => {
    const hourly = await aged(0)
    for (let run = 0; run < 24; run++) {
      hourly.clock.advance(hour)
      await hourly.memory.consolidate(aNamespace, { ...request, force: true })
    }
    const { memories } = await hourly.memory.list(aNamespace, wholeList)
    for (const { retention } of memories) assert.ok(Math.abs(retention - 2 ** (-1 / 7)) < 1e-9)
    const { candidates } = await hourly.memory.prune(aNamespace, {
      threshold: 0.9,
      dryRun: true,
      persona: null,
    })
    assert.equal(candidates, 0)
  })

  test('counts those as reinforced that were accessed since the last run', async () => {
    const { memory, retrieve, clock } = await aged(3)
    await memory.consolidate(aNamespace, request)
    clock.advance(day)
    await retrieve('Where do I live?')
    const reply = await memory.consolidate(aNamespace, request)
    assert.deepEqual([reply.memoriesReinforced, reply.memoriesDecayed], [1, 0])
  })

  test('prunes facts and chunks below the threshold, and the entities left alone', async () => {
    const { memory } = await aged(31)
    const reply = await memory.consolidate(aNamespace, request)
    assert.equal(reply.memoriesPruned, 2)
    assert.deepEqual(await memory.stats(aNamespace, null), {
      episodicCount: 0,
      semanticEntities: 0,
      semanticRelations: 0,
    })
  })

  test('prunes by PRUNE_THRESHOLD and decays by DECAY_HALF_LIFE_DAYS', async () => {
    const small = openSmallMemory({ parts: { settings: { halfLifeDays: 1, pruneThreshold: 0.3 } } })
    await small.ingest('I live in Lisbon.')
    small.clock.advance(1.5 * day)
    assert.equal((await small.memory.consolidate(aNamespace, request)).memoriesPruned, 0)
    small.clock.advance(0.3 * day)
    assert.equal((await small.memory.consolidate(aNamespace, request)).memoriesPruned, 2)
  })

  test('restricts itself to a persona', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.', { persona: 'work' })
    await small.ingest('I like tea.', { persona: 'home' })
    small.clock.advance(40 * day)
    assert.equal(
      (await small.memory.consolidate(aNamespace, { ...request, persona: 'work' })).memoriesPruned,
      2,
    )
    assert.equal((await small.memory.stats(aNamespace, 'home')).episodicCount, 1)
  })

  test('compresses where an LLM is there, and counts what it merged', async () => {
    const asked: unknown[] = []
    const small = openSmallMemory({
      parts: {
        compressClusters: async (namespace, { persona }) => {
          asked.push([namespace, persona])
          return { compressed: 7, abstractions: 2 }
        },
      },
    })
    const reply = await small.memory.consolidate(aNamespace, request)
    assert.deepEqual([reply.memoriesCompressed, reply.abstractionsCreated], [7, 2])
    assert.deepEqual(asked, [[aNamespace, null]])
  })

  test('does nothing within 10 minutes of the last run, unless forced', async () => {
    const { memory, clock } = await aged(1)
    const { lastRunAt } = await memory.consolidate(aNamespace, request)
    clock.advance(599)
    assert.equal((await memory.skippedRun(aNamespace, request))?.lastRunAt, lastRunAt)
    const skipped = await memory.consolidate(aNamespace, request)
    assert.deepEqual([skipped.skipped, skipped.lastRunAt, skipped.memoriesDecayed], [true, lastRunAt, 0])
    assert.equal(await memory.skippedRun(aNamespace, { ...request, force: true }), null)
    assert.equal((await memory.consolidate(aNamespace, { ...request, force: true })).skipped, false)
    clock.advance(600)
    assert.equal(await memory.skippedRun(aNamespace, request), null)
  })

  test('a run for the whole account covers its personas, and not the other way round', async () => {
    const { memory } = await aged(1)
    await memory.consolidate(aNamespace, { ...request, persona: 'work' })
    assert.equal(await memory.skippedRun(aNamespace, request), null)
    assert.equal(await memory.skippedRun(aNamespace, { ...request, persona: 'home' }), null)
    assert.notEqual(await memory.skippedRun(aNamespace, { ...request, persona: 'work' }), null)
    await memory.consolidate(aNamespace, request)
    assert.notEqual(await memory.skippedRun(aNamespace, { ...request, persona: 'home' }), null)
  })

  test('two runs at once do the work once', async () => {
    let compressions = 0
    const small = openSmallMemory({
      parts: {
        compressClusters: async () => {
          compressions++
          return { compressed: 0, abstractions: 0 }
        },
      },
    })
    const replies = await Promise.all(
      [1, 2, 3].map(() => small.memory.consolidate(aNamespace, { ...request, force: true })),
    )
    assert.equal(replies.filter(({ skipped }) => !skipped).length, 1)
    assert.equal(compressions, 1)
  })

  test('a run of one namespace does not keep another from running', async () => {
    const skipped: boolean[] = []
    const small: SmallMemory = openSmallMemory({
      parts: {
        compressClusters: async (namespace) => {
          if (namespace === aNamespace) {
            skipped.push((await small.memory.consolidate(asNamespace('another'), request)).skipped)
          }
          return { compressed: 0, abstractions: 0 }
        },
      },
    })
    skipped.push((await small.memory.consolidate(aNamespace, request)).skipped)
    assert.deepEqual(skipped, [false, false])
  })
})

describe('prune', () => {
  test('only counts by default of the route: a dry run deletes nothing', async () => {
    const { memory } = await aged(31)
    const reply = await memory.prune(aNamespace, { threshold: 0.05, dryRun: true, persona: null })
    assert.deepEqual(
      [reply.candidates, reply.pruned, reply.relations, reply.chunks, reply.threshold, reply.dryRun],
      [2, 0, 1, 1, 0.05, true],
    )
    assert.equal(reply.orphanedEntities, 2, 'those that the prune would leave')
    assert.equal((await memory.stats(aNamespace, null)).episodicCount, 1)
  })

  test('deletes what is strictly below the threshold, and orphaned entities beside it', async () => {
    const { memory } = await aged(7)
    const at = (threshold: number) => memory.prune(aNamespace, { threshold, dryRun: false, persona: null })
    assert.equal((await at(0.49)).pruned, 0)
    const reply = await at(0.51)
    assert.deepEqual(
      [reply.candidates, reply.pruned, reply.relations, reply.chunks, reply.orphanedEntities],
      [2, 2, 1, 1, 2],
    )
  })

  test('does not write a decay: an access afterwards finds the base', async () => {
    const { memory, retrieve } = await aged(7)
    await memory.prune(aNamespace, { threshold: 0.05, dryRun: false, persona: null })
    await retrieve('Where do I live?')
    await memory.close()
    const { memories } = await memory.list(aNamespace, wholeList)
    assert.ok(memories.every(({ retention }) => retention === 1))
  })

  test('restricts itself to a persona', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.', { persona: 'work' })
    await small.ingest('I like tea.')
    small.clock.advance(40 * day)
    assert.equal(
      (await small.memory.prune(aNamespace, { threshold: 0.05, dryRun: false, persona: 'work' })).pruned,
      2,
    )
    assert.equal((await small.memory.stats(aNamespace, 'shared')).episodicCount, 1)
  })

  test('sees accesses that are still waiting to be written', async () => {
    const { memory, retrieve } = await aged(40)
    await retrieve('Where do I live?')
    assert.equal(
      (await memory.prune(aNamespace, { threshold: 0.05, dryRun: false, persona: null })).pruned,
      0,
    )
  })
})

describe('a forecast', () => {
  test('counts what would have faded by then, and shows it as it is now, the most faded first', async () => {
    const small = openSmallMemory()
    await small.ingest('I live in Lisbon.')
    small.clock.advance(20 * day)
    await small.ingest('I like tea.')
    const ahead = (inDays: number, limit = 0) =>
      small.memory.prune(aNamespace, { threshold: 0.05, dryRun: true, persona: null, inDays, limit })
    assert.deepEqual([(await ahead(0)).candidates, (await ahead(7)).candidates], [0, 0])
    assert.deepEqual([(await ahead(11)).candidates, (await ahead(31)).candidates], [2, 4])
    assert.deepEqual((await ahead(31)).memories, [])
    const { memories } = await ahead(31, 3)
    assert.equal(memories.length, 3)
    assert.ok(memories.slice(0, 2).every(({ fact }) => fact.includes('Lisbon')))
    assert.ok(memories.slice(0, 2).every(({ retention }) => Math.abs(retention - 2 ** (-20 / 7)) < 1e-9))
    assert.equal((await small.memory.stats(aNamespace, null)).episodicCount, 2)
  })
})

describe('what the runs did', () => {
  test('is told with the rules of fading, newest first, and skipped runs are none', async () => {
    const { memory, clock } = await aged(31)
    assert.deepEqual(await memory.lifecycle(aNamespace, null), {
      halfLifeDays: 7,
      pruneThreshold: 0.05,
      runs: [],
    })
    await memory.consolidateAutomatically(aNamespace)
    const first = clock.now()
    await memory.consolidate(aNamespace, request)
    clock.advance(hour)
    await memory.consolidate(aNamespace, request)
    const { runs } = await memory.lifecycle(aNamespace, null)
    assert.deepEqual(
      runs.map(({ at, automatic, pruned, decayed }) => [at, automatic, pruned, decayed]),
      [
        [first + hour, false, 0, 0],
        [first, true, 2, 1],
      ],
    )
    assert.deepEqual((await memory.lifecycle(aNamespace, 'work')).runs, [])
    assert.deepEqual((await memory.lifecycle(asNamespace('another'), null)).runs, [])
  })
})

describe('automatic runs', () => {
  async function withMany(count: number): Promise<SmallMemory> {
    const small = openSmallMemory()
    const items = Array.from({ length: count }, (_, at) => ({
      ...{ text: `Story number ${at} of the long evening.`, persona: 'shared', source: 'user' as const },
      ...{ sessionId: null, useLlmExtraction: false, metadata: null },
    }))
    await small.memory.ingestBatch(aNamespace, items)
    return small
  }

  test('delete at most a fifth of a namespace, or 100 memories, at once, and say what they held back', async () => {
    const { memory, clock } = await withMany(120)
    clock.advance(365 * day)
    const { pruned, heldBack } = await memory.consolidateAutomatically(aNamespace)
    assert.deepEqual([pruned, heldBack], [{ relations: 0, chunks: 100, orphanedEntities: 0 }, 20])
    assert.equal((await memory.stats(aNamespace, null)).episodicCount, 20)
  })

  test('go on hour by hour until nothing that faded is left', async () => {
    const { memory, clock } = await withMany(1_000)
    clock.advance(365 * day)
    const taken: number[] = []
    for (let left = 1_000; left > 0; left -= taken.at(-1) ?? 0) {
      clock.advance(hour)
      taken.push((await memory.consolidateAutomatically(aNamespace)).pruned.chunks)
      assert.ok((taken.at(-1) ?? 0) <= Math.max(100, left / 5), `${taken}`)
      assert.ok(taken.length < 20, `${taken}`)
    }
    assert.equal((await memory.stats(aNamespace, null)).episodicCount, 0)
  })

  test('take the most faded first', async () => {
    const small = await withMany(100)
    small.clock.advance(day)
    await small.memory.ingestBatch(
      aNamespace,
      Array.from({ length: 50 }, (_, at) => anItem(`Chapter ${at} of the short morning.`)),
    )
    small.clock.advance(365 * day)
    await small.memory.consolidateAutomatically(aNamespace)
    const { memories } = await small.memory.list(aNamespace, { ...wholeList, limit: 100 })
    assert.equal(memories.length, 50)
    assert.ok(memories.every(({ fact }) => fact.startsWith('Chapter')))
  })

  test('decay although they hold pruning back', async () => {
    const small = await withMany(200)
    await small.ingest('I live in Lisbon.')
    small.clock.advance(365 * day)
    const { reply, heldBack } = await small.memory.consolidateAutomatically(aNamespace)
    assert.ok(heldBack > 0)
    assert.equal(reply.memoriesDecayed, 1)
  })

  test('are followed by explicit calls that take everything', async () => {
    const { memory, clock } = await withMany(120)
    clock.advance(365 * day)
    await memory.consolidateAutomatically(aNamespace)
    assert.equal((await memory.consolidate(aNamespace, { ...request, force: true })).memoriesPruned, 20)
  })

  test('delete up to 100 memories at once', async () => {
    const { memory, clock } = await withMany(90)
    clock.advance(365 * day)
    assert.equal((await memory.consolidateAutomatically(aNamespace)).heldBack, 0)
    assert.equal((await memory.stats(aNamespace, null)).episodicCount, 0)
  })

  test('delete nothing, ever, with PRUNE_THRESHOLD=0', async () => {
    const small = openSmallMemory({ parts: { settings: { halfLifeDays: 7, pruneThreshold: 0 } } })
    await small.ingest('I live in Lisbon.')
    small.clock.advance(100 * 365 * day)
    const { pruned, reply } = await small.memory.consolidateAutomatically(aNamespace)
    assert.equal(reply.memoriesDecayed, 1)
    assert.deepEqual([pruned.relations, pruned.chunks, pruned.orphanedEntities], [0, 0, 0])
    assert.equal((await small.memory.stats(aNamespace, null)).episodicCount, 1)
  })

  test('count as recent for the calls that follow', async () => {
    const small = openSmallMemory()
    await small.memory.consolidateAutomatically(asNamespace('a'))
    assert.notEqual(await small.memory.skippedRun(asNamespace('a'), request), null)
    assert.equal(await small.memory.skippedRun(asNamespace('b'), request), null)
  })
})
