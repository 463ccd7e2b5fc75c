import { processEnvironment, readConfig } from '../config.ts'
import {
  type Command,
  CommandFailure,
  type CommandParts,
  ConfigurationError,
  type Terminal,
  UsageError,
} from './command.ts'
import { directoryProblem } from './directories.ts'

const processTerminal: Terminal = {
  outIsShown: process.stdout.isTTY === true,
  errIsShown: process.stderr.isTTY === true,
  out: (text) => process.stdout.write(`${text}\n`),
  err: (text) => process.stderr.write(`${text}\n`),
}

/** What a command gets from this process. */
export function processParts(): CommandParts {
  const environment = processEnvironment()
  for (const stream of [process.stdout, process.stderr]) stream.on('error', ignoreClosedPipe)
  return {
    environment,
    terminal: processTerminal,
    config: () => {
      const outcome = readConfig(environment)
      if (outcome.config !== null) {
        const problem = directoryProblem('DATA_DIR', outcome.config.dataDir)
        if (problem !== null) throw new CommandFailure(problem)
        return outcome.config
      }
      const lines = outcome.problems.map(({ variable, message }) => `  ${variable} ${message}`)
      throw new ConfigurationError(`The configuration has problems:\n${lines.join('\n')}`)
    },
  }
}

/** A reader that has seen enough, as `head` in a pipe, is no failure of ours. */
function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

/** Runs a command and turns what a person can put right into a message. Anything else is a bug and is thrown. */
export async function exitCodeOf(
  run: (parts: CommandParts) => ReturnType<Command['run']>,
  parts: CommandParts,
): Promise<number> {
  try {
    return await run(parts)
  } catch (error) {
    if (error instanceof UsageError) {
      parts.terminal.err(`memoryd: ${error.message}`)
      return 2
    }
    if (!isForPeople(error)) throw error
    parts.terminal.err(`memoryd: ${error.message}`)
    return 1
  }
}

/** Trouble with the data directory; the system's own message names the file. */
const systemCodes = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST'])

/** The store's refusals carry their advice in the message, as ours do. */
function isForPeople(error: unknown): error is Error {
  if (error instanceof ConfigurationError || error instanceof CommandFailure) return true
  if (!(error instanceof Error)) return false
  const isOfTheSystem = 'code' in error && systemCodes.has(String(error.code))
  return (
    isOfTheSystem || ['StoreRefused', 'BackupRefused', 'ServiceError', 'ModelMismatch'].includes(error.name)
  )
}
