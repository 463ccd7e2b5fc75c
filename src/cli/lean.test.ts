import assert from 'node:assert/strict'
import { test } from 'node:test'
import { restartLean } from './lean.ts'

const skip = process.platform === 'linux' ? false : 'it is started again on Linux alone'

test('the process is not started again under a profiler, nor where its settings are chosen', {
  skip,
}, (t) => {
  const { execArgv, execve } = process
  t.after(() => Object.assign(process, { execArgv, execve }))
  process.execve = () => {
    throw new Error('started again')
  }
  process.execArgv = ['--cpu-prof', '--cpu-prof-interval=100']
  restartLean({})
  process.execArgv = []
  restartLean({ NODE_OPTIONS: '--enable-source-maps --cpu-prof' })
  restartLean({ MALLOC_ARENA_MAX: '1' })
  assert.throws(() => restartLean({}), /started again/)
})
