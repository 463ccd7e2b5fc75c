import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asChunkId, asNamespace, asRelationshipId } from '../../../core/ids.ts'
import type { Selection } from '../../../memory/ports.ts'
import type { EngineContext } from '../engine/context.ts'
import { plansOf } from '../engine/query-plans.ts'
import { episodicReads, episodicWrites } from './episodic.ts'
import { graphReads } from './graph-reads.ts'
import { graphWrites } from './graph-writes.ts'
import { undoClosings } from './undo-closings.ts'

const namespace = asNamespace('mine')
const place = { persona: 'shared', subject: 'user', slot: 'lives_in', limit: 4 }
const [chunk, fact] = [asChunkId('c'), asRelationshipId('f')]
const touched = { namespace, ids: ['one'], now: 1 }
const selection: Selection = { ids: ['one'], persona: null, sessionId: null }
const seqs = [1]

/** What a question, a write or a removal does with the ids that it has. */
const byKey: Readonly<Record<string, (context: EngineContext) => unknown>> = {
  'facts of chunks': (context) => graphReads['graph.factsOf'](context, { namespace, chunks: [chunk] }),
  'facts of one slot': (context) => graphReads['graph.slotHistory'](context, { namespace, id: fact }),
  'rivals that hold': (context) => graphReads['graph.rivals'](context, { namespace, query: place }),
  'rivals told later': (context) =>
    graphReads['graph.rivals'](context, { namespace, query: { ...place, at: 1, later: true } }),
  'facts by their ids': (context) => graphReads['graph.get'](context, { namespace, ids: [fact] }),
  'entities by their names': (context) =>
    graphReads['graph.entitiesNamed'](context, { namespace, keys: ['ana'] }),
  'what touches an entity': (context) => graphReads['graph.linkedTo'](context, { namespace, key: 'ana' }),
  'what was told elsewhere, too': (context) =>
    graphReads['graph.toldElsewhere'](context, { namespace, chunks: [chunk] }),
  'facts that were returned': (context) => graphWrites['graph.touch'](context, touched),
  'facts told again': (context) => graphWrites['graph.touch'](context, { ...touched, told: 1 }),
  'facts that go': (context) => graphWrites['graph.remove'](context, { namespace, selection, seqs }),
  'roles that go': (context) =>
    graphWrites['graph.dropRoles'](context, { namespace, roles: [{ name: "user's sister", id: 'maria' }] }),
  'facts that are passed on': (context) =>
    graphWrites['graph.passOn'](context, { namespace, chunks: [chunk] }),
  'texts by their ids': (context) => episodicReads['episodic.get'](context, { namespace, ids: [chunk] }),
  'links of a text': (context) => episodicReads['episodic.links'](context, { namespace, id: chunk }),
  'texts that were returned': (context) => episodicWrites['episodic.touch'](context, touched),
  'texts that go': (context) => episodicWrites['episodic.remove'](context, { namespace, selection, seqs }),
  'what a correction undoes': (context) => undoClosings(context, namespace, [chunk, fact], 'judged'),
}

for (const [name, work] of Object.entries(byKey)) {
  test(`${name}: found by their keys, not by walking the namespace`, () => {
    const plans = plansOf(work)
    const walks = plans.filter((plan) => /\(namespace=\?\)|^SCAN (?!\(|.*VIRTUAL TABLE)/.test(plan))
    assert.ok(
      plans.some((plan) => plan.startsWith('SEARCH ')),
      plans.join('\n'),
    )
    assert.deepEqual(walks, [], plans.join('\n'))
    assert.ok(!plans.some((plan) => /(relationship|chunk)_created/.test(plan)), plans.join('\n'))
  })
}
