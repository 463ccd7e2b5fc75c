import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import { accounts as command } from '../src/cli/accounts.ts'
import { CommandFailure, type CommandParts, UsageError } from '../src/cli/command.ts'
import { keys } from '../src/cli/keys.ts'
import { readConfig } from '../src/config.ts'
import { exportReply } from '../src/http/routes/account-replies.ts'
import { startTestService } from './harness.ts'

const service = await startTestService()
after(() => service.close())

async function newTenant() {
  const issued = await service.newKey('pro')
  const call = (method: string, place: string, body?: unknown) =>
    service.call(method, `/brain/${place}`, { key: issued.key, ...(body === undefined ? {} : { body }) })
  await call('POST', 'ingest', { text: 'Ana lives_in Rome.', session_id: 'today', metadata: { a: [1] } })
  await call('POST', 'ingest', { text: 'Ana lives_in Oslo.', session_id: 'today' })
  await call('POST', 'consolidate', {})
  return { ...issued, call }
}

async function exported(account: string): Promise<Record<string, unknown>[]> {
  const records: Record<string, unknown>[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `?cursor=${cursor}`
    const { status, json, text } = await service.admin('GET', `/admin/accounts/${account}/export${query}`)
    assert.equal(status, 200, text)
    const page = exportReply.parse(json)
    records.push(...page.lines.map((line) => JSON.parse(line)))
    cursor = page.next_cursor
  } while (cursor !== null)
  return records
}

describe('export of an account', () => {
  test('has every record of it but its keys, and none of another', async () => {
    const [ours, theirs] = [await newTenant(), await newTenant()]
    const records = await exported(ours.account)
    const counts = Object.fromEntries(
      [...Map.groupBy(records, ({ kind }) => kind)].map(([kind, group]) => [kind, group.length]),
    )
    assert.deepEqual(counts, {
      ...{ identity: 1, account: 1, usage: 1, run: 1, entity: 3, chunk: 2, fact: 2, link: 1 },
    })
    const text = JSON.stringify(records)
    assert.ok(text.includes('Ana lives_in Rome.') && text.includes('"metadata":{"a":[1]}'))
    assert.ok(!text.includes('"hash"') && !text.includes(`"${theirs.account}"`))
    const other = new Set((await exported(theirs.account)).map(({ namespace }) => namespace))
    assert.ok(records.every(({ namespace }) => namespace === undefined || !other.has(namespace)))
  })

  test('writes vectors as base64 of their bytes', async () => {
    const { account } = await newTenant()
    const chunk = (await exported(account)).find(({ kind }) => kind === 'chunk')?.chunk as {
      vector: { float32: string }
    }
    const bytes = Buffer.from(chunk.vector.float32, 'base64')
    assert.equal(bytes.length, 64 * 4)
    const length = Math.hypot(...Array.from({ length: 64 }, (_, at) => bytes.readFloatLE(4 * at)))
    assert.ok(Math.abs(length - 1) < 1e-5)
  })

  test('of an unknown account is 404, with a foreign cursor 400', async () => {
    const { account } = await newTenant()
    assert.equal((await service.admin('GET', '/admin/accounts/nobody/export')).status, 404)
    for (const cursor of ['x', Buffer.from('{}').toString('base64url')])
      assert.equal(
        (await service.admin('GET', `/admin/accounts/${account}/export?cursor=${cursor}`)).status,
        400,
      )
  })
})

describe('erasing an account', () => {
  test('leaves nothing of it, and everything of others', async () => {
    const [ours, theirs] = [await newTenant(), await newTenant()]
    const kept = await exported(theirs.account)
    const { status, json } = await service.admin('DELETE', `/admin/accounts/${ours.account}`)
    assert.equal(status, 200)
    const { account } = ours
    assert.deepEqual(json, { account, keys: 1, chunks: 2, relations: 2, entities: 3, remaining: 0 })
    assert.equal((await ours.call('POST', 'stats', { user_id: '' })).status, 401)
    const listed = (await service.admin('GET', '/admin/keys')).text
    assert.ok(!listed.includes(ours.id) && !listed.includes(`"${ours.account}"`))
    assert.equal((await service.admin('DELETE', `/admin/accounts/${ours.account}`)).status, 404)
    assert.deepEqual(await exported(theirs.account), kept)
  })

  test('frees the name for an account that knows nothing of it', async () => {
    const { account, key } = await newTenant()
    await service.admin('DELETE', `/admin/accounts/${account}`)
    const issued = await service.admin('POST', '/admin/keys', { account, tier: 'pro' })
    const anew = String(issued.json.key)
    assert.notEqual(anew, key)
    const usage = await service.call('GET', '/brain/usage', { key: anew })
    assert.equal(usage.json.ops_used, 0)
    const memories = await service.call('GET', '/brain/memories', { key: anew })
    assert.deepEqual(memories.json.memories, [])
  })

  test('is the operator’s alone', async () => {
    const { account, key } = await newTenant()
    for (const method of ['DELETE', 'GET']) {
      const place = `/admin/accounts/${account}${method === 'GET' ? '/export' : ''}`
      assert.equal((await service.call(method, place, { key })).status, 401)
    }
  })
})

describe('memoryd accounts', () => {
  async function terminal() {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'memoryd-accounts-'))
    after(() => rm(dataDir, { recursive: true, force: true }))
    const said: string[] = []
    const { config } = readConfig({ DATA_DIR: dataDir })
    assert.ok(config !== null)
    const parts: CommandParts = {
      terminal: { outIsShown: false, errIsShown: false, out: (text) => said.push(text), err: () => {} },
      environment: {},
      config: () => config,
    }
    await keys.run(['create', 'acme'], parts)
    return { parts, said, file: path.join(dataDir, 'acme.jsonl') }
  }

  test('exports to a file of its owner alone, and erases when told twice', async () => {
    const { parts, said, file } = await terminal()
    assert.equal(await command.run(['export', 'acme', file], parts), 0)
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => JSON.parse(line).kind),
      ['account'],
    )
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    await assert.rejects(command.run(['erase', 'acme'], parts), CommandFailure)
    assert.equal(await command.run(['erase', 'acme', '--yes'], parts), 0)
    assert.match(
      said.at(-1) ?? '',
      /^Erased acme: 0 texts, 0 facts, 0 entities, 1 keys\. 0 memories remain\.$/,
    )
    await assert.rejects(command.run(['erase', 'acme', '--yes'], parts), /there is no account acme/)
  })

  test('an unknown account leaves no file behind', async () => {
    const { parts, file } = await terminal()
    await assert.rejects(command.run(['export', 'nobody', file], parts), /there is no account nobody/)
    await assert.rejects(stat(file))
    await assert.rejects(stat(`${file}.part`))
  })

  for (const args of [[], ['drop'], ['erase'], ['export', 'acme'], ['erase', 'acme', '--force']])
    test(`accounts ${args.join(' ')} is told how it is called`, async () => {
      const { parts } = await terminal()
      await assert.rejects(command.run(args, parts), UsageError)
    })
})
