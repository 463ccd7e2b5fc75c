// Brings the Node that memoryd needs where the machine's is too old: from the npm registry, by the user's own npm, once.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { binaryName, neededMajor, npmCommand } from './runtime.mjs'

/**
 * The binary of a package with Node, installed into the user's cache where it is missing. `run` starts a command and
 * gives its exit code.
 */
export async function bringNode(name, version, run) {
  const cache = cacheFolder()
  const place = join(cache, `${name}-${version}`)
  const binary = join(place, 'node_modules', name, 'bin', binaryName)
  if (existsSync(binary)) return binary
  say(`Node ${process.versions.node} is too old: fetching Node ${version} with npm, once, into ${place}`)
  let folder
  try {
    mkdirSync(cache, { recursive: true })
    folder = mkdtempSync(join(cache, 'new-'))
    await install(folder, `${name}@${version}`, run)
    settle(folder, place, binary)
    return binary
  } catch (error) {
    throw new Error(`${error.message} ${advice}`)
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

const advice =
  `Needed once is npm with a way to its registry; or start memoryd with Node ${neededMajor} or newer ` +
  '(https://nodejs.org), which then is all it needs.'

function cacheFolder() {
  if (process.platform === 'win32' && process.env.LOCALAPPDATA)
    return join(process.env.LOCALAPPDATA, 'memoryd')
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'memoryd')
}

async function install(folder, wanted, run) {
  // Without one, npm would look for a project above.
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const flags = [
    '--global=false',
    '--ignore-scripts',
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
  ]
  const [command, args, options] = npmCommand(['install', ...flags, '--loglevel=error', wanted])
  // What it says when all went well is left out.
  const code = await run(command, args, { ...options, cwd: folder, stdio: ['ignore', 'ignore', 2] })
  if (code !== 0) throw new Error(`npm could not install ${wanted}; what it said is above.`)
}

/** Complete or not there: of two that start at once, the second finds the place taken, and uses what is there. */
function settle(folder, place, binary) {
  try {
    renameSync(folder, place)
  } catch (error) {
    if (!existsSync(binary)) throw error
  }
}

function say(message) {
  process.stderr.write(`memoryd: ${message}\n`)
}
