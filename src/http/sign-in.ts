import { createHash, randomBytes } from 'node:crypto'
import type { Clock, Seconds } from '../core/clock.ts'

/** How long a link may be opened. */
const lifetime: Seconds = 15 * 60

/** Links that sign a browser in once. They live in this process alone: a restart ends them. */
export interface SignInLinks {
  /** A token that can be exchanged for the key once, within minutes. */
  issue(key: string): string
  /** The key; null when the token is unknown, used or too old. */
  redeem(token: string): string | null
}

export function createSignInLinks(clock: Clock): SignInLinks {
  // By digest: looking one up takes no time that would tell a token.
  const waiting = new Map<string, { readonly key: string; readonly until: Seconds }>()
  const digest = (token: string) => createHash('sha256').update(token).digest('base64')
  return {
    issue: (key) => {
      const token = randomBytes(24).toString('base64url')
      waiting.set(digest(token), { key, until: clock.now() + lifetime })
      return token
    },
    redeem: (token) => {
      const name = digest(token)
      const found = waiting.get(name)
      waiting.delete(name)
      return found === undefined || clock.now() >= found.until ? null : found.key
    },
  }
}
