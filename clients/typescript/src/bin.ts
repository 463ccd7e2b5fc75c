#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { type BridgeSettings, forwardHook, passOnMessages } from './bridge.ts'

const usage = `usage: memoryd-client mcp              an MCP server on standard input and output, for clients that start a command
       memoryd-client hook AGENT       a lifecycle hook of claude-code or codex: its event on standard input

MEMORYD_URL says where memoryd listens (http://127.0.0.1:7420), MEMORYD_API_KEY is the key.`

const [command, agent] = process.argv.slice(2)
const key = process.env.MEMORYD_API_KEY ?? ''
const settings: BridgeSettings = {
  url: (process.env.MEMORYD_URL ?? 'http://127.0.0.1:7420').replace(/\/+$/, ''),
  key,
}

if (key === '' && (command === 'mcp' || command === 'hook')) end('MEMORYD_API_KEY is not set')
else if (command === 'mcp')
  await passOnMessages(settings, process.stdin, (message) => process.stdout.write(`${message}\n`))
else if (command === 'hook' && agent !== undefined) await hook(agent)
else end(usage)

/** A hook that fails must not hold up the agent: it says nothing then. */
async function hook(name: string): Promise<void> {
  const reply = await forwardHook(settings, name, await text(process.stdin)).catch((error) => {
    process.stderr.write(`memoryd: ${error instanceof Error ? error.message : error}\n`)
    return '{}'
  })
  process.stdout.write(`${reply}\n`)
}

function end(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}
