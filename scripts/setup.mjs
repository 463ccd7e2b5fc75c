// Makes a checkout ready to run: installs the packages of the lockfile when they are missing or stale, and makes
// sure that the Node version memoryd needs is among them. Plain JavaScript without dependencies: it runs before
// anything is installed, on whatever Node the machine has. Silent when there is nothing to do.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { binaryName, isNewEnough, neededMajor, npmCommand, runtimePackage } from '../bin/runtime.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

// onnxruntime-node's own install script fetches GPU libraries on x86_64; the CPU ones are in the package.
const environment = Object.assign({}, process.env, { ONNXRUNTIME_NODE_INSTALL: 'skip' })

const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'))
const omitsTools = withoutTools()
if (isStale() || !hasRuntime()) {
  say('installing packages (npm ci), once; this takes a minute or so')
  // Optional is the Node that memoryd brings, where this one is too old.
  const chosen = [
    omitsTools ? '--omit=dev' : '--include=dev',
    isNewEnough && omitsTools ? '--omit=optional' : '--include=optional',
  ]
  runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'].concat(chosen))
  if (!hasRuntime()) fail(`npm did not install ${runtimePackage()}, which brings Node ${neededMajor}.`)
}

/** Whether a package of the lockfile is missing, or installed in another version. */
function isStale() {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  return Object.keys(wanted).some((name) => {
    const entry = wanted[name]
    if (name === '' || entry.optional || (entry.dev && omitsTools)) return false
    return installed[name] === undefined || installed[name].version !== entry.version
  })
}

/** What npm wrote down about a tree; nothing where there is none. */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages || {}
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return {}
    throw error
  }
}

/** Who only runs memoryd gets none of the tools for work on it: `npm test` brings them. Where they are, they stay. */
function withoutTools() {
  if (environment.NODE_ENV === 'production' || /\bdev\b/.test(environment.npm_config_omit || '')) return true
  if (environment.npm_lifecycle_event === 'pretest') return false
  return !Object.keys(installed).some((name) => installed[name].dev && !installed[name].optional)
}

/** Whether this Node will do, or the one of the lockfile is there: optional, as it is another package on every platform. */
function hasRuntime() {
  if (isNewEnough) return true
  const folder = join(root, 'node_modules', runtimePackage())
  const binary = join(folder, 'bin', binaryName)
  if (!existsSync(binary) || statSync(binary).size < 1000000) return false
  return (
    Number(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version.split('.')[0]) >=
    neededMajor
  )
}

/** Everything it prints goes to standard error: standard output belongs to the command that follows. */
function runNpm(args) {
  const [command, all, options] = npmCommand(args)
  const result = spawnSync(command, all, { ...options, cwd: root, env: environment, stdio: ['ignore', 2, 2] })
  if (result.error) fail(`npm could not be started: ${result.error.message}`)
  if (result.status !== 0) fail(`"npm ${args.join(' ')}" failed; its output is above.`)
}

function say(message) {
  process.stderr.write(`memoryd: ${message}\n`)
}

function fail(message) {
  say(message)
  process.exit(1)
}
