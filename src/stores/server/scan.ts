import type { Seconds } from '../../core/clock.ts'
import { ServiceError } from '../../core/errors.ts'
import type { Namespace } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { FactQuery } from '../../memory/ports.ts'
import type { Neo4j } from './neo4j/connection.ts'
import { vectorOf } from './neo4j/rows.ts'
import { text } from './neo4j/values.ts'
import { isSeen, openThen, type withinParameters } from './neo4j/within.ts'
import type { Filter } from './qdrant/filters.ts'
import type { Points } from './qdrant/points.ts'
import { askWordsOf, type Question, type Words, wordsOf } from './qdrant/words.ts'

/** What a search found: which one, and its exact scores. */
export interface ScannedHit {
  readonly id: string
  readonly cosine: number
  readonly bm25: number
}

interface ScannedFact {
  readonly id: string
  readonly vector: Vector
  readonly words: Words
}

type Seen = Awaited<ReturnType<typeof withinParameters>>

/** So many of the newest are looked at: what Neo4j can hand over well within the time of a request. */
const mostScanned = 3_000

const queries = {
  facts: `
    MATCH ()-[f:FACT {namespace: $namespace}]->()
    WHERE ${openThen} AND ${isSeen('f')} AND ($personas IS NULL OR f.persona IN $personas)
    WITH f ORDER BY f.created_at DESC, f.id LIMIT toInteger($limit)
    RETURN f.id AS id, f.fact AS text, f.vector AS vector`,
  closedSince: `
    MATCH ()-[f:FACT {namespace: $namespace}]->()
    WHERE f.closed_at > $asOf AND ${isSeen('f')} AND ($personas IS NULL OR f.persona IN $personas)
    WITH f ORDER BY f.created_at DESC, f.id LIMIT toInteger($limit)
    RETURN f.id AS id, f.fact AS text, f.vector AS vector`,
  entities: `
    MATCH (e:Entity {namespace: $namespace}) WHERE $asOf IS NULL OR e.created_at <= $asOf
    WITH e ORDER BY e.created_at DESC, e.id LIMIT toInteger($limit)
    RETURN e.id AS id, e.vector AS vector`,
} as const

/** Searches in Neo4j alone, for the time that Qdrant is away: exact, over the newest memories of a namespace. */
export function createGraphScan(neo4j: Neo4j) {
  async function readFacts(
    query: string,
    namespace: Namespace,
    personas: FactQuery['personas'],
    seen: Seen,
  ): Promise<readonly ScannedFact[]> {
    const asked = { namespace, personas: personas === null ? null : [...personas], limit: mostScanned }
    return (await neo4j.read(query, { ...asked, ...seen })).map((row) => ({
      id: text(row, 'id'),
      vector: vectorOf(row),
      words: wordsOf(text(row, 'text')),
    }))
  }
  return {
    async facts(namespace: Namespace, query: FactQuery, seen: Seen): Promise<readonly ScannedHit[]> {
      const found = await readFacts(queries.facts, namespace, query.personas, seen)
      const question = askWordsOf(
        found.map(({ words }) => words),
        query.terms,
      )
      return bestOf(scored(found, query.vector, question), query.limit)
    },
    /** Facts that were open then and are not now. */
    closedSince: (namespace: Namespace, personas: FactQuery['personas'], seen: Seen) =>
      readFacts(queries.closedSince, namespace, personas, seen),
    async entities(
      namespace: Namespace,
      vector: Vector,
      limit: number,
      asOf: Seconds | null,
    ): Promise<readonly ScannedHit[]> {
      const rows = await neo4j.read(queries.entities, { namespace, asOf, limit: mostScanned })
      const hits = rows.map((row) => ({
        id: text(row, 'id'),
        cosine: dot(vector, vectorOf(row)),
        bm25: 0,
      }))
      return best(hits, 'cosine', limit)
    },
  }
}

/** The best of what Qdrant has and of some more facts, as if it had those too. */
export async function searchWith(
  points: Points,
  filter: Filter,
  { vector, terms, limit }: FactQuery,
  more: readonly ScannedFact[],
): Promise<readonly ScannedHit[]> {
  const beside = more.map(({ words }) => words)
  const asked = { vector, terms, nearest: limit, lexical: limit, beside }
  const { points: found, question } = await points.search(filter, asked)
  return more.length === 0 ? found : bestOf([...found, ...scored(more, vector, question)], limit)
}

const scored = (facts: readonly ScannedFact[], vector: Vector, question: Question): ScannedHit[] =>
  facts.map(({ id, vector: own, words }) => ({ id, cosine: dot(vector, own), bm25: question.score(words) }))

/** The best by meaning and the best by words, each once. */
function bestOf(hits: readonly ScannedHit[], limit: number): readonly ScannedHit[] {
  const worded = hits.filter(({ bm25 }) => bm25 > 0)
  const chosen = [...best(hits, 'cosine', limit), ...best(worded, 'bm25', limit)]
  return [...new Map(chosen.map((hit) => [hit.id, hit])).values()]
}

/** The answer of Qdrant, or of `instead` while it is away. */
export async function orWithout<T>(search: () => Promise<T>, instead: () => Promise<T>): Promise<T> {
  try {
    return await search()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'store_unavailable') throw error
    return instead()
  }
}

function best(hits: readonly ScannedHit[], by: 'cosine' | 'bm25', limit: number): readonly ScannedHit[] {
  return hits.toSorted((a, b) => b[by] - a[by] || (a.id < b.id ? -1 : 1)).slice(0, limit)
}
