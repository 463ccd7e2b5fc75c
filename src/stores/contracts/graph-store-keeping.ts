import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asRelationshipId, type Namespace } from '../../core/ids.ts'
import {
  anyFilter,
  chunkId,
  day,
  everything,
  factId,
  item,
  type OpenStores,
  start,
  unit,
  withStores,
} from './journal-drafts.ts'

const query = { persona: null, halfLifeDays: 7, now: start + 7 * day }

/** Rules GS6 to GS18 of docs/ports/memory.md: what the graph keeps, lets fade and removes. */
export function graphKeepingRules(open: OpenStores): void {
  test('[GS6] shows closed facts by id, by slot and by chunk', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const cities = ['rome', 'oslo', 'bern']
      for (const [at, object] of cities.entries()) {
        await journal.remember(mine, item(object, { facts: [{ object }], at: start + at }))
      }
      await journal.remember(mine, item('tea', { facts: [{ relation: 'likes', object: 'tea' }] }))
      for (const city of cities) {
        const history = await graph.slotHistory(mine, factId(city))
        assert.deepEqual(
          history.map(({ objectName }) => objectName),
          cities,
        )
      }
      const facts = await graph.factsOf(mine, [chunkId('rome'), chunkId('tea'), chunkId('unknown')])
      assert.deepEqual(facts.map(({ objectName }) => objectName).sort(), ['rome', 'tea'])
      assert.equal((await graph.get(mine, [factId('rome'), factId('unknown')])).length, 1)
    }))

  test('[GS7] lists facts that no chunk stands behind, once, and again after they were removed', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const summary = { ...item('sum', { facts: [{ relation: 'summary', object: 'a' }] }), chunks: [] }
      const listed = async () =>
        (await graph.list(mine, { ...anyFilter, relation: 'summary' }, { after: null, limit: 9 })).length
      for (const _run of [1, 2]) {
        await journal.remember(mine, summary)
        await journal.remember(mine, summary)
        assert.equal(await listed(), 1)
        await graph.remove(mine, { ...everything, ids: [factId('sum')] })
        assert.equal(await listed(), 0)
      }
    }))

  test('[GS7] lists current facts, newest first, page by page, by every filter', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      const told = (object: string, at: number, more: object = {}) =>
        journal.remember(
          mine,
          item(object, { at: start + at, facts: [{ relation: 'likes', object }], ...more }),
        )
      await told('a', 0)
      await told('b', 1, { source: 'document' })
      await told('c', 2, { persona: 'work', session: 's' })
      await journal.remember(
        mine,
        item('no a', { at: start + 3, facts: [{ relation: 'hates', object: 'a' }] }),
      )
      const list = async (filter: object, limit = 9) =>
        (await graph.list(mine, { ...anyFilter, ...filter }, { after: null, limit })).map(({ fact }) => fact)
      assert.deepEqual(await list({}), ['user hates a', 'user likes c', 'user likes b'])
      assert.deepEqual(await list({ persona: 'work' }), ['user likes c'])
      assert.deepEqual(await list({ sessionId: 's' }), ['user likes c'])
      assert.deepEqual(await list({ source: 'document' }), ['user likes b'])
      assert.deepEqual(await list({ relation: 'hates' }), ['user hates a'])
      assert.deepEqual(await list({ text: 'LIKES B' }), ['user likes b'])
      assert.deepEqual(await list({ superseded: true }), ['user likes a'])
      assert.deepEqual(await list({ superseded: false, text: 'likes' }), ['user likes c', 'user likes b'])
      await graph.pin(mine, factId('b'), true)
      assert.deepEqual(await list({ pinned: true }), ['user likes b'])
      assert.deepEqual(await list({ pinned: false }), ['user hates a', 'user likes c'])
      assert.deepEqual(await list({ since: start + 2, until: start + 3 }), ['user likes c'])
      const [first] = await graph.list(mine, anyFilter, { after: null, limit: 1 })
      const rest = await graph.list(mine, anyFilter, { after: first ?? null, limit: 9 })
      assert.deepEqual(
        rest.map(({ fact }) => fact),
        ['user likes c', 'user likes b'],
      )
    }))

  test('[GS8] counts every access and resets the clock, never backwards', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
      await graph.touch(mine, [factId('Rome'), factId('unknown')], start + 50)
      await graph.touch(mine, [factId('Rome'), factId('Rome')], start + 20)
      const [fact] = await graph.get(mine, [factId('Rome')])
      assert.deepEqual([fact?.accessCount, fact?.lastAccessAt, fact?.base], [3, start + 50, 1])
    }))

  test('[GS9] decays from the base every time, and counts what fell and what rose', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      for (const object of ['tea', 'boats']) {
        await journal.remember(mine, item(object, { facts: [{ relation: 'likes', object }] }))
      }
      const work = { persona: 'work', facts: [{ relation: 'likes', object: 'trains' }] }
      await journal.remember(mine, item('trains', work))
      const run = (now: number, persona: string | null = null) =>
        graph.decay(mine, { ...query, persona, now })
      assert.deepEqual(await run(start), { decayed: 0, reinforced: 0 })
      assert.deepEqual(await run(start + day, 'work'), { decayed: 1, reinforced: 0 })
      for (let hour = 1; hour <= 24; hour++) await run(start + hour * 3_600)
      assert.deepEqual(await run(start + day), { decayed: 0, reinforced: 0 })
      // After a day 0.906 is left, however often it was computed.
      assert.equal(await graph.countFaded(mine, { ...query, now: start + day, threshold: 0.905 }), 0)
      assert.equal(await graph.countFaded(mine, { ...query, now: start + day, threshold: 0.906 }), 3)
      await graph.touch(mine, [factId('tea')], start + day)
      assert.deepEqual(await run(start + day), { decayed: 0, reinforced: 1 })
      assert.deepEqual(await run(start + 2 * day), { decayed: 3, reinforced: 0 })
    }))

  test('[GS9] leaves closed facts alone', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
      await journal.remember(mine, item('Oslo', { facts: [{ object: 'oslo' }] }))
      assert.deepEqual(await graph.decay(mine, query), { decayed: 1, reinforced: 0 })
    }))

  test('[GS15] gives the rivals of a slot, and of the values beside it, newest first', () =>
    withStores(open, async ({ journal, graph }, mine, other) => {
      const told = (namespace: Namespace, object: string, at: number, more: object = {}) =>
        journal.remember(
          namespace,
          item(`${object} ${at}`, {
            at: start + at,
            facts: [{ relation: 'plays', slot: `plays|${object}`, object, ...more }],
          }),
        )
      await told(mine, 'chess', 0)
      await told(mine, 'golf', 1, { slot: 'plays' })
      await told(mine, 'tennis', 2, { relation: 'plays_with', slot: 'plays_with' })
      await told(mine, 'poker', 3, { subject: 'ana' })
      await told(mine, 'chess', 4, { ended: true })
      await told(mine, 'cards', 5)
      await told(other, 'darts', 6)
      const query = { persona: 'shared', subject: 'user', slot: 'plays', limit: 9 }
      const objects = async (change: object = {}) =>
        (await graph.rivals(mine, { ...query, ...change })).map(({ objectName }) => objectName)
      assert.deepEqual(await objects(), ['cards', 'golf'])
      assert.deepEqual(await objects({ limit: 1 }), ['cards'])
      assert.deepEqual(await objects({ persona: 'work' }), [])
      assert.deepEqual(await objects({ subject: 'nobody' }), [])
    }))

  test('[GS10] counts current relationships, and the entities at their ends', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
      await journal.remember(mine, item('Oslo', { facts: [{ object: 'oslo' }] }))
      await journal.remember(
        mine,
        item('tea', { persona: 'work', facts: [{ relation: 'likes', object: 'tea' }] }),
      )
      await journal.remember(mine, item('only named', { entities: [{ key: 'lonely' }] }))
      const counts = async (persona: string | null) => [
        await graph.countRelationships(mine, persona),
        await graph.countEntities(mine, persona),
      ]
      assert.deepEqual(await counts(null), [2, 5])
      assert.deepEqual(await counts('shared'), [1, 2])
      assert.deepEqual(await counts('work'), [1, 2])
      assert.deepEqual(await counts('nobody'), [0, 0])
    }))

  test('[GS11] takes as faded what is strictly below the threshold, closed facts too', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
      await journal.remember(mine, item('Oslo', { facts: [{ object: 'oslo' }], at: query.now }))
      const work = { persona: 'work', facts: [{ relation: 'likes', object: 'tea', base: 0.8 }] }
      await journal.remember(mine, item('tea', work))
      assert.equal(await graph.countFaded(mine, { ...query, threshold: 0.4 - 1e-9 }), 0)
      assert.equal(await graph.countFaded(mine, { ...query, threshold: 0.41 }), 1)
      assert.equal(await graph.countFaded(mine, { ...query, threshold: 0.51, persona: 'shared' }), 1)
      assert.deepEqual(await graph.faded(mine, { ...query, threshold: 0.51 }), [
        factId('tea'),
        factId('Rome'),
      ])
      assert.deepEqual(await graph.faded(mine, { ...query, threshold: 0.51, limit: 1 }), [factId('tea')])
      assert.deepEqual(await graph.faded(mine, { ...query, threshold: 0.51, persona: 'shared' }), [
        factId('Rome'),
      ])
      assert.equal(await graph.removeFaded(mine, { ...query, threshold: 0.51, limit: 1 }), 1)
      assert.deepEqual(await graph.get(mine, [factId('tea')]), [], 'the most faded goes first')
      assert.equal(await graph.removeFaded(mine, { ...query, threshold: 0.51 }), 1)
      assert.deepEqual(
        (await graph.slotHistory(mine, factId('Oslo'))).map(({ id }) => id),
        [factId('Oslo')],
      )
      assert.equal(await graph.countFaded(mine, { ...query, threshold: 1 }), 0)
    }))

  test('[GS12] removes what the selection names; counts follow, and what it closed is open again', () =>
    withStores(open, async ({ journal, graph, episodic }, mine) => {
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }], session: 's' }))
      await journal.remember(mine, item('Oslo', { facts: [{ object: 'oslo' }], session: 't' }))
      assert.equal(await graph.remove(mine, { ...everything, ids: [] }), 0)
      assert.equal(await graph.remove(mine, { ids: null, persona: 'shared', sessionId: 't' }), 1)
      const [open, ...gone] = await graph.get(mine, [factId('Rome'), factId('Oslo')])
      assert.deepEqual([open?.id, open?.closedAt, open?.closedBy], [factId('Rome'), null, null])
      assert.deepEqual(gone, [])
      const [told] = await episodic.get(mine, [chunkId('Rome')])
      assert.deepEqual([told?.factCount, told?.closedFactCount], [1, 0])
      assert.equal(await graph.remove(mine, everything), 1)
      assert.equal(await graph.remove(mine, everything), 0)
      for (const chunk of await episodic.get(mine, [chunkId('Rome'), chunkId('Oslo')])) {
        assert.deepEqual([chunk.factCount, chunk.closedFactCount], [0, 0])
      }
    }))

  test('[GS12] counts what it would remove', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }], session: 's' }))
      await journal.remember(mine, item('Oslo', { facts: [{ object: 'oslo' }], session: 't' }))
      for (const [selection, count] of [
        [everything, 2],
        [{ ...everything, sessionId: 's' }, 1],
        [{ ...everything, ids: [factId('Rome'), 'unknown'] }, 1],
        [{ ...everything, ids: [] }, 0],
        [{ ...everything, persona: 'work' }, 0],
      ] as const) {
        assert.equal(await graph.count(mine, selection), count)
      }
    }))

  test('[GS13] names the relationships that touch an entity, closed ones too, and their chunks', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
      await journal.remember(mine, item('Rome again', { facts: [{ object: 'rome' }] }))
      await journal.remember(mine, item('Oslo', { facts: [{ object: 'oslo' }] }))
      assert.deepEqual(await graph.linkedTo(mine, 'rome'), {
        relationships: [factId('Rome')],
        chunks: [chunkId('Rome'), chunkId('Rome again')].sort(),
      })
      const ofUser = await graph.linkedTo(mine, 'user')
      assert.deepEqual([ofUser.relationships.length, ofUser.chunks.length], [2, 3])
      assert.deepEqual(await graph.linkedTo(mine, 'paris'), { relationships: [], chunks: [] })
    }))

  test('[GS18] a fact whose evidence is dropped quotes itself, and nothing else changes', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
      const [before] = await graph.get(mine, [factId('Rome')])
      assert.ok(before !== undefined)
      await graph.dropEvidence(mine, [factId('Rome'), asRelationshipId('unknown')])
      const [after] = await graph.get(mine, [factId('Rome')])
      assert.deepEqual(after, { ...before, evidence: before.fact })
    }))

  test('[GS14] removes entities that no relationship touches, and keeps those of closed ones', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(mine, item('Rome', { facts: [{ object: 'rome' }] }))
      await journal.remember(
        mine,
        item('Oslo', { facts: [{ object: 'oslo' }], entities: [{ key: 'lonely' }] }),
      )
      assert.equal(await graph.countOrphans(mine), 1)
      assert.equal(await graph.removeOrphans(mine), 1)
      assert.equal(await graph.removeOrphans(mine), 0)
      assert.equal(await graph.countEntities(mine, null), 3)
      await graph.remove(mine, everything)
      assert.equal(await graph.removeOrphans(mine), 3)
      assert.deepEqual(await graph.nearestEntities(mine, unit(1), 9), [])
    }))

  test('[GS14] counts the orphans that the removal of what has faded, or is selected, would leave', () =>
    withStores(open, async ({ journal, graph }, mine) => {
      await journal.remember(
        mine,
        item('old', { facts: [{ subject: 'anna', object: 'rome' }], session: 's' }),
      )
      const recent = [{ subject: 'user', relation: 'likes', object: 'rome' }]
      await journal.remember(mine, item('new', { facts: recent, at: start + 30 * day }))
      const query = { persona: null, threshold: 0.5, halfLifeDays: 7, now: start + 31 * day }
      assert.equal(await graph.countOrphans(mine), 0)
      assert.equal(await graph.countOrphans(mine, query), 1, 'rome stays, anna goes')
      assert.equal(await graph.countOrphans(mine, { ...query, persona: 'other' }), 0)
      assert.equal(await graph.countOrphans(mine, { ...everything, ids: [factId('old')] }), 1)
      assert.equal(await graph.countOrphans(mine, { ...everything, sessionId: 's' }), 1)
      assert.equal(await graph.countOrphans(mine, everything), 3)
      await graph.removeFaded(mine, query)
      assert.equal(await graph.removeOrphans(mine), 1)
    }))

  test('[GS23] takes from an entity the role that no current fact gives it any more, and no other name', () =>
    withStores(open, async ({ journal, graph }, mine, other) => {
      const facts = [{ relation: 'has_sister', object: 'maria' }]
      const entities = [{ key: 'maria', aliases: ["user's sister", "user's teacher", 'mari'] }]
      for (const namespace of [mine, other])
        await journal.remember(namespace, item('my sister maria', { facts, entities }))
      const more = [{ relation: 'has_teacher', object: 'maria' }]
      await journal.remember(mine, item('maria teaches me', { facts: more }))
      const named = async (name: string) => (await graph.entitiesNamed(mine, [name])).map(({ key }) => key)
      assert.equal(await graph.dropRoles(mine), 0)
      assert.deepEqual(await named("user's sister"), ['maria'])
      await graph.remove(mine, { ...everything, ids: [factId('my sister maria')] })
      assert.equal(await graph.dropRoles(mine), 1)
      assert.equal(await graph.dropRoles(mine), 0)
      assert.deepEqual(await named("user's sister"), [])
      const [maria] = await graph.entitiesNamed(mine, ['mari'])
      assert.deepEqual(maria?.aliases.toSorted(), ['mari', "user's teacher"])
      assert.deepEqual(await named("user's teacher"), ['maria'])
      assert.equal((await graph.entitiesNamed(other, ["user's sister"])).length, 1)
    }))

  test('[GS14] names the namespaces that hold anything', () =>
    withStores(open, async ({ journal, graph, episodic }, mine, other) => {
      const ours = async () => (await graph.namespaces()).filter((name) => name === mine || name === other)
      assert.deepEqual(await ours(), [])
      await journal.remember(mine, item('a chunk'))
      await journal.remember(other, item('Rome', { facts: [{ object: 'rome' }] }))
      assert.deepEqual((await ours()).toSorted(), [mine, other].sort())
      await episodic.remove(mine, everything)
      await episodic.remove(other, everything)
      assert.deepEqual(await ours(), [other])
    }))
}
