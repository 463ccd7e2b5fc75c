import { endsAsQuestion } from '../../core/analyze.ts'
import type { Seconds } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import { speakerOf } from '../../core/speaker.ts'
import { type Chunk, withShared } from '../model.ts'
import type { FoundChunk, ItemWrite } from '../ports.ts'
import { toldTime } from '../slots.ts'
import { certain } from './certainty.ts'
import { divided, inTime, isTrustedInTime, laterThan, whenLater } from './in-time.ts'
import type { RelateParts } from './parts.ts'

/** Texts less alike than this speak of other things: all but a few of the pairs that replace each other are nearer. */
const leastCosine = 0.15

/** Near texts that are judged: those with something to replace are among the nearest, and each costs as much as a text. */
const nearest = 3

/** Of a long text only the first pieces are compared: what changes a statement is told in few words. */
const mostPieces = 4

/** Of an item that was told in the past so many are looked at, because those told before it and after it are told apart. */
const nearestInTime = 24

/** A stored text that a piece of the new one may be about. */
export interface Near {
  readonly piece: Chunk
  readonly other: FoundChunk
  /** When the other was told, where that is later than the item. */
  readonly since: Seconds | null
}

/** Where two people speak, each text has its speaker's name before it. */
export const pairOfTexts = ({ piece, other, since }: Near) =>
  piece.speaker === other.speaker
    ? inTime(since, piece.text, other.text)
    : inTime(since, withSpeaker(piece), withSpeaker(other))

function withSpeaker({ speaker, source, text }: Pick<Chunk, 'speaker' | 'source' | 'text'>): string {
  const name = speaker ?? (source === 'user' ? 'User' : null)
  return name === null || speakerOf(text) !== null ? text : `${name}: ${text}`
}

export const endsOfTexts = ({ piece, other, since }: Near) => ({
  ...inTime(since, piece.id, other.id),
  ...whenLater(since),
})

/** The texts nearest to each piece that it may replace, or that may have replaced it since, nearest first. */
export async function nearStatements(
  { episodic, without }: RelateParts,
  namespace: Namespace,
  item: ItemWrite,
): Promise<readonly Near[]> {
  // The parts of documents look alike; their versions are told apart by their key.
  if (item.source === 'document') return []
  const limit = toldTime(item) === Number.POSITIVE_INFINITY && without === undefined ? nearest : nearestInTime
  const personas = withShared(item.persona)
  const found = await Promise.all(
    item.chunks.slice(0, mostPieces).map(async (piece) => {
      const hits = await episodic.nearest(namespace, personas, piece.vector, limit)
      return hits
        .filter(({ chunk, cosine }) => cosine >= leastCosine && !without?.has(chunk.id))
        .map(({ chunk, cosine }) => ({ piece, other: chunk, cosine, since: laterThan(item, chunk) }))
    }),
  )
  const telling = new Set(item.facts.map(({ chunkId }) => chunkId))
  const [older, newer] = divided(
    found
      .flat()
      .filter(({ other, since }) => isTrustedInTime(item, other, since))
      .filter(({ piece, other, since }) =>
        since === null
          ? !onlyAsks(piece.text, telling.has(piece.id))
          : !onlyAsks(other.text, other.factCount > 0),
      )
      .toSorted((a, b) => b.cosine - a.cosine),
    ({ since }) => since === null,
  )
  const told = toldTime(item)
  const isOutdated = ({ replaced }: FoundChunk) =>
    replaced !== null && replaced.probability >= certain && replaced.at <= told && !without?.has(replaced.by)
  return [...older.filter(({ other }) => !isOutdated(other)).slice(0, nearest), ...newer.slice(0, nearest)]
}

/** A question that tells no fact takes the place of nothing. */
function onlyAsks(text: string, tells: boolean): boolean {
  return !tells && endsAsQuestion(text)
}
