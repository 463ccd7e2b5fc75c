import type { Tree } from '../grammar/tree.ts'
import {
  disagrees,
  guesses,
  isAboutNobody,
  isCalled,
  isDangling,
  isFragment,
  isHabitOfNobody,
  isHedged,
  isLeftover,
  isPurpose,
  isShouted,
  pointsAtSubject,
  saysWeAll,
  wasState,
} from './doubt-clauses.ts'
import {
  endsOddly,
  isAct,
  isAntecedent,
  isCutCompound,
  isIdiom,
  isLikeThis,
  isOpen,
  isPlaceOfGoal,
  isThem,
  isToldByClause,
  isUnnamed,
  isWishedOf,
  pointsAtObject,
} from './doubt-objects.ts'
import type { FactDraft } from './draft.ts'
import { isCanonical } from './relations.ts'
import { type Told, withWords } from './told.ts'

interface Doubt {
  /** What is believed of the fact then. */
  readonly factor: number
  readonly signs: readonly ((told: Told) => boolean)[]
}

/** What makes a fact of talk unreliable. Any one of the signs brings it below 0.65. */
const doubts: readonly Doubt[] = [
  // Nothing is said.
  { factor: 0.65, signs: [isOpen, isUnnamed, isLikeThis, pointsAtObject, isIdiom] },
  // The object was cut, or is none.
  {
    factor: 0.65,
    signs: [endsOddly, isCutCompound, isAct, isPlaceOfGoal, isWishedOf, isThem, isAntecedent, isToldByClause],
  },
  // Somebody else is meant, or everybody.
  { factor: 0.65, signs: [saysWeAll, pointsAtSubject, disagrees, isAboutNobody, isHabitOfNobody] },
  { factor: 0.4, signs: [isCalled, isDangling, isShouted] },
  // It is no statement.
  { factor: 0.65, signs: [isHedged, isPurpose, isFragment, isLeftover] },
  { factor: 0.5, signs: [guesses] },
  // It was so, and may be no longer.
  { factor: 0.65, signs: [wasState] },
]

/** How far a fact of talk is to be believed, beside its pattern and its weakest arc: 1, or less where a sign speaks against it. */
export function beliefIn(draft: FactDraft, tree: Tree, weakestArc: number): number {
  const told = withWords(draft, tree)
  if (told === null) return 1
  const found = doubts.filter(({ signs }) => signs.some((holds) => holds(told))).map(({ factor }) => factor)
  // Talk is parsed worse than books: an arc that the parser is unsure of is wrong more often than it says.
  const arc = draft.ended || isCanonical(draft.relation) || wellKnown.test(draft.relation) ? 1 : weakestArc
  return Math.min(arc, ...found)
}

/** Patterns that are right even where the parse is unsure. */
const wellKnown = /^(?:has_(?!size$)[^_]+|favourite_.*|speaks|allergic_to|born_.*|takes)$/
