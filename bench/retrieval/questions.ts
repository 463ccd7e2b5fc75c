import type { Vector } from '../../src/core/vectors.ts'
import { readTexts } from '../../src/memory/ingest/read-text.ts'
import type { Embedder, EpisodicMatches } from '../../src/memory/ports.ts'
import { type Candidate, featuresOf } from '../../src/memory/retrieve/features.ts'
import { type QuestionFacts, readQuestion } from '../../src/memory/retrieve/question.ts'
import { candidateCounts } from '../../src/memory/retrieve/search-plan.ts'
import { createCorpus, type Piece } from './corpus.ts'
import { type Group, loadSet, type Query } from './sets.ts'

/** A question with the candidates that the shipped search would give the ranking. */
export interface Asked {
  readonly set: string
  /** Questions of one fold are never fitted and judged together. */
  readonly fold: string
  readonly query: Query
  readonly question: QuestionFacts
  readonly matches: EpisodicMatches
  readonly candidates: readonly Candidate[]
  /** The item that each candidate belongs to, and whether it is gold evidence. */
  readonly items: readonly string[]
  readonly relevant: readonly boolean[]
  readonly store: StoreKind
}

/** All texts of the group; a few of them; a few of another set, where nothing speaks of the matter. */
export type StoreKind = 'full' | 'tiny' | 'foreign'

export interface AskParts {
  readonly directory: string
  /** Set names; `beam100k:4` takes the first four groups. */
  readonly sets: readonly string[]
  readonly embedder: Embedder
}

/** Texts longer than the service takes are left out, as the service would refuse them. */
const longestText = 32_768
/** Sets of one corpus are divided by question. */
const divisions = 6
/** Every so many questions are asked of two small stores too, of about so many texts. */
const smallEvery = 4
const smallSize = 6

/** Asks every question of the sets. */
export async function askAll({ directory, sets, embedder }: AskParts): Promise<readonly Asked[]> {
  const read: ReadGroup[] = []
  for (const name of sets) {
    const [set = '', count] = name.split(':')
    const groups = loadSet(directory, set).slice(0, count === undefined ? undefined : Number(count))
    for (const group of groups) read.push(await readGroup(group, embedder, groups.length === 1))
  }
  return read.flatMap((group) => {
    const foreign = read.filter(({ set }) => set !== group.set)
    return askGroup(group, foreign)
  })
}

interface ReadGroup {
  readonly set: string
  readonly pieces: readonly Piece[]
  readonly questions: readonly {
    readonly query: Query
    readonly question: QuestionFacts
    readonly vector: Vector
    readonly fold: string
  }[]
}

async function readGroup(group: Group, embedder: Embedder, divide: boolean): Promise<ReadGroup> {
  const items = group.items.filter(({ text }) => text.length <= longestText)
  const read = await readTexts(
    embedder,
    items.map(({ text }) => text),
  )
  const pieces = items.flatMap((item, at): Piece[] =>
    (read[at]?.chunks ?? []).map(({ span, vector }) => ({
      item,
      text: item.text.slice(span.start, span.end),
      start: span.start,
      speaker: read[at]?.speaker ?? null,
      vector,
    })),
  )
  const vectors = await embedder.embed(group.queries.map(({ query }) => query))
  const questions = group.queries.map((query, at) => ({
    query,
    question: readQuestion(query.query),
    vector: vectors[at] ?? new Float32Array(),
    fold: divide ? `${group.name}/${at % divisions}` : group.name,
  }))
  return { set: group.set, pieces, questions }
}

function askGroup({ set, pieces, questions }: ReadGroup, foreign: readonly ReadGroup[]): readonly Asked[] {
  const corpus = createCorpus(pieces)
  return questions.flatMap(({ query, question, vector, fold }, at) => {
    const ask = (searched: ReturnType<typeof createCorpus>, store: StoreKind): Asked => {
      const matches = searched.search({ vector, terms: question.terms, ...candidateCounts })
      const candidates = featuresOf(question, matches)
      const items = candidates.map(({ hit }) => String(hit.chunk.itemId))
      const relevant = items.map((item) => query.gold.includes(item))
      return { set, fold, query, question, matches, candidates, items, relevant, store }
    }
    const full = ask(corpus, 'full')
    if (at % smallEvery > 0) return [full]
    const few = ask(createCorpus(tinyPieces(pieces, query, at)), 'tiny')
    const other = foreign[at % Math.max(1, foreign.length)]
    if (other === undefined) return [full, few]
    return [full, few, ask(createCorpus(everyNth(other.pieces, at)), 'foreign')]
  })
}

/** A few texts of the group; in every second one a text that answers is among them. */
function tinyPieces(pieces: readonly Piece[], query: Query, at: number): readonly Piece[] {
  const others = everyNth(pieces, at).filter(({ item }) => !query.gold.includes(item.id))
  const gold = pieces.filter(({ item }) => query.gold.includes(item.id)).slice(0, 1)
  return (at / smallEvery) % 2 === 0 ? [...gold, ...others] : others
}

function everyNth(pieces: readonly Piece[], at: number): readonly Piece[] {
  const stride = Math.max(1, Math.floor(pieces.length / smallSize))
  return pieces.filter((_, index) => index % stride === at % stride)
}
