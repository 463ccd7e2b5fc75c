// Prints the OpenAPI document: what clients are generated from.
import { openApiDocument } from '../src/http/openapi.ts'
import { routes } from '../src/http/routes/table.ts'

process.stdout.write(`${JSON.stringify(openApiDocument(routes, ''), null, 2)}\n`)
