import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/observe/log.ts'
import { loadModels } from '../../src/service/models.ts'
import { startTestService } from '../harness.ts'
import { readStories, type Story } from './read.ts'

// The whole service with the models that it ships with: what people tell it, and what it gives back.
const { config } = readConfig({})
if (config === null) throw new Error('the default configuration is invalid')
const models = await loadModels(
  config,
  createLog('fatal', () => {}),
)
const service = await startTestService({ models })
after(() => service.close())

interface Result {
  readonly fact: string
  readonly rank: number
  readonly superseded: boolean
}

async function tell({ texts, session, question, hops }: Story): Promise<readonly Result[]> {
  const { key } = await service.newKey('enterprise')
  for (const { source, text } of texts) {
    const body = { text, source, ...(session === null ? {} : { session_id: session }) }
    const { status, text: reply } = await service.call('POST', '/brain/ingest', { key, body })
    assert.equal(status, 200, reply)
  }
  const body = { query: question, k: 5, ...(hops === null ? {} : { max_hops: hops }) }
  const { json } = await service.call('POST', '/brain/retrieve', { key, body })
  return (json.facts as readonly Result[]).toSorted((a, b) => a.rank - b.rank)
}

const holds = (fact: string, parts: readonly string[]) =>
  parts.some((part) => fact.toLowerCase().includes(part))

for (const story of readStories()) {
  test(`${story.title}: ${story.question}`, { todo: story.open ?? false }, async () => {
    const results = await tell(story)
    const shown = results.map(({ fact, superseded }) => `${superseded ? '(superseded) ' : ''}${fact}`)
    const found = results.slice(0, story.within).some(({ fact }) => holds(fact, story.first))
    assert.ok(found, `"${story.first.join('" or "')}" must come first:\n${shown.join('\n')}`)
    assert.ok(!holds(results[0]?.fact ?? '', story.notFirst), `this must not be first:\n${shown.join('\n')}`)
    for (const { fact, superseded } of results) {
      assert.ok(superseded || !holds(fact, story.outdated), `this is outdated and not marked:\n${fact}`)
    }
  })
}
