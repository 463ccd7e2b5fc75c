// Holds the lease of a consolidation. Arguments: namespace, seconds. Prints `held`, waits for a line, then writes late.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { asNamespace } from '../../src/core/ids.ts'
import { openServerStores } from '../../src/stores/server/stores.ts'
import { smallOptions } from './open.ts'
import { untilReady } from './support.ts'

const [name = '', seconds = ''] = process.argv.slice(2)
const namespace = asNamespace(name)
const stores = openServerStores(smallOptions())
await untilReady(stores)
const { lifecycle, graph, episodic } = stores.memory
const lease = await lifecycle.acquire(`consolidate:${namespace}`, Number(seconds), systemClock.now())
if (lease === null) throw new Error('somebody else holds the lease')
process.stdout.write('held\n')
await once(process.stdin, 'data')
// The probes that were due while it was stopped come first.
while (Object.values(stores.status()).some((state) => state !== 'connected')) await delay(20)
const late = { persona: null, halfLifeDays: 7, now: systemClock.now() + 1e9, lease }
const outcomes = await Promise.allSettled([
  graph.decay(namespace, late),
  graph.removeFaded(namespace, { ...late, threshold: 1 }),
  episodic.removeFaded(namespace, { ...late, threshold: 1 }),
])
const renewed = await lifecycle.renew(lease, 60, systemClock.now())
const answers = outcomes.map((outcome) =>
  outcome.status === 'rejected' ? String(outcome.reason.message) : 'written',
)
process.stdout.write(`${JSON.stringify({ answers, renewed })}\n`)
process.exit(0)
