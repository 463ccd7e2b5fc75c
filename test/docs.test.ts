import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { apiPage } from '../scripts/api-docs.ts'
import { variables } from '../src/config.ts'
import { openApiDocument } from '../src/http/openapi.ts'
import { routes } from '../src/http/routes/table.ts'

const root = path.resolve(import.meta.dirname, '..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

describe('docs/configuration.md', () => {
  const rows = new Map(
    [...read('docs/configuration.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| (.+?) \| (.+) \|$/gm)].map(
      (row) => [row[1], row],
    ),
  )
  for (const [name, { fallback, about }] of Object.entries(variables)) {
    test(`describes ${name} as the code has it`, () => {
      const row = rows.get(name)
      assert.equal(row?.[2], fallback === null ? 'not set' : `\`${fallback}\``)
      assert.equal(row?.[3], about)
    })
  }
  test('describes nothing that is not read', () => {
    assert.deepEqual(
      [...rows.keys()].filter((name) => !Object.hasOwn(variables, name ?? '')),
      [],
    )
  })
})

test('docs/api.md has every route as the code has it (npm run docs prints it)', () => {
  const page = read('docs/api.md')
  assert.equal(page, apiPage(page))
})

describe('OpenAPI document', () => {
  const document = openApiDocument(routes, '1.2.3')
  test('names every route once, with its own id', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    assert.equal(operations.length, routes.length)
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, routes.length)
  })
  test('is plain JSON, and its references lead somewhere', () => {
    const text = JSON.stringify(document)
    assert.deepEqual(JSON.parse(text), document)
    for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      assert.ok(Object.hasOwn(document.components.schemas as object, name), name)
    }
  })
  test('declares every parameter of a path, and no other', () => {
    for (const [address, operations] of Object.entries(document.paths)) {
      const expected = [...address.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
      for (const { parameters } of Object.values(operations)) {
        const declared = parameters.filter((parameter) => parameter.in === 'path')
        assert.deepEqual(
          declared.map(({ name }) => name),
          expected,
        )
        assert.ok(declared.every(({ required }) => required))
      }
    }
  })
  test('shows the defaults of the specification', () => {
    const body = document.paths['/brain/retrieve']?.post?.requestBody?.content['application/json'].schema as {
      properties: Record<string, { default?: unknown }>
    }
    assert.equal(body.properties.k?.default, 5)
    assert.equal(body.properties.max_hops?.default, null)
    assert.equal(body.properties.include_working?.default, true)
  })
})

test('every example in the quickstart passes the checks of its route', () => {
  const text = read('docs/quickstart.md').replaceAll('\\\n', ' ')
  const calls = [...text.matchAll(/curl -s http:\/\/127\.0\.0\.1:7420(\/\S+) .*? -d '(.+)'$/gm)]
  assert.ok(calls.length >= 5)
  for (const [, address, body = ''] of calls) {
    const route = routes.find(({ path, method }) => path === address && method === 'POST')
    assert.ok(route !== undefined, `no route ${address}`)
    assert.ok(route.prepare({ params: null, query: null, body: JSON.parse(body) }))
  }
})

test('links between the pages lead somewhere', () => {
  const pages = globSync('{*.md,docs/**/*.md}', { cwd: root })
  assert.ok(pages.length >= 3)
  for (const page of pages) {
    for (const [, target = ''] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|#|mailto:)/.test(target)) continue
      const file = path.join(root, path.dirname(page), target.split('#')[0] ?? '')
      assert.ok(existsSync(file), `${page} links to ${target}`)
    }
  }
})
