import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { opsTaken, type Way } from './support/budget-spenders.ts'

const asked = 200
const budget = 137

/** Lets so many processes ask for the reservations at the same moment; says what was granted and what was taken. */
async function spend(way: Way, processes: number): Promise<{ granted: number; taken: number }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'memoryd-budget-'))
  try {
    // Makes the file, so that every way finds the same tables.
    await opsTaken(directory)
    const started = Array.from({ length: processes }, (_, index) =>
      startProcess([directory, way, `process-${index}`, `${asked / processes}`, `${budget}`]),
    )
    await Promise.all(started.map(({ nextLine }) => nextLine()))
    for (const { go } of started) go()
    const counts = await Promise.all(started.map(async ({ nextLine }) => Number(await nextLine())))
    await Promise.all(started.map(({ ended }) => ended))
    return { granted: counts.reduce((sum, count) => sum + count, 0), taken: await opsTaken(directory) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

function startProcess(args: readonly string[]) {
  const script = path.join(import.meta.dirname, 'support', 'budget-process.ts')
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    nextLine: async () => (await lines.next()).value,
    go: () => child.stdin.end('go\n'),
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}

for (const processes of [1, 2]) {
  const from = processes === 1 ? 'one process' : `${processes} processes`

  test(`${asked} parallel reservations against a budget of ${budget}, from ${from}: exactly ${budget}`, async () => {
    assert.deepEqual(await spend('ledger', processes), { granted: budget, taken: budget })
  })

  test(`a ledger that checks and then deducts overdraws in the same test, from ${from}`, async () => {
    const { granted, taken } = await spend('check-then-deduct', processes)
    assert.ok(granted > budget && taken > budget, `granted ${granted}, taken ${taken}`)
  })
}
