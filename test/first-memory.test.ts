import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLocalEmbedder } from '../src/models/embedder/local-embedder.ts'
import { createLocalExtractor } from '../src/models/facts/local-extractor.ts'
import { createLocalRelation } from '../src/models/relation/local-relation.ts'
import { openSmallMemory } from './support/small-memory.ts'

/** A store of one text: what it answers, and what it does not though it speaks of the same. */
const firsts = [
  ['The garage code is 5518.', 'What is the garage code?', 'Who built the garage?'],
  ['Bogdan starts at the museum on Monday.', 'When does Bogdan start at the museum?', 'How old is Bogdan?'],
  ['I take my coffee with oat milk.', 'How do I take my coffee?', 'Where do I buy my bread?'],
  ['Our office is at 12 Quay Street.', 'Where is our office?', 'Who is our landlord?'],
] as const

describe('a store of one text, with the models that ship', () => {
  let parts: {
    embedder: Awaited<ReturnType<typeof createLocalEmbedder>>
    extractor: Awaited<ReturnType<typeof createLocalExtractor>>
    relation: Awaited<ReturnType<typeof createLocalRelation>>
  }
  before(async () => {
    const [embedder, extractor, relation] = await Promise.all([
      createLocalEmbedder(),
      createLocalExtractor(),
      createLocalRelation(),
    ])
    parts = { embedder, extractor, relation }
  })
  after(() => Promise.all(Object.values(parts).map((part) => part.close())))

  for (const [text, answered, unanswered] of firsts) {
    test(`"${text}" answers "${answered}" and not "${unanswered}"`, async () => {
      const small = openSmallMemory({ parts: { ...parts, answerReader: parts.relation } })
      await small.ingest(text)
      const best = async (question: string) => (await small.retrieve(question)).facts[0]?.score ?? 0
      assert.ok((await best(answered)) >= 0.4)
      assert.ok((await best(unanswered)) < 0.4)
    })
  }
})
