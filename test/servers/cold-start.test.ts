import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callsPerClient, clients, mixedCalls, report, restart, whenReady } from './mixed-calls.ts'

/** COLD_STARTS=20 for the whole of it. */
const starts = Number(process.env.COLD_STARTS ?? 2)

test(`right after ${starts} cold starts of the engines every call of ${clients} clients is answered with 200`, async () => {
  for (let number = 1; number <= starts; number++) {
    await restart()
    const service = await whenReady()
    try {
      const { key } = await service.newKey('enterprise')
      const answers = await mixedCalls(service, key)
      report(`cold start ${number}`, answers)
      assert.deepEqual(answers.filter(({ status }) => status !== 200).slice(0, 3), [])
      assert.equal(answers.length, clients * callsPerClient)
    } finally {
      await service.close()
    }
  }
})
