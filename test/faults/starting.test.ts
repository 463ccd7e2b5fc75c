import assert from 'node:assert/strict'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { exitCodeOf } from '../../src/cli/run.ts'
import { runServer } from '../../src/cli/serve.ts'
import { readConfig } from '../../src/config.ts'
import { openDirectoryService, withFolder } from './support/services.ts'

/** What a person sees who starts the server on this directory. */
async function startOn(directory: string): Promise<{ code: number; message: string }> {
  const said: string[] = []
  const say = (text: string) => void said.push(text)
  const terminal = { outIsShown: false, errIsShown: false, out: say, err: say }
  const environment = { DATA_DIR: directory, PORT: '0', LOG_LEVEL: 'silent' }
  const config = () => {
    const read = readConfig(environment).config
    if (read === null) throw new Error('the configuration is invalid')
    return read
  }
  const code = await exitCodeOf(runServer, { environment, terminal, config })
  return { code, message: said.join('\n') }
}

/** A closed store with some memories. */
async function fillStore(directory: string): Promise<string> {
  const service = await openDirectoryService(directory)
  const key = await service.newKey('tenant')
  for (let at = 0; at < 20; at++) {
    const { status } = await service.post(key, '/brain/ingest', { text: `Person${at} likes Thing${at}.` })
    assert.equal(status, 200)
  }
  await service.close()
  return path.join(directory, 'memory.db')
}

const change = (file: string, sql: string) => {
  const db = new DatabaseSync(file)
  db.exec(sql)
  db.close()
}

const damages: Readonly<Record<string, { damage: (file: string) => Promise<void>; says: RegExp }>> = {
  'a truncated file': { damage: async (file) => truncate(file, 30_000), says: /damaged.*restore/is },
  'a file of zeros in the middle': {
    damage: async (file) => {
      const bytes = await readFile(file)
      await writeFile(file, bytes.fill(0, 16_384, 40_960))
    },
    says: /damaged.*restore/is,
  },
  'a file that is no database': {
    damage: async (file) => writeFile(file, 'no'.repeat(9_000)),
    says: /damaged/,
  },
  'a file of a newer version': {
    damage: async (file) => change(file, 'PRAGMA user_version = 999'),
    says: /newer memoryd/,
  },
  'a file of another program': {
    damage: async (file) => change(file, 'PRAGMA application_id = 7'),
    says: /not one of memoryd/,
  },
}

for (const [what, { damage, says }] of Object.entries(damages)) {
  test(`${what} is refused with a message that names it, and left as it is`, () =>
    withFolder(async (folder) => {
      const file = await fillStore(path.join(folder, 'data'))
      await damage(file)
      const before = await readFile(file)
      const { code, message } = await startOn(path.join(folder, 'data'))
      assert.equal(code, 1)
      assert.match(message, says)
      assert.ok(message.includes(file), message)
      assert.doesNotMatch(message, /\n\s+at /, 'no stack for what a person can put right')
      assert.deepEqual(await readFile(file), before)
    }))
}

test('a second server on the same directory refuses and names the first; the first goes on', () =>
  withFolder(async (folder) => {
    const directory = path.join(folder, 'data')
    const first = await openDirectoryService(directory)
    const { code, message } = await startOn(directory)
    assert.equal(code, 1)
    assert.ok(message.includes(directory) && message.includes(`${process.pid}`), message)
    const key = await first.newKey('tenant')
    assert.equal((await first.post(key, '/brain/ingest', { text: 'Anna likes Tea.' })).status, 200)
    await first.close()
  }))
