import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type Served, serve } from './serve.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
const binary = (name: string) => path.join(import.meta.dirname, 'node_modules', '.bin', name)

interface Ended {
  readonly code: number
  readonly out: string
}

/** Runs a script to its end with this Node, whatever its exit code. */
async function node(...args: readonly string[]): Promise<Ended> {
  const options = { timeout: 120_000, maxBuffer: 2 ** 24 }
  try {
    const { stdout } = await promisify(execFile)(process.execPath, args, options)
    return { code: 0, out: stdout }
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string }
    return { code, out: `${stdout}${stderr}` }
  }
}

/** Scenarios that need no fixtures; the others ask for tools and prompts of a reference server. */
const scenarios = {
  '--requirements 2026-07-28': [
    ...['tools-list', 'resources-list', 'prompts-list', 'sep-2164-resource-not-found', 'caching'],
    ...['dns-rebinding-protection', 'http-header-validation', 'server-sse-multiple-streams'],
    ...['missing-input-response', 'unsupported-methods', 'ignore-extra-params', 'validate-input'].map(
      (name) => `input-required-result-${name}`,
    ),
  ],
  '--spec-version 2025-11-25': [
    ...[
      'server-initialize',
      'ping',
      'tools-list',
      'resources-list',
      'prompts-list',
      'dns-rebinding-protection',
    ],
  ],
}

describe('clients of others at /mcp', () => {
  let served: Served
  before(async () => {
    served = await serve()
  })
  after(() => served.close())

  test('the official client of the first SDK remembers and recalls', async () => {
    const { code, out } = await node(
      path.join(import.meta.dirname, 'v1-client.mjs'),
      `${served.url}/mcp`,
      served.key,
    )
    assert.equal(code, 0, out)
    const { tools, recalled } = JSON.parse(out)
    assert.deepEqual(tools, ['remember', 'recall', 'forget', 'list'])
    assert.match(recalled.context, /Anna likes Porto/)
  })

  for (const mode of ['auto', 'legacy'] as const) {
    test(`memoryd mcp passes on what the official client says over stdio (${mode})`, async () => {
      const client = new Client({ name: 'stdio', version: '1' }, { versionNegotiation: { mode } })
      const env = { MEMORYD_URL: served.url, MEMORYD_API_KEY: served.key }
      const args = [path.join(root, 'src', 'cli.ts'), 'mcp']
      await client.connect(new StdioClientTransport({ command: process.execPath, args, env }))
      await client.callTool({ name: 'remember', arguments: { text: 'Peter likes Rome.' } })
      const input = { query: 'What does Peter like?' }
      const { structuredContent } = await client.callTool({ name: 'recall', arguments: input })
      assert.match(JSON.stringify(structuredContent), /Peter likes Rome/)
      await client.close()
    })
  }

  test('the inspector finds the schemas of the tools portable, and calls one', async () => {
    const inspect = (...args: readonly string[]) =>
      node(
        binary('mcp-inspector'),
        ...['--cli', `${served.url}/mcp`, '--header', `x-api-key: ${served.key}`],
        ...args,
      )
    const listed = await inspect('--method', 'tools/list', '--strict')
    assert.equal(listed.code, 0, listed.out)
    const called = await inspect('--method', 'tools/call', '--tool-name', 'list', '--tool-arg', 'limit=3')
    assert.equal(called.code, 0, called.out)
    assert.match(called.out, /"memories"/)
  })

  for (const [revision, names] of Object.entries(scenarios)) {
    test(`conformance ${revision}: every scenario that needs no fixtures passes`, async () => {
      const { out } = await node(
        binary('conformance'),
        'server',
        '--url',
        served.open,
        ...revision.split(' '),
      )
      const verdicts = new Map(
        [...out.matchAll(/^(.) ([\w-]+): \d+ passed, \d+ failed$/gm)].map(([, mark, name]) => [name, mark]),
      )
      assert.deepEqual(
        names.map((name) => [name, verdicts.get(name)]),
        names.map((name) => [name, '✓']),
        out.slice(-4_000),
      )
      // Of this one four checks call tools of the reference server.
      if (revision.includes('2026')) assert.match(out, /server-stateless: 24 passed, 4 failed/)
    })
  }
})
