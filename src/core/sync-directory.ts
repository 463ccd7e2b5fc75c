import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A new name is safe when its directory is. Windows has no such call. */
export function syncDirectory(directory: string): void {
  if (process.platform === 'win32') return
  const handle = openSync(directory, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
