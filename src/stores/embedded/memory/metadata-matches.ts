import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { MetadataFilter, Within } from '../../../memory/ports.ts'
import { matchesFilter } from '../../../memory/within.ts'

/** Texts often share their metadata: so many verdicts, on metadata up to this long, are kept while one filter is at work. */
const verdictsKept = 4_096
const longestKept = 256

/**
 * Gives SQL the functions `metadata_matches`: the metadata of a row, as its column has it, against a filter; and `has_text`:
 * whether a text has these words, which are in lower case, in any case of letters.
 */
export function addMetadataMatches(db: DatabaseSync): void {
  let asked = ''
  let filter: MetadataFilter = { and: [] }
  const verdicts = new Map<SQLInputValue, number>()
  db.function('metadata_matches', { deterministic: true }, (metadata, text) => {
    if (text !== asked) {
      asked = String(text)
      filter = JSON.parse(asked)
      verdicts.clear()
    }
    const known = verdicts.get(metadata)
    if (known !== undefined) return known
    const written = metadata === null ? null : String(metadata)
    const verdict = Number(matchesFilter(filter, written === null ? null : JSON.parse(written)))
    if (verdicts.size === verdictsKept) verdicts.clear()
    if (written === null || written.length <= longestKept) verdicts.set(metadata, verdict)
    return verdict
  })
  db.function('has_text', { deterministic: true }, (text, lowered) =>
    Number(String(text).toLowerCase().includes(String(lowered))),
  )
}

/** A condition on the metadata of a row; `:filter` is null or from `filterText`. */
export const metadataCondition = (column: string) =>
  `(:filter IS NULL OR metadata_matches(${column}, :filter))`

export const filterText = (filter: MetadataFilter | null | undefined): string | null =>
  filter == null ? null : JSON.stringify(filter)

/** Conditions on a row that a question may see, but for its closing. */
export const withinConditions = `created_at >= :since AND created_at < :until AND created_at <= :asOf
AND ${metadataCondition('metadata')}`

/** With `withinConditions`: a fact that was open then. Without a time only what is open now is. */
export const openThen = '(closed_at IS NULL OR closed_at > :asOf)'

export function withinParameters({ since, until, asOf, filter }: Within) {
  return {
    since: since ?? Number.NEGATIVE_INFINITY,
    until: until ?? Number.POSITIVE_INFINITY,
    asOf: asOf ?? Number.POSITIVE_INFINITY,
    filter: filterText(filter),
  }
}
