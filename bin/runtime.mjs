// Which Node memoryd runs on, and the npm package that carries its binary: a package per platform, without install scripts.
import { basename } from 'node:path'

export const neededMajor = 26

export const isNewEnough = Number(process.versions.node.split('.')[0]) >= neededMajor

/** The package with Node's binary for a platform. */
export function runtimePackage(platform = process.platform, arch = process.arch) {
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`
}

export const binaryName = process.platform === 'win32' ? 'node.exe' : 'node'

/** How npm is started: the one that runs this where there is one, with the Node that runs it. */
export function npmCommand(args) {
  const npm = process.env.npm_execpath || ''
  if (basename(npm) === 'npm-cli.js') return [process.execPath, [npm].concat(args), {}]
  return ['npm', args, { shell: process.platform === 'win32' }]
}
