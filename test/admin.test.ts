import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createLog } from '../src/observe/log.ts'
import { embedded } from '../src/service/stores.ts'
import { openInlineEngine } from '../src/stores/embedded/engine/inline.ts'
import { startTestService } from './harness.ts'

const service = await startTestService()
const { key } = await service.newKey('enterprise')
after(() => service.close())

describe('admin API', () => {
  test('create, list, rotate with grace, revoke, change tier', async () => {
    const made = await service.admin('POST', '/admin/keys', { account: 'acme', tier: 'Pro', monthly_ops: 50 })
    assert.equal(made.status, 201)
    assert.match(String(made.json.key), /^mem_[0-9A-Za-z]{32}$/)
    assert.deepEqual({ account: made.json.account, tier: made.json.tier }, { account: 'acme', tier: 'pro' })

    const rotated = await service.admin('POST', `/admin/keys/${made.json.id}/rotate`, { grace_seconds: 60 })
    const works = async (given: unknown) =>
      (await service.call('POST', '/brain/stats', { key: String(given), body: { user_id: '' } })).status ===
      200
    assert.ok((await works(made.json.key)) && (await works(rotated.json.key)))
    service.clock.advance(61)
    assert.deepEqual([await works(made.json.key), await works(rotated.json.key)], [false, true])

    const again = await service.admin('POST', '/admin/keys', { account: 'acme', tier: 'scale' })
    const further = await service.admin('POST', '/admin/keys', { account: 'acme' })
    assert.deepEqual([further.status, further.json.tier], [201, 'scale'])
    await service.admin('DELETE', `/admin/keys/${further.json.id}`)
    const patched = await service.admin('PATCH', '/admin/accounts/acme', { tier: 'starter' })
    assert.deepEqual(patched.json, { account: 'acme', tier: 'starter', monthly_ops: 50 })

    assert.equal((await service.admin('DELETE', `/admin/keys/${again.json.id}`)).status, 200)
    assert.ok(!(await works(again.json.key)))
    const listed = await service.admin('GET', '/admin/keys')
    const mine = (listed.json.keys as { account: string; active: boolean }[]).filter(
      ({ account }) => account === 'acme',
    )
    assert.deepEqual(mine.map(({ active }) => active).sort(), [false, false, false, true])
    assert.ok(!listed.text.includes(String(made.json.key)))
  })

  test('unknown ids and accounts are 404, bad fields 400', async () => {
    for (const [method, path, body, status] of [
      ['POST', '/admin/keys/nobody/rotate', {}, 404],
      ['DELETE', '/admin/keys/nobody', undefined, 404],
      ['PATCH', '/admin/accounts/nobody', { tier: 'pro' }, 404],
      ['POST', '/admin/keys', { account: 'x', tier: 'gold' }, 400],
      ['POST', '/admin/keys', { account: '../x', tier: 'pro' }, 400],
      ['POST', '/admin/keys', { tier: 'pro' }, 400],
      ['POST', '/admin/keys', { account: 'x', tier: 'pro', monthly_ops: -1 }, 400],
    ] as const) {
      assert.equal((await service.admin(method, path, body)).status, status, `${method} ${path}`)
    }
  })
})

const storesUp = (text: string) =>
  [...text.matchAll(/^memoryd_store_up\{store="(\w+)"\} (\d)$/gm)].map(([, store, up]) => `${store} ${up}`)

describe('metrics', () => {
  test('are open to everybody where the operator says so', async () => {
    const open = await startTestService({ environment: { METRICS: 'open' } })
    assert.equal((await open.call('GET', '/metrics')).status, 200)
    await open.close()
  })

  test('need the admin token, and name no account', async () => {
    const { status: stored } = await service.call('POST', '/brain/ingest', { key, body: { text: 'A text.' } })
    assert.equal(stored, 200)
    assert.equal((await service.call('GET', '/metrics')).status, 401)
    const { status, text } = await service.admin('GET', '/metrics')
    assert.equal(status, 200)
    assert.match(
      text,
      /memoryd_http_requests_total\{method="POST",route="\/brain\/ingest",status="200"\} \d+/,
    )
    assert.ok(!/account-\d|acme/.test(text))
  })

  test('tell how long models and stores take, whether they are there, and how full the disk is', async () => {
    const busy = await startTestService()
    const { key: own } = await busy.newKey('pro')
    await busy.call('POST', '/brain/ingest', { key: own, body: { text: 'Maria likes Porto.' } })
    await busy.call('POST', '/brain/retrieve', { key: own, body: { query: 'What does Maria like?' } })
    const { text } = await busy.admin('GET', '/metrics')
    for (const stage of ['embed', 'extract', 'episodic', 'graph', 'journal'])
      assert.match(text, new RegExp(`memoryd_stage_seconds_count\\{stage="${stage}"\\} [1-9]`), stage)
    assert.deepEqual(storesUp(text), ['embedded 1'])
    assert.match(text, /memoryd_disk_free_bytes [1-9]/)
    assert.match(text, /memoryd_index_bytes [1-9]/)
    assert.match(text, /memoryd_index_reads\{purpose="memory"\} [1-9]/)
    assert.match(text, /memoryd_index_reads\{purpose="question"\} 0/)
    assert.match(text, /memoryd_store_file_bytes\{file="memory\.db"\} \d/)
    await busy.close()
  })

  test('name the stores that are configured, and no others', async () => {
    const engines = await startTestService({
      environment: {
        ...{ STORES: 'server', NEO4J_URL: 'bolt://127.0.0.1:1', NEO4J_PASSWORD: 'x' },
        ...{ QDRANT_URL: 'http://127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1' },
      },
      stores: {
        ...embedded(openInlineEngine(), createLog('silent')),
        states: () => ({ neo4j: 'connected', qdrant: 'error: starting', redis: 'connected' }),
      },
    })
    const { text } = await engines.admin('GET', '/metrics')
    assert.deepEqual(storesUp(text), ['neo4j 1', 'qdrant 0', 'redis 1'])
    await engines.close()
  })

  test('count what pruning deleted, and not what it only counted', async () => {
    const fading = await startTestService()
    const { key: own } = await fading.newKey('pro')
    await fading.call('POST', '/brain/ingest', { key: own, body: { text: 'Maria likes Porto.' } })
    const kinds = async () =>
      [
        ...(await fading.admin('GET', '/metrics')).text.matchAll(
          /memoryd_pruned_total\{kind="(\w+)"\} (\d+)/g,
        ),
      ]
        .map(([, kind, count]) => `${kind} ${count}`)
        .join(', ')
    fading.clock.advance(60 * 86_400)
    await fading.call('POST', '/brain/prune', { key: own, body: { dry_run: true } })
    assert.equal(await kinds(), 'relations 0, chunks 0, entities 0')
    const { json } = await fading.call('POST', '/brain/prune', { key: own, body: { dry_run: false } })
    assert.ok(Number(json.pruned) >= 2)
    assert.equal(await kinds(), 'relations 1, chunks 1, entities 2')
    await fading.close()
  })
})
