import { ServiceError } from '../../core/errors.ts'
import type { Namespace } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { FactQuery } from '../../memory/ports.ts'
import type { Neo4j } from './neo4j/connection.ts'
import { vectorOf } from './neo4j/rows.ts'
import { text } from './neo4j/values.ts'
import { askWordsOf, wordsOf } from './qdrant/words.ts'

/** What a search found: which one, and its exact scores. */
export interface ScannedHit {
  readonly id: string
  readonly cosine: number
  readonly bm25: number
}

/** So many of the newest are looked at: what Neo4j can hand over well within the time of a request. */
const mostScanned = 3_000

const queries = {
  facts: `
    MATCH ()-[f:FACT {namespace: $namespace}]->()
    WHERE f.closed_at IS NULL AND ($personas IS NULL OR f.persona IN $personas)
    WITH f ORDER BY f.created_at DESC, f.id LIMIT toInteger($limit)
    RETURN f.id AS id, f.fact AS text, f.vector AS vector`,
  entities: `
    MATCH (e:Entity {namespace: $namespace})
    WITH e ORDER BY e.created_at DESC, e.id LIMIT toInteger($limit)
    RETURN e.id AS id, e.vector AS vector`,
} as const

/** Searches in Neo4j alone, for the time that Qdrant is away: exact, over the newest memories of a namespace. */
export function createGraphScan(neo4j: Neo4j) {
  return {
    async facts(
      namespace: Namespace,
      { vector, terms, personas, limit }: FactQuery,
    ): Promise<readonly ScannedHit[]> {
      const parameters = { namespace, personas: personas === null ? null : [...personas], limit: mostScanned }
      const found = (await neo4j.read(queries.facts, parameters)).map((row) => ({
        id: text(row, 'id'),
        cosine: dot(vector, vectorOf(row)),
        words: wordsOf(text(row, 'text')),
      }))
      const question = askWordsOf(
        found.map(({ words }) => words),
        terms,
      )
      const hits = found.map(({ id, cosine, words }) => ({ id, cosine, bm25: question.score(words) }))
      const worded = hits.filter(({ bm25 }) => bm25 > 0)
      const chosen = [...best(hits, 'cosine', limit), ...best(worded, 'bm25', limit)]
      return [...new Map(chosen.map((hit) => [hit.id, hit])).values()]
    },
    async entities(namespace: Namespace, vector: Vector, limit: number): Promise<readonly ScannedHit[]> {
      const rows = await neo4j.read(queries.entities, { namespace, limit: mostScanned })
      const hits = rows.map((row) => ({
        id: text(row, 'id'),
        cosine: dot(vector, vectorOf(row)),
        bm25: 0,
      }))
      return best(hits, 'cosine', limit)
    },
  }
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
