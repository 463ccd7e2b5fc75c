import { DatabaseSync } from 'node:sqlite'
import { createManualClock, type Seconds } from '../../src/core/clock.ts'
import { asNamespace, type Namespace, type RelationshipId, randomId } from '../../src/core/ids.ts'
import { createMemory } from '../../src/memory/create-memory.ts'
import { retention } from '../../src/memory/lifecycle/decay.ts'
import { day, factId, item, start } from '../../src/stores/contracts/journal-drafts.ts'
import { filesIn } from '../../src/stores/embedded/engine/directory.ts'
import { openEngine } from '../../src/stores/embedded/engine/engine.ts'
import { createEmbeddedMemoryStores } from '../../src/stores/embedded/memory/stores.ts'
import { createRandom, type Random } from '../faults/support/random.ts'
import { createPatternExtractor, createWordEmbedder, createWordRelation } from './small-models.ts'

const halfLifeDays = 7

/** One fact and what the formula says of it: a schedule of its own accesses among the runs of its namespace. */
interface Scheduled {
  readonly id: RelationshipId
  readonly base: number
  lastAccess: Seconds
  /** What the last run should have left in the store. */
  confidence: number
}

interface Account {
  readonly namespace: Namespace
  readonly facts: readonly Scheduled[]
}

export interface DecayParts {
  readonly directory: string
  readonly seed: number
  readonly accounts: number
  readonly factsEach: number
  readonly steps: number
  /** A run writes what it computed to where the next one begins: the error that decay must not have. */
  readonly compounding: boolean
}

export interface DecayOutcome {
  readonly schedules: number
  readonly accesses: number
  readonly runs: number
  readonly restarts: number
  /** The greatest distance from the formula: of the confidence in the store, and of the retention shown. */
  readonly worstStored: number
  readonly worstShown: number
}

const formula = ({ base, lastAccess }: Scheduled, now: Seconds) =>
  base * Math.exp((-(now - lastAccess) / day) * (Math.LN2 / halfLifeDays))

/**
 * Plays random schedules of accesses, consolidations and restarts on the embedded store, many facts in one store, and
 * compares them with the formula whenever the store is closed and opened again.
 */
export async function playSchedules(parts: DecayParts): Promise<DecayOutcome> {
  const random = createRandom(parts.seed)
  const clock = createManualClock(start)
  const accounts = makeAccounts(parts, random)
  const counts = { accesses: 0, runs: 0, restarts: 0, worstStored: 0, worstShown: 0 }
  let opened = await open(parts.directory, clock)
  for (const account of accounts) await opened.stores.journal.remember(account.namespace, told(account))

  const access = async ({ namespace, facts }: Account) => {
    const accessed = facts.filter(() => random.chance(0.15))
    for (const fact of accessed) fact.lastAccess = clock.now()
    counts.accesses += accessed.length
    await opened.stores.graph.touch(
      namespace,
      accessed.map(({ id }) => id),
      clock.now(),
    )
  }
  const consolidate = async ({ namespace, facts }: Account) => {
    const { skipped } = await opened.memory.consolidate(namespace, { persona: null, force: true })
    if (skipped) throw new Error('a forced run was skipped')
    for (const fact of facts) fact.confidence = formula(fact, clock.now())
    counts.runs++
  }
  const restart = async () => {
    await opened.close()
    counts.restarts++
    counts.worstStored = Math.max(counts.worstStored, storedError(parts.directory, accounts))
    opened = await open(parts.directory, clock)
    for (const account of accounts) {
      const shown = await opened.stores.graph.get(account.namespace, idsOf(account))
      const at = new Map(shown.map((fact) => [fact.id, retention(fact, clock.now(), halfLifeDays)]))
      for (const fact of account.facts) {
        const error = Math.abs((at.get(fact.id) ?? Number.NaN) - formula(fact, clock.now()))
        counts.worstShown = Math.max(counts.worstShown, error)
      }
    }
  }

  for (let step = 0; step < parts.steps; step++) {
    // From seconds to days, so that runs follow each other closely and far apart.
    clock.advance(10 ** (random.next() * 6 - 0.5))
    await Promise.all(accounts.filter(() => random.chance(0.5)).map(access))
    const ran = accounts.filter(() => random.chance(0.4))
    await Promise.all(ran.map(consolidate))
    if (parts.compounding) forgetBases(parts.directory, ran)
    if (random.chance(0.25)) await restart()
  }
  clock.advance(day * random.next() * 20)
  await Promise.all(accounts.map(consolidate))
  await restart()
  await opened.close()
  return { schedules: parts.accounts * parts.factsEach, ...counts }
}

function makeAccounts({ accounts, factsEach }: DecayParts, random: Random): readonly Account[] {
  return Array.from({ length: accounts }, (_, account) => ({
    namespace: asNamespace(`account-${account}`),
    facts: Array.from({ length: factsEach }, (__, fact): Scheduled => {
      const base = 0.1 + 0.9 * random.next()
      return { id: factId(`${account} ${fact}`), base, lastAccess: start, confidence: base }
    }),
  }))
}

const idsOf = ({ facts }: Account) => facts.map(({ id }) => id)

/** One text that tells all facts of an account. */
function told({ namespace, facts }: Account) {
  const account = namespace.slice('account-'.length)
  return item(`Many things about ${namespace}.`, {
    facts: facts.map(({ base }, fact) => ({
      ...{ name: `${account} ${fact}`, relation: 'likes', object: `thing ${fact}`, base },
    })),
  })
}

async function open(directory: string, clock: ReturnType<typeof createManualClock>) {
  const engine = await openEngine({ directory })
  const stores = createEmbeddedMemoryStores(engine)
  const memory = createMemory({
    ...{
      stores,
      embedder: createWordEmbedder(),
      extractor: createPatternExtractor(),
      relation: createWordRelation(),
      llmExtractor: null,
    },
    ...{ graphQa: null, compressContext: null, compressClusters: null, clock, newId: randomId },
    // Nothing is pruned: every schedule is followed to its end.
    settings: { halfLifeDays, pruneThreshold: 0 },
  })
  const close = async () => {
    await memory.close()
    await engine.close()
  }
  return { stores, memory, close }
}

/** How far the confidences in the closed store are from the formula. A fact that is missing is infinitely far. */
function storedError(directory: string, accounts: readonly Account[]): number {
  const db = new DatabaseSync(filesIn(directory).database, { readOnly: true })
  const rows = db.prepare('SELECT id, confidence FROM relationship').all()
  db.close()
  const stored = new Map(rows.map(({ id, confidence }) => [String(id), Number(confidence)]))
  const errors = accounts.flatMap(({ facts }) =>
    facts.map(({ id, confidence }) => Math.abs((stored.get(id) ?? Number.POSITIVE_INFINITY) - confidence)),
  )
  return errors.reduce((worst, error) => Math.max(worst, error), 0)
}

function forgetBases(directory: string, accounts: readonly Account[]): void {
  const db = new DatabaseSync(filesIn(directory).database, { timeout: 5_000 })
  const forget = db.prepare('UPDATE relationship SET base = confidence WHERE namespace = ?')
  for (const { namespace } of accounts) forget.run(namespace)
  db.close()
}
