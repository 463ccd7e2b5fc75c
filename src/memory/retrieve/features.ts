import type { ChunkId } from '../../core/ids.ts'
import { type LateInteraction, lateOf, missOf } from '../../core/late-interaction/late-interaction.ts'
import type { EpisodicHit, EpisodicMatches } from '../ports.ts'
import { answersTo } from './asked-slot.ts'
import { type Candidate, textIdOf } from './candidate.ts'
import {
  echoOf,
  endsAsQuestion,
  isByAssistant,
  namedShare,
  namesMissing,
  type QuestionFacts,
  statedKinds,
} from './question.ts'
import { type TitleMentions, titleMentions } from './titles.ts'

/** What the linear score looks at, in the order of the weights. docs/retrieval.md says why each is there. */
export const featureNames = [
  // The text by itself.
  'words',
  'wordsOverBest',
  'meaning',
  'late',
  'lateEven',
  'lateLeast',
  'lateMiss',
  'lateRare',
  'lateWithBefore',
  'lateAround',
  'lateLeastAround',
  'lateWithPartner',
  'lateLeastWithPartner',
  'speakerNamed',
  'byAssistant',
  'length',
  'shortness',
  'longWords',
  'longMeaning',
  'longLate',
  'isQuestion',
  'echo',
  'statesTime',
  'statesNumber',
  'statesName',
  'namesMissing',
  // Its place in the conversation.
  'wordsBefore',
  'meaningBefore',
  'lateBefore',
  'wordsTwoBefore',
  'meaningTwoBefore',
  'lateTwoBefore',
  'wordsAfter',
  'meaningAfter',
  'lateAfter',
  'answers',
  'sessionWords',
  'sessionMeaning',
  'sessionDepth',
  'sessionLate',
  'manySessionWords',
  'manySessionMeaning',
  'manySessionDepth',
  'manySessionLate',
  'manyWordsBefore',
  'manyMeaningBefore',
  'manyMeaning',
  'manyLate',
  'manyAroundLate',
  // A text that belongs to no conversation.
  'aloneWords',
  'aloneMeaning',
  'aloneLate',
  'aloneNamed',
  'titleMentioned',
  'titleSpokenOf',
  // Its time.
  'recency',
  // The facts in it.
  'factWords',
  'factMeaning',
  'askedSlot',
  'negated',
  'pathCloseness',
  'pathNarrowness',
  'hop',
  'textMissing',
  // The session at hand.
  'isHot',
  'inSession',
  'inSessionVague',
] as const

export type FeatureName = (typeof featureNames)[number]

/** The features of one candidate, in the order of `featureNames`. */
export type Features = Float64Array

/** One text that the search found, with what is needed of it more than once. */
export interface Turn {
  readonly hit: EpisodicHit
  /** BM25 over the idf sum of the question: 0 to about 2, the same scale for every question. */
  readonly words: number
  readonly meaning: number
  /** Late interaction; 0 where there is none. */
  readonly late: number
  /** Late interaction where there is any; the meaning otherwise. */
  readonly match: number
  readonly isQuestion: boolean
  /** How far it only repeats the question, 0 to 1. */
  readonly echo: number
}

/** From here on a text counts as the question asked again, and says nothing of where an answer is. */
export const echoes = 0.5

/** The best of several turns, never below 0. */
export interface Peaks {
  readonly words: number
  readonly meaning: number
  readonly match: number
}

interface SessionPeaks extends Peaks {
  /** Mean of the best three turns: a session that is about the matter, not only mentions it. */
  readonly depth: number
  readonly lateDepth: number
}

/** What all texts together say of the question: the best match of each of its tokens in any of them. */
export interface Together {
  readonly late: number
  readonly least: number
}

/** The features of every candidate. They depend on the question, on these candidates and on the session alone. */
export function featuresOf(
  question: QuestionFacts,
  candidates: readonly Candidate[],
  { hits, idfSum }: EpisodicMatches,
  sessionId: string | null,
): { readonly features: readonly Features[]; readonly together: Together } {
  const turns = hits.map((hit) => readTurn(question, hit, idfSum))
  const best = peaksOf(turns)
  const context: Context = {
    ...{ question, best, sessionId },
    byId: new Map(turns.map((turn) => [turn.hit.chunk.id, turn])),
    sessions: sessionPeaks(turns),
    titles: titleMentions(turns, best),
    recency: recencies(turns, best),
    named: namedOnce(question),
    rarity: rarities(question, turns),
  }
  const texts = new Map(
    turns.map((turn) => [
      turn.hit.chunk.id,
      write(textFeatures(context, turn), new Float64Array(featureNames.length)),
    ]),
  )
  const facts = candidates.flatMap(({ fact }) => (fact === null ? [] : fact))
  const answers = question.slot === null ? () => false : answersTo(question.slot, facts)
  const answering = new Set(facts.filter(answers).flatMap(({ id, chunkId }) => [String(id), String(chunkId)]))
  const negated = negatedTexts(candidates)
  const features = candidates.map((candidate) => {
    const id = textIdOf(candidate)
    const text = id === null ? undefined : texts.get(id)
    const isNegated = candidate.fact?.negated ?? (id !== null && negated.has(id))
    const row = text?.slice() ?? write(missingText(candidate), new Float64Array(featureNames.length))
    const last = { askedSlot: answering.has(candidate.id) ? 1 : 0, negated: isNegated ? 1 : 0 }
    return write(last, write(ownFeatures(context, candidate), row))
  })
  return { features, together: togetherOf(question, turns) }
}

interface Context {
  readonly question: QuestionFacts
  readonly best: Peaks
  readonly sessionId: string | null
  readonly byId: ReadonlyMap<ChunkId, Turn>
  readonly sessions: ReadonlyMap<string, SessionPeaks>
  readonly titles: TitleMentions
  readonly recency: ReadonlyMap<ChunkId, number>
  readonly named: (chunk: EpisodicHit['chunk']) => number
  /** How much each token of the question tells these texts apart; null without token vectors. */
  readonly rarity: Float32Array | null
}

const placeOf = new Map<string, number>(featureNames.map((name, at) => [name, at]))

/** Writes what is known into a row; what is not stays 0. */
function write(values: Values, row: Features): Features {
  for (const name in values) row[placeOf.get(name) ?? -1] = values[name as FeatureName] ?? 0
  return row
}

type Values = { readonly [Name in FeatureName]?: number | undefined }

/** What a text is worth by itself and by its place. A fact shares it with its text. */
function textFeatures(context: Context, turn: Turn): Values {
  const { question, best, byId, sessions } = context
  const { hit, words, meaning } = turn
  const { chunk, late } = hit
  const before = neighbour(turn, hit.previous[0], byId)
  const twoBefore = neighbour(turn, hit.previous[1], byId)
  const after = neighbour(turn, hit.next[0], byId)
  const session = chunk.sessionId === null ? undefined : sessions.get(chunk.sessionId)
  const named = context.named(chunk)
  // Which session it is tells more where there are many.
  const many = session === undefined ? 0 : Math.log(Math.max(1, sessions.size))
  const length = Math.log(Math.max(1, chunk.text.length) / typicalLength)
  // Much matches something in a long text.
  const long = Math.max(0, length)
  const together = lateTogether(context, turn, [before, after, twoBefore])
  const wordsOverBest = best.words > 0 ? words / best.words : 0
  return {
    ...{ words, wordsOverBest, meaning },
    ...{ late: late?.weighted, lateEven: late?.even, lateLeast: late?.least },
    ...together,
    speakerNamed: named,
    byAssistant: isByAssistant(chunk) ? 1 : 0,
    length,
    shortness: Math.max(0, -length),
    ...{ longWords: long * words, longMeaning: long * meaning, longLate: long * turn.late },
    isQuestion: turn.isQuestion ? 1 : 0,
    echo: turn.echo,
    ...statedKinds(question, chunk.text),
    namesMissing: namesMissing(question, [chunk, before?.hit.chunk]),
    ...{ wordsBefore: before?.words, meaningBefore: before?.meaning, lateBefore: before?.late },
    ...{ wordsTwoBefore: twoBefore?.words, meaningTwoBefore: twoBefore?.meaning },
    lateTwoBefore: twoBefore?.late,
    ...{ wordsAfter: after?.words, meaningAfter: after?.meaning, lateAfter: after?.late },
    answers: before?.isQuestion ? before.words * Math.max(0, before.match) : 0,
    ...{ sessionWords: session?.words, sessionMeaning: session?.meaning, sessionDepth: session?.depth },
    sessionLate: session?.lateDepth,
    manySessionWords: many * (session?.words ?? 0),
    manySessionMeaning: many * (session?.meaning ?? 0),
    manySessionDepth: many * (session?.depth ?? 0),
    manySessionLate: many * (session?.lateDepth ?? 0),
    manyWordsBefore: many * (before?.words ?? 0),
    manyMeaningBefore: many * (before?.meaning ?? 0),
    ...{ manyMeaning: many * meaning, manyLate: many * turn.late },
    manyAroundLate: many * (together.lateAround ?? 0),
    ...(session === undefined
      ? { aloneWords: words, aloneMeaning: meaning, aloneLate: late?.weighted, aloneNamed: named }
      : {}),
    titleMentioned: context.titles.mentioned.get(chunk.id),
    titleSpokenOf: context.titles.speaking.get(chunk.id),
    recency: context.recency.get(chunk.id),
  }
}

/** The same for a text with its neighbours: a question is often met by a turn and the one before it together. */
function lateTogether(
  { question: { importance }, rarity, titles }: Context,
  { hit: { late, chunk } }: Turn,
  [before, after, twoBefore]: readonly (Turn | undefined)[],
): Values {
  if (late === null || importance === null || rarity === null) return {}
  const withBefore = bestOf(late.matches, [before])
  const around = lateOf(bestOf(withBefore, [after, twoBefore]), importance)
  const pairs = (titles.partners.get(chunk.id) ?? []).map((partner) =>
    lateOf(bestOf(late.matches, [partner]), importance),
  )
  const best = (read: (one: LateInteraction) => number) =>
    pairs.reduce((most, one) => Math.max(most, read(one)), 0)
  return {
    lateMiss: missOf(late.matches, importance),
    lateRare: lateOf(late.matches, rarity).weighted,
    lateWithBefore: lateOf(withBefore, importance).weighted,
    lateAround: around.weighted,
    lateLeastAround: around.least,
    lateWithPartner: best(({ weighted }) => weighted),
    lateLeastWithPartner: best(({ least }) => least),
  }
}

/** Of every token of the question the best match in any of these; what only asks it again answers nothing. */
function bestOf(matches: Float32Array, turns: readonly (Turn | undefined)[]): Float32Array {
  const others = telling(turns.filter((turn) => turn !== undefined)).flatMap(
    ({ hit }) => hit.late?.matches ?? [],
  )
  return matches.map((match, at) => others.reduce((best, other) => Math.max(best, other[at] ?? 0), match))
}

/** What every text matches tells none apart. */
function rarities({ importance }: QuestionFacts, turns: readonly Turn[]): Float32Array | null {
  const matches = telling(turns).flatMap(({ hit }) => hit.late?.matches ?? [])
  return (
    importance?.map((weight, token) => {
      const sum = matches.reduce((total, one) => total + (one[token] ?? 0), 0)
      return weight * Math.max(0, 1 - sum / Math.max(1, matches.length))
    }) ?? null
  )
}

function togetherOf({ importance }: QuestionFacts, turns: readonly Turn[]): Together {
  if (importance === null || turns.length === 0) return { late: 0, least: 0 }
  const { weighted, least } = lateOf(bestOf(new Float32Array(importance.length), turns), importance)
  return { late: weighted, least }
}

/** Few people speak in many turns: each name is looked for once. */
function namedOnce(question: QuestionFacts): Context['named'] {
  const shares = new Map<string, number>()
  return (chunk) => {
    const key = chunk.speaker ?? `\n${chunk.source}`
    const share = shares.get(key) ?? namedShare(question, chunk)
    shares.set(key, share)
    return share
  }
}

/** What is known of a memory whose text was not found: its own words and meaning. */
function missingText({ own }: Candidate): Values {
  return { words: own.words, meaning: own.meaning, textMissing: 1 }
}

function ownFeatures({ sessionId, question }: Context, candidate: Candidate): Values {
  const { own, path, chunk, fact, hot } = candidate
  const inSession = sessionId !== null && (chunk ?? fact)?.sessionId === sessionId ? 1 : 0
  return {
    ...{ factWords: own.words, factMeaning: own.meaning },
    ...{ pathCloseness: path?.closeness, pathNarrowness: path?.narrowness, hop: path?.hop },
    isHot: hot === null ? 0 : 1,
    inSession,
    inSessionVague: inSession / (1 + new Set(question.terms).size),
  }
}

/** The length of an ordinary turn of a conversation, in characters: longer and shorter are told apart around it. */
const typicalLength = 120

function readTurn(question: QuestionFacts, hit: EpisodicHit, idfSum: number): Turn {
  const words = idfSum > 0 ? hit.bm25 / idfSum : 0
  return {
    ...{ hit, words, echo: echoOf(question, hit.chunk.text, words) },
    meaning: hit.cosine,
    late: hit.late?.weighted ?? 0,
    match: hit.late?.weighted ?? hit.cosine,
    isQuestion: endsAsQuestion(hit.chunk.text),
  }
}

const telling = (turns: readonly Turn[]) => turns.filter(({ echo }) => echo < echoes)

function peaksOf(turns: readonly Turn[]): Peaks {
  return telling(turns).reduce(
    (best, turn) => ({
      words: Math.max(best.words, turn.words),
      meaning: Math.max(best.meaning, turn.meaning),
      match: Math.max(best.match, turn.match),
    }),
    { words: 0, meaning: 0, match: 0 },
  )
}

function sessionPeaks(turns: readonly Turn[]): ReadonlyMap<string, SessionPeaks> {
  const members = Map.groupBy(
    telling(turns).filter(({ hit }) => hit.chunk.sessionId !== null),
    ({ hit }) => hit.chunk.sessionId ?? '',
  )
  return new Map(
    [...members].map(([session, list]) => {
      const depth = meanOfThree(list.map(({ words, meaning }) => words + meaning))
      const lateDepth = meanOfThree(list.map(({ late }) => late))
      return [session, { ...peaksOf(list), depth, lateDepth }]
    }),
  )
}

function meanOfThree(values: readonly number[]): number {
  const top = values.toSorted((a, b) => b - a).slice(0, 3)
  return top.reduce((sum, value) => sum + value, 0) / 3
}

/** Without a session, only pieces of the same text are neighbours: what was stored next to it need not belong to it. */
function neighbour(
  { hit: { chunk } }: Turn,
  id: ChunkId | undefined,
  byId: ReadonlyMap<ChunkId, Turn>,
): Turn | undefined {
  const turn = id === undefined ? undefined : byId.get(id)
  if (turn === undefined) return undefined
  return chunk.sessionId !== null || turn.hit.chunk.itemId === chunk.itemId ? turn : undefined
}

/** A text that matches this much of the best is on the same matter. */
const sameMatter = 0.9

/** Of the texts on the matter, the share that is older than each of them. */
function recencies(turns: readonly Turn[], best: Peaks): ReadonlyMap<ChunkId, number> {
  const near = telling(turns)
    .filter(({ match }) => match >= sameMatter * best.match)
    .toSorted((a, b) => a.hit.chunk.createdAt - b.hit.chunk.createdAt)
  const last = Math.max(1, near.length - 1)
  return new Map(near.map(({ hit }, at) => [hit.chunk.id, at / last]))
}

/** Texts whose facts all deny something. */
function negatedTexts(candidates: readonly Candidate[]): ReadonlySet<ChunkId> {
  const facts = candidates.flatMap(({ fact }) => (fact === null ? [] : fact))
  const said = new Set(facts.filter(({ negated }) => !negated).map(({ chunkId }) => chunkId))
  const denying = facts.filter(({ negated }) => negated).map(({ chunkId }) => chunkId)
  return new Set(denying.filter((id) => !said.has(id)))
}
