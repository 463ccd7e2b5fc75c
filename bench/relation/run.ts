// What the pair model says of labelled pairs, lot by lot: how many changes it closes, how many of its closings are right.
//   npm run -s bench relation [FILE...]    files of label, older, newer; by default the lots that it never learnt from
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { certain, likely } from '../../src/memory/relation/certainty.ts'
import { createLocalRelation } from '../../src/models/relation/local-relation.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const files = positionals.length > 0 ? positionals : globSync('data/relations/unseen/relations-*.tsv')
const relation = await createLocalRelation()
for (const file of files) {
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  const cpu = process.cpuUsage()
  const chances = await relation.judge(rows.map(([, older = '', newer = '']) => ({ older, newer })))
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `${file}: ${rows.length} pairs, ${((user + system) / 1000 / rows.length).toFixed(1)} ms CPU a pair`,
  )
  for (const least of [likely, 0.8, 0.9, 0.95, 0.97, 0.98, certain]) {
    const closed = rows.filter((_, at) => closingOf(at) >= least)
    const changes = rows.filter(([label]) => isChange(label))
    const right = closed.filter(([label]) => isChange(label))
    const share = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(3))
    console.log(
      `  at ${least}: closes ${share(right.length, changes.length)} of ${changes.length} changes, precision ${share(right.length, closed.length)}`,
    )
  }
  function closingOf(at: number): number {
    const { replaces = 0, ends = 0 } = chances[at] ?? {}
    return replaces + ends
  }
}
await relation.close()

function isChange(label: string | undefined): boolean {
  return label === 'replaces' || label === 'ends'
}
