import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { type Import, importsOf, readSources } from './imports.ts'

const root = path.resolve(import.meta.dirname, '..')
const { files, imports } = readSources(root, 'src')

interface Rule {
  readonly name: string
  /** Imports that break it. */
  readonly broken: (statement: Import) => boolean
}

const ours = (target: string) => target.startsWith('src/')
const within = (place: string, ...folders: readonly string[]) =>
  folders.some((folder) => place === folder || place.startsWith(`${folder}/`))

/** What the adapters may know of the domain: ports, records and pure rules, never a use case. */
const vocabulary =
  /^src\/(core\/|archive\/archive\.ts|accounts\/(ports|rules|tiers)\.ts|memory\/(ports|model|rules|slots|reopen|topic|entity-type|within|keys)\.ts|memory\/(lifecycle\/decay|relation\/certainty)\.ts)/

/** Each package that reaches outside, or is large, has one home. A new dependency does not pass without one. */
const homes: Readonly<Record<string, string>> = {
  hono: 'src/http',
  '@hono/node-server': 'src/http',
  '@modelcontextprotocol/server': 'src/mcp',
  'jsonc-parser': 'src/cli',
  yauzl: 'src/cli',
  // Also a file of the client package, which has no server; both pass on with it.
  'clients/typescript/src/bridge.ts': 'src/cli',
  pino: 'src/observe',
  'prom-client': 'src/observe',
  'node:sqlite': 'src/stores/embedded',
  'neo4j-driver': 'src/stores/server',
  '@qdrant/js-client-rest': 'src/stores/server',
  redis: 'src/stores/server',
  'onnxruntime-node': 'src/models/reader',
  '@huggingface/tokenizers': 'src/models/reader',
  'chrono-node': 'src/models/facts',
  ai: 'src/models/llm',
  '@ai-sdk/openai-compatible': 'src/models/llm',
  jsonrepair: 'src/models/llm',
  graphology: 'src/memory/lifecycle',
  'graphology-communities-louvain': 'src/memory/lifecycle',
  'lru-cache': 'src',
  zod: 'src',
}

const rules: readonly Rule[] = [
  {
    name: 'core imports nothing of ours',
    broken: ({ from, to }) => within(from, 'src/core') && ours(to) && !within(to, 'src/core'),
  },
  {
    name: 'memory knows itself and core',
    broken: ({ from, to }) => within(from, 'src/memory') && ours(to) && !within(to, 'src/memory', 'src/core'),
  },
  {
    name: 'accounts knows itself and core',
    broken: ({ from, to }) =>
      within(from, 'src/accounts') && ours(to) && !within(to, 'src/accounts', 'src/core'),
  },
  {
    name: 'adapters know ports and vocabulary, never use cases or surfaces',
    broken: ({ from, to }) => {
      const adapter = ['src/stores', 'src/models'].find((folder) => within(from, folder))
      return adapter !== undefined && ours(to) && !within(to, adapter) && !vocabulary.test(to)
    },
  },
  {
    name: 'the embedded and the server stores never meet',
    broken: ({ from, to }) =>
      (within(from, 'src/stores/embedded') && within(to, 'src/stores/server')) ||
      (within(from, 'src/stores/server') && within(to, 'src/stores/embedded')),
  },
  {
    name: 'surfaces never see adapters',
    broken: ({ from, to }) =>
      within(from, 'src/http', 'src/cli', 'src/mcp', 'src/observe', 'src/main.ts', 'src/cli.ts') &&
      within(to, 'src/stores', 'src/models'),
  },
  {
    name: 'only the process and the command line see the composition root',
    broken: ({ from, to }) =>
      within(to, 'src/service', 'src/service.ts') &&
      !within(from, 'src/service', 'src/service.ts', 'src/cli', 'src/cli.ts', 'src/main.ts'),
  },
  {
    name: 'a package has one home',
    broken: ({ from, to }) => {
      const home = homes[to]
      if (home !== undefined) return !within(from, home)
      return !ours(to) && !to.startsWith('node:') && to !== 'package.json'
    },
  },
  {
    name: 'the product does not import its tests',
    broken: ({ to }) => /^(test|bench)\//.test(to) || to.endsWith('.test.ts'),
  },
]

const violations = (found: readonly Import[]) =>
  rules.flatMap(({ name, broken }) =>
    found.filter(broken).map(({ from, to }) => `${name}: ${from} imports ${to}`),
  )

describe('architecture', () => {
  test('the scan sees every module and what it imports', () => {
    const expected = globSync('src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/*.kernel.ts'] })
    assert.equal(files.length, expected.length)
    assert.ok(files.length > 100, `${files.length} modules`)
    assert.ok(imports.length > files.length, `${imports.length} imports`)
    const known = new Set(globSync('{src,test}/**/*', { cwd: root }))
    const lost = imports.filter(({ to }) => ours(to) && !known.has(to))
    assert.deepEqual(lost, [])
  })

  test('no import points against the direction of the house', () => assert.deepEqual(violations(imports), []))

  for (const [file, line, rule] of [
    ['src/core/x.ts', "import { y } from '../memory/model.ts'", 'core imports nothing of ours'],
    [
      'src/memory/ingest/x.ts',
      "import type { Account } from '../../accounts/ports.ts'",
      'memory knows itself',
    ],
    ['src/accounts/x.ts', "export { m } from '../memory/memory.ts'", 'accounts knows itself'],
    ['src/stores/embedded/x.ts', "import { i } from '../../memory/ingest/ingest.ts'", 'adapters know ports'],
    ['src/models/llm/x.ts', "import {\n  app,\n} from '../../http/app.ts'", 'adapters know ports'],
    ['src/stores/server/x.ts', "const e = await import('../embedded/engine/engine.ts')", 'never meet'],
    ['src/http/x.ts', "import type { Engine } from '../stores/embedded/engine/engine.ts'", 'surfaces never'],
    ['src/http/x.ts', "import { openService } from '../service.ts'", 'composition root'],
    ['src/memory/x.ts', "import { DatabaseSync } from 'node:sqlite'", 'a package has one home'],
    ['src/http/x.ts', "import thing from 'left-pad'", 'a package has one home'],
  ] as const) {
    test(`a planted violation is caught: ${line.replaceAll('\n', ' ')} in ${file}`, () => {
      const [found = ''] = violations(importsOf(file, line))
      assert.ok(found.includes(rule), found)
    })
  }

  test('every dependency has a home', () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    const homeless = Object.keys(dependencies).filter((name) => name !== 'node' && homes[name] === undefined)
    assert.deepEqual(homeless, [])
  })

  test('the environment is read in one place, and written in one for a library that asks for it', () => {
    const having = (pattern: RegExp) =>
      files.filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8')))
    assert.deepEqual(having(/\bprocess\.env\b(?!\.\w+ = )/), ['src/config.ts'])
    assert.deepEqual(having(/\bprocess\.env\.\w+ = /), ['src/models/reader/no-telemetry.ts'])
  })

  test('no file has more than 350 lines of code, comments left out', () => {
    const lines = (file: string) => readFileSync(path.join(root, file), 'utf8').split('\n')
    const isCode = (line: string) => line.trim() !== '' && !/^\s*(\/?\*|\/\/)/.test(line)
    const long = files.filter((file) => lines(file).filter(isCode).length > 350)
    assert.deepEqual(long, [])
  })

  test('modules do not import each other in a circle', () => {
    assert.deepEqual(circle(imports), null)
    const planted = [
      { from: 'a', to: 'b', typeOnly: false },
      { from: 'b', to: 'a', typeOnly: false },
    ]
    assert.deepEqual(circle(planted), ['a', 'b', 'a'])
  })
})

/** A circle of imports that exist at run time; null when there is none. */
function circle(found: readonly Import[]): string[] | null {
  const next = Map.groupBy(
    found.filter(({ typeOnly }) => !typeOnly),
    ({ from }) => from,
  )
  const finished = new Set<string>()
  const visit = (file: string, way: readonly string[]): string[] | null => {
    const start = way.indexOf(file)
    if (start >= 0) return [...way.slice(start), file]
    if (finished.has(file)) return null
    for (const { to } of next.get(file) ?? []) {
      const round = visit(to, [...way, file])
      if (round !== null) return round
    }
    finished.add(file)
    return null
  }
  for (const file of next.keys()) {
    const round = visit(file, [])
    if (round !== null) return round
  }
  return null
}
