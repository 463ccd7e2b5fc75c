import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { buildConsole, distFolder } from '../console/build.ts'
import { startTestService } from './harness.ts'

const service = await startTestService()
after(() => service.close())
const host = { host: 'localhost:7420' }

test('console/dist is what its source builds; npm run build console makes it anew', async () => {
  const built = await buildConsole()
  assert.deepEqual(readdirSync(distFolder).sort(), [...built.keys()].sort())
  for (const [name, bytes] of built)
    assert.ok(Buffer.from(bytes).equals(readFileSync(path.join(distFolder, name))), `${name} is out of date`)
})

test('all scripts of the console together have at most 120 KB, compressed', () => {
  const scripts = readdirSync(distFolder).filter((name) => name.endsWith('.js'))
  const bytes = scripts.map((name) => gzipSync(readFileSync(path.join(distFolder, name))).length)
  assert.ok(scripts.length > 0)
  assert.ok(bytes.reduce((sum, size) => sum + size, 0) <= 120_000, String(bytes))
})

test('the page and its parts are served under a policy that runs nothing else', async () => {
  const page = await service.call('GET', '/console', { headers: host })
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-type') ?? '', /^text\/html/)
  const parts = [...page.text.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(
    ([, address = '']) => address,
  )
  assert.equal(parts.length, 3)
  for (const address of ['/console', '/console/', ...parts]) {
    const { status, headers } = await service.call('GET', address, { headers: host })
    assert.equal(status, 200, address)
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of ["default-src 'none'", "script-src 'self'", "require-trusted-types-for 'script'"])
      assert.ok(policy.split('; ').includes(rule), rule)
    assert.doesNotMatch(policy, /unsafe|https?:|\*/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }
})

test('parts are named by what they hold and kept for good; the page is asked for again', async () => {
  const page = await service.call('GET', '/console', { headers: host })
  assert.equal(page.headers.get('cache-control'), 'no-cache')
  const etag = page.headers.get('etag') ?? ''
  const again = await service.call('GET', '/console', { headers: { ...host, 'if-none-match': etag } })
  assert.deepEqual([again.status, again.text], [304, ''])
  const [, script = ''] = /src="([^"]+\?v=\w+)"/.exec(page.text) ?? []
  const { headers } = await service.call('GET', script, { headers: host })
  assert.match(headers.get('cache-control') ?? '', /immutable/)
  // While versions are mixed, a part is not kept under the name of another.
  const other = await service.call('GET', script.replace(/\w+$/, 'another'), { headers: host })
  assert.deepEqual([other.status, other.headers.get('cache-control')], [200, 'no-cache'])
})

test('nothing but the files of the console is served', async () => {
  for (const name of ['nothing.js', '..%2fbuild.ts', '..%2f..%2fpackage.json', '__proto__', '%00'])
    assert.equal((await service.call('GET', `/console/${name}`, { headers: host })).status, 404, name)
  assert.equal((await service.call('POST', '/console', { headers: host })).status, 405)
})

test('a link signs in once, and not after a quarter of an hour', async () => {
  const exchange = (token: string, more: object = {}) =>
    service.call('POST', '/console/sign-in', {
      headers: { ...host, authorization: `Bearer ${token}`, ...more },
    })
  const { key } = await service.newKey('pro')
  const token = service.service.signInLink(key)
  const foreign = await exchange(token, { origin: 'https://example.com' })
  assert.deepEqual([foreign.status, foreign.json.error], [403, 'origin_refused'])
  const first = await exchange(token)
  assert.deepEqual([first.status, first.json], [200, { key }])
  assert.equal(first.headers.get('cache-control'), 'no-store')
  const second = await exchange(token)
  assert.equal(second.status, 401)
  assert.ok(!second.text.includes(key))
  const late = service.service.signInLink(key)
  service.clock.advance(15 * 60)
  assert.equal((await exchange(late)).status, 401)
  for (const wrong of ['', 'x', key]) assert.equal((await exchange(wrong)).status, 401)
  assert.ok(!service.lines.join('').includes(token))
})
