import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { CommandFailure } from './command.ts'

/** Why this cannot be the data directory, in a sentence; null when it can, or can be made. Changes nothing. */
export function dataDirectoryProblem(directory: string): string | null {
  const place = nearestExisting(directory)
  if (!statSync(place).isDirectory())
    return `DATA_DIR is ${directory}, but ${place} is a file. Set DATA_DIR to a directory.`
  try {
    accessSync(place, constants.W_OK)
    return null
  } catch (error) {
    return cannotBeWritten(directory, place, error)
  }
}

/** Makes the directory when it is missing, for its owner alone. Throws CommandFailure. */
export function makeDataDirectory(directory: string): void {
  const problem = dataDirectoryProblem(directory)
  if (problem !== null) throw new CommandFailure(problem)
  // Level by level: where the system answers as if a parent were missing, Node's own recursion has no end.
  for (const missing of missingLevels(directory)) {
    try {
      mkdirSync(missing, { mode: 0o700 })
    } catch (error) {
      if (existsSync(missing)) continue
      throw new CommandFailure(cannotBeWritten(directory, path.dirname(missing), error))
    }
  }
}

function cannotBeWritten(directory: string, place: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${error.code})` : ''
  return `DATA_DIR is ${directory}, but this user cannot write to ${place}${code}. Give the right to, or set DATA_DIR to another directory.`
}

function missingLevels(directory: string): string[] {
  return existsSync(directory) ? [] : [...missingLevels(path.dirname(directory)), directory]
}

/** The directory itself, or the nearest one above it that exists. */
export function nearestExisting(directory: string): string {
  return existsSync(directory) ? directory : nearestExisting(path.dirname(directory))
}
