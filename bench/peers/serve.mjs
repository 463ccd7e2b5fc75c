// What the processes of mem0 and Mastra share. Plain JavaScript, as the root's type check has no types of their packages.
import { createLocalEmbedder } from '../../src/models/embedder/local-embedder.ts'

/** memoryd's own encoder in this process, with its memory of recent texts. */
export async function openEmbedder() {
  const embedder = await createLocalEmbedder()
  return async (texts) => (await embedder.embed(texts)).map((vector) => Array.from(vector))
}

/** Does what the parent process asks for, and ends with it. */
export function serve(peer) {
  process.on('message', async ({ method, value }) => {
    try {
      process.send({ result: await peer[method](value) })
    } catch (error) {
      process.send({ failure: String(error?.stack ?? error) })
    }
  })
  process.on('disconnect', () => process.exit())
  process.send({ result: 'ready' })
}
