// What the pair model says of labelled pairs, lot by lot: how many changes it closes, how many of its closings are right. And
// of questions, whether texts that answer them have a higher chance to than others.
//   npm run -s bench relation [FILE...]    files of label, older, newer, or of stories with links, of which every pair is
//                                          judged; by default the lots that it never learnt from, and those of questions
import { globSync, readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { RelationChances } from '../../src/memory/ports.ts'
import { certain, likely, possible } from '../../src/memory/relation/certainty.ts'
import { createLocalRelation } from '../../src/models/relation/local-relation.ts'

const { positionals } = parseArgs({ allowPositionals: true })
const unseen = ['data/relations/unseen/relations-*.tsv', 'data/stories/unseen/links-*.jsonl']
const files = positionals.length > 0 ? positionals : globSync(unseen).sort()

interface Story {
  readonly texts: readonly string[]
  readonly links: readonly (readonly [newer: number, older: number, label: string])[]
}

type Labelled = readonly { readonly label: keyof RelationChances; readonly chances: RelationChances }[]

const relation = await createLocalRelation()
const lots = new Map<string, Labelled>()
for (const file of files) lots.set(file, await judged(file))
const asked = new Map<string, Answered>()
for (const file of positionals.length > 0 ? [] : globSync('data/answers/unseen/*.jsonl'))
  asked.set(file, await answered(file))
await relation.close()
for (const [file, lot] of lots) report(file, lot)
for (const [file, chances] of asked) reportAnswers(file, chances)

async function judged(file: string): Promise<Labelled> {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const rows = file.endsWith('.jsonl')
    ? lines.flatMap((line) => pairsOf(JSON.parse(line)))
    : lines.map((line) => line.split('\t'))
  const cpu = process.cpuUsage()
  const all = await relation.judge(rows.map(([, older = '', newer = '']) => ({ older, newer })))
  const { user, system } = process.cpuUsage(cpu)
  console.log(
    `${file}: ${rows.length} pairs, ${((user + system) / 1000 / rows.length).toFixed(1)} ms CPU a pair`,
  )
  return all.map((chances, at) => ({ label: rows[at]?.[0] as keyof RelationChances, chances }))
}

/** Every pair of a story's texts: what no link names stands beside each other. */
function pairsOf({ texts, links }: Story): readonly (readonly string[])[] {
  const labels = new Map(links.map(([newer, older, label]) => [`${newer} ${older}`, label]))
  return texts.flatMap((newer, at) =>
    texts.slice(0, at).map((older, before) => [labels.get(`${at} ${before}`) ?? 'beside', older, newer]),
  )
}

function report(name: string, lot: Labelled): void {
  console.log(name)
  for (const least of [possible, likely, certain, 0.95]) {
    const closed = lot.filter(({ chances }) => chances.replaces + chances.ends >= least)
    const changes = lot.filter(isChange)
    const right = closed.filter(isChange)
    const share = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(3))
    console.log(
      `  at ${least}: closes ${share(right.length, changes.length)} of ${changes.length} changes, precision ${share(right.length, closed.length)}`,
    )
  }
}

/** The chances of the texts that answer their question, and of the others. */
interface Answered {
  readonly yes: readonly number[]
  readonly no: readonly number[]
}

async function answered(file: string): Promise<Answered> {
  const found = { yes: [] as number[], no: [] as number[] }
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const one: { q: string; yes: string[]; no: string[] } = JSON.parse(line)
    for (const kind of ['yes', 'no'] as const)
      for (const text of one[kind]) found[kind].push(...(await relation.answers(one.q, [text])))
  }
  return found
}

function reportAnswers(name: string, { yes, no }: Answered): void {
  const above = yes.reduce((sum, chance) => sum + no.filter((other) => other < chance).length, 0)
  const half = (list: readonly number[]) =>
    `${list.filter((chance) => chance >= 0.5).length} of ${list.length}`
  console.log(name)
  console.log(
    `  AUC ${(above / yes.length / no.length).toFixed(3)}; 0.5 and more: ${half(yes)} that answer, ${half(no)} that do not`,
  )
}

function isChange({ label }: Labelled[number]): boolean {
  return label === 'replaces' || label === 'ends'
}
