import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { ExtractedFact } from '../../src/memory/ports.ts'
import { createTree } from '../../src/models/extractor/grammar/tree.ts'
import { createParser, maxWords } from '../../src/models/extractor/parser/parser.ts'
import { loadExtractor } from '../../src/models/extractor/read.ts'
import { readCarbGold, scoreCarb } from './carb.ts'
import { openFacts } from './open-facts.ts'
import { readPersonalGold, type Score, scorePersonal } from './personal.ts'

/** Scores the extractor on files of the two gold formats: `--personal FILE`, `--carb FILE`, `--verbose` for the misses. */
const { values } = parseArgs({
  options: {
    personal: { type: 'string' },
    carb: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
if (values.personal === undefined && values.carb === undefined) {
  process.stderr.write('usage: npm run -s bench:extraction -- --personal FILE --carb FILE [--verbose]\n')
  process.exit(2)
}
const lines = [
  ...(values.personal === undefined ? [] : [`personal strict P/R/F1: ${shown(personal(values.personal))}`]),
  ...(values.carb === undefined ? [] : [`carb P/R/F1: ${shown(carb(values.carb))}`]),
]
for (const line of lines) console.log(line)

function shown({ precision, recall, f1 }: Score): string {
  return [precision, recall, f1].map((value) => (100 * value).toFixed(1)).join('/')
}

function personal(file: string): Score {
  const gold = readPersonalGold(readFileSync(file, 'utf8'))
  const reader = loadExtractor()
  const before = process.cpuUsage()
  const { score, results } = scorePersonal(
    gold,
    (one) => reader.extract({ ...one, now: 1_700_000_000 }).facts,
  )
  const { user, system } = process.cpuUsage(before)
  console.log(`${gold.length} texts, ${((user + system) / 1000 / gold.length).toFixed(2)} ms CPU a text`)
  for (const { text, wrong, missed } of results) {
    if (!values.verbose || wrong.length + missed.length === 0) continue
    console.log(`* ${text}`)
    for (const fact of wrong) console.log(`    wrong  ${told(fact)}`)
    for (const fact of missed) console.log(`    missed ${fact}`)
  }
  return score
}

function told(fact: ExtractedFact): string {
  const marks = [fact.negated && 'not', fact.ended && 'ended', fact.hypothetical && 'perhaps'].filter(Boolean)
  return [fact.subject, fact.relation, fact.object, ...marks, fact.confidence].join(' | ')
}

function carb(file: string): Score {
  const gold = readCarbGold(readFileSync(file, 'utf8'))
  const parser = createParser()
  return scoreCarb(gold, (sentence) => {
    const words = sentence.split(' ').slice(0, maxWords)
    let start = 0
    const tokens = words.map((form) => {
      const token = { form, start, end: start + form.length }
      start = token.end + 1
      return token
    })
    return openFacts(createTree(sentence, tokens, parser.parse(words), parser.frequencyRank, () => undefined))
  })
}
