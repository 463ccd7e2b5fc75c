import { createInterface } from 'node:readline'
import { openSpender, type Way } from './budget-spenders.ts'

/** A process of its own that, told to go, asks for many reservations at once and says how many it was granted. */
const [directory = '', way = '', name = '', count = '0', limit = '0'] = process.argv.slice(2)
const spender = await openSpender(way as Way, directory)
console.log('ready')
for await (const _ of createInterface({ input: process.stdin })) {
  const asked = Array.from({ length: Number(count) }, (_, index) =>
    spender.take(`${name}-${index}`, Number(limit)),
  )
  const granted = await Promise.all(asked)
  console.log(granted.filter(Boolean).length)
  break
}
await spender.close()
process.exit()
