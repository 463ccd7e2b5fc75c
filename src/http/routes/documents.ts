import { z } from 'zod'
import { ServiceError } from '../../core/errors.ts'
import { sharedPersona } from '../../memory/model.ts'
import {
  digits,
  documentContent,
  documentPath,
  limits,
  metadata,
  occurredAt,
  optional,
  persona,
  visible,
} from '../fields.ts'
import { defineRoute } from '../route.ts'
import { refuseFuture } from './ingest.ts'
import { ingestReply } from './ingest-replies.ts'

const documentInfo = z
  .object({
    path: z.string().describe('where it lies'),
    content_type: z.string().describe('of its content'),
    metadata: z.record(z.string(), z.unknown()).nullable().describe('as it was sent'),
    bytes: z.int().min(0).describe('of its content in UTF-8'),
    etag: z.string().describe('changes with content, type and metadata'),
    created_at: z.number().describe('when its first version was written, or else came, in Unix seconds'),
    updated_at: z.number().describe('when this version was written, or else came, in Unix seconds'),
  })
  .meta({ id: 'Document' })

export const documentsReply = z.object({
  documents: z.array(documentInfo).describe('by path, without their content'),
  next_after: z.string().nullable().describe('null on the last page'),
})

const byPath = z.object({ path: documentPath.describe('names between slashes, at most 512 characters') })

const ofPersona = z.object({
  persona: optional(persona, sharedPersona).describe('the persona whose document it is'),
})

/** As much as an ingest of the same length. */
const opsPerText = 5

const contentType = z
  .enum(['text/markdown', 'text/plain'], 'content_type must be text/markdown or text/plain')
  .describe('of the content; it is sent with it when the document is read')

function found<T>(value: T | null): T {
  if (value === null) throw new ServiceError('not_found', { detail: 'There is no document at this path.' })
  return value
}

/** PUT /brain/documents/{path} */
export const putDocument = defineRoute({
  method: 'PUT',
  path: '/brain/documents/{path}',
  auth: 'key',
  operationId: 'putDocument',
  summary: 'Keep a document, or its next version',
  description:
    'Keeps the content as it is, and remembers what it says as source `document`, in pieces that carry the headings above them. Content and memories of the version before are replaced in one step; the same content, type and metadata again change nothing. The memories of a document do not fade.',
  cost: {
    text: '5 per 32,768 characters begun',
    of: ({ body }) => opsPerText * Math.max(1, Math.ceil(body.content.length / limits.textCharacters)),
  },
  params: byPath,
  query: ofPersona,
  body: z.object(
    {
      content: documentContent.describe('the document, at most 1 MiB in UTF-8'),
      content_type: optional(contentType, 'text/markdown'),
      metadata: optional(metadata, null).describe('kept with the document and its memories'),
      occurred_at: optional(occurredAt, null).describe(
        'when this version was written, in Unix seconds; null: now. Not in the future',
      ),
    },
    { error: 'the body must be a JSON object' },
  ),
  // Every byte of the content may be an escape of six.
  bodyBytes: 6 * limits.documentBytes + limits.bodyBytes,
  replayable: true,
  // A mebibyte is more than a thousand pieces to embed.
  deadlineMs: 600_000,
  reply: z.object({
    document: documentInfo.describe('the document as it is now'),
    created: z.boolean().describe('there was none at this path'),
    indexed: ingestReply.describe('what was remembered of it; `deduplicated`: it is the same as before'),
  }),
  example: { content: '# Boats\n\n## Moorings\n\nThe red boat lies in Porto.\n' },
  free: async ({ body }, { now }) => {
    refuseFuture([{ path: 'occurred_at', time: body.occurredAt }], now)
    return null
  },
  handle: ({ params: { path }, query, body }, { memory, namespace, signal }) =>
    memory.putDocument(
      namespace,
      { path, persona: query.persona, ...body, text: visible(body.content) },
      signal,
    ),
  headers: ({ document }) => ({ etag: `"${document.etag}"` }),
})

/** GET /brain/documents/{path} */
export const getDocument = defineRoute({
  method: 'GET',
  path: '/brain/documents/{path}',
  auth: 'key',
  operationId: 'getDocument',
  summary: 'Read a document',
  description:
    'The content byte for byte, with its type and an `ETag`. With `If-None-Match` and the same ETag the reply is 304 without content.',
  cost: 1,
  params: byPath,
  query: ofPersona,
  body: null,
  reply: documentInfo
    .extend({ content: z.string().describe('as it was sent') })
    .meta({ id: 'WholeDocument' }),
  rawType: 'text/markdown',
  handle: async ({ params, query }, { memory, namespace }) =>
    found(await memory.getDocument(namespace, query.persona, params.path)),
  headers: ({ contentType: type, etag }) => ({ 'content-type': `${type}; charset=utf-8`, etag: `"${etag}"` }),
  raw: ({ content, etag }, { headers }) => {
    const known = headers.get('if-none-match')?.split(',') ?? []
    const isKnown = known.some((tag) => tag.trim().replace(/^W\//, '') === `"${etag}"`)
    return isKnown ? { status: 304, text: '' } : { status: 200, text: content }
  },
})

/** DELETE /brain/documents/{path} */
export const deleteDocument = defineRoute({
  method: 'DELETE',
  path: '/brain/documents/{path}',
  auth: 'key',
  operationId: 'deleteDocument',
  summary: 'Delete a document and what was remembered of it',
  description: 'The content, the texts made of it and the facts that nothing else told, in one step.',
  cost: 1,
  params: byPath,
  query: ofPersona,
  body: null,
  reply: z.object({
    path: z.string().describe('where it lay'),
    memories: z.int().min(0).describe('texts and facts that went with it'),
  }),
  handle: async ({ params: { path }, query }, { memory, namespace }) => ({
    path,
    memories: found(await memory.deleteDocument(namespace, query.persona, path)),
  }),
})

/** GET /brain/documents */
export const listDocuments = defineRoute({
  method: 'GET',
  path: '/brain/documents',
  auth: 'key',
  operationId: 'listDocuments',
  summary: 'List documents',
  description: 'By path. Pass `next_after` as `after` for the page that follows; it is null on the last one.',
  cost: 1,
  params: null,
  query: ofPersona.extend({
    prefix: optional(z.string().max(limits.pathCharacters, 'prefix is too long'), '').describe(
      'only paths that begin with it',
    ),
    after: optional(z.string().max(limits.pathCharacters, 'after is too long'), null).describe(
      'only paths behind this one',
    ),
    limit: optional(digits('limit', 1, 100, 'integer'), 20).describe('entries of a page'),
  }),
  body: null,
  reply: documentsReply,
  handle: ({ query }, { memory, namespace }) => memory.listDocuments(namespace, query),
})
