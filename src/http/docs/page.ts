import { createHash } from 'node:crypto'
import type { OpenApiDocument } from '../openapi.ts'
import {
  bodyRows,
  costLine,
  curlExample,
  type Entry,
  exampleAddress,
  groupsOf,
  limitRows,
  parameterRow,
  type Row,
  replyRows,
  sampleReply,
  tierRows,
} from './reference.ts'
import { docsStyle } from './style.ts'

/** Nothing may be loaded from anywhere, and no script runs: the page is text and one style sheet. */
export const docsPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(docsStyle).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The API reference as one page, printed from the OpenAPI document; it works without a network. */
export function docsPage(document: OpenApiDocument): string {
  const groups = groupsOf(document)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>memoryd API reference</title><style>${docsStyle}</style></head><body>
<a class="skip" href="#reference">Skip to the reference</a>
<nav aria-label="Routes"><p class="brand">memoryd <span>${escaped(document.info.version)}</span></p>
<p class="elsewhere"><a href="/console">Console</a> <a href="/openapi.json">openapi.json</a></p>
<details><summary>All routes</summary>
${groups.map((group) => `<h2>${escaped(group.name)}</h2><ul>${group.entries.map(navigation).join('')}</ul>`).join('')}
</details></nav>
<main id="reference"><h1>API reference</h1><p class="lead">${inline(document.info.description)}</p>
<p>Errors are JSON with a <code>detail</code> sentence; a 400 lists every wrong field in <code>errors</code>.
Every reply carries <code>x-request-id</code>. Under each route stands what it was answered to its example; ids, keys,
times and the sentence of the language model in it are made up, and numbers are rounded.</p>
${plainTable('Plans', tierRows(document))}
<p class="facts">The configuration of a server may change the operations per month; <code>GET /brain/usage</code> tells yours.</p>
${plainTable('Limits', [['one request', 'at most'], ...limitRows(document)])}
${groups
  .map(
    (group) =>
      `<section><h2>${escaped(group.name)}</h2><p>${inline(group.description)}</p>${group.entries.map((entry) => article(document, entry)).join('')}</section>`,
  )
  .join('')}
</main></body></html>`
}

/** The page with the address under which it was asked for in its examples. */
export function docsPageAt(page: string, { headers }: Request): string {
  const host = headers.get('host') ?? ''
  // Whatever else a caller wrote there would stand in the page.
  if (!/^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host)) return page
  const scheme = headers.get('x-forwarded-proto') === 'https' ? 'https' : 'http'
  return page.replaceAll(exampleAddress, `${scheme}://${host}`)
}

function navigation({ method, path, operation }: Entry): string {
  const badge = `<b class="method ${method.toLowerCase()}">${method}</b>`
  return `<li><a href="#${operation.operationId}">${badge}<span>${escaped(path)}</span></a></li>`
}

function article(document: OpenApiDocument, { method, path, operation }: Entry): string {
  const [status = '200'] = Object.keys(operation.responses)
  return `<article id="${operation.operationId}">
<h3><b class="method ${method.toLowerCase()}">${method}</b> <code>${escaped(path)}</code></h3>
<p class="summary">${inline(operation.summary)}</p>${operation.description === '' ? '' : `<p>${inline(operation.description)}</p>`}
<p class="facts">${escaped(costLine(operation))}</p>
${fieldTable('Parameters', operation.parameters.map(parameterRow))}
${fieldTable('Body', bodyRows(document, operation))}
<h4>Example</h4><pre><code>${escaped(curlExample(method, path, operation))}</code></pre>
<h4>Sample reply</h4><pre class="sample"><code>${escaped(sampleReply(operation, status))}</code></pre>
${fieldTable(`Reply ${status}`, replyRows(document, operation, status))}
<p class="statuses">${Object.keys(operation.responses)
    .map((code) => `<span class="status s${code[0]}">${code}</span>`)
    .join(' ')}</p></article>`
}

function fieldTable(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return ''
  const lines = rows.map(
    ({ name, type, note }) =>
      `<tr><td><code>${escaped(name)}</code></td><td class="type">${escaped(type)}</td><td>${inline(note)}</td></tr>`,
  )
  return `<h4>${escaped(title)}</h4><table class="fields"><tbody>${lines.join('')}</tbody></table>`
}

/** The first row has the titles. */
function plainTable(title: string, [titles = [], ...rows]: readonly (readonly string[])[]): string {
  const cells = (row: readonly string[], tag: string) =>
    `<tr>${row.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  return `<h2>${escaped(title)}</h2><table class="plain"><thead>${cells(titles, 'th')}</thead>
<tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table>`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Escaped, with `code` between backticks. */
function inline(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
