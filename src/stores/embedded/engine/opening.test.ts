import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openEngine } from './engine.ts'
import { type RefusalReason, StoreRefused } from './failures.ts'
import { withDirectory } from './test-directory.ts'

const month = '2026-11'
const engineModule = new URL('./engine.ts', import.meta.url).href

/** Another process that opens the store and reserves without end, telling each id that it was granted. */
function startWriter(directory: string) {
  const program = `
    const { openEngine } = await import(${JSON.stringify(engineModule)})
    const engine = await openEngine({ directory: ${JSON.stringify(directory)} })
    for (let id = 0; ; id++) {
      await engine.write('ledger.reserve', { id: String(id), account: 'a', month: '${month}', ops: 1, limit: 1e9 })
      console.log(id)
    }`
  return spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

function refuses(reason: RefusalReason, ...named: string[]) {
  return (error: unknown) => {
    assert.ok(error instanceof StoreRefused, String(error))
    assert.equal(error.reason, reason)
    for (const text of named) assert.ok(error.message.includes(text), error.message)
    return true
  }
}

/** A closed store with enough in it to be damaged. */
async function fillStore(directory: string): Promise<string> {
  const engine = await openEngine({ directory })
  const account = 'a'.repeat(200)
  const reserve = (id: number) =>
    engine.write('ledger.reserve', { id: `${id}-${account}`, account, month, ops: 1, limit: 1e9 })
  await Promise.all(Array.from({ length: 500 }, (_, id) => reserve(id)))
  await engine.close()
  return join(directory, 'memory.db')
}

test('refuses a directory that another process uses, and takes it when that one is killed, with all it was told', () =>
  withDirectory(async (directory) => {
    const child = startWriter(directory)
    let told = -1
    for await (const line of createInterface({ input: child.stdout })) {
      told = Number(line)
      if (told === 20)
        await assert.rejects(openEngine({ directory }), refuses('in_use', directory, `${child.pid}`))
      if (told === 60) child.kill('SIGKILL')
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    const engine = await openEngine({ directory })
    const used = await engine.read('ledger.used', { account: 'a', month })
    // The last one may have been written without having been told.
    assert.ok(told >= 60 && (used === told + 1 || used === told + 2), `${told} ${used}`)
    await engine.close()
  }))

test('refuses a second opening in the same process', () =>
  withDirectory(async (directory) => {
    const engine = await openEngine({ directory })
    await assert.rejects(openEngine({ directory }), refuses('in_use', directory, `${process.pid}`))
    await engine.close()
    await (await openEngine({ directory })).close()
  }))

const damages: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'has lost its end': async (file) => truncate(file, 40_960),
  'has lost a part of a page': async (file) => truncate(file, (await readFile(file)).length - 1_000),
  'is empty': async (file) => truncate(file, 0),
  'is no database': async (file) => writeFile(file, 'x'.repeat(20_000)),
  'has lost its header': async (file) => overwrite(file, 0, 100),
  'has random bytes in the middle': async (file) => overwrite(file, 60_000, 8_000),
}

async function overwrite(file: string, from: number, length: number): Promise<void> {
  const bytes = await readFile(file)
  bytes.fill(0x5a, from, from + length)
  await writeFile(file, bytes)
}

for (const [what, damage] of Object.entries(damages)) {
  test(`refuses a file that ${what}, names it, and leaves it as it is`, () =>
    withDirectory(async (directory) => {
      const file = await fillStore(directory)
      await damage(file)
      const before = await readFile(file)
      await assert.rejects(openEngine({ directory }), refuses('damaged', file, 'restore'))
      assert.deepEqual(await readFile(file), before)
    }))
}

test('refuses to start empty where a store has been', () =>
  withDirectory(async (directory) => {
    const file = await fillStore(directory)
    await rm(file)
    await assert.rejects(openEngine({ directory }), refuses('missing', file, directory))
    await rm(join(directory, 'state'))
    await writeFile(join(directory, 'default-key'), 'a key')
    await assert.rejects(openEngine({ directory }), refuses('missing', file, 'default-key'))
  }))

test('refuses a file of a newer version, and one of another program', () =>
  withDirectory(async (directory) => {
    const file = await fillStore(directory)
    const change = (sql: string) => {
      const db = new DatabaseSync(file)
      db.exec(sql)
      db.close()
    }
    change('PRAGMA user_version = 999')
    await assert.rejects(openEngine({ directory }), refuses('newer', file, '999'))
    change('PRAGMA application_id = 7')
    await assert.rejects(openEngine({ directory }), refuses('foreign', file))
  }))

test('a lease of a process that is gone binds nobody, and its fence goes on growing', () =>
  withDirectory(async (directory) => {
    const take = { name: 'consolidate:a', seconds: 300, now: 1_000 }
    const first = await openEngine({ directory })
    const held = await first.write('lifecycle.acquire', take)
    assert.equal(await first.write('lifecycle.acquire', take), null)
    await first.close()
    const second = await openEngine({ directory })
    const again = await second.write('lifecycle.acquire', take)
    assert.ok(held !== null && again !== null && again.fence > held.fence)
    await second.close()
  }))
