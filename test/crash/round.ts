import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as wait } from 'node:timers/promises'
import { filesIn } from '../../src/stores/embedded/engine/directory.ts'
import type { Random } from '../faults/support/random.ts'
import { type Client, clientOf, newAccount, type Outcome, setBudget } from './client.ts'
import { type Item, type Listed, presenceOf } from './items.ts'
import type { RunningServer, ServerSource } from './processes.ts'

export interface RoundPlan {
  readonly name: string
  readonly dataDir: string
  readonly makeItem: (name: string, random: Random) => Item
  readonly random: Random
  readonly clients: number
  /** The kill comes after a random number of answers up to this one, and a moment more. */
  readonly mostAnswers: number
  /** Ops that the account may spend during the burst. */
  readonly budget: number
}

/** What one round found; `problems` is empty when every promise was kept. */
export interface RoundReport {
  readonly problems: readonly string[]
  readonly acknowledged: number
  readonly unacknowledged: number
  /** Unacknowledged items that were stored all the same. */
  readonly storedUnacknowledged: number
  readonly refused: number
  readonly inFlightAtKill: number
  readonly readyMs: number
  readonly readyCpuMs: number | null
}

export interface FinishedRound {
  readonly report: RoundReport
  readonly server: RunningServer
  /** Looks again, in a later process: says what is no longer whole. */
  readonly lookAgain: (address: string) => Promise<readonly string[]>
}

interface Sent {
  readonly items: readonly Item[]
  readonly key: string | null
  outcome: Outcome | 'in flight'
}

const opsPerItem = 5
/** A consolidation and a prune. */
const opsPerConsolidation = 4
const longestMomentMs = 30
const ample = 1_000_000_000

/** One burst of ingests, one kill -9 in the middle of it, one restart, one look at what is there, one retry. */
export async function crashRound(
  plan: RoundPlan,
  servers: ServerSource,
  server: RunningServer,
): Promise<FinishedRound> {
  const { name, random } = plan
  const key = await newAccount(server.address, name, plan.budget)
  const { sent, consolidations } = await burst(plan, clientOf(server.address, key), server)
  const inFlightAtKill = sent.filter(({ outcome }) => outcome === 'unknown').length

  const next = await servers.next()
  const client = clientOf(next.address, key)
  const problems = [...budgetProblems(plan, sent, consolidations)]
  await setBudget(next.address, name, ample)
  const found = await client.list()
  const counts = await knownFactCounts(plan, next.address, sent, found)
  const state = (item: Item, memories: readonly Listed[]) =>
    presenceOf(item, memories, counts.get(item.name) ?? null)
  const check = (item: Item, memories: readonly Listed[], allowed: readonly string[], when: string) => {
    const presence = state(item, memories)
    if (!allowed.includes(presence)) problems.push(`${item.name} is ${presence} ${when}`)
    return presence
  }
  const of = (outcome: Sent['outcome']) => sent.filter((one) => one.outcome === outcome)
  const items = (ones: readonly Sent[]) => ones.flatMap((one) => one.items)
  for (const item of items(of('acknowledged'))) check(item, found, ['whole'], 'after it was acknowledged')
  for (const item of items(of('refused'))) check(item, found, ['absent'], 'after it was refused')
  const unsure = items(of('unknown'))
  const stored = unsure.filter(
    (item) => check(item, found, ['absent', 'whole'], 'unacknowledged') === 'whole',
  )

  for (const { items: again, key: sameKey } of [...of('unknown'), ...of('refused')]) {
    if ((await client.ingest(again, sameKey)) !== 'acknowledged') problems.push(`a retry in ${name} failed`)
  }
  const everything = items(sent)
  const look = async (asked: Client, when: string) => {
    const memories = await asked.list()
    for (const item of everything) check(item, memories, ['whole'], when)
  }
  await look(client, 'after the retry')
  problems.push(
    ...(await countProblems(client, everything)),
    ...(await searchProblems(client, everything, random)),
  )
  return {
    server: next,
    report: {
      problems,
      acknowledged: items(of('acknowledged')).length,
      unacknowledged: unsure.length,
      storedUnacknowledged: stored.length,
      refused: items(of('refused')).length,
      inFlightAtKill,
      readyMs: next.readyMs,
      readyCpuMs: next.readyCpuMs,
    },
    lookAgain: async (address) => {
      const before = problems.length
      await look(clientOf(address, key), 'at the end')
      return problems.slice(before)
    },
  }
}

/** Clients ingest without a pause until the server is killed under them. */
async function burst(
  plan: RoundPlan,
  client: Client,
  server: RunningServer,
): Promise<{ sent: readonly Sent[]; consolidations: number }> {
  const { name, random, makeItem } = plan
  const sent: Sent[] = []
  const enough = Promise.withResolvers<void>()
  let answersLeft = 1 + random.below(plan.mostAnswers)
  let killed = false
  const work = async () => {
    while (!killed) {
      const count = random.chance(0.3) ? 2 + random.below(4) : 1
      const items = Array.from({ length: count }, (_, at) => makeItem(`${name}-${sent.length}-${at}`, random))
      const one: Sent = {
        items,
        key: random.chance(0.5) ? `${name}-${sent.length}` : null,
        outcome: 'in flight',
      }
      sent.push(one)
      one.outcome = await client.ingest(items, one.key)
      answersLeft -= count
      if (answersLeft <= 0) enough.resolve()
      // A refusal costs the server nothing; without a pause it would be all that happens.
      if (one.outcome === 'refused') await wait(5)
    }
  }
  let consolidations = 0
  const consolidate = async () => {
    while (!killed) {
      consolidations++
      await client.consolidate().catch(() => {})
      await wait(5)
    }
  }
  const working = [...Array.from({ length: plan.clients }, work), consolidate()]
  await Promise.race([enough.promise, ...working])
  // Any point of a request's way through the server.
  await wait(random.next() * longestMomentMs)
  killed = true
  await server.kill()
  await Promise.all(working)
  return { sent, consolidations }
}

/** The ledger must not have granted more than the budget, nor keep ops of requests that the crash ended. */
function budgetProblems(
  { name, dataDir, budget }: RoundPlan,
  sent: readonly Sent[],
  consolidations: number,
): string[] {
  const db = new DatabaseSync(path.resolve(filesIn(dataDir).database), { readOnly: true })
  try {
    const used = Number(db.prepare('SELECT total(used) AS ops FROM usage WHERE account = ?').get(name)?.ops)
    const held = Number(db.prepare('SELECT count(*) AS held FROM reservations').get()?.held)
    const done = sent.filter(({ outcome }) => outcome !== 'refused').flatMap(({ items }) => items).length
    const asked = done * opsPerItem + consolidations * opsPerConsolidation
    return [
      ...(used > budget ? [`${name} has used ${used} of ${budget} ops`] : []),
      ...(used > asked ? [`${name} was charged ${used} ops for work of ${asked}`] : []),
      ...(held > 0 ? [`${held} reservations of ended requests are still held`] : []),
    ]
  } finally {
    db.close()
  }
}

async function countProblems(client: Client, items: readonly Item[]): Promise<string[]> {
  const facts = items.flatMap((item) => item.facts ?? [])
  if (items.some((item) => item.facts === null)) return []
  const { semantic_relations, semantic_entities } = await client.stats()
  return [
    ...(semantic_relations === facts.length ? [] : [`${semantic_relations} relations, not ${facts.length}`]),
    ...(semantic_entities === 2 * facts.length
      ? []
      : [`${semantic_entities} entities, not ${2 * facts.length}`]),
  ]
}

/** The index in memory must agree with the store: what is stored is found there, whatever place the ranking gives it. */
async function searchProblems(client: Client, items: readonly Item[], random: Random): Promise<string[]> {
  const problems: string[] = []
  const memories = await client.list()
  for (let asked = 0; asked < Math.min(2, items.length); asked++) {
    const { name, sentences } = random.pick(items)
    const [sentence = ''] = sentences
    const text = memories.find(({ fact, metadata }) => metadata?.item === name && fact.includes(sentence))
    const outcome = text === undefined ? 'absent' : await client.outcome(sentence, text.id)
    if (['absent', 'unknown', 'not_found'].includes(outcome)) problems.push(`${name} is ${outcome}`)
  }
  return problems
}

/** How many facts each item gives where only the extractor knows: an account that nothing happened to is asked. */
async function knownFactCounts(
  { name }: RoundPlan,
  address: string,
  sent: readonly Sent[],
  found: readonly Listed[],
): Promise<ReadonlyMap<string, number>> {
  const unknown = sent.flatMap(({ items }) => items).filter(({ facts }) => facts === null)
  const stored = unknown.filter((item) => found.some(({ metadata }) => metadata?.item === item.name))
  if (stored.length === 0) return new Map()
  const reference = clientOf(address, await newAccount(address, `${name}-reference`, ample))
  for (const item of stored) await reference.ingest([item], null)
  const facts = (await reference.list()).filter(({ type }) => type === 'semantic')
  return new Map(
    stored.map(({ name: own }) => [own, facts.filter(({ metadata }) => metadata?.item === own).length]),
  )
}
