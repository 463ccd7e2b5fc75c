import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExtractedFact } from '../../src/memory/ports.ts'
import { loadExtractor } from '../../src/models/extractor/read.ts'

/**
 * Precision of the facts with confidence 0.65 and more on 200 random conversation turns, judged by reading:
 * `SETS_DIR=… npm run -s bench:extraction-judged`. The file keeps ids, fingerprints of facts and verdicts, no text of the set.
 * `--show` prints every fact with its fingerprint; `--unjudged` only those without a verdict.
 */
interface Judgement {
  readonly seed: number
  readonly ids: readonly string[]
  /** Fingerprint of a fact to what is wrong with it, in the judge's words; empty when it is right. */
  readonly verdicts: Readonly<Record<string, string>>
}

const threshold = 0.65
const turns = 200
const file = new URL('./judged-locomo.json', import.meta.url)
const sets = process.env.SETS_DIR
if (!sets) {
  process.stderr.write('SETS_DIR must name the folder that holds locomo/dev\n')
  process.exit(2)
}
const show = process.argv.includes('--show')
const unjudgedOnly = process.argv.includes('--unjudged')
const items = readFileSync(join(sets, 'locomo/dev/items.jsonl'), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as { id: string; text: string })
if (process.argv.includes('--sample')) sample(Number(process.argv.at(-1)) || 2026)
const judgement = JSON.parse(readFileSync(file, 'utf8')) as Judgement
const texts = new Map(items.map(({ id, text }) => [id, text]))
const reader = loadExtractor()
let right = 0
let wrong = 0
let unjudged = 0
for (const id of judgement.ids) {
  const text = texts.get(id) ?? ''
  const { facts } = reader.extract({ text, source: 'user', speaker: null, now: 1_700_000_000 })
  const sure = facts.filter((fact) => fact.confidence >= threshold && !fact.hypothetical)
  const lines = sure.map((fact) => ({ fact, verdict: judgement.verdicts[fingerprint(id, fact)] }))
  right += lines.filter(({ verdict }) => verdict === '').length
  wrong += lines.filter(({ verdict }) => verdict !== undefined && verdict !== '').length
  const open = lines.filter(({ verdict }) => verdict === undefined)
  unjudged += open.length
  const printed = unjudgedOnly ? open : show ? lines : []
  if (printed.length > 0) console.log(`# ${text}`)
  for (const { fact } of printed) console.log(`  ${fingerprint(id, fact)}  ${told(fact)}`)
}
console.log(`${right} right, ${wrong} wrong, ${unjudged} not judged yet`)
console.log(
  `precision at confidence ${threshold}: ${((100 * right) / Math.max(1, right + wrong)).toFixed(1)} %`,
)

function told(fact: ExtractedFact): string {
  const marks = [fact.negated && 'not', fact.ended && 'ended'].filter(Boolean).join(' ')
  return `${fact.subject} | ${fact.relation} | ${fact.object} ${marks}`.trim()
}

function fingerprint(id: string, fact: ExtractedFact): string {
  return createHash('sha256')
    .update(`${id}\n${told(fact)}`)
    .digest('hex')
    .slice(0, 12)
}

/** Chooses the turns; verdicts given before are kept. */
function sample(seed: number): void {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
  const ids = new Set<string>()
  while (ids.size < turns) ids.add(items[Math.floor(next() * items.length)]?.id ?? '')
  const before = JSON.parse(readFileSync(file, 'utf8')) as Judgement
  writeFileSync(file, `${JSON.stringify({ ...before, seed, ids: [...ids] }, null, 2)}\n`)
}
