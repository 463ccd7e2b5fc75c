// Which Node memoryd runs on, and the npm package that carries its binary: a package per platform, without install scripts.
export const neededMajor = 26

/** The package with Node's binary for this machine. */
export function runtimePackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const prefix = process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform}-${process.arch}`
}
