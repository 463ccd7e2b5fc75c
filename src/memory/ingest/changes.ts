import { analyze } from '../../core/analyze.ts'
import type { Namespace } from '../../core/ids.ts'
import type { Vector } from '../../core/vectors.ts'
import { factsOfChanges, wordsToFind } from '../changes/facts-of-changes.ts'
import type { ToldFact } from '../changes/told.ts'
import { canonicalKey } from '../entities.ts'
import type { IngestItem } from '../memory.ts'
import type { ExtractedChange, Extraction, FoundFact, GraphStore } from '../ports.ts'

/** Facts looked at for one change: those that share its words, and the newest of its relation. */
const looked = 24

/** What the store is asked for: facts by their words, and the newest ones. */
export type ChangeReads = Pick<GraphStore, 'searchFacts' | 'list' | 'ofRelation'>

/**
 * The extraction with the facts that its changes stand for in front, found among what this persona was told. An
 * extraction without changes comes back as it is and costs no read.
 */
export async function withChanges(
  graph: ChangeReads,
  namespace: Namespace,
  { item, extraction, vector }: { item: IngestItem; extraction: Extraction; vector: Vector },
): Promise<Extraction> {
  const changes = extraction.changes ?? []
  if (changes.length === 0) return extraction
  const told = await toldBefore(graph, namespace, { item, changes, vector })
  return { ...extraction, facts: [...factsOfChanges(changes, told), ...extraction.facts] }
}

async function toldBefore(
  graph: ChangeReads,
  namespace: Namespace,
  { item, changes, vector }: { item: IngestItem; changes: readonly ExtractedChange[]; vector: Vector },
): Promise<readonly ToldFact[]> {
  const { persona, sessionId } = item
  const everything = { persona, sessionId: null, source: null, since: null, until: null }
  const page = { after: null, limit: looked }
  const places = changes.flatMap(({ subject, relation }) =>
    relation === ''
      ? []
      : [[`${subject}\u0000${relation}`, { subject: canonicalKey(subject), relation }] as const],
  )
  const isCorrected = changes.some(({ kind }) => kind === 'corrected')
  const terms = [...new Set(changes.flatMap((change) => analyze(wordsToFind(change))))]
  const [hits, latest, ...ofRelations] = await Promise.all([
    terms.length > 0
      ? graph.searchFacts(namespace, { vector, terms, personas: [persona], limit: looked })
      : [],
    isCorrected ? graph.list(namespace, { ...everything, sessionId }, page) : [],
    ...[...new Map(places).values()].map((place) =>
      graph.ofRelation(namespace, { persona, ...place, limit: looked }),
    ),
  ])
  const newest = latest[0]?.itemId
  const found: FoundFact[] = [...hits.map(({ fact }) => fact), ...latest, ...ofRelations.flat()]
  const current = new Map(found.filter(({ closedAt }) => closedAt === null).map((fact) => [fact.id, fact]))
  return [...current.values()].map(({ subjectName, relation, objectName, negated, itemId }) => ({
    ...{ subject: subjectName, relation, object: objectName, negated, latest: itemId === newest },
  }))
}
