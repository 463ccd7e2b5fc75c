import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname, '..')
const address = (file: string) => JSON.stringify(pathToFileURL(path.join(root, file)).href)

// onnxruntime keeps an id in the home directory when it reports to its maker.
for (const [name, script] of [
  [
    'models',
    `const { openModelThread } = await import(${address('src/models/embedder/model-thread.ts')})
    await (await openModelThread({ facts: false })).close()`,
  ],
  [
    'pair model',
    `const { createLocalRelation } = await import(${address('src/models/relation/local-relation.ts')})
    await (await createLocalRelation()).close()`,
  ],
] as const) {
  test(`the thread of the ${name} reports to nobody`, () => {
    const home = mkdtempSync(path.join(tmpdir(), 'memoryd-home-'))
    const { PATH } = process.env
    // Nothing of this environment: in the one of a build server it would be silent by itself.
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: { PATH, HOME: home } })
    assert.deepEqual(readdirSync(home, { recursive: true }), [])
    rmSync(home, { recursive: true })
  })
}
