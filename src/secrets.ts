import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The small files beside the store. Each is readable by its owner alone. */
export const privateFiles = {
  adminToken: 'admin-token',
  defaultKey: 'default-key',
  /** Where the running server listens; the command line looks here. */
  address: 'address',
} as const

type PrivateFile = keyof typeof privateFiles

/** The file's text; null when there is none. */
export async function readPrivate(directory: string, name: PrivateFile): Promise<string | null> {
  try {
    const text = await readFile(path.join(directory, privateFiles[name]), 'utf8')
    return text.trim() === '' ? null : text.trim()
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export async function writePrivate(directory: string, name: PrivateFile, text: string): Promise<void> {
  const file = path.join(directory, privateFiles[name])
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(file, `${text}\n`, { mode: 0o600, flush: true })
  // An older file keeps its mode when it is overwritten.
  await chmod(file, 0o600)
}

/** A file that is not there is removed already. */
export async function removePrivate(directory: string, name: PrivateFile): Promise<void> {
  await rm(path.join(directory, privateFiles[name]), { force: true })
}

/** The admin token: the configured one, else the kept one, else a new one that is kept. */
export async function adminTokenOf(config: { adminToken: string | null; dataDir: string }): Promise<string> {
  if (config.adminToken !== null) return config.adminToken
  const kept = await readPrivate(config.dataDir, 'adminToken')
  if (kept !== null) return kept
  const made = randomBytes(24).toString('base64url')
  await writePrivate(config.dataDir, 'adminToken', made)
  return made
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
