import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import asc from 'assemblyscript/asc'

const file = (name: string) => readFileSync(new URL(name, import.meta.url))

test('the compiled kernel is what its source compiles to', async () => {
  const scripts = JSON.parse(file('../../../../package.json').toString()) as {
    scripts: Record<string, string>
  }
  const options = (scripts.scripts['build:kernels:extractor'] ?? '').split(' ').slice(1)
  const [source = ''] = options
  const flags = options.slice(1).filter((flag, at, all) => flag !== '-o' && all[at - 1] !== '-o')
  let binary: Uint8Array | null = null
  const { error } = await asc.main([source, '--outFile', 'matrix.wasm', ...flags], {
    readFile: (name) => (name === source ? file('matrix.kernel.ts').toString() : null),
    writeFile: (_, contents) => {
      if (typeof contents !== 'string') binary = contents
    },
    listFiles: () => [],
  })
  assert.equal(error, null)
  assert.deepEqual(Buffer.from(binary ?? []), file('matrix.wasm'))
})
