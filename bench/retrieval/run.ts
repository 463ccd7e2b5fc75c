import { parseArgs } from 'node:util'
import { weights } from '../../src/memory/retrieve/weights.ts'
import { askAll } from './questions.ts'
import { printReport } from './report.ts'
import { openVectors } from './vectors.ts'

/** Runs the shipped search and scoring over labelled sets in this process and prints the figures. */
const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: process.env.SETS_DIR ?? '' },
    names: { type: 'string', default: 'locomo,hotpotqa,beam100k,musique,2wiki' },
    cache: { type: 'string', default: 'memoryd-data/bench' },
  },
})
if (values.sets === '') throw new Error('say where the sets are: --sets DIR')

const vectors = await openVectors(values.cache)
const asked = await askAll({ directory: values.sets, sets: values.names.split(','), embedder: vectors })
await vectors.close()
printReport(asked.map((one) => ({ one, weights })))
