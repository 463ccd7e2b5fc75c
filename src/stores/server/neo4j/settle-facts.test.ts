import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asNamespace } from '../../../core/ids.ts'
import type { ItemWrite } from '../../../memory/ports.ts'
import { factId, item } from '../../contracts/journal-drafts.ts'
import { uid } from './rows.ts'
import { settleFacts, slotsOf } from './settle-facts.ts'

const mine = asNamespace('mine')

/** Rows of Neo4j for the facts of an item that is stored already. */
const stored = (told: ItemWrite) =>
  told.facts.map((fact) => ({
    ...{ id: fact.id, subject: uid(mine, fact.subjectKey), slot: fact.slot, relation: fact.relation },
    ...{ objectKey: fact.objectKey, negated: fact.negated, source: told.source, base: fact.base },
    ...{ extraction: fact.extraction, mentions: [uid(mine, fact.chunkId)] },
    ...{ createdAt: told.createdAt, toldAt: told.createdAt, isOpen: true, ended: fact.ended },
  }))

const lives = (object: string, more: { source?: 'user' | 'assistant'; ended?: boolean } = {}) => {
  const { source = 'user', ...fact } = more
  return item(`I live in ${object}`, {
    source,
    facts: [{ name: object, relation: 'lives_in', object, ...fact }],
  })
}

function settled(before: readonly ItemWrite[], told: ItemWrite) {
  const { created, confirmed, closings } = settleFacts(before.flatMap(stored), mine, told)
  return {
    created: created.map(({ id, isHistory }) => ({ id, isHistory })),
    confirmed: confirmed.length,
    closings: closings.map(({ id, by }) => ({ id, by })),
  }
}

test('a newer value closes the current one of its slot', () => {
  assert.deepEqual(settled([lives('rome')], lives('oslo')), {
    created: [{ id: factId('oslo'), isHistory: false }],
    confirmed: 0,
    closings: [{ id: factId('rome'), by: factId('oslo') }],
  })
})

test('the same value is confirmed and nothing is created', () => {
  assert.deepEqual(settled([lives('rome')], lives('rome')), { created: [], confirmed: 1, closings: [] })
})

test('a less trusted source becomes history and closes nothing', () => {
  assert.deepEqual(settled([lives('rome')], lives('oslo', { source: 'assistant' })), {
    created: [{ id: factId('oslo'), isHistory: true }],
    confirmed: 0,
    closings: [],
  })
})

test('an end closes without a successor', () => {
  const { closings } = settled([lives('rome')], lives('rome', { ended: true }))
  assert.deepEqual(closings, [{ id: factId('rome'), by: null }])
})

test('a later fact of an item sees what an earlier one did', () => {
  const both = item('I live in Rome, no, in Oslo', {
    facts: ['rome', 'oslo'].map((object) => ({ name: object, relation: 'lives_in', object })),
  })
  assert.deepEqual(settled([], both).closings, [{ id: factId('rome'), by: factId('oslo') }])
  assert.equal(slotsOf(mine, both).length, 1, 'one slot is asked for once')
})
