// Mastra's semantic recall as its documentation starts it, on one LibSQL file: the best 10 messages without their neighbours.
import { LibSQLStore, LibSQLVector } from '@mastra/libsql'
import { Memory } from '@mastra/memory'
import { openEmbedder, serve } from './serve.mjs'

const embed = await openEmbedder()
const [threadId, resourceId] = ['thread', 'somebody']
const url = 'file:./local.db'

const memory = new Memory({
  storage: new LibSQLStore({ id: 'storage', url }),
  vector: new LibSQLVector({ id: 'vector', url }),
  embedder: {
    specificationVersion: 'v2',
    ...{ provider: 'memoryd', modelId: 'memoryd-encoder' },
    ...{ maxEmbeddingsPerCall: 100, supportsParallelCalls: true },
    doEmbed: async ({ values }) => ({ embeddings: await embed(values) }),
  },
  options: { semanticRecall: { topK: 10, messageRange: 0 } },
})

let told = Date.now()
const messageOf = ({ id, text, source }) => ({
  ...{ id, threadId, resourceId, role: source, createdAt: new Date(told++) },
  content: { format: 2, parts: [{ type: 'text', text }] },
})
const textOf = ({ content }) => content.parts.find(({ type }) => type === 'text')?.text

await memory.createThread({ threadId, resourceId })
serve({
  add: async (items) => {
    const { messages } = await memory.saveMessages({ messages: items.map(messageOf) })
    return messages.length
  },
  search: async (question) => {
    const { messages } = await memory.recall({
      ...{ threadId, resourceId, vectorSearchString: question },
      // No recent messages beside those that are found.
      perPage: 0,
    })
    return messages.map(textOf)
  },
})
