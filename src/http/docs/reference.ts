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
  return `Costs ${operation['x-cost']} ops`
}

/** As much of a JSON schema as is shown. */
interface Shown {
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

/** A path, query or header parameter. */
export function parameterRow({ name, in: place, required, schema, description }: Parameter): Row {
  const row = fieldRow(name, schema as Shown, required)
  return { ...row, note: [`in ${place}`, description ?? row.note].filter((part) => part !== '').join('; ') }
}

/** The fields of the request body; none where there is no body. */
export function bodyRows(operation: Operation): Row[] {
  const schema = operation.requestBody?.content['application/json'].schema as Shown | undefined
  return schema === undefined ? [] : objectRows(schema, true, '')
}

/** The fields of a reply. */
export function replyRows(operation: Operation, status: string): Row[] {
  const response = operation.responses[status] as {
    content?: { 'application/json'?: { schema?: Shown } }
  }
  const schema = response.content?.['application/json']?.schema
  return schema === undefined ? [] : objectRows(schema, false, '')
}

/** One row per field; the fields of listed objects come indented below their list. */
function objectRows(schema: Shown, isRequest: boolean, prefix: string): Row[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const required = isRequest && (schema.required?.includes(name) ?? false)
    const listed = stripped(field).items
    const inner = listed?.properties === undefined ? [] : objectRows(listed, isRequest, `${prefix}${name}[].`)
    return [fieldRow(`${prefix}${name}`, field, required), ...inner]
  })
}

/** A nullable schema without its null. */
function stripped(schema: Shown): Shown {
  const solid = schema.anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [only] = solid
  return only !== undefined && solid.length === 1 ? { ...only, ...schema, ...only } : schema
}

function fieldRow(name: string, field: Shown, required: boolean): Row {
  const schema = stripped(field)
  const notes = [
    required ? 'required' : '',
    schema.description ?? field.description ?? '',
    schema.enum === undefined ? '' : schema.enum.map((value) => `\`${String(value)}\``).join(', '),
    bounds(schema),
    field.default === undefined ? '' : `default \`${JSON.stringify(field.default)}\``,
  ]
  return { name, type: typeName(field), note: notes.filter((note) => note !== '').join('; ') }
}

function typeName(field: Shown): string {
  const schema = stripped(field)
  const names: string[] = [schema.type ?? 'value'].flat()
  const isNullable = field.anyOf?.some(({ type }) => type === 'null') ?? false
  const named = names.map((name) => (name === 'array' ? `array of ${schema.items?.type ?? 'values'}` : name))
  return [...named, ...(isNullable ? ['null'] : [])].join(' or ')
}

function bounds({ minimum, maximum, minLength, maxLength }: Shown): string {
  const numbered = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  if (numbered) return `${minimum} to ${maximum}`
  if (minLength !== undefined && maxLength !== undefined) return `${minLength} to ${maxLength} characters`
  return ''
}

/** A call that works as pasted once the credential is in the environment. */
export function curlExample(method: string, path: string, operation: Operation): string {
  const [security] = operation.security
  const credential =
    security === undefined
      ? []
      : ['admin' in security ? '-H "authorization: Bearer $ADMIN_TOKEN"' : '-H "x-api-key: $MEMORYD_KEY"']
  const example = operation.requestBody?.content['application/json'].example
  const body =
    example === undefined ? [] : [`-H 'content-type: application/json'`, `-d '${JSON.stringify(example)}'`]
  const address = `http://127.0.0.1:7420${path.replace(/\{\w+\}/g, 'ID')}`
  const verb = method === 'GET' || (body.length > 0 && method === 'POST') ? '' : `-X ${method} `
  return [`curl ${verb}${address}`, ...credential, ...body].join(' \\\n  ')
}
