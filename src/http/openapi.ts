import { z } from 'zod'
import type { FailureCode } from '../core/errors.ts'
import { presentations } from './problem.ts'
import type { Route } from './route.ts'

type JsonSchema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
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
}

/** The part of an OpenAPI 3.1 document that this service prints. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, unknown>>
}

const tags = {
  memory: { name: 'Memory', description: 'Remember, find, forget. Every call needs an `x-api-key`.' },
  service: { name: 'Service', description: 'Readiness, for load balancers and people.' },
  admin: {
    name: 'Administration',
    description: 'Keys and accounts, with the admin token as a bearer credential.',
  },
} as const

/** Prints the OpenAPI document from the routes: there is no second description to go stale. */
export function openApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) }
  }
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
        key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
        admin: { type: 'http', scheme: 'bearer' },
      },
      schemas: { Problem: jsonSchema(problemSchema, 'output') },
    },
  }
}

/** The body of every error. */
export const problemSchema = z.looseObject({
  detail: z.string().describe('one sentence for a person'),
  error: z.string().optional().describe('a code for programs'),
  errors: z
    .array(z.object({ path: z.string(), message: z.string() }))
    .optional()
    .describe('every field that is wrong'),
  tier: z.string().optional(),
  required_tier: z.string().optional(),
  limit: z.int().optional(),
  retry_after_seconds: z.int().optional(),
  upgrade: z.string().optional(),
  request_id: z.string().optional(),
})

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...printed } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: withDefault,
  })
  return printed
}

/** A field that null and absence leave at its default is a transformation to zod, which hides the default of one. */
function withDefault({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (!('fallback' in jsonSchema)) return
  jsonSchema.default = jsonSchema.fallback as z.core.JSONSchema.BaseSchema['default']
  delete jsonSchema.fallback
}

function operation(route: Route): Operation {
  return {
    operationId: operationId(route),
    tags: [tagOf(route).name],
    summary: route.summary,
    description: route.description,
    security: route.auth === 'none' ? [] : [{ [route.auth]: [] }],
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(route.replayable ? [replayHeader] : []),
    ],
    ...(route.body === null ? {} : { requestBody: requestBody(route, route.body) }),
    responses: responses(route),
    'x-cost': route.costText,
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

/** `POST /brain/ingest/batch` is `post_brain_ingest_batch`. */
function operationId({ method, path }: Route): string {
  return `${method.toLowerCase()}${path.replace(/[^a-z]+/gi, '_')}`.replace(/_$/, '')
}

function parametersOf(schema: z.ZodType | null, place: 'path' | 'query'): Parameter[] {
  if (schema === null) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, JsonSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema: place === 'query' ? withoutNull(property) : property,
  }))
}

/** In an address a value is there or it is not. */
function withoutNull({ anyOf, default: fallback, ...rest }: JsonSchema): JsonSchema {
  const [only = {}] = Array.isArray(anyOf) ? anyOf : []
  return { ...rest, ...only, ...(fallback === null || fallback === undefined ? {} : { default: fallback }) }
}

function requestBody(route: Route, schema: z.ZodType): NonNullable<Operation['requestBody']> {
  return {
    required: !route.mayBeEmpty,
    content: {
      'application/json': {
        schema: jsonSchema(schema, 'input'),
        ...(route.example === null ? {} : { example: route.example }),
      },
    },
  }
}

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

function responses(route: Route): Record<string, object> {
  const found: Record<string, object> = {
    [route.status]: {
      description: 'Done',
      content: { 'application/json': { schema: jsonSchema(route.reply, 'output') } },
    },
  }
  const failures = failuresOf(route).map((code) => presentations[code])
  for (const [status, same] of Map.groupBy(failures, (failure) => failure.status)) {
    found[status] = {
      description: same.map(({ detail }) => detail).join(' Or: '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
    }
  }
  return found
}
