import type { z } from 'zod'
import type { KeyAdministration } from '../accounts/accounts.ts'
import type { AccountAdministration } from '../archive/account-records.ts'
import type { Config } from '../config.ts'
import {
  accountReply,
  erasureReply,
  exportReply,
  issuedKeyReply,
  keysReply,
  revokeReply,
} from '../http/routes/account-replies.ts'
import { fromWire, type Inside, toWire } from '../http/wire.ts'
import { readPrivate } from '../secrets.ts'
import { CommandFailure } from './command.ts'

/** Longer than any answer of the admin API takes, shorter than patience. */
const timeoutMs = 15_000

/** The admin API of the server that uses this data directory. */
async function adminOf(config: Config): Promise<ReturnType<typeof callerOf>> {
  const address = await readPrivate(config.dataDir, 'address')
  const token = config.adminToken ?? (await readPrivate(config.dataDir, 'adminToken'))
  if (address === null || token === null) {
    throw new CommandFailure(
      `a process uses ${config.dataDir}, but does not say where it listens; wait until it has started, or stop it`,
    )
  }
  return callerOf(address, token)
}

/** Everything of an account of that server. */
export async function remoteRecords(config: Config): Promise<AccountAdministration> {
  const call = await adminOf(config)
  const place = (account: string) => `/admin/accounts/${encodeURIComponent(account)}`
  return {
    erase: (account) => call(erasureReply, 'DELETE', place(account)),
    export: (account, cursor, form = 'archive') => {
      const query = new URLSearchParams({ form, ...(cursor === null ? {} : { cursor }) })
      return call(exportReply, 'GET', `${place(account)}/export?${query}`)
    },
  }
}

/** The accounts of that server. */
export async function remoteAccounts(config: Config): Promise<KeyAdministration> {
  const call = await adminOf(config)
  const list = async () => present(await call(keysReply, 'GET', '/admin/keys'))
  const keyPath = (id: string) => `/admin/keys/${encodeURIComponent(id)}`
  return {
    issue: async (request) => present(await call(issuedKeyReply, 'POST', '/admin/keys', request)),
    keys: async () => (await list()).keys,
    accounts: async () => (await list()).accounts,
    rotate: (id, graceSeconds) => call(issuedKeyReply, 'POST', `${keyPath(id)}/rotate`, { graceSeconds }),
    revoke: async (id) => (await call(revokeReply, 'DELETE', keyPath(id))) !== null,
    patch: (account, change) =>
      call(accountReply, 'PATCH', `/admin/accounts/${encodeURIComponent(account)}`, change),
  }
}

/** Calls the admin API; null when it answers 404. */
function callerOf(address: string, token: string) {
  return async <Reply extends z.ZodType>(
    reply: Reply,
    method: string,
    path: string,
    body?: object,
  ): Promise<Inside<z.output<Reply>> | null> => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(toWire(body)) }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw new CommandFailure(`the server at ${address} does not answer (${String(error)})`)
    })
    if (response.status === 404) return null
    const answer: unknown = await response.json()
    if (response.ok) return fromWire(reply.parse(answer))
    throw new CommandFailure(`the server at ${address} says: ${detailOf(answer)}`)
  }
}

function detailOf(answer: unknown): string {
  const hasDetail = typeof answer === 'object' && answer !== null && 'detail' in answer
  return hasDetail ? String(answer.detail) : 'an answer that cannot be read'
}

function present<T>(value: T | null): T {
  if (value === null) throw new CommandFailure('the server does not have the admin API')
  return value
}
