import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { weights } from '../../src/memory/retrieve/rank.ts'
import { createLocalExtractor } from '../../src/models/facts/local-extractor.ts'
import { type Asked, askSet } from './ask.ts'
import { openEncodings } from './encodings.ts'
import { printReport } from './report.ts'
import { rowsOfSet } from './rows.ts'

/** Judges the shipped weights on labelled sets in this process and prints the figures. */
const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: process.env.SETS_DIR ?? '' },
    names: { type: 'string', default: 'talks,locomo,hotpotqa,beam100k,2wiki,musique' },
    cache: { type: 'string', default: '.cache/retrieval' },
  },
})
if (values.sets === '') throw new Error('say where the sets are: --sets DIR')

const encoder = await openEncodings(values.cache)
const extractor = await createLocalExtractor()
const parts = {
  ...{ directory: values.sets, cache: join(values.cache, 'stores'), encoder },
  extractor: async () => extractor,
}
const asked: Asked[] = []
for (const set of values.names.split(',')) {
  asked.push(...(await rowsOfSet(join(values.cache, 'rows'), set, () => askSet(parts, set))))
}
await encoder.close()
await extractor.close()
printReport(asked.map((one) => ({ one, weights: weights.late })))
