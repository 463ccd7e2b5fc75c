import type { FoundFact } from '../ports.ts'
import { standBehind } from './behind.ts'
import type { Candidate } from './candidate.ts'
import type { QuestionFacts } from './question.ts'

const asksWhat = /^\W*(?:what|which|who|whom|where|when|how)\b/i
const asksForDenials = /n['’]t\b|\b(?:not|never|no|nor|without|avoid|except|dislike|hate|instead)\b/i

const matterOf = ({ subject, relation }: FoundFact) => `${subject}\u0000${relation}`

/**
 * A question that asks what holds is answered by what holds: a text that only denies something else about the matter
 * ("I don't play the violin") stands behind one that says it ("I play the cello").
 */
export function denialsBehind(
  candidates: readonly Candidate[],
  { text, words }: QuestionFacts,
): readonly Candidate[] {
  if (!asksWhat.test(text) || asksForDenials.test(text)) return candidates
  const facts = candidates.flatMap(({ fact }) => (fact === null || fact.closedAt !== null ? [] : fact))
  const isAsked = ({ objectName }: FoundFact) =>
    objectName
      .toLowerCase()
      .split(/\W+/)
      .some((word) => words.has(word))
  const denied = facts.filter((fact) => fact.negated && !isAsked(fact))
  if (denied.length === 0) return candidates
  const said = facts.filter(({ negated }) => !negated)
  const scores = new Map<string, number>(candidates.map(({ id, score }) => [id, score]))
  const ahead = new Map<string, number>()
  for (const denial of denied) {
    const matching = said.filter((fact) => matterOf(fact) === matterOf(denial))
    if (matching.some(({ chunkId }) => chunkId === denial.chunkId)) continue
    const best = Math.max(0, ...matching.map(({ id, chunkId }) => scores.get(chunkId) ?? scores.get(id) ?? 0))
    if (best === 0) continue
    for (const id of [denial.chunkId, denial.id]) ahead.set(id, best)
  }
  return standBehind(candidates, ahead)
}
