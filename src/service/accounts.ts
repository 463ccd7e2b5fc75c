import { randomBytes } from 'node:crypto'
import { type Accounts, createAccounts } from '../accounts/accounts.ts'
import { tiersWith } from '../accounts/tiers.ts'
import { type AccountRecords, createAccountRecords } from '../archive/account-records.ts'
import type { Config } from '../config.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { randomId } from '../core/ids.ts'
import type { Log } from '../observe/log.ts'
import { type OpenStores, openStores, settled } from './stores.ts'

/** The accounts kept in opened stores. */
export function accountsOn(stores: OpenStores, config: Config, clock: Clock): Accounts {
  return createAccounts({
    stores: stores.accounts,
    tiers: tiersWith(config.monthlyOps),
    clock,
    newId: randomId,
    random: randomBytes,
  })
}

/** Everything of an account, in opened stores. */
export function recordsOn({ accounts, memory, archive }: OpenStores, clock: Clock): AccountRecords {
  return createAccountRecords({ accounts, memory, archive, clock })
}

/** The same of the configured backend, for the command line. */
export async function openAccountRecords(
  config: Config,
  log: Log,
): Promise<AccountRecords & { close(): Promise<void> }> {
  const stores = await openStores(config, log, { limitMs: patienceMs })
  await settled(stores)
  return { ...recordsOn(stores, systemClock), close: () => stores.close() }
}

/** A page of records is much, and nobody waits for it. */
const patienceMs = 60_000

/** The accounts of the configured backend, for the command line. */
export async function openAccounts(config: Config, log: Log): Promise<Accounts & { close(): Promise<void> }> {
  const stores = await openStores(config, log)
  await settled(stores)
  return { ...accountsOn(stores, config, systemClock), close: () => stores.close() }
}
