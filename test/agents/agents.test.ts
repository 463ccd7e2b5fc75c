import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type StubModel, startStubModel } from './stub-model.ts'

const root = path.resolve(import.meta.dirname, '..', '..')
const modules = path.join(import.meta.dirname, 'node_modules')
const run = promisify(execFile)

/** An agent with a home of its own, whose model is the stub. */
interface Agent {
  readonly script: string
  prepare(home: string, model: StubModel): Promise<void>
  args(prompt: string): readonly string[]
  environment(model: StubModel): Readonly<Record<string, string>>
}

const agents: Readonly<Record<string, Agent>> = {
  'claude-code': {
    script: path.join(modules, '@anthropic-ai', 'claude-code', 'cli-wrapper.cjs'),
    prepare: async () => {},
    args: (prompt) => ['-p', prompt, '--model', 'stub', '--allowedTools', 'mcp__memoryd__recall'],
    environment: ({ url }) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'stub',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
  },
  codex: {
    script: path.join(modules, '@openai', 'codex', 'bin', 'codex.js'),
    prepare: async (home, { url }) => {
      await mkdir(path.join(home, '.codex'), { recursive: true })
      const lines = [
        'model = "stub"',
        'model_provider = "stub"',
        '',
        '[model_providers.stub]',
        'name = "stub"',
      ]
      const provider = [`base_url = "${url}/v1"`, 'wire_api = "responses"', 'env_key = "STUB_KEY"', '']
      await writeFile(path.join(home, '.codex', 'config.toml'), [...lines, ...provider].join('\n'))
    },
    args: (prompt) => [
      ...['exec', '--skip-git-repo-check', '--dangerously-bypass-hook-trust'],
      ...['--dangerously-bypass-approvals-and-sandbox', prompt],
    ],
    environment: () => ({ STUB_KEY: 'stub' }),
  },
}

describe('agents with a memory', () => {
  let directory: string
  let server: ChildProcess
  let address: string
  let key: string
  let model: StubModel

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'memoryd-agents-'))
    model = await startStubModel()
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: path.join(directory, 'data'),
      PORT: '0',
      LOG_LEVEL: 'error',
    }
    server = spawn(process.execPath, [path.join(root, 'src', 'main.ts')], { env, stdio: 'ignore' })
    const kept = (name: string) => readFile(path.join(directory, 'data', name), 'utf8').catch(() => '')
    const isReady = async () => {
      address = (await kept('address')).trim()
      if (address === '') return false
      const reply = await fetch(`${address}/brain/health`)
      return ((await reply.json()) as { ready: boolean }).ready
    }
    while (!(await isReady())) await wait(200)
    key = (await kept('default-key')).trim()
  })
  after(async () => {
    server.kill()
    await model.close()
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })

  async function call(method: string, address_: string, body?: object) {
    const reply = await fetch(`${address}${address_}`, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await reply.json()) as Record<string, unknown>
  }

  for (const [name, agent] of Object.entries(agents)) {
    describe(name, () => {
      let home: string
      const environment = () => ({
        PATH: process.env.PATH,
        HOME: home,
        DATA_DIR: path.join(directory, 'data'),
        ...agent.environment(model),
      })
      beforeEach(async () => {
        home = await mkdtemp(path.join(directory, 'home-'))
        await mkdir(path.join(home, 'project'))
        await agent.prepare(home, model)
        model.requests.length = 0
        await call('POST', '/brain/forget', { everything: true })
        const told = { text: 'The staging database of project Heron runs on port 6021.' }
        await call('POST', '/brain/ingest', told)
      })
      afterEach(() => rm(home, { recursive: true, force: true, maxRetries: 5 }))

      const connect = (...args: readonly string[]) =>
        run(process.execPath, [path.join(root, 'src', 'cli.ts'), 'connect', name, '--yes', ...args], {
          env: environment(),
        })
      const prompt = async (text: string) => {
        const options = { env: environment(), cwd: path.join(home, 'project'), timeout: 120_000 }
        const started = run(process.execPath, [agent.script, ...agent.args(text)], options)
        started.child.stdin?.end()
        const { stdout, stderr } = await started
        return `${stdout}${stderr}`
      }

      test('by its hooks it knows before it thinks, and remembers afterwards', async () => {
        await connect('--hooks')
        model.say({ text: 'It listens on 6021, as you told me before.' })
        await prompt('On which port does the staging database of Heron run?')
        assert.match(model.requests[0] ?? '', /<memoryd>.*port 6021.*<\/memoryd>/s)

        const { memories } = (await call('GET', '/brain/memories?type=episodic')) as {
          memories: { fact: string; source: string; session_id: string }[]
        }
        const turns = memories.map(({ source, fact }) => `${source}: ${fact}`)
        assert.ok(
          turns.includes('user: On which port does the staging database of Heron run?'),
          String(turns),
        )
        assert.ok(turns.includes('assistant: It listens on 6021, as you told me before.'), String(turns))
      })

      test('what has nothing to do with it is not put into the prompt', async () => {
        await connect('--hooks')
        model.say({ text: 'Fine.' })
        await prompt('Rename the variable in the parser and run the tests again.')
        assert.ok(model.requests.length > 0)
        assert.doesNotMatch(model.requests.join(''), /Heron/)
      })

      test('by its tool it recalls when the model asks', async () => {
        await connect()
        const input = { query: 'port of the staging database of Heron' }
        model.say({ tool: /memoryd.*recall/, input }, { text: 'It is 6021.' })
        const out = await prompt('Look up the port, please.')
        assert.doesNotMatch(model.requests[0] ?? '', /Heron/)
        assert.match(model.requests[1] ?? '', /runs on port 6021/, out)
      })

      test('a server that is away does not stop it', async () => {
        await connect('--hooks', '--url', 'http://127.0.0.1:9', '--key', key)
        model.say({ text: 'Still here, without a memory.' })
        assert.match(await prompt('Say something about the parser, please.'), /Still here/)
      })
    })
  }
})
