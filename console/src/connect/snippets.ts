// How each program is connected, with the address of this server. `memoryd connect` writes the same (src/cli/connect).

export interface Part {
  readonly title: string
  readonly text: string
}

export interface Program {
  readonly id: string
  readonly title: string
  /** The names it calls itself by. */
  readonly calls: RegExp
  readonly note?: string
  readonly parts: readonly Part[]
}

export interface Target {
  readonly url: string
  readonly key: string
}

const json = (value: unknown) => JSON.stringify(value, null, 2)

/** The name makes sure that the program is known again among those that called. */
const headers = ({ key }: Target, name: string) => ({ Authorization: `Bearer ${key}`, 'X-Client': name })

const byCommand = (client: string, options = ''): Part => ({
  title: 'On the machine of the server',
  text: `memoryd connect ${client}${options}\n# from a checkout: npm run -s memoryd -- connect ${client}${options}`,
})

export function programs(target: Target): readonly Program[] {
  const { url, key } = target
  const mcp = `${url}/mcp`
  return [
    {
      id: 'claude-code',
      title: 'Claude Code',
      calls: /^claude-code/i,
      note: 'Hooks look up every prompt before the model thinks, and remember every turn.',
      parts: [
        byCommand('claude-code', ' --hooks'),
        {
          title: 'Or with its own command, tools alone',
          text: `claude mcp add --transport http --scope user memoryd ${mcp} \\\n  --header "Authorization: Bearer ${key}" --header "X-Client: claude-code"`,
        },
        {
          title: 'Or by hand, in ~/.claude.json',
          text: json({
            mcpServers: {
              memoryd: { type: 'http', url: mcp, headers: headers(target, 'claude-code'), alwaysLoad: true },
            },
          }),
        },
        { title: 'Hooks by hand, in ~/.claude/settings.json', text: json({ hooks: claudeHooks(target) }) },
      ],
    },
    {
      id: 'codex',
      title: 'Codex',
      calls: /^codex/i,
      parts: [
        byCommand('codex', ' --hooks'),
        {
          title: 'Or by hand, in ~/.codex/config.toml',
          text: `[mcp_servers.memoryd]\nurl = "${mcp}"\nhttp_headers = { "Authorization" = "Bearer ${key}", "X-Client" = "codex" }`,
        },
      ],
    },
    {
      id: 'cursor',
      title: 'Cursor',
      calls: /^cursor/i,
      parts: [
        byCommand('cursor'),
        {
          title: 'Or by hand, in ~/.cursor/mcp.json',
          text: json({ mcpServers: { memoryd: { url: mcp, headers: headers(target, 'cursor') } } }),
        },
      ],
    },
    {
      id: 'vscode',
      title: 'VS Code',
      calls: /^(vscode|visual studio code|code$)/i,
      parts: [
        byCommand('vscode'),
        {
          title: 'Or by hand, in .vscode/mcp.json',
          text: json({
            servers: { memoryd: { type: 'http', url: mcp, headers: headers(target, 'vscode') } },
          }),
        },
      ],
    },
    {
      id: 'claude-desktop',
      title: 'Claude Desktop',
      calls: /^(claude-desktop|memoryd-mcp)/i,
      note: 'It starts programs alone; this one passes on what they say to each other.',
      parts: [
        byCommand('claude-desktop'),
        {
          title: 'Or by hand, in claude_desktop_config.json',
          text: json({
            mcpServers: {
              memoryd: {
                command: 'npx',
                args: ['-y', '@memoryd/client', 'mcp'],
                env: { MEMORYD_URL: url, MEMORYD_API_KEY: key },
              },
            },
          }),
        },
      ],
    },
    {
      id: 'mcp',
      title: 'Any other agent',
      calls: /^(?!)/,
      note: 'Everything that speaks the Model Context Protocol over HTTP.',
      parts: [{ title: 'Address and header', text: `${mcp}\nAuthorization: Bearer ${key}` }],
    },
    {
      id: 'curl',
      title: 'curl',
      calls: /^curl/i,
      parts: [
        {
          title: 'Remember',
          text: `curl ${url}/brain/ingest \\\n  -H 'x-api-key: ${key}' -H 'content-type: application/json' \\\n  -d '{"text": "My sister Maria lives in Lisbon."}'`,
        },
        {
          title: 'Recall',
          text: `curl ${url}/brain/retrieve \\\n  -H 'x-api-key: ${key}' -H 'content-type: application/json' \\\n  -d '{"query": "Where does Maria live?"}'`,
        },
      ],
    },
    {
      id: 'typescript',
      title: 'TypeScript',
      calls: /^(node|bun|deno|undici)/i,
      parts: [
        { title: 'Install', text: 'npm install @memoryd/client' },
        {
          title: 'Use',
          text: `import { Memoryd } from '@memoryd/client'

const memory = new Memoryd({ url: '${url}', key: '${key}' })

await memory.remember('My sister Maria lives in Lisbon.')
const { facts, context } = await memory.recall('Where does Maria live?')
console.log(facts[0]?.fact, context)`,
        },
      ],
    },
    {
      id: 'python',
      title: 'Python',
      calls: /^python/i,
      parts: [
        { title: 'Install', text: 'pip install memoryd-client' },
        {
          title: 'Use',
          text: `from memoryd_client import Memoryd

with Memoryd("${url}", "${key}") as memory:
    memory.remember("My sister Maria lives in Lisbon.")
    reply = memory.recall("Where does Maria live?")
    print(reply.facts[0].fact, reply.context)`,
        },
      ],
    },
  ]
}

function claudeHooks(target: Target) {
  const url = `${target.url}/hooks/claude-code`
  const hook = { type: 'http', url, headers: headers(target, 'claude-code'), timeout: 5 }
  return { UserPromptSubmit: [{ hooks: [hook] }], Stop: [{ hooks: [hook] }] }
}

/** So that it can be shown to others: the kind and the last four characters stay. */
export const masked = (key: string) => `${key.slice(0, 4)}…${key.slice(-4)}`
