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
  /** A store of a few texts, drawn from the group. */
  readonly tiny: boolean
}

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
/** Every so many questions are asked of a tiny store too. */
const tinyEvery = 4
const tinySize = 6

/** Asks every question of the sets. */
export async function askAll({ directory, sets, embedder }: AskParts): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  for (const name of sets) {
    const [set = '', count] = name.split(':')
    const groups = loadSet(directory, set).slice(0, count === undefined ? undefined : Number(count))
    for (const group of groups) asked.push(...(await askGroup(group, embedder, groups.length === 1)))
  }
  return asked
}

async function askGroup(group: Group, embedder: Embedder, divide: boolean): Promise<readonly Asked[]> {
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
  const corpus = createCorpus(pieces)
  const vectors = await embedder.embed(group.queries.map(({ query }) => query))
  return group.queries.flatMap((query, at) => {
    const question = readQuestion(query.query)
    const vector = vectors[at] ?? new Float32Array()
    const fold = divide ? `${group.name}/${at % divisions}` : group.name
    const ask = (store: ReturnType<typeof createCorpus>, tiny: boolean): Asked => {
      const matches = store.search({ vector, terms: question.terms, ...candidateCounts })
      const candidates = featuresOf(question, matches)
      const owners = candidates.map(({ hit }) => String(hit.chunk.itemId))
      const relevant = owners.map((item) => query.gold.includes(item))
      return { set: group.set, fold, query, question, matches, candidates, items: owners, relevant, tiny }
    }
    const full = ask(corpus, false)
    return at % tinyEvery === 0 ? [full, ask(createCorpus(tinyPieces(pieces, query, at)), true)] : [full]
  })
}

/** A few texts of the group; in every second one a text that answers is among them. */
function tinyPieces(pieces: readonly Piece[], query: Query, at: number): readonly Piece[] {
  const stride = Math.max(1, Math.floor(pieces.length / tinySize))
  const others = pieces.filter(
    ({ item }, index) => index % stride === at % stride && !query.gold.includes(item.id),
  )
  const gold = pieces.filter(({ item }) => query.gold.includes(item.id)).slice(0, 1)
  return (at / tinyEvery) % 2 === 0 ? [...gold, ...others] : others
}
