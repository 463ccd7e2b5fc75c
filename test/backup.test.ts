import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type ArchiveRecord, tallyOf } from '../src/archive/archive.ts'
import { BackupRefused, writeBackup } from '../src/archive/backup-file.ts'
import { type Config, readConfig } from '../src/config.ts'
import { systemClock } from '../src/core/clock.ts'
import { createLog } from '../src/observe/log.ts'
import { createMetrics } from '../src/observe/metrics.ts'
import { backUp, restore, verifyBackup } from '../src/service/backup.ts'
import { startBackups } from '../src/service/backup-schedule.ts'
import { type OpenStores, openStores } from '../src/service/stores.ts'
import { startTestService, type TestService } from './harness.ts'
import { answers, assertWhole, startWriters, type Writers } from './support/backup.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'memoryd-backup-'))
after(() => rm(folder, { recursive: true, force: true }))
const log = createLog('silent')
const at = (name: string) => path.join(folder, name)

function configOf(name: string, environment: Record<string, string> = {}): Config {
  const { config } = readConfig({ DATA_DIR: at(name), ...environment })
  assert.ok(config)
  return config
}

/** The command line, in a process of its own. */
function memoryd(args: readonly string[], directory: string) {
  const child = spawn(process.execPath, [path.resolve(import.meta.dirname, '../src/cli.ts'), ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: at(directory) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (data) => {
    out += data
  })
  child.stderr.on('data', (data) => {
    err += data
  })
  return { child, ended: once(child, 'close').then(([code]) => ({ code, out, err })) }
}

/** Kills it as soon as its part is there. On a busy machine it may be done before that: then it is begun anew. */
async function killed(
  begin: (attempt: number) => { part: string; whole: string; args: string[]; directory: string },
) {
  for (let attempt = 0; attempt < 20; attempt++) {
    const { part, whole, args, directory } = begin(attempt)
    const { child, ended } = memoryd(args, directory)
    while (!existsSync(part) && child.exitCode === null) await new Promise((resolve) => setImmediate(resolve))
    child.kill('SIGKILL')
    if ((await ended).code === null && !existsSync(whole)) return { part, whole, directory }
  }
  return assert.fail('it was never killed on its way')
}

const quiet = { log, verified: () => {}, progress: () => {} }

async function withService<T>(name: string, work: (service: TestService, stores: OpenStores) => Promise<T>) {
  const stores = await openStores(configOf(name), log)
  const service = await startTestService({ stores, environment: { DATA_DIR: at(name) } })
  return work(service, stores).finally(() => service.close())
}

describe('a backup of a running server', () => {
  let [before_, after_]: [readonly string[], readonly string[]] = [[], []]
  let key = ''
  let source: Awaited<ReturnType<typeof answers>>
  let tally: Awaited<ReturnType<typeof tallyOf>>

  before(async () => {
    const stores = await openStores(configOf('source'), log)
    const service = await startTestService({ stores, environment: { DATA_DIR: at('source') } })
    key = (await service.newKey('enterprise')).key
    let writers: Writers = startWriters(service, key, 'a')
    while (writers.acknowledged.length < 600) await new Promise((resolve) => setTimeout(resolve, 20))
    before_ = [...writers.acknowledged]
    const { code, out, err } = await memoryd(['backup', at('busy.backup')], 'source').ended
    assert.equal(code, 0, err)
    assert.match(out, /^Wrote .*busy\.backup: identities 1, accounts 2, keys 2, /)
    assert.ok(writers.acknowledged.length > before_.length, 'nobody wrote meanwhile')
    await writers.stop()
    after_ = [...writers.acknowledged]
    writers = startWriters(service, key, 'b')
    await writers.stop()
    after_ = [...after_, ...writers.acknowledged]
    assert.equal((await memoryd(['backup', at('quiet.backup')], 'source').ended).code, 0)
    tally = await tallyOf(stores.archive, 500)
    source = await answers(service, key, after_)
    await service.close()
  })

  test('[AR6] restored elsewhere, it lacks nothing acknowledged before its start, and nothing is half there', async () => {
    const { code, out, err } = await memoryd(['restore', at('busy.backup')], 'from-busy').ended
    assert.equal(code, 0, err)
    assert.match(out, /^Restored\. Counts and checksums are those of the file: identities 1, accounts 2, /)
    await withService('from-busy', async (service, stores) => {
      await assertWhole(stores.archive, before_)
      await answers(service, key, before_)
    })
  })

  test('restored elsewhere, the same key gets the same counts and the same answers', async () => {
    assert.equal((await restore(configOf('from-quiet'), at('quiet.backup'), quiet)).outcome, 'done')
    await withService('from-quiet', async (service, stores) => {
      // Operations of the last moments are counted in memory, and written down later.
      const { usage: _, ...found } = await tallyOf(stores.archive, 500)
      const { usage: __, ...expected } = tally
      assert.deepEqual(found, expected)
      await assertWhole(stores.archive, after_)
      assert.deepEqual(await answers(service, key, after_), source)
    })
  })

  test('of a server that is stopped is the same', async () => {
    await backUp(configOf('source'), at('stopped.backup'), () => {})
    const { about: _, bytes: __, ...told } = await verifyBackup(at('stopped.backup'))
    const kinds = ['entity', 'chunk', 'fact', 'key'] as const
    for (const kind of kinds) assert.equal(told.tally[kind].count, tally[kind].count, kind)
  })

  test('is for its owner alone, and holds no key and no token', () => {
    assert.equal(statSync(at('quiet.backup')).mode & 0o077, 0)
    const bytes = readFileSync(at('quiet.backup'))
    assert.ok(!bytes.includes(key))
  })

  test('[AR7] the keys come last: who is cut off before them lets nobody in', async () => {
    const kinds: string[] = []
    const { readBackup } = await import('../src/archive/backup-file.ts')
    await readBackup(at('quiet.backup'), async (records) => void kinds.push(records[0]?.kind ?? ''))
    assert.equal(kinds.indexOf('key'), kinds.length - 1)
    assert.ok(
      kinds.indexOf('chunk') < kinds.indexOf('fact') && kinds.indexOf('entity') < kinds.indexOf('fact'),
    )
  })

  test('a byte flipped at any of 50 places is refused before anything is written', async () => {
    const whole = readFileSync(at('busy.backup'))
    const places = [0, 5, 17, 18, whole.length - 1, whole.length - 33]
    while (places.length < 50) places.push(randomInt(whole.length))
    for (const place of places) {
      const bytes = Buffer.from(whole)
      bytes[place] = (bytes[place] ?? 0) ^ (1 << randomInt(8))
      writeFileSync(at('flipped.backup'), bytes)
      await assert.rejects(
        restore(configOf('flipped'), at('flipped.backup'), quiet),
        (error) => error instanceof BackupRefused && error.message.includes('flipped.backup'),
        `place ${place}`,
      )
      assert.ok(!existsSync(at('flipped')), `place ${place}`)
    }
  })

  test('a truncated or a longer file is refused', async () => {
    const whole = readFileSync(at('busy.backup'))
    const lengths = [0, 1, 16, 17, 40, 60, whole.length >> 1, whole.length - 32, whole.length - 1]
    for (const bytes of [
      ...lengths.map((length) => whole.subarray(0, length)),
      Buffer.concat([whole, whole]),
    ]) {
      writeFileSync(at('short.backup'), bytes)
      await assert.rejects(restore(configOf('short'), at('short.backup'), quiet), BackupRefused)
      await assert.rejects(verifyBackup(at('short.backup')), BackupRefused)
    }
    const { code, err } = await memoryd(['restore', at('short.backup')], 'short').ended
    assert.equal(code, 1)
    assert.match(err, /short\.backup is damaged or not complete: .*Nothing was changed/)
    assert.ok(!existsSync(path.join(at('short'), 'memory.db')))
  })

  test('what is no backup, one of a newer memoryd, and none at all are told apart', async () => {
    writeFileSync(at('other'), 'x'.repeat(100))
    await assert.rejects(verifyBackup(at('other')), /other is no backup of memoryd/)
    writeFileSync(at('newer'), `memoryd backup 2\n${'x'.repeat(100)}`)
    await assert.rejects(verifyBackup(at('newer')), /has the format 2, this memoryd knows 1/)
    await assert.rejects(verifyBackup(at('nothing')), /nothing does not exist/)
    for (const args of [
      ['backup', '--verify', folder],
      ['restore', folder],
    ]) {
      const { code, err } = await memoryd(args, 'unused').ended
      assert.deepEqual([code, err.split('\n').length], [1, 2], err)
      assert.match(err, /^memoryd: .* is a folder; name the file of a backup\. Nothing was changed\./)
    }
  })

  test('--verify says what is in it', async () => {
    const { code, out } = await memoryd(['backup', '--verify', at('quiet.backup')], 'unused').ended
    assert.equal(code, 0)
    assert.match(
      out,
      /quiet\.backup is whole: identities 1, .* [kM]B, begun 20.*Z, embedded store, memoryd \d/,
    )
  })

  test('killed while it is written, it leaves no file of that name, and the next one works', async () => {
    const { part, whole: file } = await killed((attempt) => {
      const whole = at(`killed-${attempt}.backup`)
      return { part: `${whole}.part`, whole, args: ['backup', whole], directory: 'source' }
    })
    assert.ok(existsSync(part))
    assert.equal((await memoryd(['backup', file], 'source').ended).code, 0)
    assert.ok(!existsSync(`${file}.part`))
    const again = await memoryd(['backup', file], 'source').ended
    assert.equal(again.code, 1)
    assert.match(again.err, /killed-\d+\.backup exists already/)
  })

  test('a restore that is killed leaves no store, and the next one works', async () => {
    const { directory } = await killed((attempt) => {
      const directory = `cut-off-${attempt}`
      const inside = (file: string) => path.join(at(directory), file)
      const files = { part: inside('restore.part/memory.db-wal'), whole: inside('memory.db') }
      return { ...files, args: ['restore', at('quiet.backup')], directory }
    })
    assert.equal((await memoryd(['restore', at('quiet.backup')], directory).ended).code, 0)
    assert.ok(!existsSync(path.join(at(directory), 'restore.part')))
    const again = await memoryd(['restore', at('quiet.backup')], directory).ended
    assert.equal(again.code, 1)
    assert.match(again.err, /Nothing was restored: .*cut-off-\d+ holds a store already \(.*memory\.db\)/)
  })

  test('goes back where a store was lost, beside its own keys', async () => {
    await restore(configOf('lost'), at('quiet.backup'), quiet)
    await withService('lost', async () => {})
    await rm(path.join(at('lost'), 'memory.db'))
    await assert.rejects(openStores(configOf('lost'), log), /memoryd restore FILE/)
    assert.equal((await restore(configOf('lost'), at('quiet.backup'), quiet)).outcome, 'done')
    await withService('lost', async (service) => void (await answers(service, key, after_)))
  })
})

test('a disk that is full, and a source that fails, leave no file', async () => {
  await (await openStores(configOf('small'), log)).close()
  symlinkSync('/dev/full', at('full.backup.part'))
  await assert.rejects(
    backUp(configOf('small'), at('full.backup'), () => {}),
    { code: 'ENOSPC' },
  )
  const failing = {
    read: async (take: (records: readonly ArchiveRecord[]) => Promise<void>) => {
      await take([{ kind: 'usage', account: 'a', month: '2026-11', used: 1 }])
      throw new Error('the source is gone')
    },
    close: async () => {},
  }
  const about = { version: '1', startedAt: '', mode: 'embedded' } as const
  await assert.rejects(
    writeBackup(failing, at('failing.backup'), about, () => {}),
    /the source is gone/,
  )
  assert.deepEqual(
    readdirSync(folder).filter((name) => /^(full|failing)/.test(name)),
    [],
  )
})

test('a damaged store, and a file that cannot be made, are told in a line', async () => {
  await (await openStores(configOf('damaged'), log)).close()
  const { code, err } = await memoryd(['backup', '/proc/x.backup'], 'damaged').ended
  assert.deepEqual([code, err.split('\n').length], [1, 2], err)
  assert.match(err, /^memoryd: \/proc\/x\.backup cannot be written \(ENOENT.*; name another file/)
  for (const size of [40_000, 3_000]) {
    truncateSync(path.join(at('damaged'), 'memory.db'), size)
    const { code, err } = await memoryd(['backup', at('damaged.backup')], 'damaged').ended
    assert.deepEqual([code, err.split('\n').length], [1, 2], err)
    assert.match(err, /^memoryd: .*memory\.db is damaged \(.*restore a backup/)
  }
})

test('a directory without a store is not backed up', async () => {
  const { code, err } = await memoryd(['backup', at('none.backup')], 'empty').ended
  assert.equal(code, 1)
  assert.match(err, /There is no store in .*empty/)
})

describe('scheduled backups', () => {
  /** A timer that a test moves on. */
  function manualTimer() {
    let waiting: { seconds: number; callback: () => void } | null = null
    const arrived = async () => {
      while (waiting === null) await new Promise((resolve) => setTimeout(resolve, 5))
      return waiting
    }
    return {
      timer: (seconds: number, callback: () => void) => {
        waiting = { seconds, callback }
        return () => {
          waiting = null
        }
      },
      /** Lets the time pass; resolves with the seconds until the next. */
      next: async () => {
        const { callback } = await arrived()
        waiting = null
        callback()
        return (await arrived()).seconds
      },
    }
  }

  test('are made when it is time, so many are kept, and a failure is seen', async () => {
    const environment = { BACKUP_DIR: at('kept'), BACKUP_EVERY: '2', BACKUP_KEEP: '2' }
    const config = configOf('scheduled', environment)
    assert.ok(config.backup)
    await (await openStores(config, log)).close()
    const { timer, next } = manualTimer()
    const lines: string[] = []
    const metrics = createMetrics({ processMetrics: false })
    let now = systemClock.now()
    const schedule = startBackups({
      ...{ config: { ...config, backup: config.backup }, clock: { now: () => now }, timer, metrics },
      log: createLog('info', (line) => lines.push(line)),
    })
    for (let round = 0; round < 4; round++) {
      assert.equal(await next(), 7_200)
      now += 7_200
    }
    const kept = readdirSync(at('kept'))
    assert.equal(kept.length, 2, kept.join())
    for (const name of kept) await verifyBackup(path.join(at('kept'), name))
    now -= 5_200
    const left = await next()
    assert.ok(left > 5_199 && left <= 5_202, `${left}: it was made 2,000 seconds ago`)
    assert.match(await metrics.text(), /memoryd_backup_last_size_bytes [1-9]/)
    assert.match(await metrics.text(), /memoryd_backup_failures 0/)
    await rm(at('scheduled'), { recursive: true })
    now += 7_200
    assert.equal(await next(), 600)
    assert.match(await metrics.text(), /memoryd_backup_failures 1/)
    assert.match(lines.at(-1) ?? '', /There is no store in .*the backup failed; it is tried again/)
    assert.equal(readdirSync(at('kept')).length, 2)
    await schedule.stop()
  })

  test('what is not theirs stays: other names, parts at work, and the newest, whatever the clock said before', async () => {
    const environment = { BACKUP_DIR: at('shared'), BACKUP_KEEP: '1' }
    const config = configOf('sharing', environment)
    assert.ok(config.backup)
    await (await openStores(config, log)).close()
    const ahead = 'memoryd-2999-01-01T00-00-00Z.backup'
    const [atWork, left] = [
      'memoryd-2026-01-01T00-00-00Z.backup.part',
      'memoryd-2026-01-02T00-00-00Z.backup.part',
    ]
    const others = ['mine.backup', 'mine.backup.part', 'memoryd-2026-01-01.backup']
    mkdirSync(at('shared'))
    for (const name of [ahead, atWork, left, ...others]) writeFileSync(path.join(at('shared'), name), '')
    utimesSync(path.join(at('shared'), left), 1, 1)
    const { timer, next } = manualTimer()
    const schedule = startBackups({
      ...{ config: { ...config, backup: config.backup }, clock: systemClock, timer, log },
      metrics: createMetrics({ processMetrics: false }),
    })
    await next()
    const found = readdirSync(at('shared'))
    const isNew = (name: string) => ![ahead, atWork, left, ...others].includes(name)
    assert.deepEqual(found.filter((name) => !isNew(name)).sort(), [atWork, ...others].sort())
    assert.equal(found.filter(isNew).length, 1)
    // One from the future is no reason to make another at every start.
    writeFileSync(path.join(at('shared'), ahead), '')
    assert.ok((await next()) <= 24 * 3_600)
    assert.equal(readdirSync(at('shared')).filter(isNew).join(), found.filter(isNew).join())
    await schedule.stop()
  })

  test('the service makes them by itself, of its own store', async () => {
    const environment = { DATA_DIR: at('served'), BACKUP_DIR: at('served-backups') }
    const stores = await openStores(configOf('served'), log)
    const service = await startTestService({ stores, environment })
    const made = () => (existsSync(at('served-backups')) ? readdirSync(at('served-backups')) : [])
    while (!made().some((name) => name.endsWith('.backup')))
      await new Promise((resolve) => setTimeout(resolve, 20))
    const [name = ''] = made()
    assert.equal((await verifyBackup(path.join(at('served-backups'), name))).tally.account.count, 1)
    await service.close()
  })
})
