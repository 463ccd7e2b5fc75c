import type { Namespace } from '../../../core/ids.ts'

type Condition = { key: string; match: { value: string } | { any: string[] } }

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
