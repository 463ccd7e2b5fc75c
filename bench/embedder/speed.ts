import type { Embedder } from '../../src/memory/ports.ts'

const SHORT = [
  'lives in Lisbon',
  'works as nurse',
  'likes green tea',
  'has two dogs',
  'plays the violin',
  'born in May',
]

/** CPU milliseconds of the whole process, other threads included: the machine's load does not count as ours. */
async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** Prints what a text costs, alone and in a heap, and the memory of the process afterwards. */
export async function measureSpeed(embedder: Embedder, turns: readonly string[]): Promise<void> {
  const heap = turns.slice(0, 300)
  const single = turns.slice(300, 360)
  const shortHeap = Array.from({ length: 50 }, (_, i) => SHORT.map((text) => `${text} ${i}`)).flat()
  const oneByOne = (texts: readonly string[]) => async () => {
    for (const text of texts) await embedder.embed([text])
  }
  await embedder.embed(heap.slice(0, 20))
  const rows: [string, number, () => Promise<unknown>][] = [
    ['a turn of a conversation, alone', single.length, oneByOne(single)],
    ['a turn of a conversation, in a heap of 300', heap.length, () => embedder.embed(heap)],
    ['a short fact, alone', 60, oneByOne(shortHeap.slice(0, 60))],
    ['a short fact, in a heap of 300', shortHeap.length, () => embedder.embed(shortHeap)],
    ['32,768 characters', 1, () => embedder.embed([turns.join(' ').slice(0, 32_768)])],
  ]
  for (const [what, count, work] of rows) {
    const ms = (await cpuMs(work)) / count
    console.log(`  ${what}: ${ms.toFixed(2)} CPU ms, ${(1000 / ms).toFixed(0)} a second and core`)
  }
  console.log(`  process memory: ${Math.round(process.memoryUsage().rss / 1e6)} MB`)
}
