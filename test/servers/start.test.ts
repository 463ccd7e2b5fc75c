import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { engines } from './engines.ts'
import { openFaultyService } from './faulty-service.ts'
import { until } from './support.ts'

let faulty: Awaited<ReturnType<typeof openFaultyService>>
before(async () => {
  faulty = await openFaultyService({ loaded: false })
})
after(() => faulty.close())

const health = async () => (await faulty.service.call('GET', '/brain/health')).json

test('engines that are away at the start are waited for, one after the other, without a restart', async () => {
  const { service, proxies } = faulty
  const loading = service.service.loadModels()
  await until(async () => (await health()).models_loaded === true, 5_000)
  await until(async () => /^error: \w/.test(String((await health()).neo4j)), 5_000)
  const key = `mem_${'A'.repeat(32)}`
  for (const engine of engines) {
    assert.equal((await health()).ready, false)
    const { status } = await service.call('POST', '/brain/retrieve', { key, body: { query: 'x' } })
    assert.ok([401, 503].includes(status), `${status}`)
    await delay(300)
    await proxies[engine].set({ kind: 'pass' })
  }
  const ready = await until(async () => (await health()).ready === true, 120_000)
  await loading
  console.log(`ready ${Math.round(ready)} ms after the last engine came, the first warm-up included`)
  const issued = await service.newKey('pro')
  const { status } = await service.call('POST', '/brain/ingest', {
    key: issued.key,
    body: { text: 'I live in Lisbon.' },
  })
  assert.equal(status, 200)
})
