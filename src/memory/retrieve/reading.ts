import type { ChunkId } from '../../core/ids.ts'
import type { Source } from '../model.ts'
import type { FoundChunk } from '../ports.ts'
import { isSuperseded } from '../record.ts'
import { trust } from '../slots.ts'
import { place } from './feature-rows.ts'
import { bandScore, choiceChances, logit, type Ranking, sigmoid, weights } from './rank.ts'

/** How sure it is that texts answer the question, by what a model read of both together. */
export type Reads = ReadonlyMap<ChunkId, number>

/** Texts that are read with the question: the best ones that still hold, as far as reading them may change which is first. */
const textsRead = 3
const nearTheBest = 2.5

/** The texts to read, best first. */
export function bestTexts({ scored }: Ranking): readonly FoundChunk[] {
  const standing = scored.flatMap(({ candidate: { chunk }, linear }) =>
    chunk === null || isSuperseded(chunk) ? [] : [{ chunk, linear }],
  )
  const best = standing.toSorted((a, b) => b.linear - a.linear).slice(0, textsRead)
  return best.filter(({ linear }) => linear >= (best[0]?.linear ?? 0) - nearTheBest).map(({ chunk }) => chunk)
}

/**
 * The same ranking with what was read of the best texts. The best of them says whether there is an answer; a text that
 * answers less surely, and its facts, fall behind. What an assistant or a document says does not push back what the user
 * said; a question, which only asks, pushes back nothing; and what lies on a way over several facts need not answer
 * alone. None falls behind a text that was not read.
 */
export function withReading(ranking: Ranking, reads: Reads): Ranking {
  const { weights: chosen, crowd } = ranking
  const { reading, bands } = chosen
  const readOf = (text: ChunkId | undefined) => {
    const chance = text === undefined ? undefined : reads.get(text)
    return chance === undefined ? null : logit(chance)
  }
  const told = ranking.scored.flatMap(({ candidate: { chunk }, features }) => {
    const read = features[place.isQuestion] === 1 ? null : readOf(chunk?.id)
    return chunk === null || read === null ? [] : [{ trusted: trust[chunk.source], read }]
  })
  const bestBy = (source: Source) =>
    Math.max(...told.filter(({ trusted }) => trusted >= trust[source]).map(({ read }) => read))
  const unread = ranking.scored.filter(
    ({ candidate: { chunk } }) => chunk !== null && !isSuperseded(chunk) && !reads.has(chunk.id),
  )
  const least = Math.max(...unread.map(({ linear }) => linear))
  const moved = ranking.scored.map((one) => {
    const { chunk, fact, path } = one.candidate
    const own = path === null ? readOf(chunk?.id ?? fact?.chunkId) : null
    const source = (chunk ?? fact)?.source
    const fall = own === null || source === undefined ? 0 : Math.min(0, own - bestBy(source))
    const linear = notBelow(least, one.linear, one.linear + reading.choice * fall)
    return { ...one, read: (linear - one.linear) / reading.choice, linear }
  })
  const chances = choiceChances(
    moved.map(({ linear }) => linear),
    crowd,
    chosen,
  )
  const most = logit(Math.max(...reads.values()))
  const answerable = sigmoid(
    reading.answerable * logit(ranking.answerable) + reading.read * most + reading.offset,
  )
  const scored = moved.map((one, at) => {
    const probability = answerable * (chances[at] ?? 0)
    return { ...one, probability, score: bandScore(probability, bands) }
  })
  return { ...ranking, scored, answerable }
}

/** Where a score that falls ends: just above the least one, and those that would have fallen deeper stand lower there. */
function notBelow(least: number, from: number, to: number): number {
  if (to >= least) return to
  return Math.min(from, least + step / (1 + least - to))
}

/** Just enough to stand before. */
const step = 1e-3

/**
 * Whether a text is out of date for this question, where another may have taken its place: the surer that is, the better
 * the newer one answers and the worse the older one does. Null where one of them was not read.
 */
export function isReplacedForQuestion({ id, replaced }: FoundChunk, reads: Reads): boolean | null {
  const [older, newer] = [reads.get(id), replaced === null ? undefined : reads.get(replaced.by)]
  if (replaced === null || older === undefined || newer === undefined) return null
  const { taken } = weights.late.reading
  const signs = [
    taken.link * logit(replaced.probability),
    taken.newer * logit(newer),
    taken.older * logit(older),
  ]
  return signs.reduce((sum, sign) => sum + sign, taken.offset) > 0
}
