import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Entry {
  readonly version?: string
  readonly optional?: boolean
}

const folder = import.meta.dirname
const installed = join(folder, 'node_modules', '.package-lock.json')

const packagesOf = (file: string): Readonly<Record<string, Entry>> =>
  JSON.parse(readFileSync(file, 'utf8')).packages

function isInstalled(): boolean {
  if (!existsSync(installed)) return false
  const found = packagesOf(installed)
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
    ([name, { version, optional }]) => name === '' || optional || found[name]?.version === version,
  )
}

/** Puts the packages of the lockfile into bench/peers/node_modules unless they are there. No install script runs. */
export function installPeers(): void {
  if (isInstalled()) return
  process.stderr.write('installing the packages of bench/peers (npm ci), once: 240 MB unpacked\n')
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status === 0) return
  process.stderr.write(
    `The packages of bench/peers could not be installed: "npm ${args.join(' ')}" failed in that folder${
      error === undefined ? ', its output is above' : ` (${error.message})`
    }. It needs npm and the registry that npm is set up for, and nothing else.\n`,
  )
  process.exit(1)
}
