import { analyze } from '../../core/analyze.ts'
import type { ChunkId } from '../../core/ids.ts'
import { lateOf, raiseMatches } from '../../core/late-interaction/late-interaction.ts'
import type { Encoding, EpisodicHit, EpisodicMatches } from '../ports.ts'
import { isSuperseded } from '../record.ts'
import { type Candidate, noMatch } from './candidate.ts'
import { place } from './feature-rows.ts'
import type { QuestionFacts } from './question.ts'
import { edges, type Ranking, rank, type Scored, scoredAnew, type Weights } from './rank.ts'
import { isTraversal, type Search } from './search.ts'

/** Each step is one more search. */
const mostSteps = 2
/** A step looks at so many texts. */
const textsOfAStep = 24
/** What the names of the second text on the way count, over those of the first. */
const farther = 0.8
/** Just enough to stand behind. */
const behind = 1e-3

/**
 * A question that takes several steps shares little with the texts of the later ones; the text before names what they are
 * about. From the best text on: what says those of its names again that the question does not say, and tells what it
 * leaves open, rises, though not above it; the best of these is the next to start from. Where nothing probably answers,
 * there is nothing to start from.
 */
export async function followNames(
  search: Search,
  encoding: Encoding,
  episodic: EpisodicMatches,
  ranking: Ranking,
): Promise<Ranking> {
  const { includeEpisodic, maxHops } = search.request
  const steps = includeEpisodic && isTraversal(search.request) ? Math.min(mostSteps, (maxHops ?? 1) - 1) : 0
  const way: Scored[] = []
  const named = new Map<ChunkId, number>()
  let { hits } = episodic
  let { scored } = ranking
  let next = steps > 0 ? bestText(scored) : undefined
  if (next !== undefined && next.score < edges.probable) next = undefined
  for (let step = 0; next !== undefined && step < steps; step++) {
    way.push(next)
    const matches = await sayingNamesOf(search, encoding, next)
    const saying = matches.hits.filter(({ bm25 }) => bm25 > 0)
    for (const { chunk, bm25 } of saying) {
      const share = (bm25 / matches.idfSum) * farther ** step
      named.set(chunk.id, Math.max(share, named.get(chunk.id) ?? 0))
    }
    const known = new Set(hits.map(({ chunk }) => chunk.id))
    const fresh = saying.filter(({ chunk }) => !known.has(chunk.id))
    // Nothing is known of the question's own words in them.
    hits = [...hits, ...fresh.map((hit) => ({ ...hit, bm25: 0 }))]
    const found = byThemselves(search, { ...episodic, hits }, ranking.scored)
    scored = risen(search.question, { ...ranking, scored: [...ranking.scored, ...found] }, { way, named })
    const passed = new Set(way.map(({ candidate }) => candidate.id))
    next = bestText(
      scored.filter(
        ({ candidate: { chunk } }) => chunk !== null && named.has(chunk.id) && !passed.has(chunk.id),
      ),
    )
  }
  return way.length === 0 ? ranking : scoredAnew(ranking, scored, ranking.answerable)
}

const isCurrentText = ({ candidate: { chunk } }: Scored) => chunk !== null && !isSuperseded(chunk)

/** The best text that still holds. */
function bestText(scored: readonly Scored[]): Scored | undefined {
  return scored
    .filter(isCurrentText)
    .reduce<Scored | undefined>((best, one) => (best && best.linear >= one.linear ? best : one), undefined)
}

const name = /\p{Lu}[\p{L}\p{M}\p{N}]+/gu

/** Texts that say names of this one that the question does not say. */
function sayingNamesOf(
  { stores, namespace, question, personas, reach }: Search,
  { vector, tokens }: Encoding,
  { candidate: { chunk } }: Scored,
): Promise<EpisodicMatches> {
  const asked = new Set(question.terms)
  const names = chunk?.text.match(name) ?? []
  const terms = [...new Set(analyze(names.join(' ')))].filter((term) => !asked.has(term))
  const nothing = { hits: [], idfSum: 0 }
  if (terms.length === 0) return Promise.resolve(nothing)
  const query = { vector, tokens, terms, personas, nearest: 0, lexical: textsOfAStep }
  return reach.ask('qdrant', () => stores.episodic.search(namespace, query), nothing)
}

/** The texts that the ranking did not have, with the scores that they have by themselves. */
function byThemselves(
  { question, request }: Search,
  episodic: EpisodicMatches,
  ranked: readonly Scored[],
): readonly Scored[] {
  const known = new Set(ranked.map(({ candidate }) => candidate.id))
  const fresh = episodic.hits.filter(({ chunk }) => !known.has(chunk.id)).map(textFound)
  if (fresh.length === 0) return []
  const all = [...ranked.map(({ candidate }) => candidate), ...fresh]
  return rank(question, all, episodic, request.sessionId).scored.slice(ranked.length)
}

const textFound = (hit: EpisodicHit): Candidate => ({
  ...{ id: hit.chunk.id, chunk: hit.chunk, fact: null, hit, own: noMatch },
  ...{ hot: null, hotRank: -1, path: null },
})

interface Way {
  /** The texts that steps start from, the first one first. */
  readonly way: readonly Scored[]
  /** How far texts say their names. */
  readonly named: ReadonlyMap<ChunkId, number>
}

function risen(
  question: QuestionFacts,
  { scored, weights }: Ranking,
  { way, named }: Way,
): readonly Scored[] {
  const [first] = way
  const passed = new Map(way.map((one) => [one.candidate.id, one]))
  const addedBy = coverage(question, way)
  return scored.map((one) => {
    const { id, chunk, hit } = one.candidate
    const share = chunk === null ? undefined : named.get(chunk.id)
    const onTheWay = passed.get(id)
    if (first === undefined || share === undefined || onTheWay !== undefined) return onTheWay ?? one
    const features = one.features.slice()
    features[place.completes] = addedBy(hit)
    features[place.namedBefore] = share
    return notAbove(first, one, features, weights.features)
  })
}

/** What a text adds to how far those on the way meet the question; 0 without token vectors. */
function coverage(
  { importance }: QuestionFacts,
  way: readonly Scored[],
): (hit: EpisodicHit | null) => number {
  if (importance === null) return () => 0
  const met = new Float32Array(importance.length)
  for (const { candidate } of way) raiseMatches(met, candidate.hit?.late)
  const before = lateOf(met, importance).weighted
  const together = new Float32Array(met.length)
  return (hit) => {
    together.set(met)
    raiseMatches(together, hit?.late)
    return lateOf(together, importance).weighted - before
  }
}

/** With what it is worth on the way, as far as that does not bring it above the first text. */
function notAbove(
  first: Scored,
  one: Scored,
  features: Scored['features'],
  { completes, namedBefore }: Weights['features'],
): Scored {
  const rise = completes * (features[place.completes] ?? 0) + namedBefore * (features[place.namedBefore] ?? 0)
  const most = Math.max(0, first.linear - behind - one.linear)
  const share = rise > most ? most / rise : 1
  for (const at of [place.completes, place.namedBefore]) features[at] = (features[at] ?? 0) * share
  return { ...one, features, linear: one.linear + rise * share }
}
