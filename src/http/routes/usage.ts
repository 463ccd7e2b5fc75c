import { defineRoute } from '../route.ts'
import { usageReply } from './account-replies.ts'

/** GET /brain/usage */
export const usage = defineRoute({
  method: 'GET',
  path: '/brain/usage',
  auth: 'key',
  operationId: 'usage',
  summary: 'Show what is used and what is left',
  description:
    'The operations of this UTC month, the rate of this key with this call counted, and the programs that called last. A program is named by `x-client`, or else by its `User-Agent`; what it did shows within seconds.',
  cost: 0,
  params: null,
  query: null,
  body: null,
  reply: usageReply,
  handle: (_input, { usage }) => usage(),
})
