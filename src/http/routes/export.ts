import { z } from 'zod'
import { defineRoute } from '../route.ts'
import { exportCursor, exportReply } from './account-replies.ts'

/** GET /brain/export */
export const exportTexts = defineRoute({
  method: 'GET',
  path: '/brain/export',
  auth: 'key',
  operationId: 'exportTexts',
  summary: 'Export what was told',
  description:
    'Every text, whole and in the order of storing, then every document, in the form that `memoryd import` takes back: a record a line, as JSON. Facts and vectors are not part of it, they are read from the texts anew. It is the last page when `next_cursor` is null.',
  cost: 1,
  params: null,
  query: z.object({ cursor: exportCursor }),
  body: null,
  reply: exportReply,
  handle: ({ query }, { texts }) => texts(query.cursor),
})
