import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { ServiceError } from '../core/errors.ts'
import type { Health } from './health.ts'
import { defineRoute } from './route.ts'

const complete = {
  method: 'POST',
  path: '/x',
  auth: 'key',
  operationId: 'aRoute',
  summary: 'A route',
  cost: 1,
  params: null,
  query: null,
  body: z.object({ dry_run: z.boolean() }),
  reply: z.object({ was_dry: z.boolean() }),
  handle: ({ body }: { body: { dryRun: boolean } }) => ({ wasDry: body.dryRun }),
} as const

test('a route without a cost, a schema or a handler, or with a wrong reply, does not compile', () => {
  const { cost, body, reply, handle, ...rest } = complete
  assert.ok(() => defineRoute({ ...rest, cost, body, reply, handle }))
  // @ts-expect-error no cost
  assert.ok(() => defineRoute({ ...rest, body, reply, handle }))
  // @ts-expect-error no body schema, and POST has a body
  assert.ok(() => defineRoute({ ...rest, cost, reply, handle }))
  // @ts-expect-error null is not a body schema
  assert.ok(() => defineRoute({ ...rest, cost, body: null, reply, handle: () => ({ wasDry: true }) }))
  // @ts-expect-error no reply schema
  assert.ok(() => defineRoute({ ...rest, cost, body, handle }))
  // @ts-expect-error the reply lacks a field
  assert.ok(() => defineRoute({ ...rest, cost, body, reply, handle: () => ({}) }))
  // @ts-expect-error a path with a parameter needs its schema
  assert.ok(() => defineRoute({ ...rest, path: '/x/{id}', cost, body, reply, handle }))
})

test('a request is checked, renamed for the inside, and its reply renamed for the wire', async () => {
  const route = defineRoute({
    ...complete,
    auth: 'none',
    cost: 0,
    handle: ({ body }) => ({ wasDry: body.dryRun }),
  })
  const prepared = route.prepare({ params: null, query: null, body: { dry_run: true, unknown: 1 } })
  const health: Health = {
    version: '',
    mode: 'embedded',
    embedder: 'a model',
    models: () => 'loaded',
    stores: () => stores,
  }
  assert.deepEqual(await prepared.run({ health }), { status: 200, headers: {}, body: { was_dry: true } })
})

const stores = { neo4j: 'connected', qdrant: 'connected', redis: 'connected' } as const

test('every wrong field is listed, the first one is the sentence', () => {
  const route = defineRoute({
    ...complete,
    body: z.object({ a: z.string('a must be a string'), b: z.number('b must be a number') }),
    handle: () => ({ wasDry: true }),
  })
  assert.throws(
    () => route.prepare({ params: null, query: null, body: {} }),
    (error) => {
      assert.ok(error instanceof ServiceError)
      assert.equal(error.facts.detail, 'a must be a string. There is 1 more problem.')
      assert.deepEqual(
        error.facts.errors?.map(({ path }) => path),
        ['a', 'b'],
      )
      return true
    },
  )
})
