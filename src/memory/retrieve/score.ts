import type { ChunkId, RelationshipId } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import { isMemberLink } from '../lifecycle/abstractions.ts'
import type { EpisodicMatches, FactHit } from '../ports.ts'
import { type Candidate, chunkCandidate, factCandidate, hotCandidate } from './candidate.ts'
import { scoreAlone, scoreChunks, scoreFacts } from './fuse.ts'
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

/** A text that is near, where the graph knows such things and does not know this one, is probably about another. */
const unknownFactor = 0.8

/** Every candidate once, with its score. A hot fact stands for the stored one. */
export function scoreCandidates(search: Search, found: Found): readonly Candidate[] {
  const { aging, question } = search
  const { vector, episodic, traversal, hot } = found
  const chunks = scoreChunks(question, episodic)
  const hits = new Map<RelationshipId, FactHit>(found.facts.map((hit) => [hit.fact.id, hit]))
  for (const { fact, cosine } of traversal.steps) {
    if (!hits.has(fact.id) && !isMemberLink(fact)) hits.set(fact.id, { fact, cosine, bm25: 0 })
  }
  const scored = scoreFacts(question, [...hits.values()], chunks, episodic.idfSum)
  const facts = new Map(scored.map((fact) => [fact.hit.fact.id, fact]))
  const walked = walkedScores(
    traversal,
    (id) => facts.get(id)?.score ?? 0,
    ({ cosine }) => cosine,
  )
  const factScore = (id: RelationshipId) => Math.max(facts.get(id)?.score ?? 0, walked.get(id) ?? 0)
  const bestFact = new Map<ChunkId, number>()
  for (const { hit, score } of scored) {
    bestFact.set(hit.fact.chunkId, Math.max(bestFact.get(hit.fact.chunkId) ?? 0, score))
  }
  const working = hot.map(({ hot: fact, stored }, at) => {
    const own = Math.max(scoreAlone(question, vector, fact), stored === null ? 0 : factScore(stored.id))
    return hotCandidate(fact, at < newestHot ? Math.max(hotFloor, own) : own, stored, aging)
  })
  const taken = new Set(working.map(({ id }) => id))
  const isUnknown = question.slot !== null && scored.length > 0 && !scored.some(({ isAnswer }) => isAnswer)
  const factor = isUnknown ? unknownFactor : 1
  return [
    ...working,
    ...chunks
      .filter(({ hit }) => !taken.has(hit.chunk.id))
      // A text says all of its facts.
      .map(({ hit, score }) =>
        chunkCandidate(hit.chunk, Math.max(score, bestFact.get(hit.chunk.id) ?? 0) * factor, aging),
      ),
    ...scored
      .filter(({ hit }) => !taken.has(hit.fact.id))
      .map(({ hit: { fact }, isDirect }) =>
        factCandidate(fact, { score: factScore(fact.id) * factor, isDirect }, aging),
      ),
  ]
}
