import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import {
  bodyRows,
  costLine,
  curlExample,
  type Entry,
  groupsOf,
  parameterRow,
  type Row,
  replyRows,
  tierRows,
} from '../src/http/docs/reference.ts'
import { type OpenApiDocument, openApiDocument } from '../src/http/openapi.ts'
import { routes } from '../src/http/routes/table.ts'

const file = path.join(import.meta.dirname, '..', 'docs', 'api.md')
const marker = '<!-- From here on printed by scripts/api-docs.ts from the route table. -->'

/** The API page: its written part, followed by the operations as the route table has them. */
export function apiPage(current: string): string {
  const [written = ''] = current.split(marker)
  const document = openApiDocument(routes, '')
  const printed = groupsOf(document).map(
    ({ name, description, entries }) =>
      `## ${name}\n\n${description}\n\n${entries.map((entry) => section(document, entry)).join('\n')}`,
  )
  return [`${written}${marker}`, plans(document), printed.join('\n')].join('\n\n')
}

function plans(document: OpenApiDocument): string {
  const [titles = [], ...rows] = tierRows(document)
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const note = 'The configuration of a server may change the operations per month.'
  return ['## Plans', '', note, '', line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n')
}

function section(document: OpenApiDocument, { method, path: address, operation }: Entry): string {
  const [status = '200', ...failures] = Object.keys(operation.responses)
  return [
    `### ${method} ${address}`,
    `${operation.summary}. ${operation.description}`.trim(),
    `${costLine(operation)}. Failures: ${failures.join(', ') || 'none of its own'}.`,
    table('parameter', operation.parameters.map(parameterRow)),
    table('body field', bodyRows(document, operation)),
    table(`reply field (${status})`, replyRows(document, operation, status)),
    `\`\`\`sh\n${curlExample(method, address, operation)}\n\`\`\`\n`,
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function table(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(
    ({ name, type, note }) => `| \`${name}\` | ${type} | ${note.replaceAll('|', '\\|')} |`,
  )
  return [`| ${title} | type | notes |`, '|---|---|---|', ...lines].join('\n')
}

if (import.meta.main) writeFileSync(file, apiPage(readFileSync(file, 'utf8')))
