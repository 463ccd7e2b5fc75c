import path from 'node:path'
import type { Target } from '../target.ts'
import { type FileEdit, jsonEdit, ownFile, set, setOwn, tomlEdit, unset } from './edits.ts'

/** The machine that the client runs on. */
export interface Place {
  readonly home: string
  readonly platform: NodeJS.Platform
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The command line of memoryd, as something that another program can start. */
  readonly command: readonly [program: string, ...args: string[]]
}

interface Client {
  readonly title: string
  /** Null target: take our entries out. */
  edits(place: Place, target: Target | null): readonly FileEdit[]
  /** For its lifecycle hooks; null when it has none that memoryd answers. */
  readonly hooks: ((place: Place, target: Target | null) => readonly FileEdit[]) | null
}

const name = 'memoryd'
const bearer = ({ key }: Target) => ({ Authorization: `Bearer ${key}` })

/** Our entry below `mcpServers` or the like. */
function serverEdit(file: string, below: string, entry: object | null): FileEdit {
  return jsonEdit(file, entry === null ? unset([below, name]) : set([below, name], entry))
}

/** The hooks of both agents have one form; ours are known by their address or file. */
function hooksEdit(file: string, hook: object | null, mark: string): FileEdit {
  const isOwn = (entry: unknown) => JSON.stringify(entry).includes(mark)
  const own = hook === null ? [] : [{ hooks: [hook] }]
  return jsonEdit(file, ...['UserPromptSubmit', 'Stop'].map((event) => setOwn(['hooks', event], isOwn, own)))
}

/** Longer than the server takes at most. */
const hookSeconds = 5

const claudeCode: Client = {
  title: 'Claude Code',
  edits: ({ home, environment }, target) => [
    serverEdit(
      path.join(environment.CLAUDE_CONFIG_DIR ?? home, '.claude.json'),
      'mcpServers',
      // Without alwaysLoad the model sees the names of the tools alone.
      target && { type: 'http', url: `${target.url}/mcp`, headers: bearer(target), alwaysLoad: true },
    ),
  ],
  hooks: ({ home, environment }, target) => [
    hooksEdit(
      path.join(environment.CLAUDE_CONFIG_DIR ?? path.join(home, '.claude'), 'settings.json'),
      target && {
        type: 'http',
        url: `${target.url}/hooks/claude-code`,
        headers: { ...bearer(target), 'X-Client': 'claude-code' },
        timeout: hookSeconds,
      },
      '/hooks/claude-code',
    ),
  ],
}

const codexHome = ({ home, environment }: Place) => environment.CODEX_HOME ?? path.join(home, '.codex')
const quoted = (text: string) => JSON.stringify(text)

const codex: Client = {
  title: 'Codex',
  edits: (place, target) => [
    tomlEdit(
      path.join(codexHome(place), 'config.toml'),
      `mcp_servers.${name}`,
      target === null
        ? []
        : [
            `url = ${quoted(`${target.url}/mcp`)}`,
            `http_headers = { "Authorization" = ${quoted(`Bearer ${target.key}`)} }`,
          ],
    ),
  ],
  // It starts commands alone: curl sends what comes in and prints what comes back. The key stands in a file of its
  // own, since the arguments of a command can be seen by everybody on the machine.
  hooks: (place, target) => {
    const file = path.join(codexHome(place), 'memoryd-hook.curl')
    const lines = target && [
      `url = ${quoted(`${target.url}/hooks/codex`)}`,
      `header = ${quoted(`Authorization: Bearer ${target.key}`)}`,
      'header = "Content-Type: application/json"',
      'header = "X-Client: codex"',
      'data-binary = "@-"',
      `max-time = ${hookSeconds}`,
      'silent',
      'fail',
    ]
    return [
      ownFile(file, lines && `${lines.join('\n')}\n`),
      hooksEdit(
        path.join(codexHome(place), 'hooks.json'),
        target && {
          type: 'command',
          command: `curl --config ${quoted(file)} || exit 0`,
          timeout: hookSeconds,
        },
        path.basename(file),
      ),
    ]
  },
}

const cursor: Client = {
  title: 'Cursor',
  edits: ({ home }, target) => [
    serverEdit(
      path.join(home, '.cursor', 'mcp.json'),
      'mcpServers',
      target && { url: `${target.url}/mcp`, headers: bearer(target) },
    ),
  ],
  hooks: null,
}

/** Where programs of this platform keep the settings of a user. */
function settingsFolder({ home, platform, environment }: Place): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support')
  if (platform === 'win32') return environment.APPDATA ?? path.join(home, 'AppData', 'Roaming')
  return environment.XDG_CONFIG_HOME ?? path.join(home, '.config')
}

const vscode: Client = {
  title: 'VS Code',
  edits: (place, target) => [
    serverEdit(
      path.join(settingsFolder(place), 'Code', 'User', 'mcp.json'),
      'servers',
      target && { type: 'http', url: `${target.url}/mcp`, headers: bearer(target) },
    ),
  ],
  hooks: null,
}

const claudeDesktop: Client = {
  title: 'Claude Desktop',
  // It starts programs alone: `memoryd mcp` passes on what they say to each other.
  edits: (place, target) => {
    const [command, ...args] = place.command
    const env = target && { MEMORYD_URL: target.url, MEMORYD_API_KEY: target.key }
    return [
      serverEdit(
        path.join(settingsFolder(place), 'Claude', 'claude_desktop_config.json'),
        'mcpServers',
        env && { command, args: [...args, 'mcp'], env },
      ),
    ]
  },
  hooks: null,
}

export const clients: Readonly<Record<string, Client>> = {
  'claude-code': claudeCode,
  codex,
  cursor,
  vscode,
  'claude-desktop': claudeDesktop,
}
