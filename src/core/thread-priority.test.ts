import assert from 'node:assert/strict'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

test('a thread steps behind the others of its process, which stay as they were', {
  skip: process.platform !== 'linux' && 'threads have no priority of their own here',
}, async () => {
  const before = getPriority()
  const script = `
    import { readlinkSync } from 'node:fs'
    import { getPriority } from 'node:os'
    import { parentPort } from 'node:worker_threads'
    import { stepBack } from '${import.meta.resolve('./thread-priority.ts')}'
    const own = () => getPriority(Number(readlinkSync('/proc/thread-self').split('/')[2]))
    const first = own()
    stepBack()
    parentPort.postMessage([first, own()])`
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`))
  const [[first, then]] = await once(worker, 'message')
  assert.equal(first, before)
  assert.equal(then, Math.min(19, first + 5))
  assert.equal(getPriority(), before)
  await once(worker, 'exit')
})
