// What the pair model says of labelled pairs, lot by lot: how many changes it closes, how many of its closings are right.
//   npm run -s bench relation [FILE...]    files of label, older, newer; by default the lots that it never learnt from
//   npm run -s bench relation -- --fit     what the odds of an end should be multiplied by, for each lot and for all
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { RelationChances } from '../../src/memory/ports.ts'
import { certain, likely, possible } from '../../src/memory/relation/certainty.ts'
import { createLocalRelation } from '../../src/models/relation/local-relation.ts'

const { positionals, values } = parseArgs({ allowPositionals: true, options: { fit: { type: 'boolean' } } })
const files = positionals.length > 0 ? positionals : globSync('data/relations/unseen/relations-*.tsv')

type Labelled = readonly { readonly label: keyof RelationChances; readonly chances: RelationChances }[]

const relation = await createLocalRelation()
const lots = new Map<string, Labelled>()
for (const file of files) lots.set(file, await judged(file))
await relation.close()
if (values.fit === true) fit()
else for (const [file, lot] of lots) report(file, lot)

async function judged(file: string): Promise<Labelled> {
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
  const cpu = process.cpuUsage()
  const all = await relation.judge(rows.map(([, older = '', newer = '']) => ({ older, newer })))
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `${file}: ${rows.length} pairs, ${((user + system) / 1000 / rows.length).toFixed(1)} ms CPU a pair`,
  )
  return all.map((chances, at) => ({ label: rows[at]?.[0] as keyof RelationChances, chances }))
}

function report(name: string, lot: Labelled): void {
  console.log(name)
  for (const least of new Set([possible, likely, 0.95, certain])) {
    const closed = lot.filter(({ chances }) => chances.replaces + chances.ends >= least)
    const changes = lot.filter(isChange)
    const right = closed.filter(isChange)
    const share = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(3))
    console.log(
      `  at ${least}: closes ${share(right.length, changes.length)} of ${changes.length} changes, precision ${share(right.length, closed.length)}`,
    )
  }
}

/** By what the odds of an end have to be multiplied so that the labels surprise least. */
function fit(): void {
  const factors = Array.from({ length: 31 }, (_, at) => Math.exp((at - 20) / 10))
  for (const [name, lot] of [...lots, ['all', [...lots.values()].flat()] as const]) {
    const [best] = factors
      .map((factor) => ({ factor, surprise: surpriseOf(lot, factor) }))
      .toSorted((a, b) => a.surprise - b.surprise)
    console.log(
      `${name}: ${best?.factor.toFixed(2)} (surprise ${best?.surprise.toFixed(4)}, as it is ${surpriseOf(lot, 1).toFixed(4)})`,
    )
  }
}

function surpriseOf(lot: Labelled, factor: number): number {
  const total = lot.reduce((sum, { label, chances }) => {
    const chance = chances[label] * (label === 'ends' ? factor : 1)
    return sum - Math.log(chance / (1 + (factor - 1) * chances.ends))
  }, 0)
  return total / lot.length
}

function isChange({ label }: Labelled[number]): boolean {
  return label === 'replaces' || label === 'ends'
}
