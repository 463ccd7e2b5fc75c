import { z } from 'zod'
import { tierNames } from '../../accounts/tiers.ts'
import { ServiceError } from '../../core/errors.ts'
import { accountName, memoryId, optional, whole } from '../fields.ts'
import { defineRoute } from '../route.ts'
import {
  accountReply,
  erasureReply,
  exportCursor,
  exportReply,
  issuedKeyReply,
  keysReply,
  revokeReply,
} from './account-replies.ts'

const tier = z
  .string({ error: `tier must be one of ${tierNames.join(', ')}` })
  .toLowerCase()
  .pipe(z.enum(tierNames, `tier must be one of ${tierNames.join(', ')}`))
  .nullish()
  .describe(`the plan: ${tierNames.join(', ')}`)

const monthlyOps = whole('monthly_ops', 0, Number.MAX_SAFE_INTEGER)
  .nullable()
  .optional()
  .describe('operations a month, in place of those of the plan; null: those of the plan')

const bodyError = { error: 'the body must be a JSON object' }
const byId = z.object({ id: memoryId.describe('of a key') })
const byAccount = z.object({ account: accountName })
const noAccount = 'There is no account with this name.'
const secondsPerDay = 86_400

/** POST /admin/keys */
export const createKey = defineRoute({
  method: 'POST',
  path: '/admin/keys',
  auth: 'admin',
  operationId: 'createKey',
  summary: 'Issue a key',
  description:
    'Creates the account when it is new. Without `tier` an account keeps its own, and a new one is Enterprise, without limits. Without `monthly_ops` an override stays as it is; null removes it.',
  cost: 0,
  status: 201,
  params: null,
  query: null,
  body: z.object({ account: accountName, tier, monthly_ops: monthlyOps }, bodyError),
  reply: issuedKeyReply,
  example: { account: 'acme', tier: 'pro' },
  handle: ({ body }, { accounts }) => accounts.issue(body),
})

/** GET /admin/keys */
export const listKeys = defineRoute({
  method: 'GET',
  path: '/admin/keys',
  auth: 'admin',
  operationId: 'listKeys',
  summary: 'List keys and accounts',
  description: 'All of them, also keys that were revoked. A key itself is shown once, when it is issued.',
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
  operationId: 'rotateKey',
  summary: 'Replace a key',
  description: 'The old key stays valid for `grace_seconds` and shares its rate window with the new one.',
  cost: 0,
  status: 201,
  params: byId,
  query: null,
  body: z.object(
    {
      grace_seconds: optional(whole('grace_seconds', 0, 365 * secondsPerDay), secondsPerDay).describe(
        'how long the old key stays valid',
      ),
    },
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
  operationId: 'revokeKey',
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
  operationId: 'patchAccount',
  summary: 'Change the tier or the monthly budget of an account',
  description:
    'A field that is absent stays as it is. It holds for all keys of the account, from the next call on.',
  cost: 0,
  params: byAccount,
  query: null,
  body: z.object({ tier, monthly_ops: monthlyOps }, bodyError),
  reply: accountReply,
  example: { tier: 'scale', monthly_ops: 20_000_000 },
  handle: async ({ params, body }, { accounts }) =>
    known(await accounts.patch(params.account, body), noAccount),
})

/** DELETE /admin/accounts/{account} */
export const eraseAccount = defineRoute({
  method: 'DELETE',
  path: '/admin/accounts/{account}',
  auth: 'admin',
  operationId: 'eraseAccount',
  summary: 'Erase an account',
  description:
    'Ends its keys, then removes its memories, keys, usage and the account itself, for good, and counts again: `remaining` 0 is the proof. The name is free afterwards.',
  cost: 0,
  params: byAccount,
  query: null,
  body: null,
  reply: erasureReply,
  handle: async ({ params }, { records }) => known(await records.erase(params.account), noAccount),
})

/** GET /admin/accounts/{account}/export */
export const exportAccount = defineRoute({
  method: 'GET',
  path: '/admin/accounts/{account}/export',
  auth: 'admin',
  operationId: 'exportAccount',
  summary: 'Export an account',
  description:
    'Everything that is kept of it but its keys, page by page: a record of the archive a line, as JSON, vectors as base64 of their bytes; or with `form=texts` what was told, as `GET /brain/export` gives it. A page may be empty; it is the last one when `next_cursor` is null.',
  cost: 0,
  params: byAccount,
  query: z.object({
    cursor: exportCursor,
    form: optional(z.enum(['archive', 'texts'], 'form must be archive or texts'), 'archive').describe(
      'records as they are kept, or texts to be imported',
    ),
  }),
  body: null,
  reply: exportReply,
  example: { form: 'texts' },
  handle: async ({ params, query }, { records }) =>
    known(await records.export(params.account, query.cursor, query.form), noAccount),
})

function known<T>(value: T | null, detail: string): T {
  if (value === null) throw unknown(detail)
  return value
}

function unknown(detail: string): ServiceError {
  return new ServiceError('not_found', { detail })
}
