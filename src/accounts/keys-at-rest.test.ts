import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemClock } from '../core/clock.ts'
import { randomId } from '../core/ids.ts'
import { createEmbeddedAccountStores } from '../stores/embedded/account-stores.ts'
import { openEngine } from '../stores/embedded/engine/engine.ts'
import { createAccounts } from './accounts.ts'
import { hashOfKey } from './keys.ts'
import { tiers } from './tiers.ts'

/** The files that hold a text. From another process: closing a database file in this one would drop its locks. */
function filesWith(directory: string, text: string): string[] {
  const { status, stdout } = spawnSync('grep', ['-rlaF', '-e', text, directory], { encoding: 'utf8' })
  assert.ok(status === 0 || status === 1, `grep ended with ${status}`)
  return stdout.split('\n').filter((line) => line !== '')
}

test('no issued key is in the data directory, neither while it is open nor after', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'memoryd-keys-'))
  const engine = await openEngine({ directory })
  const report = (error: unknown) => {
    throw error
  }
  const stores = createEmbeddedAccountStores(engine, { newId: randomId, report })
  const accounts = createAccounts({ stores, tiers, clock: systemClock, newId: randomId, random: randomBytes })
  const keys: string[] = []
  for (let count = 0; count < 20; count++) {
    const issued = await accounts.issue({ account: `account-${count % 3}`, tier: 'pro' })
    const next = await accounts.rotate(issued.id, 60)
    await accounts.revoke(issued.id)
    keys.push(issued.key, next?.key ?? '')
  }
  const searched = () => keys.flatMap((key) => filesWith(directory, key.slice('mem_'.length, -4)))
  assert.deepEqual(searched(), [])
  await engine.close()
  assert.deepEqual(searched(), [])
  // The search itself works: what is kept in place of a key is found.
  for (const key of keys) assert.equal(filesWith(directory, hashOfKey(key)).length, 1)
  await rm(directory, { recursive: true })
})
