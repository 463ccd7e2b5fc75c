import type { Config } from '../config.ts'

/** Where a command writes: what was asked for on `out`, everything else on `err`. */
export interface Terminal {
  /** Whether people read along. What is piped ends up in files and logs, so it gets no secrets. */
  readonly outIsShown: boolean
  readonly errIsShown: boolean
  out(text: string): void
  err(text: string): void
}

export interface CommandParts {
  readonly terminal: Terminal
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The configuration; its data directory may be missing. Throws ConfigurationError with every problem in it. */
  config(): Config
}

/** A command of the command line. Resolves to the exit code: 0 done, 1 failed. */
export interface Command {
  /** Arguments after the command's name, as shown in the usage. */
  readonly usage: string
  run(args: readonly string[], parts: CommandParts): Promise<number>
}

/** The command was called wrongly: the message says how, the exit code is 2. */
export class UsageError extends Error {}

/** The environment does not make a configuration; the message lists every problem. */
export class ConfigurationError extends Error {}

/** Something that a person can put right: the message is all they need. */
export class CommandFailure extends Error {}
