import { createHash } from 'node:crypto'
import type { OpenApiDocument, Operation, Parameter } from '../openapi.ts'
import { docsStyle } from './style.ts'

/** Nothing may be loaded from anywhere, and no script runs: the page is text and one style sheet. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(docsStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

interface Entry {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/** The API reference as one page, printed from the OpenAPI document; it works without a network. */
export function docsPage(document: OpenApiDocument): string {
  const entries = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
  const groups = document.tags.map((tag) => ({
    ...tag,
    entries: entries.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>memoryd API reference</title><style>${docsStyle}</style></head><body>
<nav><h1>memoryd</h1><p class="version">${escaped(document.info.version)}</p>
${groups.map((group) => `<h2>${escaped(group.name)}</h2><ul>${group.entries.map(navigation).join('')}</ul>`).join('')}
<p><a href="/openapi.json">openapi.json</a></p></nav>
<main><header><h1>API reference</h1><p>${inline(document.info.description)}</p>
<p>Errors are JSON with a <code>detail</code> sentence; a 400 lists every wrong field in <code>errors</code>.
Every reply carries <code>x-request-id</code>.</p></header>
${groups
  .map(
    (group) =>
      `<section><h2>${escaped(group.name)}</h2><p>${inline(group.description)}</p>${group.entries.map(article).join('')}</section>`,
  )
  .join('')}
</main></body></html>`
}

function navigation({ method, path, operation }: Entry): string {
  const badge = `<b class="${method.toLowerCase()}">${method}</b>`
  return `<li><a href="#${operation.operationId}">${badge}<span>${escaped(path)}</span></a></li>`
}

function article({ method, path, operation }: Entry): string {
  const [status = '200'] = Object.keys(operation.responses)
  return `<article id="${operation.operationId}">
<h3><b class="${method.toLowerCase()}">${method}</b> <code>${escaped(path)}</code></h3>
<p class="summary">${inline(operation.summary)}</p>${operation.description === '' ? '' : `<p>${inline(operation.description)}</p>`}
<p class="facts">${costLine(operation)}</p>
${fieldTable('Parameters', operation.parameters.map(parameterRow))}
${fieldTable('Body', bodyRows(operation))}
<h4>Example</h4><pre><code>${escaped(curlExample(method, path, operation))}</code></pre>
${fieldTable(`Reply ${status}`, replyRows(operation, status))}
<p class="statuses">${Object.keys(operation.responses)
    .map((code) => `<span class="status s${code[0]}">${code}</span>`)
    .join(' ')}</p></article>`
}

function costLine(operation: Operation): string {
  const [security] = operation.security
  if (security === undefined) return 'No credential needed'
  if ('admin' in security) return 'Admin token needed'
  return `Costs ${escaped(operation['x-cost'])} ops`
}

interface Row {
  readonly name: string
  readonly type: string
  readonly note: string
}

function fieldTable(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(
    ({ name, type, note }) =>
      `<tr><td><code>${escaped(name)}</code></td><td class="type">${escaped(type)}</td><td>${inline(note)}</td></tr>`,
  )
  return `<h4>${escaped(title)}</h4><div class="table"><table><tbody>${lines.join('')}</tbody></table></div>`
}

/** As much of a JSON schema as is shown. */
interface Shown {
  readonly type?: string
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

function parameterRow({ name, in: place, required, schema, description }: Parameter): Row {
  const row = fieldRow(name, schema as Shown, required)
  return { ...row, note: [description ?? row.note, `in ${place}`].filter((part) => part !== '').join('; ') }
}

function bodyRows(operation: Operation): Row[] {
  const schema = operation.requestBody?.content['application/json'].schema as Shown | undefined
  return schema === undefined ? [] : objectRows(schema, true, '')
}

function replyRows(operation: Operation, status: string): Row[] {
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
  const isNullable = field.anyOf?.some(({ type }) => type === 'null') ?? false
  const name =
    schema.type === 'array' ? `array of ${schema.items?.type ?? 'values'}` : (schema.type ?? 'value')
  return isNullable ? `${name} or null` : name
}

function bounds({ minimum, maximum, minLength, maxLength }: Shown): string {
  const numbered = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
  if (numbered) return `${minimum} to ${maximum}`
  if (minLength !== undefined && maxLength !== undefined) return `${minLength} to ${maxLength} characters`
  return ''
}

function curlExample(method: string, path: string, operation: Operation): string {
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

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Escaped, with `code` between backticks. */
function inline(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
