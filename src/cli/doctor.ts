import { statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import { type Config, type LlmConfig, readConfig } from '../config.ts'
import type { EmbeddingIdentity } from '../memory/ports.ts'
import { createLog } from '../observe/log.ts'
import { readPrivate } from '../secrets.ts'
import {
  identityOf,
  inspectServers,
  inspectStore,
  llmProblem,
  mismatchOf,
  verifyModelFiles,
} from '../service/inspect.ts'
import { type Command, type CommandParts, UsageError } from './command.ts'
import { directoryProblem, nearestExisting } from './directories.ts'

interface Finding {
  readonly level: 'ok' | 'warning' | 'problem'
  readonly text: string
  /** What to do about it. */
  readonly advice?: string
}

const neededMajor = 26
/** The store keeps space in reserve for pruning; below this it soon cannot. */
const lowDiskBytes = 512 * 2 ** 20

/** `memoryd doctor`: looks at everything that a start needs, and says what to do. Exit code 1 on problems. */
export const doctor: Command = {
  usage: '',
  run: async (args, parts) => {
    if (args.length > 0) throw new UsageError('doctor takes no arguments')
    const findings = [checkRuntime(), ...(await checkConfigured(parts)), ...(await checkModels())]
    for (const { level, text, advice } of findings) {
      parts.terminal.out(`${marks[level]} ${text}${advice === undefined ? '' : `\n    ${advice}`}`)
    }
    const problems = findings.filter(({ level }) => level === 'problem').length
    parts.terminal.out(
      problems === 0 ? '\nNo problems found.' : `\n${problems} problem${problems === 1 ? '' : 's'} found.`,
    )
    return problems === 0 ? 0 : 1
  },
}

const marks = { ok: 'ok       ', warning: 'warning  ', problem: 'PROBLEM  ' } as const

function checkRuntime(): Finding {
  const text = `Node ${process.versions.node} on ${process.platform} ${process.arch}`
  if (Number(process.versions.node.split('.')[0]) >= neededMajor) return { level: 'ok', text }
  return {
    level: 'problem',
    text,
    advice: `memoryd needs Node ${neededMajor}: run "npm ci", then start with "npm start"`,
  }
}

/** Everything that hangs on the configuration; that itself first. */
async function checkConfigured({ environment }: CommandParts): Promise<Finding[]> {
  const { config, problems } = readConfig(environment)
  if (config === null) {
    return problems.map(({ variable, message }) => ({
      level: 'problem',
      text: `configuration: ${variable} ${message}`,
      advice: 'docs/configuration.md lists every variable',
    }))
  }
  const models = config.llm === null ? 'no LLM: graph QA and compression are off' : `LLM ${config.llm.model}`
  const { identity, findings } = await checkEmbeddings(config)
  return [
    { level: 'ok', text: `configuration: stores ${config.stores.mode}, ${models}` },
    ...findings,
    ...(config.llm === null ? [] : [await checkLlm(config.llm)]),
    ...(config.stores.mode === 'server'
      ? await checkServers(config, identity)
      : await checkStore(config, identity)),
    await checkDisk('DATA_DIR', config.dataDir),
    ...(config.backup === null ? [] : [await checkDisk('BACKUP_DIR', config.backup.directory)]),
  ]
}

/** An engine that is getting ready needs time and nothing else. */
export function engineFinding(name: string, state: string): Finding {
  const text = `${name}: ${state}`
  if (state === 'connected') return { level: 'ok', text }
  if (state === 'error: starting')
    return { level: 'warning', text, advice: 'it runs and is getting ready: wait, and ask again' }
  if (state.startsWith('error: rebuilding'))
    return {
      level: 'warning',
      text,
      advice: 'the copy in Qdrant is made anew from Neo4j: wait, and ask again',
    }
  return { level: 'problem', text, advice: `check that it runs and ${name.toUpperCase()}_URL` }
}

/** The identity of the configured embedding model; null when its endpoint does not tell. */
async function checkEmbeddings(
  config: Config,
): Promise<{ identity: EmbeddingIdentity | null; findings: Finding[] }> {
  const { embeddings } = config
  if (embeddings === null) return { identity: await identityOf(config), findings: [] }
  try {
    const identity = await identityOf(config)
    const text = `embeddings: ${embeddings.model} answers with ${identity.dimensions} dimensions`
    return { identity, findings: [{ level: 'ok', text }] }
  } catch (error) {
    const text = `embeddings: ${error instanceof Error ? error.message : String(error)}`
    const advice = `${embeddings.baseUrl}/embeddings was asked: check EMBEDDINGS_BASE_URL, EMBEDDINGS_API_KEY and EMBEDDINGS_MODEL`
    return { identity: null, findings: [{ level: 'problem', text, advice }] }
  }
}

async function checkLlm(llm: LlmConfig): Promise<Finding> {
  const problem = await llmProblem(llm)
  if (problem === null) return { level: 'ok', text: `LLM: ${llm.model} answers` }
  return {
    level: 'problem',
    text: `LLM: ${llm.model} ${problem}`,
    advice: `${llm.baseUrl}/chat/completions was asked: check LLM_BASE_URL (it mostly ends in /v1), LLM_API_KEY, LLM_MODEL and LLM_TIMEOUT_MS`,
  }
}

/** Whether the stored vectors are those of the configured model: the server does not start otherwise. */
function checkIdentity(stored: EmbeddingIdentity | null, configured: EmbeddingIdentity | null): Finding[] {
  if (stored === null || configured === null) return []
  const mismatch = mismatchOf(stored, configured)
  if (mismatch !== null) return [{ level: 'problem', text: `vectors: ${mismatch.message}` }]
  return [{ level: 'ok', text: `vectors: made by ${stored.model}, as configured` }]
}

async function checkServers(config: Config, configured: EmbeddingIdentity | null): Promise<Finding[]> {
  // Their collections are opened for vectors of a known length.
  if (configured === null) return []
  const { states, identity } = await inspectServers(config, createLog('silent'))
  return [
    ...Object.entries(states).map(([name, state]) => engineFinding(name, state)),
    ...checkIdentity(identity, configured),
  ]
}

async function checkStore(config: Config, configured: EmbeddingIdentity | null): Promise<Finding[]> {
  const found = await inspectStore(config.dataDir)
  switch (found.state) {
    case 'absent':
      return [
        { level: 'ok', text: `store: none yet in ${config.dataDir}; the first start makes one` },
        await checkPort(config),
      ]
    case 'sound':
      return [
        { level: 'ok', text: `store: ${config.dataDir} is sound` },
        ...checkIdentity(found.identity, configured),
        await checkPort(config),
      ]
    case 'in use':
      return [await checkRunning(config, found.message)]
    case 'refused':
      return [{ level: 'problem', text: `store: ${found.message}` }, await checkPort(config)]
  }
}

/** A server holds the store: whether it answers is what counts, not whether its port is free. */
async function checkRunning({ dataDir }: Config, message: string): Promise<Finding> {
  const address = await readPrivate(dataDir, 'address')
  const advice = 'wait a moment if it is just starting; otherwise stop that process and start memoryd again'
  if (address === null) return { level: 'problem', text: `store: ${message}`, advice }
  try {
    const response = await fetch(`${address}/brain/health`, { signal: AbortSignal.timeout(5_000) })
    const health: unknown = await response.json()
    const isReady =
      typeof health === 'object' && health !== null && 'ready' in health && health.ready === true
    if (isReady) return { level: 'ok', text: `store: in use by the server at ${address}, which is ready` }
    return {
      level: 'warning',
      text: `the server at ${address} is not ready: ${JSON.stringify(health)}`,
      advice: 'its log says why',
    }
  } catch (error) {
    return { level: 'problem', text: `the server at ${address} does not answer (${String(error)})`, advice }
  }
}

async function checkPort({ host, port }: Config): Promise<Finding> {
  const code = await new Promise<string | null>((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    probe.listen(port, host, () => probe.close(() => resolve(null)))
  })
  if (code === null) return { level: 'ok', text: `port: ${port} on ${host} is free` }
  const reason = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be used (${code})`
  return {
    level: 'problem',
    text: `port: ${port} on ${host} ${reason}`,
    advice: 'set PORT to another port, or HOST to another address',
  }
}

const diskOf = {
  DATA_DIR: { name: 'disk', full: 'a full disk stops ingest' },
  BACKUP_DIR: { name: 'backups', full: 'a full disk stops backups' },
} as const

async function checkDisk(setting: keyof typeof diskOf, directory: string): Promise<Finding> {
  const { name, full } = diskOf[setting]
  const problem = directoryProblem(setting, directory)
  if (problem !== null) return { level: 'problem', text: `${name}: ${problem}` }
  const place = nearestExisting(directory)
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const text = `${name}: ${(free / 2 ** 30).toFixed(1)} GiB free at ${place}`
  if (free >= lowDiskBytes) return { level: 'ok', text }
  return { level: 'warning', text, advice: `free some space: ${full}` }
}

async function checkModels(): Promise<Finding[]> {
  const reports = await verifyModelFiles()
  const broken = reports.filter(({ ok }) => !ok)
  if (broken.length === 0)
    return [{ level: 'ok', text: `models: ${reports.length} files, hashes as shipped` }]
  return broken.map(({ file, problem }) => ({
    level: 'problem',
    text: `models: ${file} ${problem ?? 'is damaged'}`,
  }))
}
