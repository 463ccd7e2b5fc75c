// mem0's own clients, as they are published, against a memoryd process with the models that ship.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { blocks } from '../../docs/pages.ts'

const folder = import.meta.dirname
const root = path.resolve(folder, '../../..')
const venv = path.join(folder, '.cache', 'venv')
const python = path.join(venv, 'bin', 'python')
const scratch = mkdtempSync(path.join(tmpdir(), 'memoryd-mem0-'))
const dataDir = path.join(scratch, 'data')
let server: ChildProcess
let settings: Record<string, string | undefined>

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, env, encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}: ${error ?? ''}${stdout}${stderr}`)
  return stdout
}

/** Installs what is not there in the versions of the lockfile and of requirements.txt. */
function install(): void {
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'])
  if (!existsSync(python)) run('python3', ['-m', 'venv', venv])
  run(python, ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '-r', 'requirements.txt'])
}

async function isReady(address: string): Promise<boolean> {
  const reply = await fetch(`${address}/brain/health`)
  return ((await reply.json()) as { ready: boolean }).ready
}

before(async () => {
  install()
  const { PATH } = process.env
  server = spawn(process.execPath, [path.join(root, 'src/main.ts')], {
    env: { PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const read = (name: string) => readFileSync(path.join(dataDir, name), 'utf8').trim()
  const isUp = () => existsSync(path.join(dataDir, 'address')) && isReady(read('address'))
  while (!(await isUp())) {
    assert.equal(server.exitCode, null, 'the server ended')
    await wait(200)
  }
  settings = {
    ...{ PATH, HOME: scratch, MEM0_DIR: path.join(scratch, 'mem0'), MEM0_TELEMETRY: 'false' },
    MEMORYD_API_KEY: read('default-key'),
    ...{ MEM0_HOST: `${read('address')}/compat/mem0`, MEM0_API_KEY: read('default-key') },
  }
})

after(async () => {
  if (server?.exitCode === null) {
    server.kill()
    await once(server, 'exit')
  }
  rmSync(scratch, { recursive: true, force: true })
})

test('mem0ai of npm adds, searches, lists, gets, updates, tells the history and deletes', () => {
  assert.match(run(process.execPath, ['client.mjs'], settings), /npm client: done/)
})

test('mem0ai of PyPI does the same, blocking and async', () => {
  assert.match(run(python, ['client.py'], settings), /Python client: done/)
})

for (const { language, line, text } of blocks.filter(({ page }) => page === 'docs/mem0.md')) {
  test(`docs/mem0.md, line ${line}, in ${language}: finds what it told`, () => {
    const file = path.join(folder, '.cache', `block.${language}`)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text.replace('http://127.0.0.1:7420/compat/mem0', String(settings.MEM0_HOST)))
    const program = language === 'python' ? python : process.execPath
    assert.equal(run(program, [file], settings).trim(), 'I am allergic to peanuts.')
  })
}
