import type { StatementPair } from '../ports.ts'
import { corrected, mostJudged } from './certainty.ts'
import type { RelateParts } from './parts.ts'

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

/** Nobody has to judge whether a correction replaces what it corrects: the statements of `wrong`. */
export function judgeOnce(
  { relation, wrong }: Pick<RelateParts, 'relation' | 'wrong'>,
  signal?: AbortSignal,
): Judge {
  const isWrong = ({ older }: StatementPair) => wrong?.has(older) === true
  const known = new Map<string, { readonly replaces: number; readonly ends: number }>()
  const keyOf = ({ older, newer }: StatementPair) => `${older}\u0000${newer}`
  return {
    async ask(pairs) {
      const fresh = new Map(pairs.filter((pair) => !isWrong(pair)).map((pair) => [keyOf(pair), pair]))
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
      if (isWrong(pair)) return corrected
      const { replaces = 0, ends = 0 } = known.get(keyOf(pair)) ?? {}
      return Math.min(mostJudged, replaces + ends)
    },
    kind: (pair) => {
      const { replaces = 0, ends = 0 } = known.get(keyOf(pair)) ?? {}
      return replaces >= ends ? 'replaces' : 'ends'
    },
  }
}
