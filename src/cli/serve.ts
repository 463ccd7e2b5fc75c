import type { Config } from '../config.ts'
import type { Listening } from '../http/server.ts'
import { createLog, errorFacts } from '../observe/log.ts'
import { readPrivate, removePrivate, writePrivate } from '../secrets.ts'
import type { Service } from '../service.ts'
import { banner } from './banner.ts'
import { type Command, CommandFailure, type CommandParts, type Terminal, UsageError } from './command.ts'
import { makeDirectory } from './directories.ts'
import { restartLean } from './lean.ts'

/** How long requests in flight may take to finish after a signal. */
const drainLimitMs = 25_000

/** `memoryd serve`: runs until a signal ends it. */
export const serve: Command = {
  usage: '',
  run: async (args, parts) => {
    if (args.length > 0) throw new UsageError('serve takes no arguments; it is configured by the environment')
    restartLean(parts.environment)
    return runServer(parts)
  },
}

/** The whole life of the server process. Resolves to its exit code. */
export async function runServer({ config: read, terminal }: CommandParts): Promise<number> {
  const started = performance.now()
  const config = read()
  makeDirectory('DATA_DIR', config.dataDir)
  if (config.backup !== null) makeDirectory('BACKUP_DIR', config.backup.directory)
  const log = createLog(config.logLevel)
  const signal = nextSignal()
  // Background work that fails unseen is a bug to be logged, not a reason to stop serving everybody.
  process.on('unhandledRejection', (error) => log.error(errorFacts(error), 'bug in the background'))
  // Loaded only now: a wrong configuration is answered at once.
  const [{ openService }, { listen }] = await Promise.all([
    import('../service.ts'),
    import('../http/server.ts'),
  ])
  const service = await openService(config, { log })
  let listening: Listening | null = null
  try {
    listening = await listen(service.app, config, { capacity: service.capacity, log }).catch(
      (error: unknown) => {
        throw listenFailure(error, config)
      },
    )
    const address = `http://${urlHost(config.host)}:${listening.port}`
    await writePrivate(config.dataDir, 'address', address)
    log.info({ address, mode: config.stores.mode, version: service.version }, 'listening')
    // In a pipe the JSON line above says it.
    if (terminal.errIsShown)
      terminal.err(`memoryd ${service.version} listens on ${address}; loading models …`)
    const loaded = service.loadModels()
    const ready = loaded.then(() => announce({ config, service, terminal, address, started }))
    const ended = await Promise.race([signal, ready.then(() => signal)])
    log.info({ signal: ended }, 'stopping')
    return 0
  } finally {
    await listening?.stop(drainLimitMs)
    await service.close()
    if (listening !== null) await removePrivate(config.dataDir, 'address')
    log.info({}, 'stopped')
  }
}

interface Announcement {
  readonly config: Config
  readonly service: Service
  readonly terminal: Terminal
  readonly address: string
  readonly started: number
}

async function announce({ config, service, terminal, address, started }: Announcement): Promise<void> {
  const key = await readPrivate(config.dataDir, 'defaultKey')
  const hasKeyFile = key !== null
  // What signs somebody in is for the eyes at a terminal, not for a log.
  const shownKey = terminal.outIsShown ? service.firstKey : null
  const link = terminal.outIsShown && key !== null ? service.signInLink(key) : null
  const seconds = (performance.now() - started) / 1000
  terminal.out(banner({ version: service.version, address, seconds, config, hasKeyFile, shownKey, link }))
}

/** The first signal ends the server in order; a second one ends the process at once. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT'] as const) {
      process.once(name, () => {
        resolve(name)
        process.once(name, () => process.exit(130))
      })
    }
  })
}

function listenFailure(error: unknown, { host, port }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use by another program. Stop it, or set PORT to another port.`,
    EACCES: `Port ${port} needs rights that this user does not have. Set PORT to 1024 or more.`,
    EADDRNOTAVAIL: `This machine has no address ${host}. Set HOST to one it has, or 127.0.0.1.`,
    ENOTFOUND: `The name ${host} is unknown. Set HOST to an address of this machine, or 127.0.0.1.`,
  }
  const reason = typeof code === 'string' ? reasons[code] : undefined
  return reason === undefined ? error : new CommandFailure(reason)
}

/** An IPv6 address stands in brackets; the addresses that mean "all" are reached as this machine. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
