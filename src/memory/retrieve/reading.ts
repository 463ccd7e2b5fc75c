import { endsAsQuestion } from '../../core/analyze.ts'
import type { ChunkId } from '../../core/ids.ts'
import { type Source, sharedPersona } from '../model.ts'
import type { AnswerReader, FoundChunk } from '../ports.ts'
import { isSuperseded } from '../record.ts'
import { trust } from '../slots.ts'
import { place } from './feature-rows.ts'
import { logit, type Ranking, scoredAnew, sigmoid, weights } from './rank.ts'

/** How sure it is that texts answer the question, by what a model read of both together. */
export type Reads = ReadonlyMap<ChunkId, number>

/** Texts that were weighed against what may have taken their place: what has, for this question; null where it has not. */
export type Weighed = ReadonlyMap<ChunkId, ChunkId | null>

/** Texts that are read with the question: the best ones, as far as reading them may change which is first. */
const textsRead = 4
const nearTheBest = 4

/** The texts to read, best first. What is out of date is read, too: what took its place will stand where it stands. */
export function bestTexts({ scored }: Ranking): readonly FoundChunk[] {
  // What is hot alone was told just now, and is not near.
  const texts = scored.flatMap(({ candidate: { chunk, hit }, linear }) =>
    chunk === null || hit === null ? [] : [{ chunk, linear }],
  )
  const best = texts.toSorted((a, b) => b.linear - a.linear).slice(0, textsRead)
  return best.filter(({ linear }) => linear >= (best[0]?.linear ?? 0) - nearTheBest).map(({ chunk }) => chunk)
}

/** Once a text answers as surely as this, those behind it seldom answer better. */
export const surely = 0.88

/** How surely the texts answer, each alone, best first. Once one surely does, the rest is looked over again. */
export async function readInTurn(
  reader: AnswerReader,
  question: string,
  texts: readonly FoundChunk[],
  signal?: AbortSignal,
): Promise<Map<ChunkId, number>> {
  const reads = new Map<ChunkId, number>()
  let rest = texts
  while (rest.length > 0) {
    const alone = rest.map(({ text }) => text)
    const chances = await reader.answersUntil(surely, question, alone, signal)
    if (chances.length === 0) throw new Error('the reader of answers read no text')
    for (const [at, { id }] of rest.slice(0, chances.length).entries()) reads.set(id, chances[at] ?? 0)
    rest = rest.slice(chances.length).filter((text) => isWorthReading(text, texts, reads))
  }
  return reads
}

/**
 * Whether a text need be read after those before it: none of them surely answers and would push it back, or it was told
 * later and may have taken the place of the one that does.
 */
export function isWorthReading(text: FoundChunk, texts: readonly FoundChunk[], reads: Reads): boolean {
  const sure = texts.find((one) => (reads.get(one.id) ?? 0) >= surely && mayPushBack(one, text))
  return sure === undefined || lastTold(text) > lastTold(sure)
}

const mayPushBack = (one: FoundChunk, other: FoundChunk): boolean =>
  !endsAsQuestion(one.text) && trust[one.source] >= trust[other.source]

/**
 * The same ranking with what was read of the best texts. The best of them says whether there is an answer; a text that
 * answers less surely, and its facts, fall behind. What an assistant or a document says does not push back what the user
 * said; a question, which only asks, pushes back nothing; and what lies on a way over several facts need not answer
 * alone. None falls behind a text that was not read.
 */
export function withReading(ranking: Ranking, reads: Reads): Ranking {
  const { reading } = ranking.weights
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
  const most = logit(Math.max(...reads.values()))
  const answerable = sigmoid(
    reading.answerable * logit(ranking.answerable) + reading.read * most + reading.offset,
  )
  return scoredAnew(ranking, moved, answerable)
}

/** Where a score that falls ends: just above the least one, and those that would have fallen deeper stand lower there. */
function notBelow(least: number, from: number, to: number): number {
  if (to >= least) return to
  return Math.min(from, least + step / (1 + least - to))
}

/** Just enough to stand before. */
const step = 1e-3

/**
 * Whether a newer text takes the place of an older one for this question: the surer that it makes it out of date, the
 * better it answers and the worse the older one does, both read together.
 */
export function isTaken(link: number, { newer, older }: { newer: number; older: number }): boolean {
  const { taken } = weights.late.reading
  const signs = [taken.link * logit(link), taken.newer * logit(newer), taken.older * logit(older)]
  return signs.reduce((sum, sign) => sum + sign, taken.offset) > 0
}

/** Who answers less surely than this takes nobody's place. */
const leastOfARival = 0.2

export const mayAnswer = (chance: number): boolean => chance >= leastOfARival

/** Texts that were read, of somebody more trusted, told no later than this one, that surely answer, too: they may say otherwise. */
export function moreTrusted(
  text: FoundChunk,
  read: readonly FoundChunk[],
  reads: Reads,
): readonly FoundChunk[] {
  return read.filter(
    (other) =>
      lastTold(other) <= lastTold(text) &&
      trust[other.source] > trust[text.source] &&
      !isSuperseded(other) &&
      (reads.get(other.id) ?? 0) >= surely,
  )
}

/** Texts that were read, told after this one and as trusted, that answer, too: they may have taken its place without a link. */
export function rivalsOf(text: FoundChunk, read: readonly FoundChunk[], reads: Reads): readonly FoundChunk[] {
  return read.filter(
    (other) =>
      lastTold(other) > lastTold(text) &&
      trust[other.source] >= trust[text.source] &&
      (other.persona === text.persona || text.persona === sharedPersona) &&
      other.id !== text.replaced?.by &&
      mayAnswer(reads.get(other.id) ?? 0),
  )
}

const lastTold = ({ toldAt, createdAt }: FoundChunk) => toldAt ?? createdAt
