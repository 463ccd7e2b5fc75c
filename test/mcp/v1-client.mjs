// The client of the SDK before the split, as a program: prints what it got.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const [, , url = '', key = ''] = process.argv
const client = new Client({ name: 'v1', version: '1' })
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  }),
)
const { tools } = await client.listTools()
await client.callTool({ name: 'remember', arguments: { text: 'Anna likes Porto.' } })
const recalled = await client.callTool({ name: 'recall', arguments: { query: 'What does Anna like?' } })
process.stdout.write(
  JSON.stringify({ tools: tools.map(({ name }) => name), recalled: recalled.structuredContent }),
)
await client.close()
