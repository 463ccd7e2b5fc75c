import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'

const root = path.resolve(import.meta.dirname, '..')

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

interface Started {
  readonly child: ChildProcess
  /** Resolves when this appears on standard error, rejects when the process ends first. */
  says(pattern: RegExp): Promise<void>
  readonly ended: Promise<Ended>
}

function start(script: string, args: readonly string[], environment: Record<string, string>): Started {
  const child = spawn(process.execPath, [path.join(root, script), ...args], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    err += data
  })
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }))
  const says = (pattern: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (pattern.test(err)) resolve()
      }
      child.stderr.on('data', look)
      look()
      ended.then(() => reject(new Error(`ended without saying ${pattern}: ${err}`)))
    })
  return { child, says, ended }
}

const run = (args: readonly string[], environment: Record<string, string>) =>
  start('src/cli.ts', args, environment).ended

describe('the process', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'memoryd-process-'))
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  test('a wrong configuration ends it with every problem in words', async () => {
    const { code, err } = await start('src/main.ts', [], { PORT: 'x', HOST: '0.0.0.0', STORES: 'cloud' })
      .ended
    assert.equal(code, 1)
    assert.match(err, /PORT must be a number/)
    assert.match(err, /STORES must be embedded or server/)
  })

  test('a public address without TLS is refused, and the message says what to do', async () => {
    const { code, err } = await start('src/main.ts', [], { HOST: '0.0.0.0', DATA_DIR: dataDir }).ended
    assert.equal(code, 1)
    assert.match(err, /ALLOW_PUBLIC_HTTP=true/)
  })

  test('a port in use ends it with a clear message', async () => {
    const blocker = createServer().listen(0, '127.0.0.1')
    await once(blocker, 'listening')
    const { port } = blocker.address() as AddressInfo
    const { code, err } = await start('src/main.ts', [], { PORT: String(port), DATA_DIR: dataDir }).ended
    blocker.close()
    assert.equal(code, 1)
    assert.match(err, new RegExp(`Port ${port} on 127.0.0.1 is in use`))
    assert.ok(!err.includes('    at '), 'a stack trace is no message')
  })

  describe('while it runs', () => {
    let server: Started
    let address: string
    const environment = { PORT: '0', DATA_DIR: dataDir }
    before(async () => {
      server = start('src/main.ts', [], environment)
      await server.says(/"listening"/)
      address = readFileSync(path.join(dataDir, 'address'), 'utf8').trim()
    })
    after(() => server.child.kill())

    test('health answers while models load', async () => {
      const reply = await fetch(`${address}/brain/health`)
      assert.equal(reply.status, 200)
      const health = (await reply.json()) as Record<string, unknown>
      assert.equal(health.mode, 'embedded')
    })

    test('a second process on the same data refuses, and names the first', async () => {
      const { code, err } = await start('src/main.ts', [], environment).ended
      assert.equal(code, 1)
      assert.match(err, new RegExp(`in use by process ${server.child.pid}`))
    })

    test('secrets are files of their owner alone', () => {
      for (const name of ['default-key', 'admin-token', 'address', 'memory.db']) {
        assert.equal(statSync(path.join(dataDir, name)).mode & 0o077, 0, name)
      }
    })

    test('the command line makes, lists, rotates and revokes keys through it', async () => {
      const created = await run(['keys', 'create', 'acme', '--tier', 'pro', '--json'], environment)
      assert.equal(created.code, 0, created.err)
      const { key, id } = JSON.parse(created.out) as { key: string; id: string }
      const works = async (given: string) =>
        (await fetch(`${address}/brain/stats`, { method: 'POST', headers: { 'x-api-key': given } }))
          .status !== 401
      assert.ok(await works(key))
      const rotated = await run(['keys', 'rotate', id, '--grace-seconds', '0', '--json'], environment)
      const next = JSON.parse(rotated.out) as { key: string; id: string }
      assert.deepEqual([await works(key), await works(next.key)], [false, true])
      assert.equal((await run(['keys', 'tier', 'acme', 'scale'], environment)).code, 0)
      const further = await run(['keys', 'create', 'acme', '--json'], environment)
      assert.equal((JSON.parse(further.out) as { tier: string }).tier, 'scale')
      assert.equal((await run(['keys', 'revoke', next.id], environment)).code, 0)
      assert.ok(!(await works(next.key)))
      assert.equal((await run(['keys', 'revoke', 'nobody'], environment)).code, 1)
      const { out } = await run(['keys', 'list'], environment)
      assert.match(out, /acme +scale/)
    })

    test('the command line exports an account and erases it through it', async () => {
      const { out: created } = await run(['keys', 'create', 'leaving', '--json'], environment)
      const { key } = JSON.parse(created) as { key: string }
      const file = path.join(dataDir, 'leaving.jsonl')
      const exported = await run(['accounts', 'export', 'leaving', file], environment)
      assert.equal(exported.code, 0, exported.err)
      assert.match(readFileSync(file, 'utf8'), /^\{"kind":.*"leaving"/m)
      assert.equal((await run(['accounts', 'erase', 'leaving'], environment)).code, 1)
      const erased = await run(['accounts', 'erase', 'leaving', '--yes'], environment)
      assert.deepEqual([erased.code, erased.err], [0, ''])
      const headers = { 'x-api-key': key }
      assert.equal((await fetch(`${address}/brain/usage`, { headers })).status, 401)
    })

    test('an export to where no file can be is told in a line, with what to do', async () => {
      for (const [place, what] of [
        [
          path.join(dataDir, 'no', 'such', 'x.jsonl'),
          /x\.jsonl cannot be written \(ENOENT.*name a file in a/,
        ],
        [dataDir, /is a folder; name a file in it/],
      ] as const)
        for (const args of [
          ['export', place],
          ['accounts', 'export', 'default', place],
        ]) {
          const { code, err } = await run(args, environment)
          assert.deepEqual([code, err.split('\n').length], [1, 2], err)
          assert.match(err, what)
        }
    })

    test('SIGTERM ends it in order, and no key was written anywhere but to its own file', async () => {
      const defaultKey = readFileSync(path.join(dataDir, 'default-key'), 'utf8').trim()
      const token = readFileSync(path.join(dataDir, 'admin-token'), 'utf8').trim()
      await fetch(`${address}/brain/retrieve`, {
        method: 'POST',
        headers: { 'x-api-key': defaultKey },
        body: '{"query":"secret words"}',
      })
      await fetch(`${address}/brain/retrieve?key=${defaultKey}`, {
        method: 'POST',
        headers: { 'x-api-key': `${defaultKey}x` },
      })
      server.child.kill('SIGTERM')
      const { code, out, err } = await server.ended
      assert.equal(code, 0)
      for (const secret of [defaultKey, token, 'secret words']) {
        assert.ok(!err.includes(secret), `logged: ${secret}`)
        assert.ok(!out.includes(secret), `printed into a pipe: ${secret}`)
      }
      for (const line of err.trim().split('\n')) assert.equal(typeof JSON.parse(line).msg, 'string')
      assert.ok(!err.includes('/brain/health'), 'a health probe is logged at info')
      for (const file of globSync('**/*', { cwd: dataDir }).filter(
        (name) => !['default-key', 'admin-token'].includes(name),
      )) {
        const place = path.join(dataDir, file)
        if (!statSync(place).isFile()) continue
        const bytes = readFileSync(place)
        for (const secret of [defaultKey, token])
          assert.equal(bytes.indexOf(secret), -1, `${file} holds a secret`)
      }
    })
  })

  for (const [what, place] of [
    ['a file', path.join(root, 'package.json')],
    ['below a file', path.join(root, 'package.json', 'data')],
    ['where nothing can be made', '/proc/memoryd/data'],
  ] as const) {
    test(`a DATA_DIR that is ${what} is refused in one sentence`, async () => {
      for (const ended of [
        start('src/main.ts', [], { DATA_DIR: place }).ended,
        run(['keys', 'list'], { DATA_DIR: place }),
      ]) {
        const { code, err } = await ended
        assert.equal(code, 1)
        assert.match(err, /^memoryd: DATA_DIR is [^\n]+\n$/)
      }
    })
    test(`a BACKUP_DIR that is ${what} stops the start in one sentence`, async () => {
      const { code, err } = await start('src/main.ts', [], { BACKUP_DIR: place }).ended
      assert.equal(code, 1)
      assert.match(err, /^memoryd: BACKUP_DIR is [^\n]+\n$/)
    })
  }

  test('what needs a store says that there is none, and makes nothing', async () => {
    const parent = mkdtempSync(path.join(tmpdir(), 'memoryd-none-'))
    const empty = path.join(parent, 'empty')
    mkdirSync(empty)
    const engines = { STORES: 'server', NEO4J_URL: 'bolt://127.0.0.1:1', NEO4J_PASSWORD: 'x' }
    const others = { QDRANT_URL: 'http://127.0.0.1:1', REDIS_URL: 'redis://127.0.0.1:1' }
    const target = path.join(parent, 'target')
    for (const DATA_DIR of [path.join(parent, 'missing'), empty]) {
      for (const [args, environment] of [
        [['keys', 'list'], {}],
        [['keys', 'revoke', 'x'], {}],
        [['accounts', 'export', 'x', target], {}],
        [['export', '--all', target], {}],
        [['backup', target], {}],
        [['reembed'], {}],
        [['migrate', '--to', 'server'], { ...engines, ...others }],
      ] as const) {
        const { code, err } = await run(args, { DATA_DIR, ...environment })
        assert.match(err, /^memoryd: .*there is no store in [^\n]+\n$/i, args.join(' '))
        assert.equal(code, 1)
      }
      assert.equal((await run(['stats'], { DATA_DIR, PORT: '1' })).code, 1)
      assert.match((await run(['doctor'], { DATA_DIR, PORT: '0' })).out, /store: none yet/)
    }
    assert.deepEqual(globSync('**', { cwd: parent }).toSorted(), ['.', 'empty'])
    rmSync(parent, { recursive: true })
  })

  test('a pipe whose reader has seen enough is no failure', async () => {
    const { child, ended } = start('src/cli.ts', ['doctor'], { DATA_DIR: dataDir, PORT: '0' })
    child.stdout?.destroy()
    assert.equal((await ended).err, '')
  })

  test('without a server the command line works on the store', async () => {
    const { code, out } = await run(['keys', 'list', '--json'], { DATA_DIR: dataDir })
    assert.equal(code, 0)
    const { keys } = JSON.parse(out) as { keys: { account: string }[] }
    assert.ok(keys.some(({ account }) => account === 'acme'))
  })

  test('wrong usage is exit code 2 and shows the right one', async () => {
    for (const args of [
      ['nonsense'],
      ['keys'],
      ['keys', 'create'],
      ['keys', 'create', 'x', '--tier', 'gold'],
      ['keys', 'list', '--what'],
      ['doctor', 'x'],
    ]) {
      const { code, err } = await run(args, { DATA_DIR: dataDir })
      assert.equal(code, 2, args.join(' '))
      assert.match(err, /usage: memoryd/)
    }
  })

  test('help lists the commands', async () => {
    const { code, out } = await run(['help'], {})
    assert.equal(code, 0)
    for (const name of ['serve', 'keys', 'doctor', 'extract', 'reembed'])
      assert.match(out, new RegExp(`^  ${name} `, 'm'))
  })

  test('doctor finds nothing wrong here, and finds a wrong configuration and a broken store', async () => {
    const healthy = await run(['doctor'], { DATA_DIR: dataDir, PORT: '0' })
    assert.equal(healthy.code, 0, healthy.out)
    assert.match(healthy.out, /No problems found/)
    assert.match((await run(['doctor'], { PORT: 'x' })).out, /PROBLEM.*PORT must be a number/)
    const broken = mkdtempSync(path.join(tmpdir(), 'memoryd-broken-'))
    const { code, out } = await run(['keys', 'create', 'x'], { DATA_DIR: broken })
    assert.equal(code, 0, out)
    rmSync(path.join(broken, 'memory.db'))
    const backups = { DATA_DIR: dataDir, PORT: '0', BACKUP_DIR: path.join(dataDir, 'a-file', 'backups') }
    writeFileSync(path.join(dataDir, 'a-file'), '')
    assert.match((await run(['doctor'], backups)).out, /PROBLEM.*backups: BACKUP_DIR is .*is a file/)
    const found = await run(['doctor'], { DATA_DIR: broken, PORT: '0' })
    assert.equal(found.code, 1)
    assert.match(found.out, /PROBLEM.*missing/)
    rmSync(broken, { recursive: true })
  })
})
