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
} from '../src/http/docs/reference.ts'
import { openApiDocument } from '../src/http/openapi.ts'
import { routes } from '../src/http/routes/table.ts'

const file = path.join(import.meta.dirname, '..', 'docs', 'api.md')
const marker = '<!-- From here on printed by scripts/api-docs.ts from the route table. -->'

/** The API page: its written part, followed by the operations as the route table has them. */
export function apiPage(current: string): string {
  const [written = ''] = current.split(marker)
  const groups = groupsOf(openApiDocument(routes, ''))
  const printed = groups.map(
    ({ name, description, entries }) => `## ${name}\n\n${description}\n\n${entries.map(section).join('\n')}`,
  )
  return `${written}${marker}\n\n${printed.join('\n')}`
}

function section({ method, path: address, operation }: Entry): string {
  const [status = '200', ...failures] = Object.keys(operation.responses)
  return [
    `### ${method} ${address}`,
    `${operation.summary}. ${operation.description}`.trim(),
    `${costLine(operation)}. Failures: ${failures.join(', ') || 'none of its own'}.`,
    table('parameter', operation.parameters.map(parameterRow)),
    table('body field', bodyRows(operation)),
    table(`reply field (${status})`, replyRows(operation, status)),
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
