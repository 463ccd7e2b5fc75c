import type { EpisodicStore, GraphStore, StatementRelation } from '../ports.ts'

export interface RelateParts {
  readonly episodic: Pick<EpisodicStore, 'nearest' | 'get' | 'links'>
  readonly graph: Pick<GraphStore, 'rivals' | 'factsOf'>
  readonly relation: StatementRelation
  /** Memories that the item takes the place of: it is related as if they had never been told. */
  readonly without?: ReadonlySet<string>
  /** Statements that the item corrects, as the user's word: it certainly takes their place. */
  readonly wrong?: ReadonlySet<string>
}
