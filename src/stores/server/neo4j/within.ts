import type { Namespace } from '../../../core/ids.ts'
import type { MetadataFilter, Within } from '../../../memory/ports.ts'
import { matchesFilter } from '../../../memory/within.ts'
import type { RunQuery } from './connection.ts'
import { textOrNull } from './values.ts'

type Kind = 'c' | 'f'

/** Metadata as the graph writes it, every kind once: few, where texts share theirs. */
const written: Record<Kind, string> = {
  c: 'MATCH (c:Chunk {namespace: $namespace}) RETURN DISTINCT c.metadata AS metadata',
  f: 'MATCH ()-[f:FACT {namespace: $namespace}]->() RETURN DISTINCT f.metadata AS metadata',
}

/** Conditions on the metadata of a node or edge; their parameters come from `metadataParameters`. */
export const metadataIs = (it: Kind) =>
  `($metadata IS NULL OR CASE WHEN ${it}.metadata IS NULL THEN $bare ELSE ${it}.metadata IN $metadata END)`

/** The metadata that a filter lets through. It is read here: Cypher knows nothing of JSON. */
export async function metadataParameters(
  read: RunQuery,
  it: Kind,
  namespace: Namespace,
  filter: MetadataFilter | null | undefined,
) {
  if (filter == null) return { metadata: null, bare: false }
  const known = (await read(written[it], { namespace })).map((row) => textOrNull(row, 'metadata'))
  return {
    metadata: known.filter((text) => text !== null).filter((text) => matchesFilter(filter, JSON.parse(text))),
    bare: matchesFilter(filter, null),
  }
}

/** What a question may see, but for its closing; the parameters come from `withinParameters`. */
export const isSeen = (it: Kind) => `($since IS NULL OR ${it}.created_at >= $since)
  AND ($until IS NULL OR ${it}.created_at < $until) AND ($asOf IS NULL OR ${it}.created_at <= $asOf)
  AND ${metadataIs(it)}`

/** A fact that was open then, or is now. */
export const openThen = '(f.closed_at IS NULL OR ($asOf IS NOT NULL AND f.closed_at > $asOf))'

export async function withinParameters(
  read: RunQuery,
  it: Kind,
  namespace: Namespace,
  within: Within | undefined,
) {
  const { since = null, until = null, asOf = null, filter = null } = within ?? {}
  return { since, until, asOf, ...(await metadataParameters(read, it, namespace, filter)) }
}
