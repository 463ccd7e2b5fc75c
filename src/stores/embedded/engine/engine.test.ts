import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { ServiceError } from '../../../core/errors.ts'
import { createContext } from './context.ts'
import { connect, createEngine, type Engine, openEngine } from './engine.ts'
import { openInlineEngine } from './inline.ts'
import { withDirectory } from './test-directory.ts'
import { runWrites } from './transactions.ts'

const month = '2026-11'
const reservation = (id: string, changes: object = {}) => ({
  id,
  account: 'acme',
  month,
  ops: 1,
  limit: 1_000_000,
  ...changes,
})
const used = (engine: Engine) => engine.read('ledger.used', { account: 'acme', month })
const isUnavailable = (error: unknown) => error instanceof ServiceError && error.code === 'store_unavailable'

test('undoes a command that throws alone, and keeps the others of its group', () =>
  withDirectory(async (directory) => {
    for (const engine of [openInlineEngine(), await openEngine({ directory })]) {
      const results = await Promise.allSettled([
        engine.write('ledger.reserve', reservation('a')),
        // Its ops are taken before the id turns out to be in use.
        engine.write('ledger.reserve', reservation('a', { ops: 100 })),
        engine.write('ledger.reserve', reservation('b')),
      ])
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
      assert.equal(await used(engine), 2)
      await engine.close()
    }
  }))

test('writes what came together with one commit', () =>
  withDirectory(async (directory) => {
    const engine = await openEngine({ directory })
    const logSize = () => statSync(join(directory, 'memory.db-wal')).size
    const before = logSize()
    const ids = Array.from({ length: 100 }, (_, index) => `together-${index}`)
    await Promise.all(ids.map((id) => engine.write('ledger.reserve', reservation(id))))
    const together = logSize() - before
    for (const id of ids) await engine.write('ledger.reserve', reservation(`alone-${id}`))
    const alone = logSize() - before - together
    assert.ok(together * 10 < alone, `${together} bytes of log together, ${alone} one by one`)
    await engine.close()
  }))

test('shows a read every write that resolved before it, and keeps it after closing', () =>
  withDirectory(async (directory) => {
    const first = await openEngine({ directory })
    for (let count = 1; count <= 50; count++) {
      await first.write('ledger.reserve', reservation(`${count}`))
      assert.equal(await used(first), count)
    }
    const last = first.write('ledger.reserve', reservation('last'))
    await Promise.all([last, first.close(), first.close()])
    assert.equal(first.status().state, 'closed')
    await assert.rejects(used(first), isUnavailable)
    const second = await openEngine({ directory })
    assert.equal(await used(second), 51)
    await second.close()
  }))

test('reads called in one go cross together; one that fails fails alone, and closing waits for them', () =>
  withDirectory(async (directory) => {
    const writer = await connect({ role: 'writer', options: { directory } })
    const reader = await connect({ role: 'reader', options: { directory } })
    let crossings = 0
    const counted = (...args: Parameters<typeof reader.call>) => {
      crossings++
      return reader.call(...args)
    }
    const engine = createEngine(writer, { ...reader, call: counted })
    await engine.write('ledger.reserve', reservation('a'))
    const results = Promise.allSettled([
      used(engine),
      engine.read('unknown' as 'graph.namespaces'),
      used(engine),
    ])
    await engine.close()
    assert.deepEqual(
      (await results).map((result) => (result.status === 'fulfilled' ? result.value : 'rejected')),
      [1, 'rejected', 1],
    )
    assert.equal(crossings, 1)
  }))

test('a read that walks through a namespace holds up no question; its thread starts with the first of them', () =>
  withDirectory(async (directory) => {
    const writer = await connect({ role: 'writer', options: { directory } })
    const reader = await connect({ role: 'reader', options: { directory } })
    const held = Promise.withResolvers<void>()
    let opened = 0
    const slow = async () => {
      opened++
      const walker = await connect({ role: 'reader', options: { directory } })
      return {
        ...walker,
        call: (call: Parameters<typeof walker.call>[0]) => held.promise.then(() => walker.call(call)),
      }
    }
    const engine = createEngine(writer, reader, slow)
    await engine.write('ledger.reserve', reservation('a'))
    assert.equal(await used(engine), 1)
    assert.equal(opened, 0)
    const walks = [engine.read('graph.namespaces'), engine.read('graph.namespaces')]
    assert.equal(await used(engine), 1)
    held.resolve()
    assert.deepEqual(await Promise.all(walks), [[], []])
    assert.equal(opened, 1)
    await engine.close()
    await assert.rejects(engine.read('graph.namespaces'), isUnavailable)
    assert.equal(opened, 1)
  }))

test('keeps the directory and its files for the owner alone', () =>
  withDirectory(async (parent) => {
    const directory = join(parent, 'new', 'data')
    const engine = await openEngine({ directory })
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    for (const file of ['memory.db', 'memory.db-wal', 'memory.db-shm']) {
      assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600, file)
    }
    await engine.close()
  }))

/** The real thread, which can also be told to die. */
const mortalThread = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ request }) => { if (request?.name === 'die') process.exit(7) })
    await import(${JSON.stringify(new URL('./worker.ts', import.meta.url).href)})`)}`,
)

test('a thread that dies rejects what waits for it, and is opened again with everything that was stored', () =>
  withDirectory(async (directory) => {
    const lost: string[] = []
    const onLost = (cause: Error) => lost.push(cause.message)
    const options = { directory }
    const writer = await connect({ role: 'writer', options }, onLost, mortalThread)
    const reader = await connect({ role: 'reader', options }, onLost, mortalThread)
    const engine = createEngine(writer, reader)
    for (const [at, part] of [writer, reader, writer].entries()) {
      await engine.write('ledger.reserve', reservation(`${at}`))
      const calls = [part.call({ name: 'die', args: null }), part.call({ name: 'ledger.used', args: null })]
      for (const result of await Promise.allSettled(calls)) {
        assert.ok(result.status === 'rejected' && isUnavailable(result.reason))
      }
      assert.equal(engine.status().state, 'failed')
      assert.match(engine.status().error ?? '', /exit code 7/)
      assert.equal(await used(engine), at + 1)
      assert.equal(await engine.write('ledger.settle', `${at}`), undefined)
      assert.equal(engine.status().state, 'open')
      assert.equal(lost.length, at + 1)
    }
    await engine.close()
    const again = await openEngine(options)
    assert.equal(await used(again), 3)
    await again.close()
  }))

test('a thread that cannot be opened again is tried anew by the next call', async () => {
  const lives = new Int32Array(new SharedArrayBuffer(4))
  // Its second life ends before it is ready.
  const script = new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, workerData } from 'node:worker_threads'
      const life = Atomics.add(workerData.options.lives, 0, 1)
      if (life === 1) process.exit(8)
      parentPort.on('message', (message) => {
        if (message === 'close') return process.exit(0)
        if (life === 0) process.exit(7)
        parentPort.postMessage({ kind: 'outcomes', outcomes: [{ id: message.id, ok: true, result: life }] })
      })
      parentPort.postMessage({ kind: 'ready' })`)}`,
  )
  const lost: string[] = []
  const secondDeath = Promise.withResolvers<void>()
  const onLost = (cause: Error) => {
    if (lost.push(cause.message) === 2) secondDeath.resolve()
  }
  const options = { directory: 'unused', lives }
  const connection = await connect({ role: 'reader', options }, onLost, script)
  await assert.rejects(connection.call({ name: 'any', args: null }), isUnavailable)
  await secondDeath.promise
  assert.match(connection.failure?.message ?? '', /exit code 8/)
  assert.equal(await connection.call({ name: 'any', args: null }), 2)
  assert.equal(connection.failure, null)
  await connection.close()
})

test('rejects a call whose arguments cannot be sent, and only that one', () =>
  withDirectory(async (directory) => {
    const engine = await openEngine({ directory })
    const unsendable = reservation('a', { more: () => {} })
    await assert.rejects(engine.write('ledger.reserve', unsendable), { name: 'DataCloneError' })
    assert.equal(await engine.write('ledger.reserve', reservation('b')), true)
    assert.equal(engine.status().pendingWrites, 0)
    await engine.close()
  }))

test('tells a full disk from other failures, and fails the whole group when the commit fails', () => {
  const db = new DatabaseSync(':memory:')
  db.exec('CREATE TABLE big (bytes BLOB); CREATE TABLE parent (id INTEGER PRIMARY KEY)')
  db.exec('CREATE TABLE child (id INTEGER REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED)')
  db.exec('PRAGMA max_page_count = 20')
  const context = createContext(db)
  const table = {
    fill: () => db.exec('INSERT INTO big VALUES (zeroblob(1000000))'),
    small: () => db.exec("INSERT INTO big VALUES (x'00')"),
    orphan: () => db.exec('INSERT INTO child VALUES (1)'),
  }
  const run = (...names: string[]) =>
    runWrites(
      context,
      table,
      names.map((name, id) => ({ id, name, args: null })),
    )
  const [full] = run('fill')
  assert.equal(full?.ok === false && full.failure.service?.code, 'storage_full')
  const failed = run('small', 'orphan', 'small')
  assert.deepEqual(
    failed.map(({ ok }) => ok),
    [false, false, false],
  )
  assert.equal(db.prepare('SELECT count(*) AS rows FROM big').get()?.rows, 0)
  const [unknown] = run('toString')
  assert.match(unknown?.ok === false ? unknown.failure.message : '', /no command toString/)
  db.close()
})
