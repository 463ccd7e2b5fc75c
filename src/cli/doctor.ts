import { access, constants, statfs } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { type Config, readConfig } from '../config.ts'
import { createLog } from '../observe/log.ts'
import { readPrivate } from '../secrets.ts'
import { inspectServers, inspectStore, verifyModelFiles } from '../service/inspect.ts'
import { type Command, type CommandParts, UsageError } from './command.ts'

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
  return [
    { level: 'ok', text: `configuration: stores ${config.stores}, ${models}` },
    ...(config.stores === 'server' ? await checkServers(config) : await checkStore(config)),
    await checkDisk(config.dataDir),
  ]
}

async function checkServers(config: Config): Promise<Finding[]> {
  const states = await inspectServers(config, createLog('silent'))
  return Object.entries(states).map(([name, state]) =>
    state === 'connected'
      ? { level: 'ok', text: `${name}: connected` }
      : {
          level: 'problem',
          text: `${name}: ${state}`,
          advice: `check that it runs and ${name.toUpperCase()}_URL`,
        },
  )
}

async function checkStore(config: Config): Promise<Finding[]> {
  const found = await inspectStore(config.dataDir)
  switch (found.state) {
    case 'absent':
      return [
        { level: 'ok', text: `store: none yet in ${config.dataDir}; the first start makes one` },
        await checkPort(config),
      ]
    case 'sound':
      return [{ level: 'ok', text: `store: ${config.dataDir} is sound` }, await checkPort(config)]
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

async function checkDisk(directory: string): Promise<Finding> {
  const place = await existing(directory)
  try {
    await access(place, constants.W_OK)
  } catch {
    return {
      level: 'problem',
      text: `disk: ${place} cannot be written`,
      advice: 'give this user the right to, or set DATA_DIR',
    }
  }
  const { bavail, bsize } = await statfs(place)
  const free = bavail * bsize
  const text = `disk: ${(free / 2 ** 30).toFixed(1)} GiB free at ${place}`
  if (free >= lowDiskBytes) return { level: 'ok', text }
  return { level: 'warning', text, advice: 'free some space: a full disk stops ingest' }
}

/** The nearest folder on the way to the directory that exists. */
async function existing(directory: string): Promise<string> {
  try {
    await access(directory)
    return directory
  } catch {
    return directory === path.dirname(directory) ? directory : existing(path.dirname(directory))
  }
}

async function checkModels(): Promise<Finding[]> {
  const reports = await verifyModelFiles()
  const broken = reports.filter(({ ok }) => !ok)
  if (broken.length === 0)
    return [{ level: 'ok', text: `models: ${reports.length} files, hashes as published` }]
  return broken.map(({ file, problem }) => ({
    level: 'problem',
    text: `models: ${file} ${problem ?? 'is damaged'}`,
  }))
}
