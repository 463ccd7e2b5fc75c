#!/usr/bin/env node
// Starts the command line with the Node version that memoryd brings along, whatever runs this file.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const neededMajor = 26

const child = spawn(
  runtime(),
  [
    '--disable-warning=ExperimentalWarning',
    '--import',
    join(root, 'bin', 'strip-types.mjs'),
    join(root, 'src', 'cli.ts'),
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
)
// The child gets the terminal's own signals; those that were sent to this process alone are passed on.
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
process.on('SIGINT', () => {})
child.on('error', (error) => {
  process.stderr.write(`memoryd: cannot start Node: ${error.message}\n`)
  process.exitCode = 1
})
child.on('exit', (code, signal) => {
  process.exitCode = signal === null ? code : 1
})

/** The binary of the `node` package, wherever npm put it; the running one when it is new enough. */
function runtime() {
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json')
    const binary = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    if (existsSync(binary)) return binary
  } catch {
    // Said below.
  }
  process.stderr.write(`memoryd: needs Node ${neededMajor}; reinstall memoryd with install scripts allowed\n`)
  process.exit(1)
}
