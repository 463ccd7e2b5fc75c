import type { StatementPair, StatementRelation } from '../ports.ts'

/** Judged for one text at most: a pair costs about as much as embedding a text. */
const mostPairs = 8

/** What is known of the pairs of one text. */
export interface Judge {
  /** Judges those that are not judged yet, the first ones given, while there is room. */
  ask(pairs: readonly StatementPair[]): Promise<void>
  /** The chance that the older statement is out of date; 0 for a pair that was not judged. */
  closing(pair: StatementPair): number
  kind(pair: StatementPair): 'replaces' | 'ends'
}

export function judgeOnce(relation: StatementRelation, signal?: AbortSignal): Judge {
  const known = new Map<string, { readonly replaces: number; readonly ends: number }>()
  const keyOf = ({ older, newer }: StatementPair) => `${older}\u0000${newer}`
  return {
    async ask(pairs) {
      const fresh = new Map(pairs.map((pair) => [keyOf(pair), pair]))
      const asked = [...fresh]
        .filter(([key]) => !known.has(key))
        .slice(0, Math.max(0, mostPairs - known.size))
      if (asked.length === 0) return
      const chances = await relation.judge(
        asked.map(([, pair]) => pair),
        signal,
      )
      for (const [at, [key]] of asked.entries()) {
        const chance = chances[at]
        if (chance === undefined) throw new Error('the relation model gave no judgement for a pair')
        known.set(key, chance)
      }
    },
    closing: (pair) => {
      const chance = known.get(keyOf(pair))
      return chance === undefined ? 0 : chance.replaces + chance.ends
    },
    kind: (pair) => {
      const { replaces = 0, ends = 0 } = known.get(keyOf(pair)) ?? {}
      return replaces >= ends ? 'replaces' : 'ends'
    },
  }
}
