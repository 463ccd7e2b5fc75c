#!/usr/bin/env node
// Starts the command line with the Node version that memoryd brings along, whatever runs this file.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { neededMajor, runtimePackage } from './runtime.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

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
// An interrupt mostly goes to the whole group, the child included, which takes a second one as an order to end at once.
// It is passed on as SIGTERM, which ends the child in order, however many processes were interrupted.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill('SIGTERM'))
process.on('SIGHUP', () => child.kill('SIGHUP'))
const parentWatch = process.env.npm_command === 'exec' ? watchParent() : undefined
child.on('error', (error) => {
  process.stderr.write(`memoryd: cannot start Node: ${error.message}\n`)
  clearInterval(parentWatch)
  process.exitCode = 1
})
child.on('exit', (code, signal) => {
  clearInterval(parentWatch)
  process.exitCode = signal === null ? code : 1
})

/** npx does not pass a signal on, it just ends, and with it the shell that it ran this in. */
function watchParent() {
  const parent = process.ppid
  return setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 500)
}

/** The binary that came with memoryd, wherever npm put it; the running one when it is new enough. */
function runtime() {
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return process.execPath
  const name = runtimePackage()
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const binary = join(dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
    if (existsSync(binary)) return binary
  } catch {
    // Said below.
  }
  process.stderr.write(
    `memoryd: needs Node ${neededMajor}, this is ${process.versions.node}, and the package ${name} that brings it is ` +
      `missing. Install memoryd with optional dependencies, or run it with Node ${neededMajor}.\n`,
  )
  process.exit(1)
}
