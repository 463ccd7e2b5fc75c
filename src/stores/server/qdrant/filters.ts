import type { Seconds } from '../../../core/clock.ts'
import type { Namespace } from '../../../core/ids.ts'
import type { Within } from '../../../memory/ports.ts'
import type { Row } from '../neo4j/connection.ts'
import { text } from '../neo4j/values.ts'
import { pointId } from './connection.ts'

type Condition =
  | { key: string; match: { value: string } | { any: string[] } }
  | { key: string; range: { gte?: number; lt?: number; lte?: number } }
  | { has_id: string[] }

/** Conditions that all have to hold. The namespace is always the first: it cannot be left out. */
export interface Filter {
  must: Condition[]
}

const is = (key: string, value: string): Condition => ({ key, match: { value } })

export function inNamespace(namespace: Namespace): Filter {
  return { must: [is('namespace', namespace)] }
}

/** Null: every persona. */
export function inPersonas(namespace: Namespace, personas: readonly string[] | null): Filter {
  const { must } = inNamespace(namespace)
  return { must: personas === null ? must : [...must, { key: 'persona', match: { any: [...personas] } }] }
}

export const toldBy = ({ must }: Filter, time: Seconds): Filter => ({
  must: [...must, { key: 'created_at', range: { lte: time } }],
})

/**
 * What a question may see. Points carry the time, but their metadata as a text: where a filter is given, the graph names
 * what it lets through.
 */
export async function seenBy(
  filter: Filter,
  namespace: Namespace,
  within: Within | undefined,
  named: () => Promise<readonly Row[]>,
): Promise<Filter> {
  if (within === undefined) return filter
  if (within.filter !== null) {
    const ids = (await named()).map((row) => pointId(namespace, text(row, 'id')))
    return { must: [...filter.must, { has_id: ids }] }
  }
  const { since, until, asOf } = within
  const range = {
    ...(since === null ? {} : { gte: since }),
    ...(until === null ? {} : { lt: until }),
    ...(asOf === null ? {} : { lte: asOf }),
  }
  return { must: [...filter.must, { key: 'created_at', range }] }
}
