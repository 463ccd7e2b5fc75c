// The service at steady work: texts come and go, questions are asked, the amount that is stored stays the same. Memory must
// not grow by more than 1 MB a minute; a planted leak must be noticed. SOAK_SECONDS sets the time (600 for the full run).
// Needs node --expose-gc.
import { announceSeed, createRandom, type Random, sizeFrom } from '../support/random.ts'
import { type DirectoryService, openDirectoryService, withFolder } from '../support/services.ts'

const seconds = sizeFrom('SOAK_SECONDS', 420)
const allowedSlope = 1
const accounts = 8
const samples = 60
/** Calls that fill caches and warm the compiler before anything is measured. */
const warmUpCalls = 10_000
/** What the planted leak keeps of every call. */
const leakBytes = 20_000

const seed = announceSeed('soak')
const collect = globalThis.gc
if (collect === undefined) throw new Error('run it with node --expose-gc')

/** One tenant's turn: some texts, some questions, and the texts go again. */
async function turn({ post }: DirectoryService, key: string, random: Random): Promise<number> {
  const session_id = `session-${random.below(4)}`
  const items = Array.from({ length: 5 }, () => {
    const number = random.below(1_000_000)
    return { text: `Person${number} likes Thing${number}. It rains on ${number} roofs.`, session_id }
  })
  const replies = [await post(key, '/brain/ingest/batch', { items })]
  for (const { text } of items.slice(0, 3)) {
    replies.push(await post(key, '/brain/retrieve', { query: text, session_id, max_hops: 2 }))
  }
  replies.push(await post(key, '/brain/forget', { session_id }))
  const bad = replies.find(({ status }) => status !== 200)
  if (bad !== undefined) throw new Error(`${bad.status} ${JSON.stringify(bad.json)}`)
  return replies.length
}

/** Megabytes a minute: the median of the slopes between all samples, which a single spike does not move. */
function slopeOf(points: readonly { readonly minutes: number; readonly megabytes: number }[]): number {
  const slopes = points.flatMap((a, at) =>
    points.slice(at + 1).map((b) => (b.megabytes - a.megabytes) / (b.minutes - a.minutes)),
  )
  return slopes.sort((a, b) => a - b)[slopes.length >> 1] ?? 0
}

async function soak(
  forSeconds: number,
  leak: boolean,
): Promise<{ slope: number; calls: number; last: number }> {
  return withFolder(async (folder) => {
    const service = await openDirectoryService(folder)
    const keys: string[] = []
    for (let at = 0; at < accounts; at++) keys.push(await service.newKey(`account-${at}`))
    const random = createRandom(seed)
    const kept: Buffer[] = []
    const points: { minutes: number; megabytes: number }[] = []
    let calls = 0
    const work = async () => {
      const made = await Promise.all(keys.map((key) => turn(service, key, random)))
      calls += made.reduce((sum, count) => sum + count, 0)
    }
    while (!leak && calls < warmUpCalls) await work()
    const began = performance.now()
    const elapsed = () => (performance.now() - began) / 1_000
    while (elapsed() < forSeconds) {
      await work()
      if (leak) kept.push(Buffer.alloc(leakBytes * keys.length, 1))
      if (elapsed() < (forSeconds * points.length) / samples) continue
      collect?.()
      points.push({ minutes: elapsed() / 60, megabytes: process.memoryUsage().rss / 2 ** 20 })
    }
    await service.close()
    // The log of changes, and the caches behind it, reach their bounds in the first half.
    return { slope: slopeOf(points.slice(points.length >> 1)), calls, last: points.at(-1)?.megabytes ?? 0 }
  })
}

const steady = await soak(seconds, false)
console.log(
  `${seconds} s, ${steady.calls} calls, ${steady.last.toFixed(0)} MB at the end: ${steady.slope.toFixed(2)} MB/min (allowed: ${allowedSlope})`,
)
const leaking = await soak(Math.max(20, seconds / 4), true)
console.log(
  `negative control, a planted leak: ${leaking.slope.toFixed(1)} MB/min, ${leaking.slope > allowedSlope ? 'found out' : 'NOT FOUND OUT'}`,
)
const isGood = steady.slope < allowedSlope && leaking.slope > allowedSlope
console.log(isGood ? 'soak: ok' : 'soak: FAILED')
process.exitCode = isGood ? 0 : 1
