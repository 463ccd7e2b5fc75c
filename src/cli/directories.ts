import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { CommandFailure } from './command.ts'

/** Settings that name a directory. */
type Setting = 'DATA_DIR' | 'BACKUP_DIR'

/** Why this cannot be the directory, in a sentence; null when it can, or can be made. Changes nothing. */
export function directoryProblem(setting: Setting, directory: string): string | null {
  const place = nearestExisting(directory)
  if (!statSync(place).isDirectory())
    return `${setting} is ${directory}, but ${place} is a file. Set ${setting} to a directory.`
  try {
    accessSync(place, constants.W_OK)
    return null
  } catch (error) {
    return cannotBeWritten(setting, directory, place, error)
  }
}

/** Makes the directory when it is missing, for its owner alone. Throws CommandFailure. */
export function makeDirectory(setting: Setting, directory: string): void {
  const problem = directoryProblem(setting, directory)
  if (problem !== null) throw new CommandFailure(problem)
  // Level by level: where the system answers as if a parent were missing, Node's own recursion has no end.
  for (const missing of missingLevels(directory)) {
    try {
      mkdirSync(missing, { mode: 0o700 })
    } catch (error) {
      if (existsSync(missing)) continue
      throw new CommandFailure(cannotBeWritten(setting, directory, path.dirname(missing), error))
    }
  }
}

function cannotBeWritten(setting: Setting, directory: string, place: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return `${setting} is ${directory}, but this user cannot write to ${place}${code}. Give the right to, or set ${setting} to another directory.`
}

function missingLevels(directory: string): string[] {
  return existsSync(directory) ? [] : [...missingLevels(path.dirname(directory)), directory]
}

/** The directory itself, or the nearest one above it that exists. */
export function nearestExisting(directory: string): string {
  return existsSync(directory) ? directory : nearestExisting(path.dirname(directory))
}
