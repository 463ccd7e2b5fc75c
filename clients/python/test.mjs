// Runs what checks the Python client, in an environment of its own: .venv, made when it is missing or out of date.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const here = import.meta.dirname
const python = path.join(here, '.venv', 'bin', 'python')
const wanted = ['requirements-dev.txt', 'pyproject.toml']
  .map((file) => readFileSync(path.join(here, file), 'utf8'))
  .join('')
const stamp = path.join(here, '.venv', 'installed')

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  run('python3', ['-m', 'venv', '--clear', '.venv'])
  run(python, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '-r',
    'requirements-dev.txt',
    '-e',
    '.',
  ])
  writeFileSync(stamp, wanted)
}
const document = spawnSync(process.execPath, ['../../scripts/openapi.ts'], {
  cwd: here,
  maxBuffer: 2 ** 26,
}).stdout
if (process.argv[2] === 'types') run(python, ['scripts/models.py'], document)
else {
  run(python, ['scripts/models.py', '--check'], document)
  run(python, ['-m', 'ruff', 'check', '.'])
  run(python, ['-m', 'ruff', 'format', '--check', '.'])
  run(python, ['-m', 'mypy'])
  run(python, ['-m', 'pytest', '-q'])
  run(python, ['-m', 'build', '--wheel', '--outdir', '.venv/wheel'])
  run('python3', ['-m', 'venv', '--clear', '.venv/empty'])
  const pip = path.join(here, '.venv', 'empty', 'bin', 'python')
  run(pip, [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--find-links',
    '.venv/wheel',
    'memoryd-client',
  ])
  run(pip, ['-c', 'import memoryd_client; print(memoryd_client.Memoryd)'])
}

function run(command, options, input = '') {
  const env = { ...process.env, MEMORYD_NODE: process.execPath }
  const { status } = spawnSync(command, options, {
    cwd: here,
    stdio: ['pipe', 'inherit', 'inherit'],
    input,
    env,
  })
  if (status !== 0) process.exit(status ?? 1)
}
