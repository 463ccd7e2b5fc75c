import { createHash } from 'node:crypto'
import { analyze } from '../../../core/analyze.ts'
import { inverseDocumentFrequency, termWeight } from '../../../core/bm25.ts'
import type { CollectionKind, Qdrant } from './connection.ts'
import type { Filter } from './filters.ts'

/** The words of a text as a point's payload carries them: distinct terms, how often each, and how many in all. */
export interface Words {
  readonly terms: readonly string[]
  readonly frequencies: readonly number[]
  readonly length: number
}

export function wordsOf(text: string): Words {
  const counts = new Map<string, number>()
  const all = analyze(text)
  for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1)
  return { terms: [...counts.keys()], frequencies: [...counts.values()], length: all.length }
}

export interface SparseVector {
  indices: number[]
  values: number[]
}

/**
 * Qdrant's own BM25 takes its statistics from every tenant of a collection, so memoryd weighs terms by itself. The
 * stored weight assumes a usual text length; it only has to find the candidates, which are then scored exactly.
 */
const usualLength = 16

export function storedWeights(words: Words): SparseVector {
  const weights = words.frequencies.map((frequency) => termWeight(frequency, words.length, usualLength))
  return sparse(words.terms, weights)
}

/** Two terms that share a slot add up; the exact score afterwards tells them apart. */
function sparse(terms: readonly string[], weights: readonly number[]): SparseVector {
  const slots = new Map<number, number>()
  terms.forEach((term, place) => {
    const slot = createHash('sha256').update(term).digest().readUInt32LE(0)
    slots.set(slot, (slots.get(slot) ?? 0) + (weights[place] ?? 0))
  })
  return { indices: [...slots.keys()], values: [...slots.values()] }
}

/** A question's words against the statistics of the texts that it may see, and of no others. */
export interface Question {
  readonly idfSum: number
  /** Null when no text contains any of the words. */
  readonly vector: SparseVector | null
  score(words: Words): number
}

const noQuestion: Question = { idfSum: 0, vector: null, score: () => 0 }

/** Longest list of different text lengths that is summed up; texts are at most some thousand terms long. */
const maxLengths = 20_000

/** Qdrant counts one word a call. A long question takes no more places at once than a short one. */
const countedAtOnce = 8

export async function askWords(
  qdrant: Qdrant,
  kind: CollectionKind,
  filter: Filter,
  terms: readonly string[],
  beside: readonly Words[] = [],
): Promise<Question> {
  const distinct = [...new Set(terms)]
  if (distinct.length === 0) return noQuestion
  const collection = qdrant.collection(kind)
  const countOf = async (term: string) => {
    const must = [...filter.must, { key: 'terms', match: { value: term } }]
    return (await qdrant.call((client) => client.count(collection, { filter: { must }, exact: true }))).count
  }
  const countAll = async () => {
    const counts: number[] = []
    for (let at = 0; at < distinct.length; at += countedAtOnce) {
      counts.push(...(await Promise.all(distinct.slice(at, at + countedAtOnce).map(countOf))))
    }
    return counts
  }
  const [lengths, containing] = await Promise.all([
    qdrant.call((client) =>
      client.facet(collection, { key: 'length', filter, limit: maxLengths, exact: true }),
    ),
    countAll(),
  ])
  const documents = lengths.hits.reduce((sum, { count }) => sum + count, 0)
  const total = lengths.hits.reduce((sum, { value, count }) => sum + Number(value) * count, 0)
  const others = statisticsOf(beside, distinct)
  const both = {
    documents: documents + others.documents,
    total: total + others.total,
    containing: containing.map((count, at) => count + (others.containing[at] ?? 0)),
  }
  return questionOver(both, terms)
}

/** The same for texts at hand. */
export function askWordsOf(texts: readonly Words[], terms: readonly string[]): Question {
  return questionOver(statisticsOf(texts, [...new Set(terms)]), terms)
}

function statisticsOf(texts: readonly Words[], distinct: readonly string[]): Statistics {
  return {
    documents: texts.length,
    total: texts.reduce((sum, { length }) => sum + length, 0),
    containing: distinct.map((term) => texts.filter((words) => words.terms.includes(term)).length),
  }
}

interface Statistics {
  readonly documents: number
  /** The lengths of all of them, added. */
  readonly total: number
  /** How many contain each distinct term of the question, in their order. */
  readonly containing: readonly number[]
}

function questionOver({ documents, total, containing }: Statistics, terms: readonly string[]): Question {
  if (documents === 0) return noQuestion
  const distinct = [...new Set(terms)]
  const averageLength = total / documents || 1
  const weights = new Map<string, number>()
  let idfSum = 0
  distinct.forEach((term, place) => {
    const idf = inverseDocumentFrequency(documents, containing[place] ?? 0)
    idfSum += idf
    weights.set(term, idf * terms.filter((other) => other === term).length)
  })
  const known = distinct.filter((_, place) => (containing[place] ?? 0) > 0)
  const weightOf = (term: string) => weights.get(term) ?? 0
  return {
    idfSum,
    vector: known.length === 0 ? null : sparse(known, known.map(weightOf)),
    score: (words) =>
      words.terms.reduce((sum, term, place) => {
        const weight = weights.get(term)
        if (weight === undefined) return sum
        return sum + weight * termWeight(words.frequencies[place] ?? 0, words.length, averageLength)
      }, 0),
  }
}
