import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { opsTaken, type Way } from './budget-spenders.ts'

interface Spending {
  readonly way: Way
  readonly processes: number
  readonly asked: number
  readonly budget: number
}

/** Lets so many processes ask for the reservations at the same moment; says what was granted and what was taken. */
export async function spend({
  way,
  processes,
  asked,
  budget,
}: Spending): Promise<{ granted: number; taken: number }> {
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
  const script = path.join(import.meta.dirname, 'budget-process.ts')
  const child = spawn(process.execPath, [script, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    nextLine: async () => (await lines.next()).value,
    go: () => child.stdin.end('go\n'),
    ended: new Promise((resolve) => child.once('exit', resolve)),
  }
}
