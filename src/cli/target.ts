import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { readPrivate } from '../secrets.ts'
import { CommandFailure, type CommandParts, UsageError } from './command.ts'

/** A server, and the key of an account there. */
export interface Target {
  readonly url: string
  readonly key: string
}

export const targetOptions = { url: { type: 'string' }, key: { type: 'string' } } as const

/** The server and key that are named by option or environment, else the running server of the data directory and its first key. */
export async function targetOf(
  { config: read, environment }: CommandParts,
  given: { readonly url?: string | undefined; readonly key?: string | undefined },
): Promise<Target> {
  const url = given.url ?? environment.MEMORYD_URL
  if (url !== undefined && !URL.canParse(url)) throw new UsageError('--url must be an address')
  const named = { url: url?.replace(/\/+$/, ''), key: given.key ?? environment.MEMORYD_API_KEY }
  if (named.url !== undefined && named.key !== undefined) return { url: named.url, key: named.key }
  const { dataDir, port } = read()
  const kept = await readPrivate(dataDir, 'address')
  const address = named.url ?? kept ?? (port === 0 ? undefined : `http://127.0.0.1:${port}`)
  const key = named.key ?? (await readPrivate(dataDir, 'defaultKey')) ?? undefined
  if (address === undefined || (key === undefined && (named.url ?? kept) === null))
    throw new CommandFailure(`no server runs on ${dataDir}; start it, or name one with --url and --key`)
  if (key === undefined)
    throw new CommandFailure(
      `${dataDir} holds no key; give one with --key, or make one with "memoryd keys create NAME"`,
    )
  return { url: address, key }
}

/** Options and the rest of a command line; what is wrong with it is a UsageError. */
export function argumentsOf<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}
