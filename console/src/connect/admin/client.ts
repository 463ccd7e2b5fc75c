import { signal } from '@preact/signals'
import { bearerClient, type components } from '../../api.ts'

export type Keys = components['schemas']['ListKeysReply']

export type Key = components['schemas']['Key']

export type Account = components['schemas']['Account']

export type Issued = components['schemas']['IssuedKey']

export type Tier = components['schemas']['Tier']

export const tiers: readonly Tier[] = ['free', 'starter', 'pro', 'scale', 'enterprise']

/** Opens every account: it is kept nowhere, and gone with the page. */
export const token = signal<string | null>(null)

export const list = (credential: string, abort: AbortSignal) =>
  bearerClient(credential).call<Keys>({ method: 'GET', path: '/admin/keys', signal: abort })

export const admin = () => bearerClient(token.peek() ?? '')
