import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

/** A fenced block of a page. */
export interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** The block that ends right above: where this one is output, what printed it. */
  readonly above: Block | null
}

/** What a block may be: commands, commands with what they print, what the block above printed, data, programs. */
export const languages: ReadonlySet<string> = new Set([
  ...['sh', 'console', 'text', 'json', 'jsonl', 'yaml', 'ts', 'python'],
])

/** Every fenced block of the pages that people read, in order. */
export const blocks: readonly Block[] = globSync('{*.md,docs/**/*.md,clients/*/README.md}', { cwd: root })
  .sort()
  .flatMap(blocksOf)

function blocksOf(page: string): Block[] {
  const found: Block[] = []
  const text = readFileSync(path.join(root, page), 'utf8')
  let [endedAt, last]: [number, Block | null] = [-1, null]
  for (const match of text.matchAll(/^ *```(.*)\n([\s\S]*?)^ *```$/gm)) {
    const above: Block | null = text.slice(endedAt, match.index).trim() === '' ? last : null
    const line = text.slice(0, match.index).split('\n').length
    last = { page, line, language: match[1] ?? '', text: match[2] ?? '', above }
    endedAt = match.index + match[0].length
    found.push(last)
  }
  return found
}

const starts = 'starts a server that stays: npm run suite fresh does that in a clone'
const suiteClients = 'needs a library of others: npm run suite clients runs it'

/** Blocks that no machine without more can run, each by words that only it has on its page, and why. */
export const elsewhere: readonly (readonly [page: string, words: string, why: string])[] = [
  ['README.md', 'git clone <this repository>', starts],
  ['CONTRIBUTING.md', 'git clone <this repository>', starts],
  ['docs/quickstart.md', 'git clone <this repository>', starts],
  ['docs/quickstart.md', 'LLM_BASE_URL=', starts],
  ['docs/console.md', 'npm start ', starts],
  [
    'docs/console.md',
    'npm run build console',
    'needs chromium: test/console.test.ts builds, npm run suite console runs',
  ],
  ['docs/llm.md', 'npm run llm stub', 'starts servers that stay; test/llm.test.ts talks to the same stub'],
  ['docs/agents.md', '<memoryd>', 'what a model is shown, not a command: test/hooks.test.ts'],
  ['docs/architecture.md', 'main → service', 'a drawing: test/architecture.test.ts enforces it'],
  [
    'docs/backup.md',
    'BACKUP_EVERY=24',
    'starts a server that stays; test/backup.test.ts waits for its backups',
  ],
  ['docs/deploy.md', 'docker build', 'needs a Docker daemon; test/deploy.test.ts reads the files'],
  ['docs/deploy.md', 'docker compose', 'needs a Docker daemon; test/deploy.test.ts reads the files'],
  ['docs/deploy.md', 'systemctl', 'needs systemd and root; test/deploy.test.ts reads the unit'],
  ['docs/deploy.md', 'kubernetes/memoryd.yaml', 'needs a cluster; test/deploy.test.ts reads the manifests'],
  [
    'docs/deploy.md',
    'kubernetes/server-mode.yaml',
    'needs a cluster; test/deploy.test.ts reads the manifests',
  ],
  ['docs/operations.md', 'migrate --to server', 'needs the engines: npm run suite servers migrates'],
  [
    'docs/upgrade.md',
    'was written by a newer memoryd',
    'needs a version to come; migrations.test.ts has the refusal',
  ],
  ['docs/mem0.md', 'from mem0 import', 'needs the client of mem0: npm run suite mem0 runs it'],
  ['docs/mem0.md', "from 'mem0ai'", 'needs the client of mem0: npm run suite mem0 runs it'],
  ['clients/python/README.md', 'pip install', 'not published; npm run suite clients installs what is built'],
  [
    'clients/typescript/README.md',
    'npm install',
    'not published; npm run suite clients installs what is built',
  ],
  ['clients/typescript/README.md', '@memoryd/client/ai-sdk', suiteClients],
  ['clients/typescript/README.md', '@memoryd/client/langchain', suiteClients],
  ['clients/typescript/README.md', '@memoryd/client/langgraph', suiteClients],
  ['clients/typescript/README.md', '@memoryd/client/anthropic', suiteClients],
  ['clients/typescript/README.md', '@memoryd/client/openai-agents', suiteClients],
]

export function runsElsewhere({ page, text }: Block): boolean {
  return elsewhere.some(([place, words]) => place === page && text.includes(words))
}
