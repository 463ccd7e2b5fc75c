import { isReady } from '../health.ts'
import { defineRoute } from '../route.ts'
import { healthReply } from './replies.ts'

/** GET /brain/health */
export const health = defineRoute({
  method: 'GET',
  path: '/brain/health',
  auth: 'none',
  operationId: 'health',
  summary: 'Say whether the service can be used',
  description: 'Always 200, within milliseconds; `ready` is the signal to look at.',
  cost: 0,
  params: null,
  query: null,
  body: null,
  reply: healthReply,
  handle: (_input, { health }) => ({
    ready: isReady(health),
    modelsLoaded: health.models() === 'loaded',
    models: health.models(),
    ...health.stores(),
    version: health.version,
    embedder: health.embedder,
    mode: health.mode,
  }),
})
