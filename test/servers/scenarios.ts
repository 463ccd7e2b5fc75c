import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Reply, TestService } from '../harness.ts'

type Json = Readonly<Record<string, unknown>>

const day = 86_400

/** What a user of the HTTP API sees, on any backend. Every test has an account of its own. */
export function scenarios(mode: string, start: () => Promise<TestService>): void {
  describe(`through HTTP on ${mode} stores`, () => {
    let service: TestService
    before(async () => {
      service = await start()
    })
    after(() => service.close())

    async function account(tier: 'free' | 'scale' | 'enterprise' = 'enterprise', monthlyOps?: number) {
      const { key } = await service.newKey(tier, monthlyOps)
      const post = (path: string, body: Json, headers = {}) =>
        service.call('POST', `/brain/${path}`, { key, body, headers })
      const well = async (path: string, body: Json, headers = {}): Promise<Json> => {
        const reply = await post(path, body, headers)
        assert.equal(reply.status, 200, reply.text)
        return reply.json
      }
      const ingest = (text: string, item: Json = {}) => well('ingest', { text, ...item })
      const retrieve = (query: string, request: Json = {}) => well('retrieve', { query, ...request })
      const facts = async (query: string, request: Json = {}): Promise<Json[]> =>
        ranked((await retrieve(query, request)).facts)
      const get = async (path: string): Promise<Reply> => service.call('GET', `/brain/${path}`, { key })
      const stats = () => well('stats', { user_id: 'x', persona: '*' })
      /** Whether nothing is left of the monthly budget: a prune costs one. */
      const isSpent = async () => (await post('prune', {})).status === 429
      return { key, post, well, ingest, retrieve, facts, get, stats, isSpent }
    }

    test('ingest stores chunk, entities and facts, and retrieve finds them', async () => {
      const { ingest, retrieve, stats } = await account()
      const reply = await ingest('I live in Lisbon.', { metadata: { from: 'form' } })
      assert.deepEqual(
        [reply.facts_ingested, reply.episodic_chunks, reply.entities_extracted, reply.triples_extracted],
        [1, 1, 2, 1],
      )
      const found = await retrieve('Where do I live? In Lisbon?')
      const [best] = ranked(found.facts)
      assert.match(String(best?.fact), /Lisbon/)
      assert.deepEqual(best?.metadata, { from: 'form' })
      assert.equal(best?.confidence, 1)
      const { episodic_count, semantic_entities, semantic_relations } = await stats()
      assert.deepEqual([episodic_count, semantic_entities, semantic_relations], [1, 2, 1])
    })

    test('a repeated text is skipped and said to be; one of other facts is not', async () => {
      const { ingest, stats } = await account()
      await ingest('I live in Lisbon.')
      const again = await ingest('i live in Lisbon!')
      assert.deepEqual([again.deduplicated, again.episodic_chunks, again.facts_ingested], [true, 0, 0])
      assert.equal((await ingest('I live in Berlin.')).deduplicated, false)
      assert.equal((await stats()).episodic_count, 2)
    })

    test('identical texts at once are stored once', async () => {
      const { ingest, stats } = await account()
      const replies = await Promise.all(Array.from({ length: 6 }, () => ingest('Ana works at Siemens.')))
      assert.equal(replies.filter(({ deduplicated }) => !deduplicated).length, 1)
      assert.deepEqual((await stats()).semantic_relations, 1)
    })

    test('Berlin replaces Lisbon, and history tells of both', async () => {
      const { ingest, facts, get } = await account()
      await ingest('I live in Lisbon.')
      service.clock.advance(60)
      await ingest('I live in Berlin.')
      const found = await facts('Where do I live in?', { include_episodic: false })
      assert.deepEqual(
        found.map(({ fact }) => fact).filter((fact) => /live/.test(String(fact))),
        ['user lives in Berlin'],
      )
      const { json } = await get(`memories/${found[0]?.id}/history`)
      const line = (json.history ?? json.memories ?? json.facts) as Json[]
      assert.deepEqual(
        line.map(({ fact }) => fact),
        ['user lives in Lisbon', 'user lives in Berlin'],
      )
      const [first] = await facts('live in Lisbon', { include_semantic: false, include_working: false })
      assert.equal(first?.superseded, false, 'what holds stands before what was replaced')
    })

    test("an assistant's claim never replaces the user's", async () => {
      const { ingest, facts } = await account()
      await ingest('I live in Lisbon.')
      await ingest('You live in Madrid.', { source: 'assistant' })
      const found = await facts('Where does user live in?', { include_episodic: false })
      const homes = found.filter(({ fact }) => /lives/.test(String(fact))).map(({ fact }) => fact)
      assert.deepEqual(homes, ['user lives in Lisbon'])
    })

    test('hops lead from a person to the place of her employer', async () => {
      const { ingest, retrieve } = await account()
      await ingest('Ana works at Siemens.')
      await ingest('Siemens is located in Munich.')
      await ingest('Bob likes chess.')
      const { reasoning_chain } = await retrieve('In which city does Ana work?', { max_hops: 3, k: 10 })
      const steps = reasoning_chain as Json[]
      assert.deepEqual(
        steps.slice(0, 2).map(({ hop, relation }) => [hop, relation]),
        [
          [1, 'works_at'],
          [2, 'located_in'],
        ],
      )
      assert.equal((await retrieve('Ana?', { max_hops: 1 })).reasoning_chain, null)
    })

    test('a session keeps its facts hot, and ends by being forgotten', async () => {
      const { ingest, retrieve, well } = await account()
      assert.equal((await ingest('I like tea.', { session_id: 's' })).working_memory_updated, true)
      assert.equal((await ingest('I like jazz.')).working_memory_updated, false)
      const asked = { session_id: 's', include_episodic: false, include_semantic: false }
      const during = await retrieve('What do I like, tea?', asked)
      assert.equal(during.working_count, 1)
      assert.equal(
        (await retrieve('What do I like, tea?', { ...asked, session_id: 'other' })).working_count,
        0,
      )
      await well('forget', { session_id: 's' })
      assert.equal((await retrieve('What do I like, tea?', asked)).working_count, 0)
    })

    test('personas are apart, and shared is in all of them', async () => {
      const { ingest, facts } = await account()
      await ingest('Ana likes tea.', { persona: 'work' })
      await ingest('Bob likes tea.', { persona: 'home' })
      await ingest('Eva likes tea.')
      const names = async (persona: string | null) =>
        (await facts('Who likes tea?', { persona, include_semantic: false, k: 20 }))
          .map(({ fact }) => String(fact).slice(0, 3))
          .sort()
      assert.deepEqual(await names('work'), ['Ana', 'Eva'])
      assert.deepEqual(await names('home'), ['Bob', 'Eva'])
      assert.deepEqual(await names(null), ['Ana', 'Bob', 'Eva'])
    })

    test('accounts never see each other', async () => {
      const [one, other] = [await account(), await account()]
      await one.ingest('I live in Lisbon.')
      assert.deepEqual(await other.facts('Where do I live? Lisbon?', { max_hops: 3 }), [])
      assert.deepEqual((await other.stats()).episodic_count, 0)
    })

    test('decay follows the formula, prune takes what has faded, and a second run is recent', async () => {
      const { ingest, well, stats } = await account()
      await ingest('I live in Lisbon.')
      service.clock.advance(7 * day)
      const first = await well('consolidate', {})
      assert.deepEqual([first.memories_decayed, first.memories_pruned], [1, 0])
      assert.equal((await well('consolidate', {})).skipped, true)
      const halved = await well('prune', { threshold: 0.51 })
      assert.deepEqual([halved.candidates, halved.pruned, halved.dry_run], [2, 0, true])
      assert.equal((await well('prune', { threshold: 0.49 })).candidates, 0)
      service.clock.advance(23 * day)
      assert.equal((await well('consolidate', { force: true })).memories_pruned, 0)
      service.clock.advance(day)
      assert.equal((await well('consolidate', { force: true })).memories_pruned, 2)
      const left = await stats()
      assert.deepEqual([left.episodic_count, left.semantic_entities, left.semantic_relations], [0, 0, 0])
    })

    test('what was retrieved does not fade', async () => {
      const { ingest, facts, well } = await account()
      await ingest('I live in Lisbon.')
      service.clock.advance(6 * day)
      assert.ok((await facts('Where do I live? Lisbon?')).length > 0)
      // Accesses are written in the background; a prune sees them once they are.
      const faded = async () => (await well('prune', { threshold: 0.9 })).candidates
      for (let tries = 0; tries < 100 && (await faded()) !== 0; tries++)
        await new Promise((resolve) => setTimeout(resolve, 100))
      assert.equal(await faded(), 0)
    })

    test('list pages through everything, newest first; forget takes an entity out of it', async () => {
      const { ingest, get, well } = await account()
      for (const name of ['Ana', 'Bob', 'Eva']) {
        service.clock.advance(1)
        await ingest(`${name} likes chess.`)
      }
      const seen: string[] = []
      let cursor: unknown = ''
      do {
        const page = (await get(`memories?limit=2${cursor ? `&cursor=${cursor}` : ''}`)).json
        seen.push(...(page.memories as Json[]).map(({ text, fact }) => String(text ?? fact)))
        cursor = page.next_cursor
      } while (cursor !== null)
      assert.equal(seen.length, 6)
      assert.match(seen[0] ?? '', /Eva/)
      assert.match(seen[5] ?? '', /Ana/)
      await well('forget', { entity: 'Bob' })
      const rest = (await get('memories?limit=100')).text
      assert.doesNotMatch(rest, /Bob/)
      assert.match(rest, /Ana/)
    })

    test('a batch is independent items in order, charged together', async () => {
      const { well, isSpent, stats } = await account('scale', 15)
      const items = ['I live in Lisbon.', 'I live in Lisbon.', 'Ana works at Siemens.'].map((text) => ({
        text,
      }))
      const reply = await well('ingest/batch', { items })
      assert.deepEqual([reply.succeeded, reply.failed, reply.facts_ingested], [3, 0, 2])
      assert.deepEqual(
        (reply.results as Json[]).map(({ deduplicated }) => deduplicated),
        [false, true, false],
      )
      assert.ok(await isSpent())
      assert.equal((await stats()).episodic_count, 2)
    })

    test('an idempotency key replays the reply without a second charge', async () => {
      const { post, isSpent } = await account('scale', 10)
      const headers = { 'idempotency-key': 'once' }
      const first = await post('ingest', { text: 'I live in Lisbon.' }, headers)
      const second = await post('ingest', { text: 'I live in Lisbon.' }, headers)
      assert.deepEqual([first.status, second.status, second.json], [200, 200, first.json])
      assert.equal(second.headers.get('idempotency-replayed'), 'true')
      assert.equal((await post('ingest', { text: 'Something else.' }, headers)).status, 422)
      assert.equal((await post('ingest', { text: 'Ana works at Siemens.' })).status, 200)
      assert.ok(await isSpent())
    })

    test('the budget ends where it ends, and a refused call stores nothing', async () => {
      const { post, isSpent, stats } = await account('scale', 12)
      const texts = ['I live in Lisbon.', 'Ana works at Siemens.', 'Bob likes tea.']
      const replies = []
      for (const text of texts) replies.push((await post('ingest', { text })).status)
      assert.deepEqual(replies, [200, 200, 429])
      assert.equal((await post('retrieve', { query: 'Who?' })).status, 200)
      assert.ok(await isSpent())
      assert.equal((await stats()).episodic_count, 2)
    })

    test('the rate window admits ten a minute on tier Free, and again a minute later', async () => {
      const { post } = await account('free')
      const stats = async () => (await post('stats', { user_id: 'x' })).status
      const statuses = []
      for (let call = 0; call < 11; call++) statuses.push(await stats())
      assert.deepEqual(statuses, [...Array(10).fill(200), 429])
      service.clock.advance(60)
      assert.equal(await stats(), 200)
    })

    test('a key that is revoked or unknown is 401', async () => {
      const { key, id } = await service.newKey('pro')
      assert.equal((await service.admin('DELETE', `/admin/keys/${id}`)).status < 300, true)
      const { status } = await service.call('POST', '/brain/stats', { key, body: { user_id: 'x' } })
      assert.equal(status, 401)
    })

    test('health says ready and the mode', async () => {
      const { json } = await service.call('GET', '/brain/health')
      assert.deepEqual(
        [json.ready, json.mode, json.neo4j, json.qdrant, json.redis],
        [true, mode, 'connected', 'connected', 'connected'],
      )
    })
  })
}

function ranked(facts: unknown): Json[] {
  return (facts as Json[]).toSorted((a, b) => Number(a.rank) - Number(b.rank))
}
