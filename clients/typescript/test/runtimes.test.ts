// The package as it is published, in an empty project, on every runtime that the README names.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { startServer, type TestServer } from './server.ts'

const run = promisify(execFile)
const runtimes = ['bun@1.4.4', 'deno@2.9.6', 'workerd@1.20261104.1']
/** Not this machine's own name, so that the page is as little trusted as one on a local network. */
const pageHost = 'app.example'

const pages = createServer(async (request, response) => {
  const name = new URL(request.url ?? '', 'http://pages').pathname.slice(1)
  const type = name.endsWith('.html') ? 'text/html' : 'text/javascript'
  const content = await readFile(path.join(folder, name)).catch(() => null)
  response.writeHead(content === null ? 404 : 200, { 'content-type': type }).end(content)
})

let folder: string
let origin: string
let server: TestServer

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'memoryd-runtimes-'))
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve))
  origin = `http://${pageHost}:${(pages.address() as AddressInfo).port}`
  server = await startServer({ ALLOWED_ORIGINS: origin })
  await cp(path.join(import.meta.dirname, 'runtimes'), folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module", "private": true }')
  const root = path.join(import.meta.dirname, '..')
  // What is built is packed as it is: other tests are reading it.
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, { cwd: root })
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error']
  await run('npm', ['install', ...quiet, `./${stdout.trim()}`, ...runtimes], { cwd: folder })
  await cp(path.join(folder, 'node_modules', '@memoryd', 'client', 'dist'), path.join(folder, 'client'), {
    recursive: true,
  })
})
after(async () => {
  await server?.close()
  pages.close()
  await rm(folder, { recursive: true, force: true })
})

/** What the program printed, which is the same everywhere. */
function check(printed: string): void {
  const { first, ...others } = JSON.parse(printed)
  assert.match(first, /Maria.*Lisbon/)
  assert.deepEqual(others, { wrong: 'k', knowsTheRequest: true, memories: 3 })
}

/** A program of one of the packages, not through a script of npm's, which would be run by Node. */
async function binary(pattern: string): Promise<string> {
  const [found] = await Array.fromAsync(glob(pattern, { cwd: path.join(folder, 'node_modules') }))
  assert.ok(found, `npm installed no ${pattern} for this machine`)
  return path.join(folder, 'node_modules', found)
}

for (const [name, find, options] of [
  ['Node', async () => process.execPath, []],
  ['Bun', () => binary('@oven/bun-*/bin/bun'), []],
  [
    'Deno',
    () => binary('@deno/*/deno'),
    [...['run', '--node-modules-dir=manual', '--no-prompt'], '--allow-net', '--allow-env'],
  ],
] as const)
  test(name, async () => {
    const env = { ...process.env, MEMORYD_URL: server.url, MEMORYD_API_KEY: server.key, DENO_DIR: folder }
    const command = await find()
    const { stdout } = await run(command, [...options, 'main.js', name], { cwd: folder, env })
    check(stdout)
  })

test('workerd, as at the edge', async () => {
  const modules = ['worker.js', 'program.js', ...['index', 'client', 'transport', 'errors'].map(inClient)]
  const embedded = modules.map((name) => `(name = "${name}", esModule = embed "${name}")`)
  const options = { url: server.url, key: server.key, persona: 'workerd' }
  const bindings = Object.entries(options).map(([name, value]) => `(name = "${name}", text = "${value}")`)
  const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "internet", network = (allow = ["local", "private"])),
  (name = "main", worker = (
    compatibilityDate = "2026-01-01",
    modules = [${embedded}],
    bindings = [${bindings}],
  )),
]);`
  await writeFile(path.join(folder, 'config.capnp'), config)
  const command = await binary('@cloudflare/workerd-*/bin/workerd')
  const { stdout } = await run(command, ['test', 'config.capnp'], { cwd: folder })
  check(stdout)
})

test('a page of another origin in a browser', async () => {
  const args = ['--no-sandbox', `--host-resolver-rules=MAP ${pageHost} 127.0.0.1`]
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
  try {
    const page = await browser.newPage()
    const options = new URLSearchParams({ url: server.url, key: server.key, persona: 'page' })
    await page.goto(`${origin}/page.html?${options}`)
    await page.waitForFunction('document.title.startsWith("{") || document.title.includes("Error")')
    check(await page.title())
  } finally {
    await browser.close()
  }
})

function inClient(name: string): string {
  return `client/${name}.js`
}
