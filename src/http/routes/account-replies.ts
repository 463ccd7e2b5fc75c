import { z } from 'zod'
import { tierNames } from '../../accounts/tiers.ts'
import { optional } from '../fields.ts'
import { count, unixSeconds } from './replies.ts'

const tierName = z.enum(tierNames).meta({ id: 'Tier' }).describe('the plan of the account')
const keyId = z.string().describe('of the key, for `/admin/keys/{id}`; not the key itself')
const owner = z.string().describe('the account')

const rateState = z
  .object({
    limit: count.describe('requests per minute'),
    remaining: count.describe('calls that would be admitted now'),
    reset_seconds: count.describe('whole seconds until it is more'),
  })
  .meta({ id: 'RateState' })

const clientCalls = z
  .object({
    client: z.string().describe('the program, by its own word'),
    calls: count.describe('how often it called'),
    last_call_at: unixSeconds.describe('when it called last, in Unix seconds'),
  })
  .meta({ id: 'ClientCalls' })

export const usageReply = z.object({
  account: z.string().describe('the account of the key'),
  tier: tierName,
  month: z.string().describe('the UTC month, as `2026-11`'),
  ops_used: count.describe('operations used in it'),
  ops_limit: count.nullable().describe('operations that the month has; null: no limit'),
  ops_remaining: count.nullable().describe('operations that are left; null: no limit'),
  resets_at: unixSeconds.describe('when the next month begins, in Unix seconds'),
  batch_items: count.describe('items that one batch may have'),
  rate: rateState.nullable().describe('of this key, with this call counted; null: no limit'),
  clients: z.array(clientCalls).describe('the 20 last callers, the last one first'),
})

export const issuedKeyReply = z
  .object({
    key: z.string().describe('shown once: only its hash is kept'),
    id: keyId,
    account: owner,
    tier: tierName,
  })
  .meta({ id: 'IssuedKey' })

const keyInfo = z
  .object({
    id: keyId,
    account: owner,
    tier: tierName,
    last_four: z.string().describe('the last four characters, to tell keys apart'),
    created_at: unixSeconds.describe('when it was issued, in Unix seconds'),
    expires_at: z.number().nullable().describe('not valid from then on; null: no end'),
    active: z.boolean().describe('it opens the account'),
  })
  .meta({ id: 'Key' })

export const accountReply = z
  .object({
    account: owner,
    tier: tierName,
    monthly_ops: z
      .int()
      .min(0)
      .nullable()
      .describe('replaces the budget of the tier; null: the own one of the tier'),
  })
  .meta({ id: 'Account' })

export const keysReply = z.object({
  keys: z.array(keyInfo).describe('of every account, ended ones too'),
  accounts: z.array(accountReply).describe('every account'),
})

export const revokeReply = z.object({
  id: keyId,
  revoked: z.boolean().describe('always true: it is not valid any more'),
})

export const erasureReply = z.object({
  account: owner,
  keys: count.describe('keys removed'),
  chunks: count.describe('texts removed'),
  relations: count.describe('facts removed'),
  entities: count.describe('entities removed'),
  remaining: count.describe('memories that are left, counted again: 0 is the proof'),
})

export const exportCursor = optional(z.string().max(2_048, 'cursor is not one of ours'), null).describe(
  '`next_cursor` of the page before',
)

export const exportReply = z.object({
  lines: z.array(z.string()).describe('one record each, as JSON'),
  next_cursor: z.string().nullable().describe('null on the last page'),
})
