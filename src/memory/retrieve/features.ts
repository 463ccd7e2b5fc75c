import type { ChunkId } from '../../core/ids.ts'
import type { Chunk } from '../model.ts'
import type { EpisodicHit, EpisodicMatches } from '../ports.ts'
import { type QuestionFacts, wordsOf } from './question.ts'
import { spokenOf } from './spoken-of.ts'
import { type Peaks, peaksOf, readTurn, type Turn } from './turn.ts'

/** What the linear score looks at, in the order of the weights. docs/retrieval.md says why each is there. */
export const featureNames = [
  'words',
  'meaning',
  'wordsOverBest',
  'speakerNamed',
  'byAssistant',
  'length',
  'shortness',
  'isQuestion',
  'statesTime',
  'wordsBefore',
  'meaningBefore',
  'wordsTwoBefore',
  'meaningTwoBefore',
  'wordsAfter',
  'meaningAfter',
  'answers',
  'sessionWords',
  'sessionMeaning',
  'sessionDepth',
  'aloneWords',
  'aloneMeaning',
  'aloneNamed',
  'spokenOf',
] as const

export type FeatureName = (typeof featureNames)[number]

/** The features of one candidate, in the order of `featureNames`. */
export type Features = Float64Array

export interface Candidate {
  readonly hit: EpisodicHit
  readonly features: Features
  /** It only asks what is asked now, and so counts for nothing when the candidates are compared. */
  readonly isEcho: boolean
}

/** The features of every hit. They depend on the question and on these hits alone. */
export function featuresOf(question: QuestionFacts, matches: EpisodicMatches): readonly Candidate[] {
  const turns = matches.hits.map((hit) => readTurn(question, hit, matches.idfSum))
  const byId = new Map(turns.map((turn) => [turn.hit.chunk.id, turn]))
  const best = peaksOf(turns.filter(({ isEcho }) => !isEcho))
  const sessions = sessionPeaks(turns)
  const named = speakerShares(question, turns)
  const spoken = spokenOf(turns, best)
  return turns.map((turn) => ({
    hit: turn.hit,
    isEcho: turn.isEcho,
    features: Float64Array.from(rowOf({ question, turn, byId, best, sessions, named, spoken })),
  }))
}

interface RowParts {
  readonly question: QuestionFacts
  readonly turn: Turn
  readonly byId: ReadonlyMap<ChunkId, Turn>
  readonly best: Peaks
  readonly sessions: ReadonlyMap<string, SessionPeaks>
  readonly named: ReadonlyMap<string, number>
  readonly spoken: ReadonlyMap<ChunkId, number>
}

function rowOf({ question, turn, byId, best, sessions, named: shares, spoken }: RowParts): readonly number[] {
  const { hit, words, meaning } = turn
  const { chunk } = hit
  const before = neighbour(chunk, hit.previous[0], byId)
  const twoBefore = neighbour(chunk, hit.previous[1], byId)
  const after = neighbour(chunk, hit.next[0], byId)
  const session = chunk.sessionId === null ? undefined : sessions.get(chunk.sessionId)
  const named = shares.get(speakerKey(chunk)) ?? 0
  const length = Math.log(Math.max(1, chunk.text.length) / typicalLength)
  const values: Record<FeatureName, number> = {
    words,
    meaning,
    wordsOverBest: best.words > 0 ? words / best.words : 0,
    speakerNamed: named,
    byAssistant: isByAssistant(chunk) ? 1 : 0,
    length,
    shortness: Math.max(0, -length),
    isQuestion: turn.isQuestion ? 1 : 0,
    statesTime: question.forTime && timePattern.test(chunk.text.slice(0, readLength)) ? 1 : 0,
    wordsBefore: before?.words ?? 0,
    meaningBefore: before?.meaning ?? 0,
    wordsTwoBefore: twoBefore?.words ?? 0,
    meaningTwoBefore: twoBefore?.meaning ?? 0,
    wordsAfter: after?.words ?? 0,
    meaningAfter: after?.meaning ?? 0,
    answers: before?.isQuestion ? before.words * Math.max(0, before.meaning) : 0,
    sessionWords: session?.words ?? 0,
    sessionMeaning: session?.meaning ?? 0,
    sessionDepth: session?.depth ?? 0,
    aloneWords: session ? 0 : words,
    aloneMeaning: session ? 0 : meaning,
    aloneNamed: session ? 0 : named,
    spokenOf: spoken.get(chunk.id) ?? 0,
  }
  return featureNames.map((name) => values[name])
}

/** The length of an ordinary turn of a conversation, in characters: longer and shorter are told apart around it. */
const typicalLength = 120
/** What a turn is about shows at its beginning; longer texts are not searched further, which bounds the work. */
const readLength = 1_000

const timePattern =
  /\b(?:yesterday|today|tonight|tomorrow|ago|last|next|since|week|weekend|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|(?:19|20)\d\d)\b/i

interface SessionPeaks extends Peaks {
  /** Mean of the best three turns: a session that is about the matter, not only mentions it. */
  readonly depth: number
}

function sessionPeaks(turns: readonly Turn[]): ReadonlyMap<string, SessionPeaks> {
  const members = Map.groupBy(
    turns.filter(({ hit }) => hit.chunk.sessionId !== null),
    ({ hit }) => hit.chunk.sessionId ?? '',
  )
  return new Map(
    [...members].map(([session, list]) => {
      const sums = list.map(({ words, meaning }) => words + meaning).toSorted((a, b) => b - a)
      const top = sums.slice(0, 3)
      return [session, { ...peaksOf(list), depth: top.reduce((sum, value) => sum + value, 0) / 3 }]
    }),
  )
}

/** Without a session, only pieces of the same text are neighbours: what was stored next to it need not belong to it. */
function neighbour(
  chunk: Omit<Chunk, 'vector'>,
  id: ChunkId | undefined,
  byId: ReadonlyMap<ChunkId, Turn>,
): Turn | undefined {
  const turn = id === undefined ? undefined : byId.get(id)
  if (turn === undefined) return undefined
  return chunk.sessionId !== null || turn.hit.chunk.itemId === chunk.itemId ? turn : undefined
}

/** Few people speak in many turns: each name is looked for once. */
function speakerShares(question: QuestionFacts, turns: readonly Turn[]): ReadonlyMap<string, number> {
  const shares = new Map<string, number>()
  for (const { hit } of turns) {
    const key = speakerKey(hit.chunk)
    if (!shares.has(key)) shares.set(key, namedShare(question, hit.chunk))
  }
  return shares
}

function speakerKey({ speaker, source }: Pick<Chunk, 'speaker' | 'source'>): string {
  return speaker ?? `\n${source}`
}

const userNames = new Set(['user', 'human', 'me'])
const assistantNames = new Set(['assistant', 'ai', 'bot', 'system'])

/** How much of the speaker's name the question spells out; "my …" names the user, "you …" the assistant. */
export function namedShare(question: QuestionFacts, chunk: Pick<Chunk, 'speaker' | 'source'>): number {
  const speaker = speakerName(chunk)
  if (userNames.has(speaker)) return question.ofSelf ? 1 : 0
  if (assistantNames.has(speaker)) return question.ofAssistant ? 1 : 0
  const parts = [...wordsOf(speaker)]
  if (parts.length === 0) return 0
  return parts.filter((part) => question.words.has(part)).length / parts.length
}

/** What an assistant said is long and about much: of two texts that match as well, the user's own is the answer. */
function isByAssistant(chunk: Pick<Chunk, 'speaker' | 'source'>): boolean {
  return assistantNames.has(speakerName(chunk))
}

/** Said by somebody with a name. A document, the assistant or the user may tell of anybody; a person who was asked about may not. */
export function isByPerson({ speaker }: Pick<Chunk, 'speaker'>): boolean {
  const name = speaker?.toLowerCase() ?? ''
  return name !== '' && !userNames.has(name) && !assistantNames.has(name)
}

function speakerName({ speaker, source }: Pick<Chunk, 'speaker' | 'source'>): string {
  return (speaker ?? (source === 'document' ? '' : source)).toLowerCase()
}
