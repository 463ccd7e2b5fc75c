import type { ChunkId } from '../../core/ids.ts'
import type { RankingRule } from '../explanation.ts'
import { surfaceOf, unchangedLetters } from '../ingest/dedupe/surface.ts'
import { certainlyReplaced, isSuperseded } from '../record.ts'
import { type Candidate, newerFirst, shownText, textIdOf } from './candidate.ts'
import type { Scored } from './rank.ts'
import { type Ends, type Replaced, type Replacements, resolveConflicts } from './replacements.ts'

/** Results below this are left out unless the caller sets a floor of its own: the specification's `v_floor`. */
const scoreFloor = 0.2

/** Hot facts that are appended whatever their score: they are the conversation itself. */
const appendedHot = 3

export interface Applied {
  readonly rule: RankingRule
  /** The memory that the rule is about; null for the others. */
  readonly by: string | null
}

/** A candidate with its final score, and what made it differ from the one that was computed. */
export interface Placed {
  readonly candidate: Candidate
  readonly scored: Scored | null
  readonly score: number
  readonly superseded: boolean
  /** Since when it is out of date; null when it is not, or that is unknown. */
  readonly until: number | null
  /** Since when a part of a text is; null when nothing is, or all of it. */
  readonly changedAt: number | null
  /** Something else in the list has, or may have, taken its place. */
  readonly isBehind: boolean
  readonly rules: readonly Applied[]
}

export interface Settled {
  /** Best first. */
  readonly chosen: readonly Placed[]
  /** What was found and is left out: put together only for somebody who asks why. */
  cut(): readonly Placed[]
}

export interface Limits {
  readonly k: number
  readonly minScore: number | null
}

/**
 * Two invariants on top of the scores. What was replaced never stands above what replaced it; and a text takes one place
 * until `k` is filled: its facts, its other pieces and its copies follow where there is room.
 */
export function settle(
  scored: readonly Scored[],
  { pairs, added, ends }: Replacements,
  limits: Limits,
): Settled {
  const resolved = resolveConflicts(scored)
  const all = [...pairs.filter((pair) => isCredible(pair, resolved.kept)), ...resolved.pairs]
  const placed = [
    ...resolved.kept.map((one) => place(one.candidate, one, ends)),
    ...added.map((candidate) => place(candidate, null, ends)),
  ]
  const raised = appendWays(appendHot(raiseTexts(raiseSuccessors(placed, all)), limits), limits)
  const lowered = lowerReplaced(raised, all)
  const floor = limits.minScore ?? scoreFloor
  const [listed, below] = divide(lowered, ({ score }) => score >= floor)
  const ranked = listed.toSorted(byRank)
  // Nothing further down can be returned, and comparing texts takes long.
  const within = looked * limits.k
  const { kept: head, copies } = foldCopies(ranked.slice(0, within))
  const kept = [...head, ...ranked.slice(within)]
  // A caller who takes what is below the default floor gets it behind everything above.
  const [usual, weak] = divide(kept, ({ score }) => score >= scoreFloor)
  const ordered = [...onePlaceEach(usual, all), ...onePlaceEach(weak, all)]
  const chosen = replacedBehind(ordered.slice(0, limits.k), all)
  return {
    chosen,
    cut: () => [
      ...resolved.cut.map(({ scored: one, by }) =>
        withRule(place(one.candidate, one, ends), one.score, { rule: 'contradicted', by }),
      ),
      ...copies(),
      ...below.map((one) => withRule(one, one.score, { rule: 'floor', by: null })),
      ...ordered.slice(limits.k).map((one) => withRule(one, one.score, { rule: 'k', by: null })),
    ],
  }
}

/** What only likely took the place of a text does so where it would be listed itself: such a judgement may be wrong. */
function isCredible({ newer, isCertain }: Replaced, scored: readonly Scored[]): boolean {
  if (isCertain) return true
  return scored.some(({ candidate: { id }, score }) => {
    return (id === newer.id || id === newer.chunkId) && score >= scoreFloor
  })
}

function place(candidate: Candidate, scored: Scored | null, ends: Ends): Placed {
  const { chunk, fact } = candidate
  const superseded = chunk === null ? fact !== null && fact.closedAt !== null : isSuperseded(chunk)
  const end = chunk === null ? fact?.closedAt : (chunk.replaced?.at ?? ends.until.get(chunk.id))
  const changed = chunk === null ? null : (certainlyReplaced(chunk)?.at ?? ends.changed.get(chunk.id))
  return {
    candidate,
    scored,
    score: scored?.score ?? 0,
    superseded,
    until: superseded ? (end ?? null) : null,
    changedAt: superseded ? null : (changed ?? null),
    isBehind: false,
    rules: [],
  }
}

function withRule(placed: Placed, score: number, applied: Applied): Placed {
  return { ...placed, score, rules: [...placed.rules, applied] }
}

function divide<T>(list: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((one) => !test(one))]
}

/** Best first. At the same score a text stands before its facts, because it says all of them; then the newer one. */
function byRank(a: Placed, b: Placed): number {
  if (a.score !== b.score) return b.score - a.score
  const [left, right] = [a.candidate.fact !== null, b.candidate.fact !== null]
  if (left !== right) return left ? 1 : -1
  return newerFirst(a.candidate, b.candidate)
}

/** Those of a pair that are among the results: the fact that replaced, and its text. */
function successorsOf({ newer }: Replaced, ids: ReadonlySet<string>): readonly string[] {
  return [newer.id, newer.chunkId].filter((id) => ids.has(id))
}

/**
 * What took the place of a text, if only likely, answers what that text would have answered. To lower the older one
 * instead would bury it behind everything else where the judgement was wrong.
 */
function raiseSuccessors(placed: readonly Placed[], pairs: readonly Replaced[]): readonly Placed[] {
  if (pairs.length === 0) return placed
  const ids = new Set(placed.map(({ candidate }) => candidate.id))
  const scores = new Map(placed.map(({ candidate, score }) => [candidate.id, score]))
  const raised = new Map<string, { score: number; by: string }>()
  for (const pair of pairs) {
    const score = scores.get(pair.older)
    const [successor] = successorsOf(pair, ids)
    if (score === undefined || successor === undefined) continue
    if (score > (raised.get(successor)?.score ?? scores.get(successor) ?? 0))
      raised.set(successor, { score, by: pair.older })
  }
  return placed.map((one) => {
    const rise = raised.get(one.candidate.id)
    return rise === undefined || one.superseded
      ? one
      : withRule(one, rise.score, { rule: 'replaces', by: rise.by })
  })
}

/** A text says all of its facts. */
function raiseTexts(placed: readonly Placed[]): readonly Placed[] {
  const best = new Map<ChunkId, Placed>()
  for (const one of placed) {
    const { fact } = one.candidate
    if (fact !== null && one.score > (best.get(fact.chunkId)?.score ?? 0)) best.set(fact.chunkId, one)
  }
  return placed.map((one) => {
    const fact = one.candidate.chunk === null ? undefined : best.get(one.candidate.chunk.id)
    if (fact === undefined || fact.score <= one.score) return one
    return withRule(one, fact.score, { rule: 'text', by: fact.candidate.id })
  })
}

function appendHot(placed: readonly Placed[], { minScore }: Limits): readonly Placed[] {
  const least = minScore === null ? scoreFloor : 0
  return placed.map((one) => {
    return isNewlyHot(one) && one.score < least ? withRule(one, least, { rule: 'session', by: null }) : one
  })
}

/** Where a traversal was asked for, a way that begins with a result goes on to its end. */
function appendWays(placed: readonly Placed[], { minScore }: Limits): readonly Placed[] {
  if (placed.every(({ candidate }) => candidate.path === null)) return placed
  const least = minScore === null ? scoreFloor : 0
  const scores = new Map(placed.map(({ candidate, score }) => [candidate.id, score]))
  const byHop = placed.toSorted((a, b) => (a.candidate.path?.hop ?? 0) - (b.candidate.path?.hop ?? 0))
  return byHop.map((one) => {
    const after = one.candidate.path?.after ?? null
    if (after === null || one.score >= least || (scores.get(after) ?? 0) < least) return one
    scores.set(one.candidate.id, least)
    return withRule(one, least, { rule: 'path', by: after })
  })
}

/** Copies are looked for among so many times `k` results. */
const looked = 4

/** Just enough to stand behind. */
const step = 1e-4

/** An outdated text scores less than everything that took its place and was found. */
function lowerReplaced(placed: readonly Placed[], pairs: readonly Replaced[]): readonly Placed[] {
  if (pairs.length === 0) return placed
  const ids = new Set(placed.map(({ candidate }) => candidate.id))
  const scores = new Map(placed.map(({ candidate, score }) => [candidate.id, score]))
  const ceilings = new Map<string, { score: number; by: string }>()
  for (const pair of pairs) {
    for (const id of successorsOf(pair, ids)) {
      const score = Math.max(0, (scores.get(id) ?? 0) - step)
      if (score < (ceilings.get(pair.older)?.score ?? 1)) ceilings.set(pair.older, { score, by: id })
    }
  }
  return placed.map((one) => {
    const ceiling = ceilings.get(one.candidate.id)
    if (ceiling === undefined || one.score <= ceiling.score) return one
    return withRule(one, ceiling.score, { rule: 'replaced', by: ceiling.by })
  })
}

/**
 * The same by place: a fact that replaced may have been folded behind what it replaced, and equal scores say nothing. A
 * chain of replacements is in order after as many rounds as it has links.
 */
function replacedBehind(list: readonly Placed[], pairs: readonly Replaced[]): readonly Placed[] {
  const ids = new Set(list.map(({ candidate }) => candidate.id))
  const ordered = [...list]
  for (let round = 0; round < pairs.length; round++) {
    for (const pair of pairs) moveBehind(ordered, pair.older, successorsOf(pair, ids))
  }
  const behind = new Set(pairs.filter((pair) => successorsOf(pair, ids).length > 0).map(({ older }) => older))
  return falling(ordered).map((one) => (behind.has(one.candidate.id) ? { ...one, isBehind: true } : one))
}

function moveBehind(ordered: Placed[], older: string, successors: readonly string[]): void {
  const from = ordered.findIndex(({ candidate }) => candidate.id === older)
  const to = ordered.findLastIndex(({ candidate }) => successors.includes(candidate.id))
  const [moved] = from >= 0 && to > from ? ordered.splice(from, 1) : []
  const before = ordered[to - 1]
  if (moved === undefined || before === undefined) return
  const score = Math.max(0, Math.min(moved.score, before.score - step))
  ordered.splice(to, 0, withRule(moved, score, { rule: 'replaced', by: before.candidate.id }))
}

/** No score above the one before it. */
function falling(ordered: readonly Placed[]): readonly Placed[] {
  let least = 1
  return ordered.map((one) => {
    least = Math.min(least, one.score)
    return one.score === least ? one : { ...one, score: least }
  })
}

/**
 * Of several copies of one text, or of one fact, the best that still holds is listed: copies are stored for each persona,
 * and where their vectors are too far apart for a repetition. Only what agrees in every word is a copy, and a text only of
 * one by the same source: "I" is somebody else in what the assistant said. A hot text whose source is not known is
 * listed as it is.
 */
function foldCopies(ranked: readonly Placed[]) {
  // Most texts are told apart by a few letters; to read a surface takes long.
  const alike = groupsBy(ranked, unchangedLetters)
  const groups = alike.flatMap((group) => (group.length === 1 ? [group] : groupsBy(group, surfaceOf)))
  const first = new Map<Placed, Placed>()
  for (const same of groups) {
    const listed = same.find(({ superseded }) => !superseded) ?? same[0]
    for (const one of same) if (listed !== undefined) first.set(one, listed)
  }
  const [kept, copies] = divide(ranked, (one) => first.get(one) === one)
  return {
    kept,
    copies: () =>
      copies.map((one) =>
        withRule(one, one.score, { rule: 'copy', by: first.get(one)?.candidate.id ?? null }),
      ),
  }
}

/** By source and what is read of the text. */
function groupsBy(ranked: readonly Placed[], read: (text: string) => string): Placed[][] {
  const groups = Map.groupBy(ranked, ({ candidate }) => {
    const { id, chunk, fact } = candidate
    if (chunk === null && fact === null) return id
    return `${chunk?.source ?? 'fact'}\n${read(shownText(candidate))}`
  })
  return [...groups.values()]
}

const isNewlyHot = ({ candidate: { hotRank } }: Placed) => hotRank >= 0 && hotRank < appendedHot

/** The best of every text first, or what is new in the session; then what else is there of them. */
function onePlaceEach(ranked: readonly Placed[], pairs: readonly Replaced[]): readonly Placed[] {
  const leaders = new Map<string, Placed>()
  for (const one of ranked) {
    const key = itemOf(one.candidate)
    const leader = leaders.get(key)
    if (leader === undefined || (isNewlyHot(one) && !isNewlyHot(leader))) leaders.set(key, one)
  }
  const [leading, rest] = divide(ranked, (one) => leaders.get(itemOf(one.candidate)) === one)
  // Where a text that replaced is folded behind its fact, the fact stands for it.
  const leaderOf = new Map<string, string>(
    rest.flatMap(({ candidate }) => {
      const leader = leaders.get(itemOf(candidate))
      return leader === undefined ? [] : [[candidate.id, leader.candidate.id]]
    }),
  )
  const led = pairs.map((pair) => ({
    ...pair,
    newer: { ...pair.newer, id: leaderOf.get(pair.newer.id) ?? pair.newer.id },
  }))
  const first = replacedBehind(leading, led)
  return [
    ...first,
    ...rest.map((one) =>
      withRule(one, Math.min(one.score, first.at(-1)?.score ?? one.score), {
        rule: 'folded',
        by: leaders.get(itemOf(one.candidate))?.candidate.id ?? null,
      }),
    ),
  ]
}

/** Pieces of one ingested text and its facts share it. */
function itemOf(candidate: Candidate): string {
  const { chunk, fact, id } = candidate
  return (chunk ?? fact)?.itemId ?? textIdOf(candidate) ?? id
}
