import type { RelationshipId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import { isMemberLink } from '../lifecycle/abstractions.ts'
import type { EpisodicMatches, FactHit } from '../ports.ts'
import { type Candidate, chunkCandidate, factCandidate, hotCandidate } from './candidate.ts'
import { scoreChunks, scoreFacts, scoreWorking } from './fuse.ts'
import type { HotMatch, Search } from './search.ts'
import type { Traversal } from './traverse.ts'
import { walkedScores } from './walked.ts'

/** Everything that was found for one question. */
export interface Found {
  readonly vector: Vector
  readonly episodic: EpisodicMatches
  readonly facts: readonly FactHit[]
  readonly traversal: Traversal
  readonly hot: readonly HotMatch[]
}

/** The newest hot facts are the conversation itself: they are appended even where no word is shared. */
const newestHot = 3
const hotFloor = 0.25

/** Every candidate once, with its score. A hot fact stands for the stored one. */
export function scoreCandidates(search: Search, found: Found): readonly Candidate[] {
  const { aging, question } = search
  const { vector, episodic, traversal, hot } = found
  const chunks = scoreChunks(question, episodic)
  const hits = new Map<RelationshipId, FactHit>(found.facts.map((hit) => [hit.fact.id, hit]))
  for (const { fact, cosine } of traversal.steps) {
    if (!hits.has(fact.id) && !isMemberLink(fact)) hits.set(fact.id, { fact, cosine, bm25: 0 })
  }
  const facts = new Map(
    scoreFacts([...hits.values()], chunks, episodic.idfSum).map(({ hit, score }) => [hit.fact.id, score]),
  )
  const walked = walkedScores(
    traversal,
    (id) => facts.get(id) ?? 0,
    ({ cosine }) => cosine,
  )
  const factScore = (id: RelationshipId) => Math.max(facts.get(id) ?? 0, walked.get(id) ?? 0)
  const working = hot.map(({ hot: fact, stored }, at) => {
    const own = Math.max(scoreWorking(question, vector, fact), stored === null ? 0 : factScore(stored.id))
    return hotCandidate(fact, at < newestHot ? Math.max(hotFloor, own) : own, stored, aging)
  })
  const taken = new Set(working.map(({ id }) => id))
  return [
    ...working,
    ...chunks
      .filter(({ hit }) => !taken.has(hit.chunk.id))
      .map(({ hit, score }) => chunkCandidate(hit.chunk, score, aging)),
    ...[...hits.values()]
      .filter(({ fact }) => !taken.has(fact.id))
      .map(({ fact }) => factCandidate(fact, factScore(fact.id), aging)),
  ]
}
