import { z } from 'zod'
import { type Tier, type TierName, tiers } from '../accounts/tiers.ts'
import type { FailureCode } from '../core/errors.ts'
import samples from './docs/samples.json' with { type: 'json' }
import { limits } from './fields.ts'
import { presentations } from './problem.ts'
import type { Route } from './route.ts'

export type JsonSchema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: {
      readonly 'application/json': { readonly schema: JsonSchema; readonly example?: unknown }
    }
  }
  readonly responses: Readonly<Record<string, object>>
  readonly 'x-cost': string
  /** The least plan that may call it; null: every plan. */
  readonly 'x-required-tier': TierName | null
}

/** The part of an OpenAPI 3.1 document that this service prints. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly securitySchemes: JsonSchema
    readonly schemas: Readonly<Record<string, JsonSchema>>
  }
  /** What each plan may do, before what the configuration of a server changes. */
  readonly 'x-tiers': Readonly<Record<TierName, Tier>>
  readonly 'x-limits': Readonly<Record<string, number>>
}

const tags = {
  memory: {
    name: 'Memory',
    description: 'Remember, find, forget. Every call needs a key: `x-api-key`, or `Authorization: Bearer`.',
  },
  service: { name: 'Service', description: 'Readiness, for load balancers and people.' },
  admin: {
    name: 'Administration',
    description: 'Keys and accounts, with the admin token as a bearer credential.',
  },
} as const

/** Prints the OpenAPI document from the routes: there is no second description to go stale. */
export function openApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const schemas: Schemas = {}
  const paths: Record<string, Record<string, Operation>> = {}
  named(schemas, 'Problem', problemSchema, 'output')
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(schemas, route) }
  }
  addWarnings(schemas, routes)
  return {
    openapi: '3.1.0',
    info: {
      title: 'memoryd',
      version,
      description:
        'The memory server for software agents: text in, ranked facts out. Unknown fields are ignored; null for an optional field means its default.',
    },
    servers: [{ url: '/' }],
    tags: Object.values(tags),
    paths,
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'The key of an account.' },
        bearer: { type: 'http', scheme: 'bearer', description: 'The same key, as a bearer credential.' },
        admin: { type: 'http', scheme: 'bearer', description: 'The admin token of the server.' },
      },
      schemas: Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1))),
    },
    'x-tiers': tiers,
    'x-limits': limits,
  }
}

/** The body of every error. */
export const problemSchema = z.looseObject({
  detail: z.string().describe('one sentence for a person'),
  error: z.string().optional().describe('a code for programs'),
  errors: z
    .array(
      z
        .object({
          path: z.string().describe('where in the request, as `items.3.text`'),
          message: z.string().describe('what is wrong there'),
        })
        .meta({ id: 'FieldProblem' }),
    )
    .optional()
    .describe('every field that is wrong'),
  tier: z.string().optional().describe('the plan of the account, where a plan is the reason'),
  required_tier: z.string().optional().describe('the least plan that may do this'),
  limit: z.int().optional().describe('requests per minute of the plan'),
  retry_after_seconds: z.int().optional().describe('how long to wait, as in `Retry-After`'),
  upgrade: z.string().optional().describe('where a larger plan is found'),
  request_id: z.string().optional().describe('of a failure of ours: the log has the rest under it'),
})

type Schemas = Record<string, JsonSchema>

/** A schema in JSON, with the schemas it names put beside it. */
function jsonSchema(schemas: Schemas, schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  // Inside another one: zod names what a schema holds, never the outermost.
  const { properties, $defs = {} } = z.toJSONSchema(z.object({ schema }), { io, unrepresentable: 'any' })
  for (const [name, definition] of Object.entries($defs)) schemas[name] = tidied(definition) as JsonSchema
  return tidied(properties?.schema) as JsonSchema
}

/** A reference to a schema: under the name it has, or else under this one. */
function named(schemas: Schemas, name: string, schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const printed = jsonSchema(schemas, schema, io)
  if ('$ref' in printed) return printed
  schemas[name] = printed
  return { $ref: `${schemaPlace}${name}` }
}

/** Every reply to a request with fields may carry them, but not one that an agent's hook reads. */
function addWarnings(schemas: Schemas, routes: readonly Route[]): void {
  const places = routes
    .filter(({ body, query, isHook }) => !isHook && (body !== null || query !== null))
    .map((route) => named(schemas, `${titleOf(route)}Reply`, route.reply, 'output').$ref)
  for (const name of new Set(places.map((place) => String(place).replace(schemaPlace, '')))) {
    const { properties, ...rest } = schemas[name] ?? {}
    schemas[name] = { ...rest, properties: { ...(properties as object), warnings } }
  }
}

const warnings = {
  type: 'array',
  items: { type: 'string' },
  description:
    'fields of the request that were ignored and look like a known one, as `sesion_id: did you mean session_id?`; absent when there are none',
}

const schemaPlace = '#/components/schemas/'

/** What zod prints, as clients want it: a default where one is, descriptions on the field itself, replies that may grow. */
function tidied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidied)
  if (typeof value !== 'object' || value === null) return value
  const { fallback, $ref, additionalProperties, ...rest } = value as Record<string, unknown>
  const inner = Array.isArray(rest.anyOf) ? rest.anyOf.find((option) => 'description' in option) : undefined
  return {
    ...(typeof $ref === 'string' ? { $ref: $ref.replace('#/$defs/', schemaPlace) } : {}),
    ...(inner === undefined ? {} : { description: inner.description }),
    ...Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, tidied(item)])),
    ...(additionalProperties === undefined || additionalProperties === false
      ? {}
      : { additionalProperties: tidied(additionalProperties) }),
    // A field that null and absence leave at its default is a transformation to zod, which hides the default of one.
    ...(fallback === undefined ? {} : { default: fallback }),
  }
}

/** The ways in, any one of which is enough. */
const credentials = { none: [], key: ['key', 'bearer'], admin: ['admin'] } as const

function operation(schemas: Schemas, route: Route): Operation {
  return {
    operationId: route.operationId,
    tags: [tagOf(route).name],
    summary: route.summary,
    description: route.description,
    security: credentials[route.auth].map((name) => ({ [name]: [] })),
    parameters: [
      ...parametersOf(schemas, route.params, 'path'),
      ...parametersOf(schemas, route.query, 'query').map((parameter) => withExample(route, parameter)),
      ...(route.replayable ? [replayHeader] : []),
    ],
    ...(route.body === null ? {} : { requestBody: requestBody(schemas, route, route.body) }),
    responses: responses(schemas, route),
    'x-cost': route.costText,
    'x-required-tier': route.requiredTier,
  }
}

const replayHeader: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and body within 24 hours get the same reply, without a second charge.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function tagOf(route: Route) {
  if (route.auth === 'admin') return tags.admin
  return route.auth === 'none' ? tags.service : tags.memory
}

function parametersOf(schemas: Schemas, schema: z.ZodType | null, place: 'path' | 'query'): Parameter[] {
  if (schema === null) return []
  const { properties = {}, required = [] } = jsonSchema(schemas, schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description: String(description ?? ''),
    schema: place === 'query' ? withoutNull(property) : property,
  }))
}

function withExample({ body, example }: Route, parameter: Parameter): Parameter {
  if (body !== null || typeof example !== 'object' || example === null) return parameter
  const value = Object.entries(example).find(([name]) => name === parameter.name)?.[1]
  return value === undefined ? parameter : { ...parameter, example: value }
}

/** In an address a value is there or it is not. */
function withoutNull({ anyOf, default: fallback, ...rest }: JsonSchema): JsonSchema {
  const [{ description: _, ...only } = {}] = Array.isArray(anyOf) ? anyOf : []
  return { ...rest, ...only, ...(fallback === null || fallback === undefined ? {} : { default: fallback }) }
}

function requestBody(
  schemas: Schemas,
  route: Route,
  schema: z.ZodType,
): NonNullable<Operation['requestBody']> {
  return {
    required: !route.mayBeEmpty,
    content: {
      'application/json': {
        schema: named(schemas, `${titleOf(route)}Request`, schema, 'input'),
        ...(route.example === null ? {} : { example: route.example }),
      },
    },
  }
}

/** `ingestBatch` is `IngestBatch`. */
const titleOf = ({ operationId }: Route) => operationId.charAt(0).toUpperCase() + operationId.slice(1)

/** The failures a route can answer with, by what it checks. */
function failuresOf(route: Route): FailureCode[] {
  return [
    ...(route.body || route.query || route.params ? (['invalid_request'] as const) : []),
    ...(route.body ? (['unsupported_media_type', 'body_too_large'] as const) : []),
    ...(route.params ? (['not_found'] as const) : []),
    ...(route.auth === 'admin' ? (['admin_rejected'] as const) : []),
    ...(route.auth === 'key' ? (['key_rejected', 'rate_limit_exceeded'] as const) : []),
    ...(route.auth === 'key' && route.costText !== '0' ? (['monthly_limit_exceeded'] as const) : []),
    ...(route.auth === 'key' ? (['models_loading', 'store_unavailable'] as const) : []),
    ...(route.requiredTier ? (['plan_required'] as const) : []),
    ...(route.replayable ? (['idempotency_conflict', 'idempotency_mismatch'] as const) : []),
  ]
}

/** What the route answered to its example when `npm run docs` was run. */
function sampleOf({ operationId }: Route): unknown {
  return Object.entries(samples).find(([name]) => name === operationId)?.[1]
}

function responses(schemas: Schemas, route: Route): Record<string, object> {
  const schema =
    route.rawType === null
      ? named(schemas, `${titleOf(route)}Reply`, route.reply, 'output')
      : { type: 'string' }
  const example = sampleOf(route)
  const found: Record<string, object> = {
    [route.status]: {
      description: 'Done',
      content: {
        [route.rawType ?? 'application/json']: { schema, ...(example === undefined ? {} : { example }) },
      },
    },
  }
  const failures = failuresOf(route)
    .map((code) => presentations[code])
    .filter(({ status }) => !route.isHook || status < 500)
  for (const [status, same] of Map.groupBy(failures, (failure) => failure.status)) {
    found[status] = {
      description: same.map(({ detail }) => detail).join(' Or: '),
      content: { 'application/json': { schema: { $ref: `${schemaPlace}Problem` } } },
    }
  }
  return found
}
