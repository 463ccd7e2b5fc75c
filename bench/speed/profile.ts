import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Cost } from './cost.ts'

const profileSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  startTime: z.number(),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})

/** Functions by self time while something was measured: milliseconds a request, over all threads' profiles. */
export function hottest(directory: string, { from, to, requests }: Cost, count: number): readonly string[] {
  const spent = new Map<string, number>()
  for (const file of readdirSync(directory).filter((name) => name.endsWith('.cpuprofile'))) {
    const { nodes, startTime, samples, timeDeltas } = profileSchema.parse(
      JSON.parse(readFileSync(join(directory, file), 'utf8')),
    )
    const nameOf = new Map(
      nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
        id,
        `${functionName || 'anonymous'} ${url === '' ? '' : `${basename(url)}:${lineNumber + 1}`}`.trim(),
      ]),
    )
    let now = startTime
    for (const [at, id] of samples.entries()) {
      const [name, delta] = [nameOf.get(id) ?? '', timeDeltas[at] ?? 0]
      now += delta
      if (now < from || now > to || name === '(idle)') continue
      spent.set(name, (spent.get(name) ?? 0) + delta / 1_000 / requests)
    }
  }
  return [...spent]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, count)
    .map(([name, ms]) => `${ms.toFixed(2).padStart(8)} ms  ${name}`)
}
