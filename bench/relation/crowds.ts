// What the service itself closes where a person has told many things side by side: each memory of a file goes through
// HTTP into a persona of its own, text by text; every text that another one made out of date is compared with the links.
//   npm run -s bench crowds [FILE]    a file of stories with links; --verbose shows what was closed wrongly
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { startService } from '../memory/service.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: 'boolean', default: false } },
})
const [file = 'data/stories/unseen/links-y.jsonl'] = positionals

const batchReply = z.object({
  results: z.array(
    z.object({
      ids: z.array(z.string()),
      facts: z.array(z.object({ id: z.string() })),
      replaced: z.array(z.object({ id: z.string() })),
    }),
  ),
})

interface Memory {
  readonly id: string
  readonly texts: readonly string[]
  readonly links: readonly (readonly [newer: number, older: number, label: string])[]
}

const directory = mkdtempSync(join(tmpdir(), 'memoryd-crowds-'))
const service = await startService(directory, { log: join(directory, 'log') })
const memories: Memory[] = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const counts = { changes: 0, right: 0, wrong: 0 }
try {
  for (const memory of memories) await tell(memory)
} finally {
  await service.stop()
  rmSync(directory, { recursive: true })
}
const share = (part: number, whole: number) => (part / Math.max(1, whole)).toFixed(3)
console.log(
  `${file}: ${memories.length} memories; closes ${share(counts.right, counts.changes)} of ${counts.changes} changes, ` +
    `${counts.wrong} texts wrongly, precision ${share(counts.right, counts.right + counts.wrong)}`,
)

async function tell({ id, texts, links }: Memory): Promise<void> {
  const hour = 3_600
  const start = 1_700_000_000
  const items = texts.map((text, at) => ({ text, persona: id, occurred_at: start + at * hour }))
  const { results } = batchReply.parse(await service.post('/brain/ingest/batch', { items }))
  const placeOf = new Map<string, number>()
  results.forEach(({ ids, facts }, at) => {
    // A fact that is told again belongs to the text that told it first.
    for (const known of [...ids, ...facts.map((fact) => fact.id)])
      if (!placeOf.has(known)) placeOf.set(known, at)
  })
  const changes = new Set(links.filter(([, , label]) => label !== 'same').map(([a, b]) => `${a} ${b}`))
  const closed = new Set(
    results.flatMap(({ replaced }, at) =>
      replaced
        .map((gone) => placeOf.get(gone.id) ?? at)
        .flatMap((old) => (old === at ? [] : [`${at} ${old}`])),
    ),
  )
  counts.changes += changes.size
  for (const pair of closed) {
    counts[changes.has(pair) ? 'right' : 'wrong']++
    const [newer = '', older = ''] = pair.split(' ').map((at) => texts[Number(at)])
    if (values.verbose && !changes.has(pair)) console.log(`  ${older} / ${newer}`)
  }
}
