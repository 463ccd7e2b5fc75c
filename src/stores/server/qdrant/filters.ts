import type { Namespace } from '../../../core/ids.ts'
import type { ListFilter, Selection } from '../../../memory/ports.ts'
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

export function bySelection(namespace: Namespace, { ids, persona, sessionId }: Selection): Filter {
  const { must } = inNamespace(namespace)
  if (ids !== null) must.push({ has_id: ids.map((id) => pointId(namespace, id)) })
  if (persona !== null) must.push(is('persona', persona))
  if (sessionId !== null) must.push(is('session', sessionId))
  return { must }
}

export function byListFilter(namespace: Namespace, filter: ListFilter): Filter {
  const { must } = bySelection(namespace, { ids: null, persona: filter.persona, sessionId: filter.sessionId })
  if (filter.source !== null) must.push(is('source', filter.source))
  if (filter.since !== null) must.push({ key: 'created_at', range: { gte: filter.since } })
  if (filter.until !== null) must.push({ key: 'created_at', range: { lt: filter.until } })
  return { must }
}
