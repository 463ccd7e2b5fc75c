import type { Source } from '../../../memory/model.ts'
import type { Tree } from '../grammar/tree.ts'
import { beliefIn } from './doubt.ts'
import type { FactDraft } from './draft.ts'

/** Below this an uncertain arc costs no more: the rest is the pattern's to say. */
const lowestArc = 0.4
const sourceFactor: Record<Source, number> = { user: 1, document: 0.95, assistant: 0.85 }

/** How sure a fact is: the pattern, times the weakest arc under it, less for doubt and for second hand. */
export function confidenceOf(draft: FactDraft, tree: Tree, source: Source): number {
  const weakest = Math.max(lowestArc, Math.min(1, ...draft.support.map((i) => tree.certainty[i] ?? 1)))
  const belief = source === 'document' ? 1 : beliefIn(draft, tree, weakest)
  const value = draft.base * weakest * (draft.hypothetical ? 0.5 : 1) * belief * sourceFactor[source]
  return Math.round(value * 1000) / 1000
}
