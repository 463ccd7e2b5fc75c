import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BackupConfig, Config } from '../config.ts'
import type { Clock, Seconds } from '../core/clock.ts'
import { threadFlags } from '../core/worker-client.ts'
import type { Timer } from '../memory/lifecycle/schedule.ts'
import { errorFacts, type Log } from '../observe/log.ts'
import type { Metrics } from '../observe/metrics.ts'

/** The name of a backup that was begun then; the order of names is that of time. */
export const backupName = (at: Date) =>
  `memoryd-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`

const ours = /^memoryd-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\dZ)\.backup(\.part)?$/

export interface BackupScheduleParts {
  readonly config: Config & { readonly backup: BackupConfig }
  readonly clock: Clock
  readonly timer: Timer
  readonly metrics: Metrics
  readonly log: Log
}

export interface BackupSchedule {
  /** No further backup begins; one at work is given up and leaves nothing. */
  stop(): Promise<void>
}

const hour: Seconds = 3_600
/** What has failed is tried again after this time, or sooner where backups are made more often. */
const retrySeconds: Seconds = 600
/** A part that nobody has written to for so long was left by a crash; a younger one may be another's at work. */
const partSeconds: Seconds = 24 * hour

/** Backs up when the newest backup in the directory is old enough, and removes the oldest beyond those to keep. */
export function startBackups({ config, clock, timer, metrics, log }: BackupScheduleParts): BackupSchedule {
  const { directory, everyHours, keep } = config.backup
  const told = { at: 0, seconds: 0, bytes: 0, failures: 0 }
  metrics.watch(
    'memoryd_backup_last_success_timestamp_seconds',
    'When the newest scheduled backup was begun',
    () => told.at,
  )
  metrics.watch(
    'memoryd_backup_last_duration_seconds',
    'How long the last scheduled backup took',
    () => told.seconds,
  )
  metrics.watch('memoryd_backup_last_size_bytes', 'Size of the last scheduled backup', () => told.bytes)
  metrics.watch(
    'memoryd_backup_failures',
    'Scheduled backups that failed since the start',
    () => told.failures,
  )

  let stopped = false
  let cancel = () => {}
  let atWork: Promise<void> = Promise.resolve()
  let thread: Worker | null = null

  /** From the oldest on. One from the future is of a clock that was put right since: it is no newer than the others. */
  const made = async () => {
    const names = (await readdir(directory)).filter((name) => ours.test(name)).sort()
    const isAhead = (name: string) => Number(beganAt(name) > clock.now())
    return names.toSorted((a, b) => isAhead(b) - isAhead(a))
  }
  const isPart = (name: string) => name.endsWith('.part')
  const run = (file: string) =>
    new Promise<number>((resolve, reject) => {
      thread = new Worker(new URL('./backup-thread.ts', import.meta.url), {
        workerData: { config, file },
        execArgv: threadFlags(),
      })
      thread.once('message', resolve)
      thread.once('error', reject)
      thread.once('exit', () => reject(new Error('The backup was broken off.')))
    }).finally(() => {
      thread = null
    })
  const remove = (name: string) => rm(path.join(directory, name), { force: true })
  const backUp = async () => {
    if (stopped) return
    const [started, began] = [clock.now(), performance.now()]
    const file = path.join(directory, backupName(new Date(started * 1_000)))
    const bytes = await run(file).finally(() => rm(`${file}.part`, { force: true }))
    Object.assign(told, { at: started, bytes, seconds: (performance.now() - began) / 1_000 })
    log.info({ file, bytes, seconds: told.seconds }, 'wrote a backup')
    const all = await made()
    for (const name of all.filter((one) => !isPart(one)).slice(0, -keep)) await remove(name)
    for (const name of all.filter(isPart)) {
      const touched = await stat(path.join(directory, name)).catch(() => null)
      if (touched !== null && touched.mtimeMs / 1_000 < clock.now() - partSeconds) await remove(name)
    }
  }
  const tick = () => {
    atWork = look().then(again, (error: unknown) => {
      if (stopped) return
      told.failures++
      log.error(errorFacts(error), 'the backup failed; it is tried again')
      again(Math.min(retrySeconds, everyHours * hour))
    })
  }
  /** Backs up when it is time; resolves with the seconds until the next. */
  const look = async (): Promise<Seconds> => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const newest = (await made()).filter((name) => !isPart(name)).at(-1)
    const age = newest === undefined ? Number.POSITIVE_INFINITY : clock.now() - beganAt(newest)
    if (age >= 0 && age < everyHours * hour) {
      told.at = Math.max(told.at, clock.now() - age)
      return everyHours * hour - age
    }
    await backUp()
    return everyHours * hour
  }
  const again = (seconds: Seconds) => {
    if (!stopped) cancel = timer(seconds, tick)
  }
  again(0)
  return {
    stop: async () => {
      stopped = true
      cancel()
      await thread?.terminate()
      await atWork
    },
  }
}

const beganAt = (name: string): Seconds => Date.parse(name.replace(ours, '$1$2:$3:$4')) / 1_000
