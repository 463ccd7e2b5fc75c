import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { asNamespace } from '../../../src/core/ids.ts'
import { createMemory } from '../../../src/memory/create-memory.ts'
import type { JournalStep } from '../../../src/stores/server/follow.ts'
import { openServerStores, type ServerStores } from '../../../src/stores/server/stores.ts'
import { anItem } from '../../support/small-memory.ts'
import { createPatternExtractor, createWordEmbedder, createWordRelation } from '../../support/small-models.ts'
import { smallOptions } from '../open.ts'
import { openEngines, untilReady } from '../support.ts'

const rounds = Number(process.env.KILL_ROUNDS ?? 100)
const atOnce = 4
const steps: readonly JournalStep[] = [
  'begun',
  'graph written',
  'facts and entities placed',
  'chunks placed',
  'marker gone',
]

let engines: Awaited<ReturnType<typeof openEngines>>
let stores: ServerStores

before(async () => {
  engines = await openEngines(smallOptions())
  await engines.wipe()
  stores = openServerStores(smallOptions({ abandonedAfterMs: 3_600_000 }))
  await untilReady(stores)
})
after(async () => {
  await stores.close()
  await engines.close()
})

interface Round {
  readonly namespace: string
  readonly texts: readonly string[]
  readonly killedAt: number
  readonly step: JournalStep
  readonly acknowledged: readonly number[]
}

/** The second text replaces a fact of the first, and the third repeats it: every kind of write is killed. */
const textsOf = (number: number) => [
  `Person${number} lives in Lisbon. Person${number} likes tea.`,
  `Person${number} lives in Berlin.`,
  `Person${number} likes tea. Person${number} works at Acme.`,
]

async function runRound(number: number): Promise<Round> {
  const namespace = `kill-${number % 10}`
  const texts = textsOf(number)
  const step = steps[number % steps.length] ?? 'begun'
  const killedAt = Math.floor(number / steps.length) % texts.length
  const script = path.join(import.meta.dirname, '../journal-child.ts')
  const args = [script, namespace, step, String(killedAt), JSON.stringify(texts)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (data) => {
    out += data
  })
  const signal = await new Promise((resolve) => child.once('close', (_code, name) => resolve(name)))
  assert.equal(signal, 'SIGKILL', `round ${number} ended by itself`)
  const acknowledged = out.split('\n').filter(Boolean).map(Number)
  return { namespace, texts, killedAt, step, acknowledged }
}

/** Ids in the graph and ids of points, by kind, with the counts that chunks carry. */
async function compare(): Promise<{ missing: number; extra: number; stale: number; pending: number }> {
  const { neo4j, qdrant } = engines.raw
  const graph = {
    chunk: await neo4j.read(
      "MATCH (x:Chunk) WHERE x.namespace STARTS WITH 'kill-' RETURN x.namespace AS namespace, x.id AS id, x.fact_count + ':' + x.closed_fact_count AS state",
      {},
    ),
    fact: await neo4j.read(
      "MATCH ()-[x:FACT]->() WHERE x.namespace STARTS WITH 'kill-' AND x.closed_at IS NULL RETURN x.namespace AS namespace, x.id AS id, '' AS state",
      {},
    ),
    entity: await neo4j.read(
      "MATCH (x:Entity) WHERE x.namespace STARTS WITH 'kill-' RETURN x.namespace AS namespace, x.id AS id, '' AS state",
      {},
    ),
  }
  const [marker] = await neo4j.read(
    "MATCH (p:Pending) WHERE p.namespace STARTS WITH 'kill-' RETURN count(p) AS count",
    {},
  )
  const found = { missing: 0, extra: 0, stale: 0, pending: Number(marker?.count) }
  for (const kind of ['chunk', 'fact', 'entity'] as const) {
    const { aliases } = await qdrant.call((client) => client.getAliases())
    const collection = aliases.find(({ alias_name }) => alias_name.endsWith(`_${kind}`))?.alias_name
    assert.ok(collection)
    const { points } = await qdrant.call((client) =>
      client.scroll(collection, { limit: 10_000, with_payload: true, with_vector: false }),
    )
    const known = new Map(
      points
        .filter(({ payload }) => String(payload?.namespace).startsWith('kill-'))
        .map(({ payload }) => [
          `${payload?.namespace} ${payload?.id}`,
          kind === 'chunk' ? `${payload?.fact_count}:${payload?.closed_fact_count}` : '',
        ]),
    )
    const truth = new Map(
      graph[kind].map(({ namespace, id, state }) => [`${namespace} ${id}`, String(state)]),
    )
    found.missing += [...truth.keys()].filter((name) => !known.has(name)).length
    found.extra += [...known.keys()].filter((name) => !truth.has(name)).length
    found.stale += [...truth].filter(
      ([name, state]) => known.has(name) && !sameState(known.get(name), state),
    ).length
  }
  return found
}

/** Neo4j writes counts as 1.0. */
const sameState = (a: string | undefined, b: string) => a === b.replaceAll('.0', '')

async function countOf(query: string): Promise<number> {
  const [row] = await engines.raw.neo4j.read(query, {})
  return Number(row?.count)
}

test(`after ${rounds} kills at every journal step, repair makes graph and vectors agree, nothing lost or doubled`, async () => {
  const done: Round[] = []
  const numbers = Array.from({ length: rounds }, (_, number) => number).values()
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const number of numbers) done.push(await runRound(number))
    }),
  )
  const broken = await compare()
  console.log(`before repair: ${JSON.stringify(broken)}`)
  assert.ok(broken.pending > 0 && broken.missing > 0, 'the kills hit nothing')

  // One half is repaired by whoever looks, the other by clients that try again.
  const memory = createMemory({
    ...{ stores: stores.memory, embedder: createWordEmbedder(), extractor: createPatternExtractor() },
    relation: createWordRelation(),
    ...{ llmExtractor: null, graphQa: null, compressContext: null, compressClusters: null },
    clock: { now: () => Date.now() / 1000 },
    newId: () => crypto.randomUUID(),
    settings: { halfLifeDays: 7, pruneThreshold: 0.05 },
    report: (error) => {
      throw error
    },
  })
  for (const { namespace, texts, killedAt } of done.filter((_, place) => place % 2 === 0)) {
    const repeated = await memory.ingest(asNamespace(namespace), anItem(texts[killedAt] ?? ''))
    assert.ok(repeated.factsIngested + Number(repeated.deduplicated) > 0)
  }
  await memory.close()
  const repairer = openServerStores(smallOptions({ abandonedAfterMs: 0 }))
  await untilReady(repairer)
  while ((await repairer.repair()) > 0);
  await repairer.close()

  const repaired = await compare()
  const doubled = await countOf(
    "MATCH (c:Chunk) WHERE c.namespace STARTS WITH 'kill-' WITH c.namespace AS n, c.text AS t, count(*) AS times WHERE times > 1 RETURN count(*) AS count",
  )
  const doubledFacts = await countOf(
    "MATCH (s)-[f:FACT]->(o) WHERE f.namespace STARTS WITH 'kill-' AND f.closed_at IS NULL WITH s, f.relation AS r, o, count(*) AS times WHERE times > 1 RETURN count(*) AS count",
  )
  let lost = 0
  for (const { namespace, texts, acknowledged } of done) {
    for (const place of acknowledged) {
      const rows = await engines.raw.neo4j.read(
        'MATCH (c:Chunk {namespace: $namespace}) WHERE c.text = $text RETURN c.id AS id',
        { namespace, text: texts[place] ?? '' },
      )
      if (rows.length === 0) lost += 1
    }
  }
  console.log(
    `after repair: ${JSON.stringify({ ...repaired, doubled, doubledFacts, lost })}, ${done.length} kills`,
  )
  assert.deepEqual(repaired, { missing: 0, extra: 0, stale: 0, pending: 0 })
  assert.deepEqual({ doubled, doubledFacts, lost }, { doubled: 0, doubledFacts: 0, lost: 0 })
})
