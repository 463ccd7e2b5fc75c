import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { startServer, type TestServer } from './server.ts'

const run = promisify(execFile)
const root = path.join(import.meta.dirname, '..')
// Inside the package, where its own name leads to what is built.
const folder = path.join(root, 'dist', 'readme')
const readme = await readFile(path.join(root, 'README.md'), 'utf8')
const examples = [...readme.matchAll(/^## (.*)$|^```ts\n([\s\S]*?)^```$/gm)]

let server: TestServer
before(async () => {
  server = await startServer()
  await mkdir(folder, { recursive: true })
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

let title = 'the first example'
for (const [at, [, heading, code]] of examples.entries()) {
  if (heading !== undefined) title = heading
  if (code === undefined) continue
  test(`README, ${title}: runs and prints something`, async () => {
    const file = path.join(folder, `${at}.ts`)
    await writeFile(file, code)
    const env = { ...process.env, MEMORYD_URL: server.url, MEMORYD_API_KEY: server.key }
    const { stdout } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', file], {
      env,
      cwd: root,
    })
    assert.notEqual(stdout.trim(), '')
  })
}
