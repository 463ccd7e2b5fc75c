import { endsAsQuestion } from '../../core/analyze.ts'
import type { ChunkId } from '../../core/ids.ts'
import { lateOf, missOf, raiseMatches } from '../../core/late-interaction/late-interaction.ts'
import type { EpisodicHit, EpisodicMatches } from '../ports.ts'
import { answersTo } from './asked-slot.ts'
import { type Candidate, textIdOf } from './candidate.ts'
import { type Features, place, rowsFor } from './feature-rows.ts'
import {
  echoOf,
  isByAssistant,
  namedShare,
  namesUnsaid,
  type QuestionFacts,
  statedKinds,
} from './question.ts'
import { type TitleMentions, titleMentions } from './titles.ts'

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
  /** Names in the question that it does not say. */
  readonly unsaid: readonly string[]
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

/** The best that was found in the pieces of one text. */
interface TextPeaks {
  readonly pieces: number
  readonly words: number
  readonly meaning: number
  readonly late: number
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
  /** How much longer than ordinary turns what was said in conversations is: the mean of the logarithms. */
  readonly lengthiness: number
}

/** The features of every candidate. They depend on the question, on these candidates and on the session alone. */
export function featuresOf(
  question: QuestionFacts,
  candidates: readonly Candidate[],
  { hits, idfSum }: EpisodicMatches,
  sessionId: string | null,
): { readonly features: readonly Features[]; readonly together: Together } {
  const turns = hits.map((hit) => readTurn(question, hit, idfSum))
  const told = turns.filter(({ echo }) => echo < echoes)
  const best = peaksOf(told)
  // Field by field: what is spread has a form of its own that the collector takes away, and with it the compiled code.
  const context: Context = {
    question,
    best,
    sessionId,
    distinctTerms: new Set(question.terms).size,
    byId: new Map(turns.map((turn) => [turn.hit.chunk.id, turn])),
    sessions: sessionPeaks(told),
    texts: textPeaks(turns),
    titles: titleMentions(turns, best),
    recency: recencies(told, best),
    named: namedOnce(question),
    rarity: rarities(question, told),
    bestMatches: new Float32Array(question.importance?.length ?? 0),
  }
  const others = candidates.filter(({ chunk }) => chunk === null || !context.byId.has(chunk.id))
  const rowOf = rowsFor(turns.length + others.length)
  const texts = new Map(
    turns.map((turn) => {
      const row = rowOf()
      textFeatures(context, turn, row)
      return [turn.hit.chunk.id, row]
    }),
  )
  const facts = candidates.flatMap(({ fact }) => (fact === null ? [] : fact))
  const answers = question.slot === null ? () => false : answersTo(question.slot, facts)
  const answering = new Set(facts.filter(answers).flatMap(({ id, chunkId }) => [String(id), String(chunkId)]))
  const negated = negatedTexts(candidates)
  const features = candidates.map((candidate) => {
    const id = textIdOf(candidate)
    const text = id === null ? undefined : texts.get(id)
    const isNegated = candidate.fact?.negated ?? (id !== null && negated.has(id))
    // A text needs no copy of its row: what a candidate has of its own is written anew for each.
    const row = text === undefined || candidate.chunk === null ? rowOf() : text
    if (text === undefined) missingText(candidate, row)
    else if (row !== text) row.set(text)
    ownFeatures(context, candidate, row)
    row[place.askedSlot] = answering.has(candidate.id) ? 1 : 0
    row[place.negated] = isNegated ? 1 : 0
    return row
  })
  return { features, together: togetherOf(question, turns) }
}

interface Context {
  readonly question: QuestionFacts
  readonly best: Peaks
  readonly sessionId: string | null
  readonly distinctTerms: number
  readonly byId: ReadonlyMap<ChunkId, Turn>
  readonly sessions: ReadonlyMap<string, SessionPeaks>
  readonly texts: ReadonlyMap<string, TextPeaks>
  readonly titles: TitleMentions
  readonly recency: ReadonlyMap<ChunkId, number>
  readonly named: (chunk: EpisodicHit['chunk']) => number
  /** How much each token of the question tells these texts apart; null without token vectors. */
  readonly rarity: Float32Array | null
  /** Room for the best matches of several texts: an array of its own for each of hundreds would be garbage at once. */
  readonly bestMatches: Float32Array
}

/** What a text is worth by itself and by its place. A fact shares it with its text. */
function textFeatures(context: Context, turn: Turn, row: Features): void {
  const { question, best, byId, sessions } = context
  const { hit, words, meaning } = turn
  const { chunk, late } = hit
  const before = neighbour(turn, hit.previous[0], byId)
  const twoBefore = neighbour(turn, hit.previous[1], byId)
  const after = neighbour(turn, hit.next[0], byId)
  const session = chunk.sessionId === null ? undefined : sessions.get(chunk.sessionId)
  const named = context.named(chunk)
  const length = lengthOf(chunk)
  // Much matches something in a long text.
  const long = Math.max(0, length)
  const text = context.texts.get(chunk.itemId) ?? { pieces: 1, words, meaning, late: turn.late }
  const kinds = statedKinds(question, chunk.text)
  row[place.words] = words
  row[place.wordsOverBest] = best.words > 0 ? words / best.words : 0
  row[place.meaning] = meaning
  row[place.late] = late?.weighted ?? 0
  row[place.lateEven] = late?.even ?? 0
  row[place.lateLeast] = late?.least ?? 0
  lateTogether(context, turn, [before, after, twoBefore], row)
  row[place.speakerNamed] = named
  row[place.byAssistant] = isByAssistant(chunk) ? 1 : 0
  row[place.length] = length
  row[place.shortness] = Math.max(0, -length)
  row[place.longWords] = long * words
  row[place.longMeaning] = long * meaning
  row[place.longLate] = long * turn.late
  row[place.pieces] = Math.log(text.pieces)
  row[place.textWords] = text.words - words
  row[place.textMeaning] = text.meaning - meaning
  row[place.textLate] = text.late - turn.late
  row[place.isQuestion] = turn.isQuestion ? 1 : 0
  row[place.echo] = turn.echo
  row[place.statesTime] = kinds.statesTime
  row[place.statesNumber] = kinds.statesNumber
  row[place.statesName] = kinds.statesName
  row[place.namesMissing] = namesMissing(question, turn, before)
  row[place.wordsBefore] = before?.words ?? 0
  row[place.meaningBefore] = before?.meaning ?? 0
  row[place.lateBefore] = before?.late ?? 0
  row[place.wordsTwoBefore] = twoBefore?.words ?? 0
  row[place.meaningTwoBefore] = twoBefore?.meaning ?? 0
  row[place.lateTwoBefore] = twoBefore?.late ?? 0
  row[place.wordsAfter] = after?.words ?? 0
  row[place.meaningAfter] = after?.meaning ?? 0
  row[place.lateAfter] = after?.late ?? 0
  row[place.answers] = before?.isQuestion ? before.words * Math.max(0, before.match) : 0
  row[place.titleMentioned] = context.titles.mentioned.get(chunk.id) ?? 0
  row[place.titleSpokenOf] = context.titles.speaking.get(chunk.id) ?? 0
  row[place.recency] = context.recency.get(chunk.id) ?? 0
  if (session === undefined) {
    row[place.aloneWords] = words
    row[place.aloneMeaning] = meaning
    row[place.aloneLate] = late?.weighted ?? 0
    row[place.aloneNamed] = named
    return
  }
  // Which session it is tells more where there are many.
  const many = Math.log(Math.max(1, sessions.size))
  row[place.sessionWords] = session.words
  row[place.sessionMeaning] = session.meaning
  row[place.sessionDepth] = session.depth
  row[place.sessionLate] = session.lateDepth
  row[place.manySessionWords] = many * session.words
  row[place.manySessionMeaning] = many * session.meaning
  row[place.manySessionDepth] = many * session.depth
  row[place.manySessionLate] = many * session.lateDepth
  row[place.manyWordsBefore] = many * (before?.words ?? 0)
  row[place.manyMeaningBefore] = many * (before?.meaning ?? 0)
  row[place.manyMeaning] = many * meaning
  row[place.manyLate] = many * turn.late
  row[place.manyAroundLate] = many * (row[place.lateAround] ?? 0)
}

/** The same for a text with its neighbours: a question is often met by a turn and the one before it together. */
function lateTogether(
  { question: { importance }, rarity, titles, bestMatches: best }: Context,
  { hit: { late, chunk } }: Turn,
  [before, after, twoBefore]: readonly (Turn | undefined)[],
  row: Features,
): void {
  if (late === null || importance === null || rarity === null) return
  row[place.lateMiss] = missOf(late.matches, importance)
  row[place.lateRare] = lateOf(late.matches, rarity).weighted
  best.set(late.matches)
  raise(best, before)
  row[place.lateWithBefore] = lateOf(best, importance).weighted
  raise(best, after)
  raise(best, twoBefore)
  const around = lateOf(best, importance)
  row[place.lateAround] = around.weighted
  row[place.lateLeastAround] = around.least
  for (const partner of titles.partners.get(chunk.id) ?? []) {
    best.set(late.matches)
    raise(best, partner)
    const { weighted, least } = lateOf(best, importance)
    row[place.lateWithPartner] = Math.max(row[place.lateWithPartner] ?? 0, weighted)
    row[place.lateLeastWithPartner] = Math.max(row[place.lateLeastWithPartner] ?? 0, least)
  }
}

/** What only asks the question again answers nothing of it. */
function raise(best: Float32Array, turn: Turn | undefined): void {
  if (turn !== undefined && turn.echo < echoes) raiseMatches(best, turn.hit.late)
}

/** The share of the names in the question that neither the text nor the one before it says. */
function namesMissing({ names }: QuestionFacts, { unsaid }: Turn, before: Turn | undefined): number {
  if (unsaid.length === 0) return 0
  const missing = before === undefined ? unsaid : unsaid.filter((name) => before.unsaid.includes(name))
  return missing.length / names.length
}

/** What every text matches tells none apart. */
function rarities({ importance }: QuestionFacts, told: readonly Turn[]): Float32Array | null {
  const matches = told.flatMap(({ hit }) => hit.late?.matches ?? [])
  return (
    importance?.map((weight, token) => {
      const sum = matches.reduce((total, one) => total + (one[token] ?? 0), 0)
      return weight * Math.max(0, 1 - sum / Math.max(1, matches.length))
    }) ?? null
  )
}

function togetherOf({ importance }: QuestionFacts, turns: readonly Turn[]): Together {
  const lengthiness = lengthinessOf(turns)
  if (importance === null || turns.length === 0) return { late: 0, least: 0, lengthiness }
  const best = new Float32Array(importance.length)
  for (const turn of turns) raise(best, turn)
  const { weighted, least } = lateOf(best, importance)
  return { late: weighted, least, lengthiness }
}

/** What belongs to no conversation, and what is short, counts as ordinary. */
function lengthinessOf(turns: readonly Turn[]): number {
  const longer = turns.map(({ hit: { chunk } }) =>
    chunk.sessionId === null ? 0 : Math.max(0, lengthOf(chunk)),
  )
  return longer.reduce((sum, length) => sum + length, 0) / Math.max(1, turns.length)
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
function missingText({ own }: Candidate, row: Features): void {
  row[place.words] = own.words
  row[place.meaning] = own.meaning
  row[place.textMissing] = 1
}

function ownFeatures({ sessionId, distinctTerms }: Context, candidate: Candidate, row: Features): void {
  const { own, path, chunk, fact, hot } = candidate
  const inSession = sessionId !== null && (chunk ?? fact)?.sessionId === sessionId ? 1 : 0
  row[place.factWords] = own.words
  row[place.factMeaning] = own.meaning
  row[place.pathCloseness] = path?.closeness ?? 0
  row[place.pathNarrowness] = path?.narrowness ?? 0
  row[place.hop] = path?.hop ?? 0
  row[place.isHot] = hot === null ? 0 : 1
  row[place.inSession] = inSession
  row[place.inSessionVague] = inSession / (1 + distinctTerms)
}

/** The length of an ordinary turn of a conversation, in characters: longer and shorter are told apart around it. */
const typicalLength = 120

function lengthOf({ text }: EpisodicHit['chunk']): number {
  return Math.log(Math.max(1, text.length) / typicalLength)
}

function readTurn(question: QuestionFacts, hit: EpisodicHit, idfSum: number): Turn {
  const words = idfSum > 0 ? hit.bm25 / idfSum : 0
  return {
    hit,
    words,
    echo: echoOf(question, hit.chunk.text, words),
    meaning: hit.cosine,
    late: hit.late?.weighted ?? 0,
    match: hit.late?.weighted ?? hit.cosine,
    isQuestion: endsAsQuestion(hit.chunk.text),
    unsaid: namesUnsaid(question, hit.chunk),
  }
}

function peaksOf(turns: readonly Turn[]): Peaks {
  const best = { words: 0, meaning: 0, match: 0 }
  for (const { words, meaning, match } of turns) {
    best.words = Math.max(best.words, words)
    best.meaning = Math.max(best.meaning, meaning)
    best.match = Math.max(best.match, match)
  }
  return best
}

function sessionPeaks(told: readonly Turn[]): ReadonlyMap<string, SessionPeaks> {
  const members = Map.groupBy(
    told.filter(({ hit }) => hit.chunk.sessionId !== null),
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

function textPeaks(turns: readonly Turn[]): ReadonlyMap<string, TextPeaks> {
  const texts = new Map<string, TextPeaks>()
  for (const { hit, words, meaning, late } of turns) {
    const { itemId } = hit.chunk
    const best = texts.get(itemId) ?? { pieces: 0, words, meaning, late }
    texts.set(itemId, {
      pieces: best.pieces + 1,
      words: Math.max(best.words, words),
      meaning: Math.max(best.meaning, meaning),
      late: Math.max(best.late, late),
    })
  }
  return texts
}

function meanOfThree(values: readonly number[]): number {
  const [first = 0, second = 0, third = 0] = values.toSorted((a, b) => b - a)
  return (first + second + third) / 3
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
function recencies(told: readonly Turn[], best: Peaks): ReadonlyMap<ChunkId, number> {
  const near = told
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
