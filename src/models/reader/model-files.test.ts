import assert from 'node:assert/strict'
import { readdir, stat } from 'node:fs/promises'
import { test } from 'node:test'
import { encoderHash, verifyModelFiles } from './model-files.ts'
import manifest from './weights/manifest.json' with { type: 'json' }
import scale from './weights/scale.json' with { type: 'json' }

const folder = new URL('./weights/', import.meta.url)

test('every file of the models is what was shipped', async () => {
  const reports = await verifyModelFiles()
  assert.equal(reports.length, Object.values(manifest).flatMap(Object.keys).length)
  for (const report of reports) assert.deepEqual([report.ok, report.problem], [true, null], report.file)
})

test('the encoder takes at most 36 MB, its tokenizer included', async () => {
  const parts = [manifest['encoder-lower'], manifest['encoder-upper'], manifest.tokenizer]
  const files = parts.flatMap((part) => Object.keys(part))
  const sizes = await Promise.all(files.map(async (file) => (await stat(new URL(file, folder))).size))
  assert.ok(sizes.reduce((sum, size) => sum + size) <= 36_000_000)
})

test('no file lies beside the models that none of them names', async () => {
  const named = Object.values(manifest).flatMap(Object.keys)
  const known = new Set([...named, 'manifest.json', 'reference.json', 'scale.json'])
  assert.deepEqual(
    (await readdir(folder)).filter((file) => !known.has(file)),
    [],
  )
})

test('the common scale was fitted to these weights', () => assert.equal(scale.weights, encoderHash()))
