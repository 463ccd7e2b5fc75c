import { z } from 'zod'
import { tierNames } from '../../accounts/tiers.ts'
import { ServiceError } from '../../core/errors.ts'
import { accountName, memoryId, optional, whole } from '../fields.ts'
import { defineRoute } from '../route.ts'
import { accountReply, issuedKeyReply, keysReply, revokeReply } from './replies.ts'

const tier = z
  .string({ error: `tier must be one of ${tierNames.join(', ')}` })
  .toLowerCase()
  .pipe(z.enum(tierNames, `tier must be one of ${tierNames.join(', ')}`))

const monthlyOps = whole('monthly_ops', 0, Number.MAX_SAFE_INTEGER)

const bodyError = { error: 'the body must be a JSON object' }
const byId = z.object({ id: memoryId })
const secondsPerDay = 86_400

/** POST /admin/keys */
export const createKey = defineRoute({
  method: 'POST',
  path: '/admin/keys',
  auth: 'admin',
  summary: 'Issue a key',
  description:
    'Creates the account when it is new, otherwise sets its tier. Without `monthly_ops` an override stays as it is; null removes it.',
  cost: 0,
  status: 201,
  params: null,
  query: null,
  body: z.object({ account: accountName, tier, monthly_ops: monthlyOps.nullable().optional() }, bodyError),
  reply: issuedKeyReply,
  example: { account: 'acme', tier: 'pro' },
  handle: ({ body }, { accounts }) => accounts.issue(body),
})

/** GET /admin/keys */
export const listKeys = defineRoute({
  method: 'GET',
  path: '/admin/keys',
  auth: 'admin',
  summary: 'List keys and accounts',
  cost: 0,
  params: null,
  query: null,
  body: null,
  reply: keysReply,
  handle: async (_input, { accounts }) => ({
    keys: await accounts.keys(),
    accounts: await accounts.accounts(),
  }),
})

/** POST /admin/keys/{id}/rotate */
export const rotateKey = defineRoute({
  method: 'POST',
  path: '/admin/keys/{id}/rotate',
  auth: 'admin',
  summary: 'Replace a key',
  description: 'The old key stays valid for `grace_seconds` and shares its rate window with the new one.',
  cost: 0,
  status: 201,
  params: byId,
  query: null,
  body: z.object(
    { grace_seconds: optional(whole('grace_seconds', 0, 365 * secondsPerDay), secondsPerDay) },
    bodyError,
  ),
  mayBeEmpty: true,
  reply: issuedKeyReply,
  example: { grace_seconds: 3_600 },
  handle: async ({ params, body }, { accounts }) =>
    known(await accounts.rotate(params.id, body.graceSeconds), 'There is no active key with this id.'),
})

/** DELETE /admin/keys/{id} */
export const revokeKey = defineRoute({
  method: 'DELETE',
  path: '/admin/keys/{id}',
  auth: 'admin',
  summary: 'Revoke a key',
  description: 'It is not valid from now on. Revoking it again changes nothing.',
  cost: 0,
  params: byId,
  query: null,
  body: null,
  reply: revokeReply,
  handle: async ({ params }, { accounts }) => {
    if (!(await accounts.revoke(params.id))) throw unknown('There is no key with this id.')
    return { id: params.id, revoked: true }
  },
})

/** PATCH /admin/accounts/{account} */
export const patchAccount = defineRoute({
  method: 'PATCH',
  path: '/admin/accounts/{account}',
  auth: 'admin',
  summary: 'Change the tier or the monthly budget of an account',
  cost: 0,
  params: z.object({ account: accountName }),
  query: null,
  body: z.object({ tier: tier.nullish(), monthly_ops: monthlyOps.nullable().optional() }, bodyError),
  reply: accountReply,
  example: { tier: 'scale', monthly_ops: 20_000_000 },
  handle: async ({ params, body }, { accounts }) =>
    known(await accounts.patch(params.account, body), 'There is no account with this name.'),
})

function known<T>(value: T | null, detail: string): T {
  if (value === null) throw unknown(detail)
  return value
}

function unknown(detail: string): ServiceError {
  return new ServiceError('not_found', { detail })
}
