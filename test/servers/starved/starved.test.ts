import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { test } from 'node:test'
import { clients, mixedCalls, report, restart, whenReady } from '../mixed-calls.ts'

const answerMs = 5_000

/** Two processes that do nothing but keep a processor busy. */
function starve(): () => void {
  const loops: ChildProcess[] = [0, 1].map(() =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  )
  return () => {
    for (const loop of loops) loop.kill('SIGKILL')
  }
}

test('with a starved processor every call is answered in time, and no window lets more through than its limit', async () => {
  await restart()
  const service = await whenReady()
  const feed = starve()
  try {
    const [{ key }, limited] = [await service.newKey('enterprise'), await service.newKey('scale')]
    const limit = 1_000
    const rated: number[] = []
    const asking = Array.from({ length: clients }, async () => {
      for (let call = 0; call < (1.1 * limit) / clients; call++) {
        const { status } = await service.call('POST', '/brain/stats', {
          key: limited.key,
          body: { user_id: 'x' },
        })
        rated.push(status)
      }
    })
    const answers = await mixedCalls(service, key)
    await Promise.all(asking)
    report('starved', answers)
    const through = rated.filter((status) => status === 200).length
    console.log(`starved: ${through} of ${rated.length} calls let through, ${limit} allowed`)
    assert.deepEqual(answers.filter(({ ms }) => ms >= answerMs).slice(0, 3), [])
    assert.deepEqual(answers.filter(({ status }) => status !== 200).slice(0, 3), [])
    assert.equal(through, limit)
  } finally {
    feed()
    await service.close()
  }
})
