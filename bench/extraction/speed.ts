import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadExtractor } from '../../src/models/extractor/read.ts'
import { splitSentences } from '../../src/models/extractor/text/sentences.ts'
import { adversarialText } from './adversarial.ts'

/**
 * CPU a sentence and load time, and the slowest of many hostile texts of the greatest length:
 * `npm run -s bench:extraction-speed [-- --hostile 5000]`; with SETS_DIR, conversation turns are read as well.
 */
const count = Number(process.argv[process.argv.indexOf('--hostile') + 1]) || 500
const cpu = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
const before = cpu()
const reader = loadExtractor()
console.log(`load: ${(cpu() - before).toFixed(0)} ms CPU`)

const samples = [
  'My sister Maria lives in Porto and works as a teacher.',
  'I moved from Lisbon to Berlin in 2021 to work for Siemens.',
  "I'm allergic to peanuts and I don't eat meat.",
  'The Eiffel Tower is located in Paris and was completed in 1889.',
]
const sets = process.env.SETS_DIR
const texts = sets
  ? readFileSync(join(sets, 'locomo/dev/items.jsonl'), 'utf8')
      .split('\n')
      .filter(Boolean)
      .slice(0, 1000)
      .map((line) => (JSON.parse(line) as { text: string }).text)
  : Array.from({ length: 250 }, () => samples).flat()
for (const text of texts.slice(0, 200)) read(text)
const start = cpu()
for (const text of texts) read(text)
const sentences = texts.reduce((sum, text) => sum + splitSentences(text).length, 0)
console.log(`mean: ${((cpu() - start) / sentences).toFixed(2)} ms CPU a sentence over ${sentences} sentences`)

let slowest = { ms: 0, seed: 0 }
for (let seed = 0; seed < count; seed++) {
  const text = adversarialText(seed)
  const from = cpu()
  read(text)
  const ms = cpu() - from
  if (ms > slowest.ms) slowest = { ms, seed }
}
console.log(
  `slowest of ${count} hostile texts of 32,768 code points: ${slowest.ms.toFixed(0)} ms CPU (seed ${slowest.seed})`,
)

function read(text: string): void {
  reader.extract({ text, source: 'user', speaker: null, now: 1_700_000_000 })
}
