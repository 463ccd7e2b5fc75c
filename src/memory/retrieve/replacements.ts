import { asChunkId, type ChunkId, type Namespace } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { EpisodicStore, Fact, FoundChunk, FoundFact, GraphStore, Within } from '../ports.ts'
import { certain, likely } from '../relation/certainty.ts'
import { followReplacements } from '../replaced.ts'
import { contradicts, trust } from '../slots.ts'
import { isWithin } from '../within.ts'
import { answersTo } from './asked-slot.ts'
import { type Candidate, noMatch } from './candidate.ts'
import { type QuestionFacts, sharedWords } from './question.ts'
import type { Scored } from './rank.ts'
import type { Weighed } from './reading.ts'

/** A text that is out of date, or a fact of one that probably is, and what took its place. */
export interface Replaced {
  readonly older: string
  /** A fact of a text, or a text. */
  readonly newer: { readonly id: string; readonly chunkId: ChunkId }
  /** Otherwise it is in doubt: the newer one goes first where both are found, and is not fetched where it is not. */
  readonly isCertain: boolean
}

export interface Replacements {
  readonly pairs: readonly Replaced[]
  /** What took the place of a candidate and was not found itself. */
  readonly added: readonly Candidate[]
  readonly ends: Ends
}

/** By text. */
export interface Ends {
  /** Since when it is out of date, where all of it is. */
  readonly until: ReadonlyMap<ChunkId, number>
  /** Since when something of it is, where something else ended that and the rest holds. */
  readonly changed: ReadonlyMap<ChunkId, number>
}

export interface ReplacementParts {
  readonly namespace: Namespace
  readonly question: QuestionFacts
  readonly vector: Vector
  readonly personas: readonly string[] | null
  /** Null: everything may be seen. */
  readonly within: Within | null
  readonly includeSemantic: boolean
  readonly includeEpisodic: boolean
  readonly weighed: Weighed
  readonly graph: Pick<GraphStore, 'factsOf' | 'get'>
  readonly episodic: Pick<EpisodicStore, 'get'>
}

/** Replacements are followed this far: from Lisbon over Berlin to Rome. */
export const longestChain = 5

/** Finds what replaced the candidates, by links between texts and by the facts that were closed. */
export async function findReplacements(
  parts: ReplacementParts,
  candidates: readonly Candidate[],
): Promise<Replacements> {
  const chunks = candidates.flatMap(({ chunk }) => chunk ?? [])
  const told = await factsOfChanged(parts, chunks)
  const [linked, closed] = await Promise.all([
    followLinks(parts, chunks, (chunk) => told.get(chunk.id)?.holds === true),
    closedFacts(parts, told, candidates),
  ])
  const pairs = [
    ...linked.pairs.flatMap((pair) => [pair, ...ofFacts(pair, candidates)]),
    ...closed.pairs.map(({ pair }) => pair),
  ]
  const found = new Set<string>(candidates.map(({ id }) => id))
  const isMissing = ({ newer, isCertain }: Replaced) =>
    isCertain && !found.has(newer.id) && !found.has(newer.chunkId)
  const texts = linked.chunks.filter(({ id }) =>
    pairs.some((pair) => isMissing(pair) && pair.newer.id === id),
  )
  const missing = closed.pairs.filter(({ pair }) => isMissing(pair))
  const facts = missing.flatMap(({ fact }) => fact ?? [])
  const closers = missing.filter(({ fact }) => fact === null || !parts.includeSemantic)
  const closing = await readChunks(parts, [...new Set(closers.map(({ pair }) => pair.newer.chunkId))])
  const added = [
    ...(parts.includeEpisodic ? [...texts, ...closing].map(textCandidate) : []),
    ...(parts.includeSemantic ? facts.map(factCandidate) : []),
  ]
  const { personas, within } = parts
  const own = added.filter(({ chunk, fact }) => {
    const stored = chunk ?? fact
    if (stored === null || (within !== null && !isWithin(within, stored))) return false
    return personas === null || personas.includes(stored.persona)
  })
  return { pairs, added: [...new Map(own.map((one) => [one.id, one])).values()], ends: closed.ends }
}

/** Where it is in doubt whether a text is out of date, its facts are still open: they stand behind with it. */
function ofFacts(pair: Replaced, candidates: readonly Candidate[]): readonly Replaced[] {
  return candidates.flatMap(({ id, fact }) => (fact?.chunkId === pair.older ? [{ ...pair, older: id }] : []))
}

const chunkOf = ({ chunkId }: FoundFact) => chunkId

const bare = { hot: null, hotRank: -1, hit: null, own: noMatch, path: null } as const
const textCandidate = (chunk: FoundChunk): Candidate => ({ ...bare, id: chunk.id, chunk, fact: null })
const factCandidate = (fact: FoundFact): Candidate => ({ ...bare, id: fact.id, chunk: null, fact })

async function readChunks(
  { episodic, namespace }: ReplacementParts,
  ids: readonly ChunkId[],
): Promise<readonly FoundChunk[]> {
  return ids.length === 0 ? [] : episodic.get(namespace, ids)
}

/** A text that still says something true may stand; its facts decide the rest. */
const isWhollyOutdated = (chunk: FoundChunk) => isOutdated(chunk) && chunk.closedFactCount >= chunk.factCount

/**
 * The texts that linked texts lead to: of a chain, the last. Where a link is in doubt, what was read decides; where what is
 * asked for still holds, there is none.
 */
async function followLinks(
  parts: ReplacementParts,
  chunks: readonly FoundChunk[],
  holds: (chunk: FoundChunk) => boolean,
): Promise<{ readonly pairs: readonly Replaced[]; readonly chunks: readonly FoundChunk[] }> {
  const { weighed } = parts
  const newerOf = ({ id, replaced }: FoundChunk) => weighed.get(id) ?? replaced?.by ?? null
  const isSure = (chunk: FoundChunk) => isWhollyOutdated(chunk) || (weighed.get(chunk.id) ?? null) !== null
  // What was read together with what may have taken its place, and stands, ends a chain.
  const isTaken = (chunk: FoundChunk) => isSure(chunk) || (!weighed.has(chunk.id) && isOutdated(chunk))
  const nextOf = (chunk: FoundChunk) => (isTaken(chunk) ? newerOf(chunk) : null)
  const isLikely = ({ replaced }: FoundChunk) => (replaced?.probability ?? 0) >= likely
  const linked = chunks.filter(
    (chunk) => !holds(chunk) && (isSure(chunk) || (!weighed.has(chunk.id) && isLikely(chunk))),
  )
  const known = new Map(chunks.map((chunk) => [chunk.id, chunk]))
  let asked = linked
  for (let step = 0; step < longestChain; step++) {
    const missing = asked.flatMap((chunk) => {
      const newer = nextOf(chunk)
      return newer === null || known.has(newer) ? [] : newer
    })
    const read = await readChunks(parts, [...new Set(missing)])
    for (const chunk of read) known.set(chunk.id, chunk)
    if (read.length === 0) break
    asked = read.filter(isTaken)
  }
  const pairs = linked.flatMap((chunk): Replaced[] => {
    const { id } = chunk
    const next = newerOf(chunk)
    if (next === null) return []
    const isCertain = isSure(chunk)
    const newer = isCertain ? lastOf(next, known, nextOf) : next
    return newer === id ? [] : [{ older: id, newer: { id: newer, chunkId: newer }, isCertain }]
  })
  return { pairs, chunks: [...known.values()] }
}

function isOutdated({ replaced }: FoundChunk): boolean {
  return replaced !== null && replaced.probability >= certain
}

function lastOf(
  id: ChunkId,
  known: ReadonlyMap<ChunkId, FoundChunk>,
  nextOf: (chunk: FoundChunk) => ChunkId | null,
): ChunkId {
  let last = id
  for (let step = 0; step < longestChain; step++) {
    const chunk = known.get(last)
    const next = chunk === undefined ? null : nextOf(chunk)
    if (next === null) return last
    last = next
  }
  return last
}

interface Closed {
  readonly pairs: readonly { readonly pair: Replaced; readonly fact: FoundFact | null }[]
  readonly ends: Ends
}

/** The facts of a text of which something is out of date. */
interface ChangedText {
  readonly facts: readonly Fact[]
  /** Those that are closed and that the question may ask for. */
  readonly closed: readonly Fact[]
  /** What the question asks for is a fact that still holds, and none that is closed. */
  readonly holds: boolean
}

async function factsOfChanged(
  parts: ReplacementParts,
  chunks: readonly FoundChunk[],
): Promise<ReadonlyMap<ChunkId, ChangedText>> {
  const changed = chunks.filter(({ closedFactCount }) => closedFactCount > 0).map(({ id }) => id)
  if (changed.length === 0) return new Map()
  const facts = Map.groupBy(await parts.graph.factsOf(parts.namespace, changed), chunkOf)
  return new Map(
    [...facts].map(([id, several]) => {
      const closed = askedFor(parts, several)
      return [id, { facts: several, closed, holds: stillHolds(parts, several) }]
    }),
  )
}

/** What took the place of the facts of texts. */
async function closedFacts(
  parts: ReplacementParts,
  told: ReadonlyMap<ChunkId, ChangedText>,
  candidates: readonly Candidate[],
): Promise<Closed> {
  const closed = [...told.values()].flatMap((text) => text.closed)
  const current = await followReplacements(parts.graph, parts.namespace, closed)
  const holders = new Map(
    candidates.flatMap(({ fact }) => (fact?.negated === false ? [[slotOf(fact), fact] as const] : [])),
  )
  const pairs = closed.flatMap((ended): Closed['pairs'] => {
    const { chunkId: older, closedBy, closer } = ended
    // What ended without a successor may have got one later.
    const fact = current.get(ended.id) ?? holders.get(slotOf(ended))
    if (fact !== undefined) {
      const newer = { id: fact.id, chunkId: fact.chunkId }
      return fact.chunkId === older ? [] : [{ pair: { older, newer, isCertain: true }, fact }]
    }
    // A text closed it, not a fact.
    if (closedBy !== null || closer === null || closer === older) return []
    const newer = { id: closer, chunkId: asChunkId(closer) }
    return [{ pair: { older, newer, isCertain: true }, fact: null }]
  })
  return { pairs, ends: endsOf(told) }
}

function endsOf(told: ReadonlyMap<ChunkId, ChangedText>): Ends {
  const until = new Map<ChunkId, number>()
  const changed = new Map<ChunkId, number>()
  for (const [id, { facts: several }] of told) {
    const ended = several.filter(({ closedAt }) => closedAt !== null)
    // What a text itself tells as over changed nothing of it.
    const own = new Set<string | null>([null, id, ...several.map((fact) => fact.id)])
    const byOthers = ended.filter(({ closer }) => !own.has(closer))
    const latest = (some: readonly Fact[]) => Math.max(...some.map(({ closedAt }) => closedAt ?? 0))
    if (ended.length === several.length) until.set(id, latest(ended))
    else if (byOthers.length > 0) changed.set(id, latest(byOthers))
  }
  return { until, changed }
}

const slotOf = ({ subject, slot }: FoundFact) => `${subject}\u0000${slot}`

function stillHolds({ question: { slot } }: ReplacementParts, facts: readonly Fact[]): boolean {
  if (slot === null) return false
  const asked = facts.filter(answersTo(slot, facts))
  return asked.length > 0 && asked.every(({ closedAt }) => closedAt === null)
}

/** Of a text that still says something true only those closed facts count that fit the question at least as well. */
function askedFor({ question, vector }: ReplacementParts, facts: readonly Fact[]): readonly Fact[] {
  const match = (fact: Fact) => sharedWords(question, fact.fact) + dot(vector, fact.vector)
  const holding = facts.filter(({ closedAt }) => closedAt === null).map(match)
  const best = Math.max(Number.NEGATIVE_INFINITY, ...holding)
  return facts.filter((fact) => fact.closedAt !== null && match(fact) >= best)
}

export interface Resolved {
  readonly kept: readonly Scored[]
  readonly cut: readonly { readonly scored: Scored; readonly by: string }[]
  /** Texts whose facts were cut, behind the text of the fact that is preferred. */
  readonly pairs: readonly Replaced[]
}

/**
 * De-duplicates facts by slot, preferring user-sourced and then newer ones. The store settles this within a
 * persona; what is left are facts of different personas.
 */
export function resolveConflicts(scored: readonly Scored[]): Resolved {
  const preferred = scored.filter(({ candidate }) => candidate.fact !== null).toSorted(moreTrusted)
  const kept = new Map<string, FoundFact[]>()
  const cut: { scored: Scored; by: string }[] = []
  const pairs: Replaced[] = []
  for (const one of preferred) {
    const { fact } = one.candidate
    if (fact === null) continue
    const rivals = kept.get(slotOf(fact)) ?? []
    const rival = rivals.find((other) => saysTheSame(other, fact) || excludes(other, fact))
    if (rival === undefined) kept.set(slotOf(fact), [...rivals, fact])
    else cut.push({ scored: one, by: rival.id })
    if (rival !== undefined && !saysTheSame(rival, fact) && isBestOfItsText(one, scored)) {
      const newer = { id: rival.id, chunkId: rival.chunkId }
      pairs.push({ older: fact.chunkId, newer, isCertain: true })
    }
  }
  const dropped = new Set(cut.map((one) => one.scored))
  return { kept: scored.filter((one) => !dropped.has(one)), cut, pairs }
}

function isBestOfItsText({ candidate, linear }: Scored, scored: readonly Scored[]): boolean {
  const text = candidate.fact?.chunkId
  return scored.every((other) => other.candidate.fact?.chunkId !== text || other.linear <= linear)
}

function moreTrusted({ candidate: a }: Scored, { candidate: b }: Scored): number {
  if (a.fact === null || b.fact === null) return 0
  return (
    trust[b.fact.source] - trust[a.fact.source] ||
    b.fact.createdAt - a.fact.createdAt ||
    (a.id < b.id ? -1 : 1)
  )
}

function saysTheSame(a: FoundFact, b: FoundFact): boolean {
  return a.relation === b.relation && a.object === b.object && a.negated === b.negated
}

/** They cannot both hold. */
function excludes(a: FoundFact, b: FoundFact): boolean {
  return contradicts({ ...a, objectKey: a.object }, { ...b, objectKey: b.object })
}
