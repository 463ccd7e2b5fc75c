import type { OpenApiDocument, Operation, Parameter } from '../openapi.ts'

/** One operation with its address. */
export interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** One field, as the reference shows it. */
export interface Row {
  readonly name: string
  readonly type: string
  readonly note: string
}

export interface Group {
  readonly name: string
  readonly description: string
  readonly entries: readonly Entry[]
}

/** The operations by tag, in the document's order. */
export function groupsOf(document: OpenApiDocument): Group[] {
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  return document.tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
}

/** Who may call it, and what it costs. */
export function costLine(operation: Operation): string {
  const [security] = operation.security
  if (security === undefined) return 'No credential needed'
  if ('admin' in security) return 'Admin token needed'
  const plan = operation['x-required-tier']
  return `Costs ${operation['x-cost']} ops${plan === null ? '' : `; needs tier ${plan} or above`}`
}

/** What each plan may do, one row a plan under a row of titles. */
export function tierRows(document: OpenApiDocument): readonly (readonly string[])[] {
  const shown = (limit: number | null) => (limit === null ? 'unlimited' : limit.toLocaleString('en'))
  return [
    ['tier', 'requests per minute', 'operations per month', 'items per batch'],
    ...Object.entries(document['x-tiers']).map(([name, { requestsPerMinute, monthlyOps, batchItems }]) => [
      name,
      ...[requestsPerMinute, monthlyOps, batchItems].map(shown),
    ]),
  ]
}

/** How large what is sent may be: what is counted, and the most of it. */
export function limitRows(document: OpenApiDocument): readonly (readonly string[])[] {
  return Object.entries(document['x-limits']).map(([name, most]) => [
    name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    most.toLocaleString('en'),
  ])
}

/** What the example of an operation was answered. */
export function sampleReply(operation: Operation, status: string): string {
  const { content = {} } = operation.responses[status] as { content?: Record<string, { example?: unknown }> }
  const [reply] = Object.values(content)
  return typeof reply?.example === 'string' ? reply.example : printed(reply?.example, '', 0)
}

/** A line holds at least this many characters without a way to scroll. */
const lineCharacters = 76

/** JSON as a person writes it: on one line what has room there. */
function printed(value: unknown, indent: string, before: number): string {
  const line = JSON.stringify(value, null, 1)
    .replace(/\n */g, ' ')
    .replace(/([[{]) (?=[\]}])/g, '$1')
  if (typeof value !== 'object' || value === null || indent.length + before + line.length <= lineCharacters)
    return line
  const inner = `${indent}  `
  const parts = Array.isArray(value)
    ? value.map((item) => `${inner}${printed(item, inner, 0)}`)
    : Object.entries(value).map(
        ([name, item]) => `${inner}"${name}": ${printed(item, inner, name.length + 4)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`
}

/** As much of a JSON schema as is shown. */
interface Shown {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shown[]
  readonly items?: Shown
  readonly properties?: Readonly<Record<string, Shown>>
  readonly required?: readonly string[]
  readonly default?: unknown
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
}

type Schemas = OpenApiDocument['components']['schemas']

/** A path, query or header parameter. */
export function parameterRow({ name, in: place, required, schema, description }: Parameter): Row {
  const { type, note } = fieldRow({}, name, { ...schema, description }, required)
  return { name, type, note: `in ${place}; ${note}` }
}

/** The fields of the request body; none where there is no body. */
export function bodyRows({ components }: OpenApiDocument, operation: Operation): Row[] {
  const schema = operation.requestBody?.content['application/json'].schema as Shown | undefined
  return schema === undefined ? [] : objectRows(components.schemas, schema, { isRequest: true, within: [] })
}

/** The fields of a reply. */
export function replyRows({ components }: OpenApiDocument, operation: Operation, status: string): Row[] {
  const response = operation.responses[status] as {
    content?: { 'application/json'?: { schema?: Shown } }
  }
  const schema = response.content?.['application/json']?.schema
  return schema === undefined ? [] : objectRows(components.schemas, schema, { isRequest: false, within: [] })
}

interface Where {
  readonly isRequest: boolean
  readonly prefix?: string
  /** The schemas it is part of: one that holds itself is shown once. */
  readonly within: readonly string[]
}

/** One row per field; the fields of inner objects come below with the names that lead to them. */
function objectRows(schemas: Schemas, schema: Shown, { isRequest, prefix = '', within }: Where): Row[] {
  const { $ref = '', properties = {}, required: needed = [] } = { ...resolved(schemas, schema), ...schema }
  if (within.includes($ref)) return []
  return Object.entries(properties).flatMap(([name, field]) => {
    const solid = stripped(field)
    const place = `${prefix}${name}${solid.items === undefined ? '' : '[]'}.`
    const inner = { isRequest, prefix: place, within: [...within, $ref] }
    return [
      fieldRow(schemas, `${prefix}${name}`, field, isRequest && needed.includes(name)),
      ...objectRows(schemas, solid.items ?? solid, inner),
    ]
  })
}

/** What a reference stands for. */
function resolved(schemas: Schemas, schema: Shown): Shown {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : (schemas[name] ?? {})
}

/** A nullable schema without its null. */
function stripped(schema: Shown): Shown {
  const solid = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [only] = solid
  return only !== undefined && solid.length === 1 ? { ...only, ...schema, ...only } : schema
}

function fieldRow(schemas: Schemas, name: string, field: Shown, required: boolean): Row {
  const schema = { ...resolved(schemas, stripped(field)), ...stripped(field) }
  const notes = [
    required ? 'required' : '',
    field.description ?? schema.description ?? '',
    schema.enum === undefined ? '' : schema.enum.map((value) => `\`${String(value)}\``).join(', '),
    bounds(schema),
    field.default === undefined ? '' : `default \`${JSON.stringify(field.default)}\``,
  ]
  return { name, type: typeName(schemas, field), note: notes.filter((note) => note !== '').join('; ') }
}

function typeName(schemas: Schemas, field: Shown): string {
  if (field.anyOf !== undefined)
    return [...new Set(field.anyOf.map((option) => typeName(schemas, option)))].join(' or ')
  const { type = 'value', items } = resolved(schemas, field)
  const names = [type].flat()
  return names
    .map((name) => (name === 'array' && items !== undefined ? `array of ${typeName(schemas, items)}` : name))
    .join(' or ')
}

function bounds({ minimum, maximum, minLength, maxLength }: Shown): string {
  const numbered = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  if (numbered) return `${minimum} to ${maximum}`
  if (minLength !== undefined && maxLength !== undefined) return `${minLength} to ${maxLength} characters`
  return ''
}

/** Where examples call, unless the address of the server is known. */
export const exampleAddress = 'http://127.0.0.1:7420'

/** What stands in an address for a parameter whose value one chooses; ids are given by the server. */
export const pathExamples: Readonly<Record<string, string>> = { account: 'acme', path: 'notes/boats.md' }

/** A call that works as pasted once the credential is in the environment. */
export function curlExample(method: string, path: string, operation: Operation): string {
  const [security] = operation.security
  const credential =
    security === undefined
      ? []
      : ['admin' in security ? '-H "authorization: Bearer $ADMIN_TOKEN"' : '-H "x-api-key: $MEMORYD_API_KEY"']
  const example = operation.requestBody?.content['application/json'].example
  const body =
    example === undefined ? [] : [`-H 'content-type: application/json'`, `-d '${JSON.stringify(example)}'`]
  const query = operation.parameters
    .filter(({ example: value }) => value !== undefined)
    .map(({ name, example: value }) => `${name}=${encodeURIComponent(String(value))}`)
  const place = `${exampleAddress}${path.replace(/\{(\w+)\}/g, (_, name) => pathExamples[name] ?? 'ID')}`
  const address = query.length === 0 ? place : `'${place}?${query.join('&')}'`
  const verb = method === 'GET' || (body.length > 0 && method === 'POST') ? '' : `-X ${method} `
  return [`curl ${verb}${address}`, ...credential, ...body].join(' \\\n  ')
}
