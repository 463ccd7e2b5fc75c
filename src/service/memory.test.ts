import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asNamespace } from '../core/ids.ts'
import { createLog } from '../observe/log.ts'
import { reportSweeps } from './memory.ts'

type Line = Readonly<Record<string, unknown>>

test('the hourly run says at info how much of what it deleted, and of which account', async () => {
  const lines: Line[] = []
  const log = createLog('info', (line) => lines.push(JSON.parse(line)))
  const report = reportSweeps(log, async (namespace) => (namespace === 'n-1' ? 'acme' : null))
  const counts = { relations: 3, chunks: 2, orphanedEntities: 1 }
  await report({
    ...{ held: true, ran: 2, recent: 0, failed: [] },
    pruned: [
      { namespace: asNamespace('n-1'), ...counts, heldBack: 0 },
      { namespace: asNamespace('n-2'), ...counts, heldBack: 40 },
    ],
  })
  const [acme] = lines.filter(({ account }) => account === 'acme')
  assert.deepEqual(
    [acme?.level, acme?.relations, acme?.chunks, acme?.orphaned_entities, acme?.namespace],
    [30, 3, 2, 1, 'n-1'],
  )
  const held = lines.filter(({ level }) => level === 40)
  assert.deepEqual(
    held.map(({ namespace, held_back }) => [namespace, held_back]),
    [['n-2', 40]],
  )
})

test('an account that cannot be looked up costs its name in the log, not the line', async () => {
  const lines: Line[] = []
  const log = createLog('info', (line) => lines.push(JSON.parse(line)))
  const report = reportSweeps(log, () => Promise.reject(new Error('down')))
  const run = { namespace: asNamespace('n'), relations: 1, chunks: 0, orphanedEntities: 0, heldBack: 0 }
  await report({ held: true, ran: 1, recent: 0, failed: [], pruned: [run] })
  assert.deepEqual(
    lines.map(({ namespace, account }) => [namespace, account]),
    [
      [undefined, undefined],
      ['n', null],
    ],
  )
})
