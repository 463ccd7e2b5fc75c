import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { apiPage } from '../scripts/api-docs.ts'
import { variables } from '../src/config.ts'
import { limits } from '../src/http/fields.ts'
import { openApiDocument } from '../src/http/openapi.ts'
import { routes } from '../src/http/routes/table.ts'
import { readMigrations } from '../src/stores/embedded/engine/migrations.ts'
import { blocks, elsewhere, languages, runsElsewhere } from './docs/pages.ts'
import { startTestService } from './harness.ts'

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

test('the reference shows the address that it was asked under, and no markup of a caller', async () => {
  const service = await startTestService({ loaded: false })
  const at = async (host: string, more: object = {}) =>
    (await service.call('GET', '/docs', { headers: { host, ...more } })).text
  assert.match(await at('memory.example.com:8080'), /curl http:\/\/memory\.example\.com:8080\/brain\/ingest/)
  assert.match(await at('box', { 'x-forwarded-proto': 'https' }), /curl https:\/\/box\/brain/)
  const page = await at('box')
  assert.equal(page.split('<h4>Sample reply</h4>').length - 1, routes.length)
  for (const most of Object.values(limits)) assert.ok(page.includes(`<td>${most.toLocaleString('en')}</td>`))
  for (const host of ['a"><script>', 'evil host', 'evil@host', "evil'host"]) {
    const page = await at(host)
    assert.ok(!page.includes(host), host)
    assert.match(page, /curl http:\/\/127\.0\.0\.1:7420\//)
  }
  await service.close()
})

test('docs/upgrade.md names every format of the store, and the newest as the one that is known', () => {
  const newest = readMigrations().length
  const page = read('docs/upgrade.md')
  const numbers = [...page.matchAll(/^\| ([\d, ]+) \|/gm)].flatMap(([, row = '']) =>
    row.split(', ').map(Number),
  )
  assert.deepEqual(
    numbers,
    Array.from({ length: newest }, (_, at) => at + 1),
  )
  assert.ok(page.includes(`its format is ${newest + 1}, this version knows ${newest}`))
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
  test('is what the clients were made from (npm run build types)', () => {
    const made = ['clients/typescript/src/types.gen.ts', 'clients/python/src/memoryd_client/models.py']
    interface Described {
      readonly properties?: Readonly<Record<string, { readonly description?: string }>>
    }
    const told = Object.values(document.components.schemas as Readonly<Record<string, Described>>)
      .flatMap(({ properties = {} }) => Object.values(properties))
      .flatMap(({ description }) => description ?? [])
    assert.ok(told.length > 100)
    for (const file of made) {
      const types = read(file)
      assert.deepEqual(
        told.filter((text) => !types.includes(text)),
        [],
        file,
      )
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
    const { properties } = document.components.schemas.RetrieveRequest as {
      properties: Record<string, { default?: unknown }>
    }
    assert.equal(properties.k?.default, 5)
    assert.equal(properties.max_hops?.default, null)
    assert.equal(properties.include_working?.default, true)
  })
  test('describes every field and every parameter', () => {
    const silent = [
      ...[...schemasIn(document.components.schemas)].flatMap(({ place, schema }) =>
        Object.entries(schema.properties ?? {})
          .filter(([, { description = '' }]) => description === '')
          .map(([name]) => `${place}.${name}`),
      ),
      ...Object.entries(document.paths).flatMap(([address, operations]) =>
        Object.values(operations).flatMap(({ parameters }) =>
          parameters.filter(({ description }) => description === '').map(({ name }) => `${address}?${name}`),
        ),
      ),
    ]
    assert.deepEqual(silent, [])
  })
  test('names every object that has fields, so that clients have a type for it', () => {
    const nameless = [...schemasIn({ paths: document.paths, ...document.components.schemas })]
      .filter(({ place, schema }) => schema.properties !== undefined && place.includes('.'))
      .map(({ place }) => place)
    assert.deepEqual(nameless, [])
  })
  test('says that a reply to a request with fields may carry warnings', () => {
    for (const { operationId, requestBody, parameters, responses } of Object.values(document.paths).flatMap(
      (path) => Object.values(path),
    )) {
      const [reply] = Object.values(responses) as {
        content: { 'application/json'?: { schema: { $ref: string } } }
      }[]
      const json = reply?.content['application/json']
      // What is sent as it is has no room for them.
      if (json === undefined) continue
      const name = json.schema.$ref.split('/').at(-1) ?? ''
      const { properties } = document.components.schemas[name] as { properties: object }
      const hasFields = requestBody !== undefined || parameters.some((parameter) => parameter.in === 'query')
      const isHook = routes.some((route) => route.isHook && route.operationId === operationId)
      if (hasFields) assert.equal('warnings' in properties, !isHook, operationId)
    }
  })
  for (const route of routes)
    test(`has a sample reply of ${route.operationId} that is what its schema says`, () => {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()]
      const response = operation?.responses[route.status] as {
        content: Record<string, { example?: unknown }>
      }
      const { example } = response.content[route.rawType ?? 'application/json'] ?? {}
      // A field that the schema does not have is missing from what it makes of the reply.
      if (route.rawType === null) assert.deepEqual(route.reply.parse(example), example)
      else assert.equal(typeof example, 'string')
    })
  test('has the routes of the specification under the names that clients call them by', () => {
    const names = ['ingest', 'ingestBatch', 'retrieve', 'graphQa', 'consolidate', 'prune', 'stats', 'health']
    assert.deepEqual(
      routes.slice(0, names.length).map(({ operationId }) => operationId),
      names,
    )
    for (const { operationId } of routes) assert.match(operationId, /^[a-z]+([A-Z][a-z]+)*$/)
  })
})

interface Node {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
}

/** Every object inside a document, with the names that lead to it. */
function* schemasIn(value: object, place = ''): Generator<{ place: string; schema: Node }> {
  for (const [name, item] of Object.entries(value)) {
    if (typeof item !== 'object' || item === null) continue
    const inner = place === '' ? name : `${place}.${name}`
    if (!Array.isArray(item)) yield { place: inner, schema: item }
    yield* schemasIn(item, inner)
  }
}

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

describe('fenced blocks of the pages', () => {
  test('say what they are, so that npm run suite docs can run them', () => {
    assert.ok(blocks.length > 80)
    const unknown = blocks.filter(
      (block) =>
        !languages.has(block.language) ||
        (block.language === 'text' && block.above === null && !runsElsewhere(block)),
    )
    assert.deepEqual(
      unknown.map(({ page, line, language }) => `${page}:${line} ${language}`),
      [],
    )
  })
  for (const [page, words, why] of elsewhere) {
    test(`${page}, "${words.trim()}": ${why}`, () => {
      const meant = blocks.filter((block) => block.page === page && block.text.includes(words))
      assert.equal(meant.length, 1)
    })
  }
})
