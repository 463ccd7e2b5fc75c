import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openWorkerClient } from './worker-client.ts'

/** Each call takes three steps, but `log`, which answers with those that were done; one in capital letters is urgent. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { setTimeout } from 'node:timers/promises'
    import { serve } from '${import.meta.resolve('./worker-serve.ts')}'
    const done = []
    serve(async function* (name) {
      if (name === 'log') return done.splice(0)
      for (const step of [1, 2, 3]) {
        if (step > 1) yield
        done.push(name + step)
        await setTimeout(5)
      }
    }, (name) => name === name.toUpperCase())`)}`,
)
const client = await openWorkerClient<string, unknown>({
  ...{ script, unavailable: 'models_loading', closed: 'shutting_down', endsItself: true },
})
after(() => client.close())

test('calls of several steps take turns, and an urgent one goes between the steps of others', async () => {
  const stepsOf = async (...names: readonly string[]) => {
    await Promise.all(names.map((name) => client.call(name)))
    return client.call('log')
  }
  assert.deepEqual(await stepsOf('a', 'b'), ['a1', 'b1', 'a2', 'b2', 'a3', 'b3'])
  assert.deepEqual(await stepsOf('a', 'B'), ['a1', 'B1', 'B2', 'B3', 'a2', 'a3'])
})

test('a call that nobody waits for has no step after the one it is in', async () => {
  const hangUp = new AbortController()
  const aborted = client.call('a', { signal: hangUp.signal })
  const other = client.call('b')
  setTimeout(() => hangUp.abort(new Error('hung up')), 2)
  await assert.rejects(aborted, /hung up/)
  await other
  assert.deepEqual(await client.call('log'), ['a1', 'b1', 'b2', 'b3'])
})
