// mem0 as its documentation starts it, with its own SQLite stores, but without a language model: every text is stored as it is.
import { Memory } from 'mem0ai/oss'
import { openEmbedder, serve } from './serve.mjs'

const embed = await openEmbedder()
const user = 'somebody'

const memory = new Memory({
  embedder: {
    provider: 'langchain',
    config: { model: { embedQuery: async (text) => (await embed([text]))[0], embedDocuments: embed } },
  },
  vectorStore: { provider: 'memory', config: { dbPath: 'vectors.db' } },
  // It is made at the start, and nothing here asks it.
  llm: { provider: 'openai', config: { apiKey: 'none' } },
  historyDbPath: 'history.db',
})

serve({
  add: async (items) => {
    const messages = items.map(({ text, source }) => ({ role: source, content: text }))
    const { results } = await memory.add(messages, { userId: user, infer: false })
    return results.length
  },
  search: async (question) => {
    const { results } = await memory.search(question, { topK: 10, filters: { user_id: user } })
    return results.map(({ memory: text }) => text)
  },
})
