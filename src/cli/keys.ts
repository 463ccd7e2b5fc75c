import { parseArgs } from 'node:util'
import type { AccountInfo, IssuedKey, KeyAdministration, KeyInfo } from '../accounts/accounts.ts'
import { type TierName, tierNames } from '../accounts/tiers.ts'
import type { Config } from '../config.ts'
import { ServiceError } from '../core/errors.ts'
import { createLog } from '../observe/log.ts'
import { openAccounts } from '../service/accounts.ts'
import { requireStore } from '../service/stores.ts'
import { type Command, CommandFailure, type CommandParts, UsageError } from './command.ts'
import { makeDirectory } from './directories.ts'
import { remoteAccounts } from './remote-accounts.ts'

interface Action {
  readonly usage: string
  /** Where there is no store yet, it begins one. */
  readonly makesStore?: boolean
  run(args: readonly string[], keys: KeyAdministration, parts: CommandParts): Promise<void>
}

const options = {
  tier: { type: 'string' },
  'monthly-ops': { type: 'string' },
  'grace-seconds': { type: 'string' },
  json: { type: 'boolean' },
} as const

const actions: Readonly<Record<string, Action>> = {
  create: {
    usage: 'create ACCOUNT [--tier TIER] [--monthly-ops N]',
    makesStore: true,
    run: async (args, keys, { terminal }) => {
      const { values, name } = parsed(args, 'ACCOUNT')
      const issued = await keys.issue({
        account: name,
        tier: values.tier === undefined ? undefined : tierOf(values.tier),
        monthlyOps: wholeOrUndefined('--monthly-ops', values['monthly-ops']),
      })
      show(issued, values.json === true, issuedText, terminal.out)
    },
  },
  list: {
    usage: 'list [--json]',
    run: async (args, keys, { terminal }) => {
      const { values } = flags(args)
      const found = { keys: await keys.keys(), accounts: await keys.accounts() }
      show(found, values.json === true, listText, terminal.out)
    },
  },
  rotate: {
    usage: 'rotate KEY_ID [--grace-seconds N]',
    run: async (args, keys, { terminal }) => {
      const { values, name } = parsed(args, 'KEY_ID')
      const grace = wholeOrUndefined('--grace-seconds', values['grace-seconds']) ?? 86_400
      const issued = known(await keys.rotate(name, grace), `there is no active key with id ${name}`)
      show(issued, values.json === true, issuedText, terminal.out)
    },
  },
  revoke: {
    usage: 'revoke KEY_ID',
    run: async (args, keys, { terminal }) => {
      const { name } = parsed(args, 'KEY_ID')
      if (!(await keys.revoke(name))) throw new CommandFailure(`there is no key with id ${name}`)
      terminal.out(`Revoked ${name}.`)
    },
  },
  tier: {
    usage: 'tier ACCOUNT TIER [--monthly-ops N|none]',
    run: async (args, keys, { terminal }) => {
      const { values, name, second } = parsed(args, 'ACCOUNT and a TIER')
      const ops = values['monthly-ops']
      const changed = await keys.patch(name, {
        tier: tierOf(second ?? ''),
        monthlyOps: ops === 'none' ? null : wholeOrUndefined('--monthly-ops', ops),
      })
      show(known(changed, `there is no account ${name}`), values.json === true, accountText, terminal.out)
    },
  },
}

/** `memoryd keys …`: through the running server, or on the store when none runs. */
export const keys: Command = {
  usage: Object.values(actions)
    .map(({ usage }) => usage)
    .join('\n       memoryd keys '),
  run: async (args, parts) => {
    const [name = '', ...rest] = args
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined)
      throw new UsageError(name === '' ? 'keys needs an action' : `keys has no action ${name}`)
    const config = parts.config()
    if (action.makesStore) makeDirectory('DATA_DIR', config.dataDir)
    const administration = await openAdministration(config, action.makesStore)
    try {
      await action.run(rest, administration, parts)
      return 0
    } catch (error) {
      if (error instanceof ServiceError) throw new CommandFailure(error.message)
      throw error
    } finally {
      await administration.close()
    }
  },
}

/** The store when nobody uses it; when a server does, that server. */
export async function openAdministration(
  config: Config,
  makesStore = false,
): Promise<KeyAdministration & { close(): Promise<void> }> {
  if (config.stores.mode === 'embedded' && !makesStore) requireStore(config.dataDir)
  try {
    return await openAccounts(config, createLog('error'))
  } catch (error) {
    const inUse = error instanceof Error && 'reason' in error && error.reason === 'in_use'
    if (!inUse) throw error
    return { ...(await remoteAccounts(config)), close: async () => {} }
  }
}

function flags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function parsed(args: readonly string[], needed: string) {
  const { values, positionals } = flags(args)
  const [name, second] = positionals
  if (name === undefined) throw new UsageError(`${needed} is missing`)
  return { values, name, second }
}

function tierOf(given: string): TierName {
  const tier = tierNames.find((name) => name === given.toLowerCase())
  if (tier === undefined) throw new UsageError(`the tier must be one of ${tierNames.join(', ')}`)
  return tier
}

function wholeOrUndefined(option: string, given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  if (!/^\d{1,15}$/.test(given)) throw new UsageError(`${option} must be a whole number`)
  return Number(given)
}

function known<T>(value: T | null, message: string): T {
  if (value === null) throw new CommandFailure(message)
  return value
}

function show<T>(value: T, asJson: boolean, text: (value: T) => string, out: (text: string) => void): void {
  out(asJson ? JSON.stringify(value, null, 2) : text(value))
}

const issuedText = ({ key, id, account, tier }: IssuedKey) =>
  `${key}\n\nThe key of account ${account} (tier ${tier}), id ${id}. It is shown this once.`

const accountText = ({ account, tier, monthlyOps }: AccountInfo) =>
  `${account}: tier ${tier}, monthly operations ${monthlyOps ?? 'of the tier'}`

function listText({
  keys,
  accounts,
}: {
  keys: readonly KeyInfo[]
  accounts: readonly AccountInfo[]
}): string {
  const rows = keys.map(({ id, account, tier, lastFour, createdAt, expiresAt, active }) => [
    id,
    account,
    tier,
    `…${lastFour}`,
    new Date(createdAt * 1000).toISOString().slice(0, 19),
    active
      ? expiresAt === null
        ? 'active'
        : `until ${new Date(expiresAt * 1000).toISOString().slice(0, 19)}`
      : 'ended',
  ])
  return [
    ...columns([['id', 'account', 'tier', 'key', 'created', 'state'], ...rows]),
    '',
    ...accounts.map(accountText),
  ].join('\n')
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? []
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
