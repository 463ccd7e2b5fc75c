#!/usr/bin/env node
// Starts the command line with the Node version that memoryd needs, whatever runs this file.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bringNode } from './bring-node.mjs'
import { binaryName, isNewEnough, runtimePackage } from './runtime.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** What runs now: memoryd, before it npm where it has to bring Node. */
let child
// An interrupt mostly goes to the whole group, the child included, which takes a second one as an order to end at once.
// It is passed on as SIGTERM, which ends the child in order, however many processes were interrupted.
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child?.kill('SIGTERM'))
process.on('SIGHUP', () => child?.kill('SIGHUP'))
const parentWatch = process.env.npm_command === 'exec' ? watchParent() : undefined

try {
  const flags = ['--disable-warning=ExperimentalWarning', '--import', join(root, 'bin', 'strip-types.mjs')]
  const args = [...flags, join(root, 'src', 'cli.ts'), ...process.argv.slice(2)]
  process.exitCode = await run(await runtime(), args, { stdio: 'inherit' })
} catch (error) {
  process.stderr.write(`memoryd: ${error.message}\n`)
  process.exitCode = 1
} finally {
  clearInterval(parentWatch)
}

/** Starts a program and gives its exit code, 1 where a signal ended it; rejects when it cannot be started. */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    child = spawn(command, args, options)
    child.on('error', (error) => reject(new Error(`${command} could not be started (${error.message}).`)))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

/** npx does not pass a signal on, it just ends, and with it the shell that it ran this in. */
function watchParent() {
  const parent = process.ppid
  return setInterval(() => {
    if (process.ppid !== parent) child?.kill('SIGTERM')
  }, 500)
}

/** The running Node when it is new enough; else the one that npm installed beside memoryd, or that is brought now. */
async function runtime() {
  if (isNewEnough) return process.execPath
  const name = runtimePackage()
  const { optionalDependencies, nodePackages = optionalDependencies } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const version = nodePackages[name]
  return installedBeside(name, version) ?? bringNode(name, version, run)
}

function installedBeside(name, version) {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    const binary = join(dirname(manifest), 'bin', binaryName)
    const { version: found } = JSON.parse(readFileSync(manifest, 'utf8'))
    return found === version && existsSync(binary) ? binary : undefined
  } catch {
    return undefined
  }
}
