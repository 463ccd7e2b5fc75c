import { z } from 'zod'
import type { ForgetRequest, ListRequest } from '../../../memory/memory.ts'
import { sharedPersona } from '../../../memory/model.ts'
import { id } from '../../fields.ts'
import { metadataFilter } from '../../filter.ts'

export const bodyError = { error: 'the body must be a JSON object' }

type Value = string | number | boolean | null
type Filter = NonNullable<ListRequest['filter']>

/** Which memories a call is about. */
export interface Scope {
  /** Null: of whichever persona, and session. */
  readonly persona: string | null
  readonly session_id: string | null
  /** Fields of the metadata and what they must be. */
  readonly metadata: Readonly<Record<string, Value>>
}

/** mem0's names of who a memory belongs to. */
export const ownerFields = {
  user_id: id('user_id')
    .refine(
      (value) => value !== '*' && value !== sharedPersona,
      `user_id must not be * or ${sharedPersona}, which are reserved`,
    )
    .nullish(),
  agent_id: id('agent_id').nullish(),
  app_id: id('app_id').nullish(),
  run_id: id('run_id').nullish(),
}

const owners = z.object(ownerFields)
export type Owners = z.output<typeof owners>

/** What of a memory's metadata is mem0's own: who it belongs to beside the user. */
export function ownMetadata({ agent_id, app_id, run_id }: Owners): Record<string, string> {
  const given = Object.entries({ agent_id, app_id, run_id })
  return Object.fromEntries(given.flatMap(([name, value]) => (value == null ? [] : [[name, value]])))
}

export function scopeOf(given: Owners, metadata: Scope['metadata'] = {}): Scope {
  const { run_id, ...others } = given
  return {
    persona: given.user_id ?? null,
    session_id: run_id ?? null,
    metadata: { ...metadata, ...ownMetadata(others) },
  }
}

/** The same, as the inside sees it. */
type Inside = Pick<Scope, 'persona' | 'metadata'> & { readonly sessionId: string | null }

/** What the metadata must be; null: anything. */
export function filterOf(fields: Scope['metadata']): Filter | null {
  const parts = Object.entries(fields).map(([field, value]) => ({ field, in: [value] }))
  return parts.length === 0 ? null : { and: parts }
}

const anyMetadata: Filter = {
  or: [
    { field: 'run_id', exists: true },
    { field: 'run_id', exists: false },
  ],
}

/** Everything in a scope; null when it names nothing. */
export function everythingOf({ persona, sessionId, metadata }: Inside): ForgetRequest | null {
  const filter = filterOf(metadata)
  if (filter !== null || (persona !== null && sessionId !== null)) {
    return { by: 'filter', filter: filter ?? anyMetadata, persona, sessionId }
  }
  if (persona !== null) return { by: 'persona', persona }
  return sessionId === null ? null : { by: 'session', sessionId }
}

const rule =
  'memoryd takes equality of user_id, agent_id, app_id, run_id and fields of metadata, and AND of such conditions'

/** mem0's filters, as far as they are here. */
export const filters = z
  .record(z.string(), z.unknown(), { error: 'filters must be an object' })
  .nullish()
  .transform((value, context): Scope => {
    const refuse = (path: readonly string[], message: string) => {
      context.addIssue({ code: 'custom', path: [...path], message })
      return z.NEVER
    }
    const found = new Map<string, unknown>()
    const metadata = new Map<string, Value>()
    for (const { path, value: asked } of conditions(value ?? {}, [])) {
      const name = path.at(-1) ?? ''
      const isOwner = Object.hasOwn(ownerFields, name)
      const known = path.at(-2) !== 'metadata' ? (isOwner ? found : null) : isOwner ? null : metadata
      // Null for an owner would widen what is asked for.
      if (known === null || !isValue(asked) || (known === found && asked === null)) {
        return refuse(path, `filters.${path.join('.')} is not understood: ${rule}`)
      }
      if (known.has(name)) return refuse(path, `filters must name ${name} once: ${rule}`)
      known.set(name, asked)
    }
    const fields = Object.fromEntries(metadata)
    // As many and as long as a filter may be elsewhere.
    const limited = metadata.size === 0 ? null : metadataFilter.safeParse(fields)
    if (limited?.success === false) return refuse(['metadata'], limited.error.issues[0]?.message ?? rule)
    const checked = owners.safeParse(Object.fromEntries(found))
    if (checked.success) return scopeOf(checked.data, fields)
    const [issue] = checked.error.issues
    return refuse(issue?.path.map(String) ?? [], issue?.message ?? rule)
  })

interface Condition {
  readonly path: readonly string[]
  readonly value: unknown
}

/** Every condition in filters, with the names that lead to it. */
function conditions(part: object, path: readonly string[]): readonly Condition[] {
  return Object.entries(part).flatMap(([name, value]): readonly Condition[] => {
    const here = [...path, name]
    if (name === 'metadata' && isObject(value)) {
      return Object.entries(value).map(([field, asked]) => ({ path: [...here, field], value: asked }))
    }
    if (name !== 'AND' || !Array.isArray(value)) return [{ path: here, value }]
    return value.flatMap((inner, at) =>
      isObject(inner)
        ? conditions(inner, [...here, String(at)])
        : [{ path: [...here, String(at)], value: inner }],
    )
  })
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isValue = (value: unknown): value is Value =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value)

/** An option of mem0 that changes what a call means, and that is not here: refused rather than passed over. */
export const missing = (name: string, why = '') =>
  z.null({ error: `${name} is not supported by memoryd${why}` }).optional()

const inFilters = ' here; put it into filters'

/** Beside the filters they would be passed over, and the memories of all users be found. */
export const ownersOutside = {
  user_id: missing('user_id', inFilters),
  agent_id: missing('agent_id', inFilters),
  app_id: missing('app_id', inFilters),
  run_id: missing('run_id', inFilters),
}
