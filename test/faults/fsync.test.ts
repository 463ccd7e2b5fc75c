import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { filesIn } from '../../src/stores/embedded/engine/directory.ts'
import { adminToken } from '../crash/processes.ts'
import { withFolder } from './support/services.ts'

const hasStrace = spawnSync('strace', ['-V']).status === 0
if (!hasStrace)
  console.log('NOT TESTED: a failing fsync. strace is not installed (Debian: apt-get install strace).')

const server = path.resolve(import.meta.dirname, '../crash/server.ts')

/** A server process; with `inject` its fsyncs fail as that says, in strace's words. */
async function startServer(dataDir: string, inject: string | null) {
  const node = [process.execPath, server]
  const strace = [
    'strace',
    '-f',
    '-qq',
    '-o',
    '/dev/null',
    '-e',
    `trace=fsync,fdatasync`,
    '-e',
    `inject=${inject}`,
  ]
  const [command = '', ...args] = inject === null ? node : [...strace, ...node]
  const { PATH } = process.env
  const environment = { PATH, DATA_DIR: dataDir, PORT: '0', ADMIN_TOKEN: adminToken, LOG_LEVEL: 'silent' }
  const child = spawn(command, args, { env: environment, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  await lines.next()
  child.stdin.write('go\n')
  const address = String((await lines.next()).value)
  const post = async (route: string, headers: Record<string, string>, body: unknown) => {
    const response = await fetch(`${address}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { status: response.status, json: (await response.json()) as Record<string, unknown> }
  }
  return {
    newKey: async (account: string, monthlyOps: number) => {
      const body = { account, tier: 'enterprise', monthly_ops: monthlyOps }
      return String((await post('/admin/keys', { authorization: `Bearer ${adminToken}` }, body)).json.key)
    },
    ingest: (key: string, text: string) => post('/brain/ingest', { 'x-api-key': key }, { text }),
    stats: async (key: string) =>
      (await post('/brain/stats', { 'x-api-key': key }, { user_id: 'x', persona: '*' })).json,
    kill: async () => {
      const ended = once(child, 'exit')
      // Under strace the child is strace, which ends with the process that it watches.
      process.kill(Number(readFileSync(filesIn(dataDir).owner, 'utf8')), 'SIGKILL')
      await ended
    },
  }
}

test(
  'a failing fsync: what it would have made safe is refused with 503, what was acknowledged is there afterwards',
  {
    skip: !hasStrace,
  },
  () =>
    withFolder(async (dataDir) => {
      const before = await startServer(dataDir, null)
      const key = await before.newKey('tenant', 1_000_000)
      for (let at = 0; at < 5; at++)
        assert.equal((await before.ingest(key, `Early${at} likes Tea.`)).status, 200)
      await before.kill()

      // Every third fsync fails, from the tenth on: the start needs a few.
      const failing = await startServer(dataDir, 'fsync,fdatasync:error=EIO:when=10+3')
      const acknowledged: string[] = []
      const refused: string[] = []
      for (let at = 0; at < 40; at++) {
        const text = `Late${at} likes Tea.`
        const { status } = await failing.ingest(key, text)
        assert.ok(status === 200 || status === 503, `${status}`)
        ;(status === 200 ? acknowledged : refused).push(text)
      }
      await failing.kill()
      assert.ok(acknowledged.length > 0 && refused.length > 0, `${acknowledged.length} and ${refused.length}`)

      const after = await startServer(dataDir, null)
      const { episodic_count, semantic_relations } = await after.stats(key)
      assert.ok(
        Number(episodic_count) >= 5 + acknowledged.length,
        `${episodic_count} of ${acknowledged.length}`,
      )
      assert.equal(semantic_relations, episodic_count, 'no text without its fact')
      for (const text of [...acknowledged, ...refused])
        assert.equal((await after.ingest(key, text)).status, 200)
      assert.equal(
        (await after.stats(key)).episodic_count,
        45,
        'a retry of everything stores everything once',
      )
      await after.kill()
    }),
)
