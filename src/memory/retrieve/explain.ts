import type { CutMemory, Explanation, MemoryExplanation, RetrieveExplanation } from '../explanation.ts'
import { shownText } from './candidate.ts'
import { featureNames } from './feature-rows.ts'
import type { Ranking } from './rank.ts'
import type { Placed, Settled } from './settle.ts'

/** Where a result's score comes from: what each feature adds to the linear score, and what was done to it afterwards. */
export function explanationOf(
  { scored, score, rules }: Placed,
  { weights, answerable }: Ranking,
): Explanation {
  const features = featureNames.flatMap((name, at) => {
    const value = scored?.features[at] ?? 0
    const weight = weights.features[name]
    return value === 0 ? [] : [{ name, value, weight, contribution: value * weight }]
  })
  const read = scored?.read ?? 0
  const { choice } = weights.reading
  const reading =
    read === 0 ? [] : [{ name: 'read', value: read, weight: choice, contribution: read * choice }]
  return {
    features: [...features, ...reading],
    ...{ linear: scored?.linear ?? 0, answerable, probability: scored?.probability ?? 0 },
    ...{ calibrated: scored?.score ?? 0, rules, score },
  }
}

/** What was found and is not returned, best first. */
export function explainCut({ cut }: Settled): RetrieveExplanation {
  const best = cut().toSorted((a, b) => b.score - a.score)
  return { cut: best.map(cutMemory), memory: null }
}

function cutMemory({ candidate, score, rules }: Placed): CutMemory {
  const last = rules.at(-1)
  return {
    ...{ id: candidate.id, fact: shownText(candidate), score },
    ...{ rule: last?.rule ?? 'k', by: last?.by ?? null },
  }
}

/** What the stores know of a memory. */
export interface Known {
  readonly persona: string
  /** It is not among what was asked for by time or metadata. */
  readonly isOutside: boolean
  /** A fact that no longer holds is not searched. */
  readonly isClosed: boolean
}

/** Why one memory came back, or did not. `known` is asked only when it was no candidate. */
export async function explainMemory(
  id: string,
  { chosen, cut }: Settled,
  ranking: Ranking,
  personas: readonly string[] | null,
  known: () => Promise<Known | null>,
): Promise<RetrieveExplanation> {
  const explain = (outcome: MemoryExplanation['outcome'], by: string | null, placed: Placed | null) => ({
    cut: [],
    memory: { id, outcome, by, explanation: placed === null ? null : explanationOf(placed, ranking) },
  })
  const returned = chosen.find(({ candidate }) => candidate.id === id)
  if (returned !== undefined) return explain('returned', null, returned)
  const left = cut().find(({ candidate }) => candidate.id === id)
  if (left !== undefined) return explain(cutMemory(left).rule, cutMemory(left).by, left)
  const stored = await known()
  if (stored === null) return explain('unknown', null, null)
  if (personas !== null && !personas.includes(stored.persona)) return explain('persona', null, null)
  if (stored.isOutside) return explain('outside', null, null)
  return explain(stored.isClosed ? 'closed' : 'not_found', null, null)
}
