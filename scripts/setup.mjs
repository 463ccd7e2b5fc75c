// Makes a checkout ready to run: installs the packages of the lockfile when they are missing or stale, and makes
// sure that the Node version memoryd needs is among them. Plain JavaScript without dependencies: it runs before
// anything is installed, on whatever Node the machine has. Silent when there is nothing to do.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const neededMajor = 26

// onnxruntime-node's own install script fetches GPU libraries on x86_64; the CPU ones are in the package.
const environment = Object.assign({}, process.env, { ONNXRUNTIME_NODE_INSTALL: 'skip' })

if (isStale()) {
  say('installing packages (npm ci), once; this takes a minute or so')
  runNpm(['ci', '--no-audit', '--no-fund', '--loglevel=error'])
}
if (!hasRuntime()) {
  say(`fetching Node ${neededMajor}, whatever this machine has`)
  run(process.execPath, ['installArchSpecificPackage.js'], join(root, 'node_modules', 'node'))
  if (!hasRuntime())
    fail(`node_modules/.bin/node is not Node ${neededMajor}. Delete node_modules and try again.`)
}

/** Whether a package of the lockfile is missing, or installed in another version. */
function isStale() {
  const wanted = packagesOf(join(root, 'package-lock.json'))
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  return Object.keys(wanted).some((name) => {
    const entry = wanted[name]
    if (name === '' || entry.optional || (entry.dev && withoutDevelopment())) return false
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

function withoutDevelopment() {
  return environment.NODE_ENV === 'production' || /\bdev\b/.test(environment.npm_config_omit || '')
}

/** The runtime's package puts the binary for this machine into its bin folder, as its install script ends. */
function hasRuntime() {
  const binary = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (!existsSync(binary) || statSync(binary).size < 1000000) return false
  const manifest = JSON.parse(readFileSync(join(root, 'node_modules', 'node', 'package.json'), 'utf8'))
  return Number(manifest.version.split('.')[0]) >= neededMajor
}

function runNpm(args) {
  const npm = environment.npm_execpath
  if (npm && /\.[cm]?js$/.test(npm)) run(process.execPath, [npm].concat(args), root)
  else run('npm', args, root)
}

/** Everything it prints goes to standard error: standard output belongs to the command that follows. */
function run(command, args, directory) {
  const result = spawnSync(command, args, {
    cwd: directory,
    env: environment,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (result.error) fail(`${command} could not be started: ${result.error.message}`)
  if (result.status !== 0) fail(`"${command} ${args.join(' ')}" failed; its output is above.`)
}

function say(message) {
  process.stderr.write(`memoryd: ${message}\n`)
}

function fail(message) {
  say(message)
  process.exit(1)
}
