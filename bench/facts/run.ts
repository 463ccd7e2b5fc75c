import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { isStored } from '../../src/memory/ingest/draft.ts'
import type { Source } from '../../src/memory/model.ts'
import type { ExtractedFact } from '../../src/memory/ports.ts'
import { extractFacts } from '../../src/models/facts/extract.ts'
import labels from '../../src/models/facts/labels.json' with { type: 'json' }
import { sentencesOf } from '../../src/models/facts/sentences.ts'
import { openWholeFactsModel } from '../../src/models/reader/facts-model.ts'
import { fitLogistic } from '../retrieval/newton.ts'
import { fits, isDenied, type LabelledText, readLabelled, sameThings } from './labelled.ts'
import { readPersonalGold, scorePersonal } from './personal.ts'

/**
 * What the facts model reads from texts that it never learnt from: facts by subject, object and polarity, identifiers
 * whole, negation, names by group, kinds of entities. `--lot FILE` reads another lot, `--personal FILE` the personal gold, `--verbose` shows misses.
 * `--fit` fits how sure a score is to the lots that are named, and writes it.
 */
const { values } = parseArgs({
  options: {
    lot: { type: 'string', multiple: true },
    personal: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    fit: { type: 'boolean', default: false },
  },
})

const storedOf = ({ source }: Pick<LabelledText, 'source'>, facts: readonly ExtractedFact[]) =>
  facts.filter((fact) => isStored(fact, source))

const unseen = path.join(import.meta.dirname, '../../data/facts/unseen')
const model = await openWholeFactsModel()
const now = 1_700_000_000
const read = async (text: Pick<LabelledText, 'text' | 'source' | 'speaker'>) =>
  (await extractFacts(model, { ...text, now })).facts

const percent = (part: number, whole: number) => ((100 * part) / Math.max(1, whole)).toFixed(1)

if (values.fit) {
  await fitConfidence(values.lot ?? [])
  process.exit(0)
}
for (const file of values.lot ??
  ['facts-l.tsv', 'facts-r2.tsv', 'facts-yl.tsv', 'facts-xa.tsv'].map((name) => path.join(unseen, name)))
  await facts(file)
await identifiers(path.join(unseen, 'identifiers.tsv'))
await negation(path.join(unseen, 'negation.tsv'))
await names(path.join(unseen, 'names.tsv'))
await kinds(path.join(unseen, 'kinds.tsv'))
if (values.personal !== undefined) await personal(values.personal)
process.exit(0)

/** The line over a fact's score that tells how often one like it is right. */
async function fitConfidence(files: readonly string[]): Promise<void> {
  const { slope, shift } = labels.calibration
  const rows: Float64Array[] = []
  const right: boolean[] = []
  for (const text of files.flatMap((file) => readLabelled(file)))
    for (const fact of await read(text)) {
      rows.push(Float64Array.of((Math.log(fact.confidence / (1 - fact.confidence)) - shift) / slope, 1))
      right.push(text.facts.some((gold) => fits(gold, fact, text)))
    }
  const fitted = fitLogistic(rows, right, 1e-6)
  const [steeper, further] = Array.from(fitted, (value) => Number(value.toFixed(3)))
  console.log(`${rows.length} facts: slope ${steeper}, shift ${further} (${slope}, ${shift})`)
  const path = new URL('../../src/models/facts/labels.json', import.meta.url)
  const calibration = { slope: steeper, shift: further }
  writeFileSync(path, `${JSON.stringify({ ...labels, calibration })}\n`)
}

async function facts(file: string): Promise<void> {
  const texts = readLabelled(file)
  const before = process.cpuUsage()
  const found: (readonly ExtractedFact[])[] = []
  for (const text of texts) found.push(await read(text))
  const { user, system } = process.cpuUsage(before)
  const sentences = texts.reduce((sum, { text }) => sum + sentencesOf(text).length, 0)
  const name = path.basename(file, '.tsv')
  console.log(
    `${name}: ${texts.length} texts, ${((user + system) / 1000 / sentences).toFixed(2)} ms CPU a sentence`,
  )
  for (const least of [0.3, 0.4, 0.5, 0.6, 0.7]) {
    const kept = found.map((one) => one.filter(({ confidence }) => confidence >= least))
    console.log(`  at ${least}: ${shown(texts, kept)}`)
  }
  const stored = texts.map((text, at) => storedOf(text, found[at] ?? []))
  console.log(`  stored: ${shown(texts, stored)}`)
  if (values.verbose) for (const [at, text] of texts.entries()) tell(text, found[at] ?? [])
}

function shown(texts: readonly LabelledText[], found: readonly (readonly ExtractedFact[])[]): string {
  let [right, named, all, recalled, told] = [0, 0, 0, 0, 0]
  for (const [at, text] of texts.entries()) {
    const mine = found[at] ?? []
    all += mine.length
    told += text.facts.length
    for (const fact of mine) {
      const same = text.facts.filter((gold) => fits(gold, fact, text))
      if (same.length > 0) right++
      if (same.some(({ relation }) => relation === fact.relation)) named++
    }
    recalled += text.facts.filter((gold) => mine.some((fact) => fits(gold, fact, text))).length
  }
  const [p, r] = [right / Math.max(1, all), recalled / Math.max(1, told)]
  return `P ${(100 * p).toFixed(1)} R ${(100 * r).toFixed(1)} F ${((200 * p * r) / Math.max(1e-9, p + r)).toFixed(1)}, ${all} facts, relation by name ${percent(named, all)}`
}

function tell(text: LabelledText, found: readonly ExtractedFact[]): void {
  const wrong = found.filter((fact) => !text.facts.some((gold) => fits(gold, fact, text)))
  const missed = text.facts.filter((gold) => !found.some((fact) => fits(gold, fact, text)))
  if (wrong.length + missed.length === 0) return
  console.log(`* ${text.text}`)
  for (const fact of wrong) console.log(`    wrong  ${line(fact)}`)
  for (const gold of missed)
    console.log(
      `    missed ${gold.subject} | ${gold.relation} | ${gold.object}${gold.denied ? ' | not' : ''}`,
    )
}

function line(fact: ExtractedFact): string {
  const marks = [fact.negated && 'not', fact.ended && 'ended', fact.hypothetical && 'perhaps'].filter(Boolean)
  return [fact.subject, fact.relation, fact.object, ...marks, fact.confidence.toFixed(2)].join(' | ')
}

/** The first fact of each text holds the identifier: a stored fact has to hold it whole. */
async function identifiers(file: string): Promise<void> {
  if (!existsSync(file)) return
  const texts = readLabelled(file)
  let whole = 0
  for (const text of texts) {
    const [main] = text.facts
    const mine = storedOf(text, await read(text))
    const isWhole = main !== undefined && mine.some(({ object }) => object.includes(main.object))
    if (isWhole) whole++
    else if (values.verbose) console.log(`* ${text.text}\n    ${main?.object}: ${mine.map(line).join('; ')}`)
  }
  console.log(`identifiers whole: ${whole} of ${texts.length}`)
}

/** Right: every stored fact that speaks of the same two things as a label has its polarity, and there is one. */
async function negation(file: string): Promise<void> {
  if (!existsSync(file)) return
  const texts = readLabelled(file)
  let [right, turned] = [0, 0]
  for (const text of texts) {
    const mine = storedOf(text, await read(text))
    const pairs = text.facts.flatMap((gold) =>
      mine.filter((fact) => sameThings(gold, fact, text)).map((fact) => gold.denied === isDenied(fact)),
    )
    if (pairs.includes(false)) turned++
    else if (pairs.length > 0) right++
    if (values.verbose && (pairs.includes(false) || pairs.length === 0)) tell(text, mine)
  }
  console.log(`negation right: ${right} of ${texts.length}; turned round: ${turned}`)
}

/** Lines of kind, source, name and text: of the names that are read as an entity, how many are of that kind. */
async function kinds(file: string): Promise<void> {
  const bare = (name: string) =>
    name.toLowerCase().replace(/^(?:the|an?|my|our|your|his|her|their|user's) /, '')
  const tallies = new Map<string, { right: number; found: number }>()
  for (const row of readFileSync(file, 'utf8').trimEnd().split('\n')) {
    const [kind = '', source, name = '', text = ''] = row.split('\t')
    const { entities } = await extractFacts(model, { text, source: source as Source, speaker: null, now })
    const entity = entities.find((one) => bare(one.name) === bare(name))
    if (entity === undefined) continue
    const tally = tallies.get(kind) ?? { right: 0, found: 0 }
    tallies.set(kind, { right: tally.right + (entity.type === kind ? 1 : 0), found: tally.found + 1 })
    if (values.verbose && entity.type !== kind)
      console.log(`* ${text}\n    ${name}: ${entity.type}, is ${kind}`)
  }
  const all = [...tallies.values()]
  const sum = (part: 'right' | 'found') => all.reduce((total, one) => total + one[part], 0)
  const each = [...tallies].map(([kind, { right, found }]) => `${kind} ${right}/${found}`).sort()
  console.log(
    `kinds right: ${percent(sum('right'), sum('found'))} of ${sum('found')} entities; ${each.join(', ')}`,
  )
}

async function names(file: string): Promise<void> {
  if (!existsSync(file)) return
  const groups = new Map<string, { told: number; found: number }>()
  for (const text of readLabelled(file)) {
    const group = groups.get(text.group) ?? { told: 0, found: 0 }
    const mine = await read(text)
    group.told += text.facts.length
    group.found += text.facts.filter((gold) => mine.some((fact) => fits(gold, fact, text))).length
    groups.set(text.group, group)
  }
  for (const [name, { told, found }] of groups)
    console.log(`names, ${name}: recall ${percent(found, told)} of ${told}`)
}

async function personal(file: string): Promise<void> {
  const gold = readPersonalGold(readFileSync(file, 'utf8'))
  const found = new Map<string, readonly ExtractedFact[]>()
  for (const one of gold)
    found.set(
      one.text,
      (await read(one)).filter((fact) => fact.hypothetical || isStored(fact, one.source)),
    )
  const { score, results } = scorePersonal(gold, ({ text }) => found.get(text) ?? [])
  const [p, r, f1] = [score.precision, score.recall, score.f1].map((value) => (100 * value).toFixed(1))
  console.log(`personal strict: P ${p} R ${r} F ${f1}`)
  if (!values.verbose) return
  for (const { text, wrong, missed } of results) {
    if (wrong.length + missed.length === 0) continue
    console.log(`* ${text}`)
    for (const fact of wrong) console.log(`    wrong  ${line(fact)}`)
    for (const fact of missed) console.log(`    missed ${fact}`)
  }
}
