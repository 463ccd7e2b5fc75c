// Writes items to a store, several at once, and says on standard output what was acknowledged: `+ item` stored, `- item`
// removed. Runs under strace, which sees these lines in their order among the writes and fsyncs.
import { writeSync } from 'node:fs'
import { asChunkId, asItemId, asNamespace, asRelationshipId } from '../../../src/core/ids.ts'
import type { ItemWrite } from '../../../src/memory/ports.ts'
import { openEngine } from '../../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../../src/stores/embedded/memory/stores.ts'
import { createRandom } from '../support/random.ts'

const [directory = '', synchronous = 'FULL', count = '0', seed = '0'] = process.argv.slice(2)
const random = createRandom(Number(seed))
const namespace = asNamespace('power')
const dimensions = 64
const writers = 6

const aVector = () => Float32Array.from({ length: dimensions }, () => random.next() - 0.5)

/** Two chunks, two facts, three entities: spread over many tables. */
function anItem(name: string): ItemWrite {
  const common = { persona: 'shared', sessionId: null, source: 'user' as const, metadata: null }
  const aged = { base: 1, createdAt: 1_000, lastAccessAt: 1_000, accessCount: 0, pinned: false }
  const keys = ['subject', 'first', 'second'].map((part) => `${name} ${part}`)
  const [subjectKey = '', ...objects] = keys
  return {
    ...common,
    ...{ itemId: asItemId(name), createdAt: 1_000, textHash: name, links: [] },
    entities: keys.map((key) => ({ key, name: key, type: 'thing', aliases: [], vector: aVector() })),
    chunks: [0, 1].map((at) => ({
      ...{ ...common, ...aged, id: asChunkId(`${name}-c${at}`), itemId: asItemId(name), speaker: null },
      ...{ text: `${name} ${'words '.repeat(random.below(200))}`, start: 0, end: 1, vector: aVector() },
    })),
    facts: objects.map((objectKey, at) => ({
      ...{
        id: asRelationshipId(`${name}-f${at}`),
        chunkId: asChunkId(`${name}-c${at}`),
        subjectKey,
        objectKey,
      },
      ...{ relation: 'likes', slot: `likes:${objectKey}`, negated: false, ended: false, fact: objectKey },
      ...{ evidence: objectKey, extraction: 1, base: 1, when: null, vector: aVector() },
    })),
  }
}

const engine = await openEngine({ directory, synchronous: synchronous === 'OFF' ? 'OFF' : 'FULL' })
const { journal, graph, episodic } = createEmbeddedMemoryStores(engine)
let next = 0
const work = async () => {
  while (next < Number(count)) {
    const name = `i${next++}`
    const item = anItem(name)
    await journal.remember(namespace, item)
    writeSync(1, `+ ${name}\n`)
    if (!random.chance(0.15)) continue
    // Facts first: a text without its facts is a state that the last removal ends.
    writeSync(1, `? ${name}\n`)
    const selection = { persona: null, sessionId: null }
    await graph.remove(namespace, { ...selection, ids: item.facts.map(({ id }) => id) })
    await episodic.remove(namespace, { ...selection, ids: item.chunks.map(({ id }) => id) })
    writeSync(1, `- ${name}\n`)
  }
}
await Promise.all(Array.from({ length: writers }, work))
await engine.close()
