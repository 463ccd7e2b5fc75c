// A real server process with small models, so that hundreds of restarts are affordable. It loads its code, waits for a
// line on standard input, and only then opens the store: a test has the next process ready when it kills this one.
import { once } from 'node:events'
import { readConfig } from '../../src/config.ts'
import { listen } from '../../src/http/server.ts'
import { createLog } from '../../src/observe/log.ts'
import { openStores } from '../../src/service/stores.ts'
import { openService } from '../../src/service.ts'
import { hashingEmbedder, indifferentRelation, threeWordExtractor } from '../harness.ts'
import { type Break, breaks } from './broken-stores.ts'

const [broken] = process.argv.slice(2) as [Break?]
const { config } = readConfig(process.env)
if (config === null) throw new Error('the configuration is invalid')
process.stdout.write('loaded\n')
await once(process.stdin, 'data')

const log = createLog(config.logLevel)
const stores = await openStores(config, log)
const service = await openService(config, {
  log,
  stores: broken === undefined ? stores : { ...stores, memory: breaks[broken](stores.memory) },
  models: async () => ({
    ...{ embedder: hashingEmbedder, extractor: threeWordExtractor, relation: indifferentRelation, llm: null },
    close: async () => {},
  }),
})
const listening = await listen(service.app, config, { capacity: service.capacity, log })
await service.loadModels()
process.stdout.write(`http://127.0.0.1:${listening.port}\n`)
