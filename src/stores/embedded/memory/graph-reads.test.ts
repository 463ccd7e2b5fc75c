import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asChunkId, asNamespace, asRelationshipId } from '../../../core/ids.ts'
import type { EngineContext } from '../engine/context.ts'
import { plansOf } from '../engine/query-plans.ts'
import { graphReads } from './graph-reads.ts'

const namespace = asNamespace('mine')
const place = { persona: 'shared', subject: 'user', slot: 'lives_in', limit: 4 }

// In the order of time SQLite would walk every fact of the namespace to save itself the sorting of a few.
for (const [name, read] of Object.entries({
  'facts of chunks': (context: EngineContext) =>
    graphReads['graph.factsOf'](context, { namespace, chunks: [asChunkId('c')] }),
  'facts of one slot': (context: EngineContext) =>
    graphReads['graph.slotHistory'](context, { namespace, id: asRelationshipId('r') }),
  'rivals that hold': (context: EngineContext) =>
    graphReads['graph.rivals'](context, { namespace, query: place }),
  'rivals told later': (context: EngineContext) =>
    graphReads['graph.rivals'](context, { namespace, query: { ...place, at: 1, later: true } }),
})) {
  test(`${name} are found by an index, not by walking the namespace`, () => {
    const plans = plansOf(read)
    assert.ok(
      plans.some((plan) => plan.startsWith('SEARCH r ')),
      plans.join('\n'),
    )
    assert.ok(!plans.some((plan) => plan.includes('relationship_created')), plans.join('\n'))
  })
}
