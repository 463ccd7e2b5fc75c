import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openWorkerClient } from './worker-client.ts'

/** Answers a call with it and what was cancelled so far; `die` ends the thread, `refuse` fails. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    const cancelled = []
    parentPort.on('message', (message) => {
      if (message === 'close') return process.exit(0)
      if ('cancel' in message) return cancelled.push(message.cancel)
      const { id, request } = message
      if (request === 'die') return process.exit(7)
      const outcome = request === 'refuse' ? { id, ok: false, failure: 'no' } : { id, ok: true, result: [request, ...cancelled] }
      if (request !== 'silence') parentPort.postMessage({ kind: 'outcomes', outcomes: [outcome] })
    })
    parentPort.postMessage({ kind: 'ready' })`)}`,
)
const open = (onLost?: (cause: Error) => void) =>
  openWorkerClient<string, unknown>({
    script,
    unavailable: 'models_loading',
    closed: 'shutting_down',
    onLost,
  })

test('a thread that ends rejects all that waits, and a fresh one answers the next', async () => {
  const lost: string[] = []
  const client = await open(({ message }) => lost.push(message))
  const waiting = [client.call('die'), client.call('behind')]
  for (const call of waiting) await assert.rejects(call, { code: 'models_loading' })
  assert.deepEqual(lost, ['The thread ended (exit code 7).'])
  assert.deepEqual(await client.call('next'), ['next'])
  assert.deepEqual([client.pending, client.failure], [0, null])
  await client.close()
})

test('an abort rejects its call alone with the reason, and tells the thread', async () => {
  const client = await open()
  const hangUp = new AbortController()
  const reason = new Error('hung up')
  const aborted = client.call('silence', { signal: hangUp.signal })
  const other = client.call('other')
  assert.deepEqual(await other, ['other'])
  hangUp.abort(reason)
  await assert.rejects(aborted, reason)
  await assert.rejects(client.call('late', { signal: hangUp.signal }), reason)
  assert.deepEqual(await client.call('after'), ['after', 0])
  await client.close()
})

test('a failure is the failure of its call alone', async () => {
  const client = await open()
  await assert.rejects(client.call('refuse'), { message: 'no' })
  assert.deepEqual(await client.call('next'), ['next'])
  await client.close()
})

test('closing rejects what waits and what comes', async () => {
  const client = await open()
  const waiting = client.call('silence')
  await Promise.all([assert.rejects(waiting, { code: 'shutting_down' }), client.close(), client.close()])
  await assert.rejects(client.call('late'), { code: 'shutting_down' })
})

test('a thread that ends itself is told to close, and waited for', async () => {
  const client = await openWorkerClient<string, unknown>({
    ...{ script, unavailable: 'models_loading', closed: 'shutting_down', endsItself: true },
  })
  const waiting = client.call('silence')
  await Promise.all([assert.rejects(waiting, { code: 'shutting_down' }), client.close()])
})

test('a thread that does not start is a rejection with its reason', async () => {
  const broken = new URL(`data:text/javascript,${encodeURIComponent('throw new Error("damaged")')}`)
  const parts = { script: broken, unavailable: 'models_loading', closed: 'shutting_down' } as const
  await assert.rejects(openWorkerClient(parts), { message: 'damaged' })
})
