// The types of the API, from its OpenAPI document on standard input: writes src/types.gen.ts, or says with --check whether
// that file is what it would write.
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import openapi, { astToString } from 'openapi-typescript'

const file = new URL('../src/types.gen.ts', import.meta.url)
const document = JSON.parse(await text(process.stdin))
// Sample replies are for people: as comments they would be a third of the file.
for (const operation of Object.values(document.paths).flatMap(Object.values))
  for (const { content } of Object.values(operation.responses))
    for (const reply of Object.values(content)) delete reply.example
// A field with a default may be left out of a request.
const types = astToString(await openapi(document, { defaultNonNullable: false }))
const printed = `// Printed from the OpenAPI document by \`npm run build types\`. Not to be edited.\n${types}`
if (!process.argv.includes('--check')) writeFileSync(file, printed)
else if (readFileSync(file, 'utf8') !== printed) {
  console.error('src/types.gen.ts is not what the server offers: npm run build types')
  process.exitCode = 1
}
