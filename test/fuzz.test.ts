import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { problemSchema } from '../src/http/openapi.ts'
import type { Route } from '../src/http/route.ts'
import { everyRoute } from '../src/http/routes/table.ts'
import { type HostileRequest, hostileRequest } from './fuzz/requests.ts'
import { adminToken, startTestService, type TestService } from './harness.ts'

const total = Number(process.env.FUZZ_REQUESTS ?? 3_000)
const seed = Number(process.env.FUZZ_SEED ?? 20_261_115)
/** A namespace is left after so many requests, so that its size does not become the cost of the test. */
const perAccount = 1_000

const patterns = everyRoute.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))

function routeOf({ method, path }: HostileRequest): Route | null {
  const address = path.split('?')[0] ?? ''
  return (
    patterns.find(({ route, pattern }) => route.method === method && pattern.test(address))?.route ?? null
  )
}

test(`${total} hostile requests: no 5xx, no crash, every body in the documented form (seed ${seed})`, async (context) => {
  const counts = new Map<number, number>()
  for (let done = 0; done < total; done += perAccount) {
    const service = await startTestService()
    const { key } = await service.newKey('enterprise')
    const sample = fc.sample(hostileRequest, {
      numRuns: Math.min(perAccount, total - done),
      seed: seed + done,
    })
    for (const request of sample) {
      const status = await verdict(service, key, request)
      counts.set(status, (counts.get(status) ?? 0) + 1)
    }
    await service.close()
  }
  context.diagnostic(
    [...counts]
      .sort(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(', '),
  )
  for (const status of [200, 400, 401, 404, 405, 415])
    assert.ok(counts.has(status), `no request was answered ${status}`)
})

async function verdict(service: TestService, key: string, request: HostileRequest): Promise<number> {
  const { method, path, body, headers, credential } = request
  const said = JSON.stringify({ ...request, body: body?.toString().slice(0, 500) })
  const mayHaveBody = method !== 'GET' && method !== 'HEAD'
  const { status, json, text } = await service.call(method, path, {
    ...(credential === 'key' ? { key } : {}),
    ...(body === null || !mayHaveBody ? {} : { raw: body }),
    headers: { ...(credential === 'admin' ? { authorization: `Bearer ${adminToken}` } : {}), ...headers },
  })
  assert.ok(status < 500, `${status} ${text} for ${said}`)
  // Errors of the Model Context Protocol have a form of their own, which its clients are tested with.
  if (method === 'HEAD' || /^\/(docs|metrics|openapi\.json|mcp)/.test(path)) return status
  if (status >= 400) {
    const outcome = problemSchema.safeParse(json)
    assert.ok(outcome.success && outcome.data.detail.length > 0, `${text} for ${said}`)
    return status
  }
  const route = routeOf(request)
  assert.ok(route !== null, `${status} for an unknown route: ${said}`)
  // A document is sent as it was stored, not as JSON.
  if (route.rawType !== null) return status
  const outcome = route.reply.safeParse(json)
  assert.ok(outcome.success, `${text.slice(0, 500)} for ${said}: ${JSON.stringify(outcome.error?.issues)}`)
  return status
}
