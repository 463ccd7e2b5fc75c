import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import type { TierName } from './accounts/tiers.ts'

export interface LlmConfig {
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly model: string
  readonly timeoutMs: number
}

export interface EmbeddingsConfig {
  readonly baseUrl: string
  readonly apiKey: string | null
  readonly model: string
}

export interface ServerStoresConfig {
  readonly mode: 'server'
  readonly neo4j: { readonly url: string; readonly user: string; readonly password: string }
  readonly qdrant: { readonly url: string; readonly apiKey: string | null }
  readonly redis: { readonly url: string }
}

/** Backups that the service makes by itself. */
export interface BackupConfig {
  /** Absolute. */
  readonly directory: string
  readonly everyHours: number
  readonly keep: number
}

/** Where everything is kept: in one file of the data directory, or in three engines. */
export type StoresConfig = { readonly mode: 'embedded' } | ServerStoresConfig

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Everything that can be set, checked and with its defaults filled in. */
export interface Config {
  readonly host: string
  readonly port: number
  /** Names under which, and from which, browsers may call, beside those of this machine. */
  readonly allowed: { readonly hosts: readonly string[]; readonly origins: readonly string[] }
  /** Absolute. */
  readonly dataDir: string
  /** Null: generated at the first start and kept in the data directory. */
  readonly adminToken: string | null
  readonly stores: StoresConfig
  /** What the search indexes of the embedded store may take. Null: a share of the machine's memory. */
  readonly indexMegabytes: number | null
  /** Null: none is made by itself. */
  readonly backup: BackupConfig | null
  /** Null: no LLM. */
  readonly llm: LlmConfig | null
  /** Null: the built-in model. */
  readonly embeddings: EmbeddingsConfig | null
  readonly decayHalfLifeDays: number
  readonly pruneThreshold: number
  readonly upgradeUrl: string
  readonly logLevel: (typeof logLevels)[number]
  /** Whether `/metrics` asks for the admin token. */
  readonly metrics: 'token' | 'open'
  /** Budgets that replace the tiers' own. */
  readonly monthlyOps: Readonly<Partial<Record<TierName, number>>>
}

interface Variable {
  /** As shown in the documentation; null: not set. */
  readonly fallback: string | null
  readonly about: string
}

/** Every variable that is read. docs/configuration.md is compared with this table by a test. */
export const variables = {
  PORT: { fallback: '7420', about: 'TCP port; 0 lets the system choose one' },
  HOST: { fallback: '127.0.0.1', about: 'address to listen on' },
  ALLOW_PUBLIC_HTTP: {
    fallback: 'false',
    about: 'true: listen on a public address without TLS (behind a proxy that ends TLS)',
  },
  ALLOWED_HOSTS: {
    fallback: null,
    about:
      'host names, separated by commas, under which /mcp, /hooks and /console answer beside those of this machine',
  },
  ALLOWED_ORIGINS: {
    fallback: null,
    about:
      'origins of pages, as https://app.example.com, that may call the API from a browser, and /mcp, /hooks and /console',
  },
  DATA_DIR: {
    fallback: './memoryd-data',
    about: 'where the embedded store, the first key and the token live',
  },
  ADMIN_TOKEN: {
    fallback: null,
    about:
      'credential of the admin API, at least 16 characters; generated and kept in the data directory if absent',
  },
  STORES: { fallback: 'embedded', about: 'embedded: one file, no servers; server: Neo4j, Qdrant and Redis' },
  NEO4J_URL: { fallback: null, about: 'graph database, for example neo4j://localhost:7687 (server mode)' },
  NEO4J_USER: { fallback: 'neo4j', about: 'its user (server mode)' },
  NEO4J_PASSWORD: { fallback: null, about: 'its password (server mode)' },
  QDRANT_URL: { fallback: null, about: 'vector store, for example http://localhost:6333 (server mode)' },
  QDRANT_API_KEY: { fallback: null, about: 'its API key, where it asks for one (server mode)' },
  REDIS_URL: { fallback: null, about: 'working memory, for example redis://localhost:6379 (server mode)' },
  INDEX_MEMORY: {
    fallback: null,
    about:
      'megabytes that search indexes may take, up to 4096 (embedded mode); a quarter of the memory of the machine or container if absent',
  },
  BACKUP_DIR: { fallback: null, about: 'where the server puts backups by itself; none without it' },
  BACKUP_EVERY: { fallback: '24', about: 'hours from one such backup to the next' },
  BACKUP_KEEP: { fallback: '7', about: 'how many of them are kept; older ones are deleted' },
  LLM_BASE_URL: { fallback: null, about: 'OpenAI-compatible endpoint that ends in /v1; no LLM without it' },
  LLM_API_KEY: { fallback: null, about: 'its API key, where it asks for one' },
  LLM_MODEL: { fallback: null, about: 'model name; needed with LLM_BASE_URL' },
  LLM_TIMEOUT_MS: {
    fallback: '30000',
    about: 'how long one LLM call may take; the deadline of a request that asks the LLM grows by it',
  },
  EMBEDDINGS_BASE_URL: {
    fallback: null,
    about: 'OpenAI-compatible embeddings endpoint in place of the built-in model',
  },
  EMBEDDINGS_API_KEY: { fallback: null, about: 'its API key, where it asks for one' },
  EMBEDDINGS_MODEL: { fallback: null, about: 'model name; needed with EMBEDDINGS_BASE_URL' },
  DECAY_HALF_LIFE_DAYS: {
    fallback: '7',
    about: 'days after which an untouched memory has half its confidence',
  },
  PRUNE_THRESHOLD: {
    fallback: '0.05',
    about:
      'the hourly consolidation deletes memories below this confidence, with the defaults after about 30 days without use; 0 deletes nothing',
  },
  MONTHLY_OPS_FREE: { fallback: '5000', about: 'monthly operations of tier Free' },
  MONTHLY_OPS_STARTER: { fallback: '100000', about: 'monthly operations of tier Starter' },
  MONTHLY_OPS_PRO: { fallback: '1000000', about: 'monthly operations of tier Pro' },
  MONTHLY_OPS_SCALE: { fallback: '10000000', about: 'monthly operations of tier Scale' },
  UPGRADE_URL: {
    fallback: 'https://example.com/upgrade',
    about: 'address in the `upgrade` field of 403 and 429 replies',
  },
  LOG_LEVEL: { fallback: 'info', about: `one of ${logLevels.join(', ')}` },
  METRICS: {
    fallback: 'token',
    about: 'token: /metrics asks for the admin token; open: it answers everybody who can reach the port',
  },
} as const satisfies Record<string, Variable>

export type VariableName = keyof typeof variables
type Environment = Readonly<Record<string, string | undefined>>

export interface ConfigProblem {
  readonly variable: VariableName
  readonly message: string
}

export type ConfigOutcome =
  | { readonly config: Config; readonly problems: readonly [] }
  | { readonly config: null; readonly problems: readonly ConfigProblem[] }

/** A number written in digits: `Number()` alone would take '', ' ' and '0x10' too. */
const decimal = (schema: z.ZodNumber) =>
  z
    .string()
    .regex(/^-?\d+(\.\d+)?(e-?\d+)?$/i, 'must be a number')
    .transform(Number)
    .pipe(schema)

const count = decimal(z.int('must be a whole number').min(0, 'must not be negative'))
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const trimmed = (address: string) => address.replace(/\/+$/, '')

/** Items between commas; none when it is not set. */
const listOf = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform((list) => list.split(',').map((entry) => entry.trim()))
    .pipe(z.array(item))
    .default([])

const schema = z.object({
  PORT: decimal(
    z.int('must be a whole number').min(0, 'must be 0 to 65535').max(65_535, 'must be 0 to 65535'),
  ),
  HOST: z.string(),
  ALLOW_PUBLIC_HTTP: z.stringbool('must be true or false'),
  ALLOWED_HOSTS: listOf(
    z
      .string()
      .toLowerCase()
      .regex(/^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/, 'must be host names without a port'),
  ),
  ALLOWED_ORIGINS: listOf(
    z
      .string()
      .refine((origin) => URL.parse(origin)?.origin === origin, 'must be origins as https://host:port'),
  ),
  DATA_DIR: z.string(),
  ADMIN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]*$/, 'must be printable ASCII without spaces')
    .min(16, 'must have at least 16 characters')
    .optional(),
  STORES: z.enum(['embedded', 'server'], 'must be embedded or server'),
  NEO4J_URL: z
    .url({ protocol: /^(neo4j|bolt)(\+s|\+ssc)?$/, error: 'must be a neo4j:// or bolt:// address' })
    .optional(),
  NEO4J_USER: z.string(),
  NEO4J_PASSWORD: z.string().optional(),
  QDRANT_URL: webUrl.optional(),
  QDRANT_API_KEY: z.string().optional(),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' }).optional(),
  INDEX_MEMORY: decimal(
    z.int('must be a whole number').min(1, 'must be 1 to 4096').max(4_096, 'must be 1 to 4096'),
  ).optional(),
  BACKUP_DIR: z.string().optional(),
  // A timer of the system takes no more than 24 days.
  BACKUP_EVERY: decimal(z.number().gt(0, 'must be more than 0').max(576, 'must be at most 576')),
  BACKUP_KEEP: decimal(z.int('must be a whole number').min(1, 'must be at least 1')),
  LLM_BASE_URL: webUrl.transform(trimmed).optional(),
  LLM_API_KEY: z.string().optional(),
  LLM_MODEL: z.string().optional(),
  LLM_TIMEOUT_MS: decimal(z.int('must be a whole number').min(1, 'must be at least 1')),
  EMBEDDINGS_BASE_URL: webUrl.transform(trimmed).optional(),
  EMBEDDINGS_API_KEY: z.string().optional(),
  EMBEDDINGS_MODEL: z.string().optional(),
  DECAY_HALF_LIFE_DAYS: decimal(z.number().gt(0, 'must be more than 0')),
  PRUNE_THRESHOLD: decimal(z.number().min(0, 'must be 0 to 1').max(1, 'must be 0 to 1')),
  MONTHLY_OPS_FREE: count,
  MONTHLY_OPS_STARTER: count,
  MONTHLY_OPS_PRO: count,
  MONTHLY_OPS_SCALE: count,
  UPGRADE_URL: webUrl,
  METRICS: z.enum(['token', 'open'], 'must be token or open'),
  LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`),
} satisfies Record<VariableName, z.ZodType>)

type Values = z.output<typeof schema>

/** The process's own environment: the only place that reads it. */
export const processEnvironment = (): Environment => process.env

/** Reads a Config from an environment. Pure; says every problem at once. An empty variable counts as absent. */
export function readConfig(environment: Environment): ConfigOutcome {
  const parsed = schema.safeParse(withFallbacks(environment))
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => ({
      variable: issue.path[0] as VariableName,
      message: issue.message,
    }))
    return { config: null, problems }
  }
  const problems = contradictions(parsed.data)
  if (problems.length > 0) return { config: null, problems }
  return { config: toConfig(parsed.data), problems: [] }
}

function withFallbacks(environment: Environment): Record<string, string> {
  const names = Object.keys(variables) as VariableName[]
  return Object.fromEntries(
    names.flatMap((name) => {
      const given = environment[name]?.trim()
      const value = given === undefined || given === '' ? variables[name].fallback : given
      return value === null ? [] : [[name, value]]
    }),
  )
}

/** What no single variable shows. */
function contradictions(values: Values): ConfigProblem[] {
  const problems: ConfigProblem[] = []
  const needs = (condition: boolean, variable: VariableName, message: string) => {
    if (condition && values[variable] === undefined) problems.push({ variable, message })
  }
  needs(values.LLM_BASE_URL !== undefined, 'LLM_MODEL', 'is needed with LLM_BASE_URL')
  needs(values.EMBEDDINGS_BASE_URL !== undefined, 'EMBEDDINGS_MODEL', 'is needed with EMBEDDINGS_BASE_URL')
  for (const name of ['NEO4J_URL', 'NEO4J_PASSWORD', 'QDRANT_URL', 'REDIS_URL'] as const) {
    needs(values.STORES === 'server', name, 'is needed with STORES=server')
  }
  if (!isLoopback(values.HOST) && !values.ALLOW_PUBLIC_HTTP) {
    problems.push({
      variable: 'HOST',
      message:
        `is ${values.HOST}, which others can reach, and memoryd speaks plain HTTP: keys would travel unencrypted. ` +
        'Listen on 127.0.0.1, or set ALLOW_PUBLIC_HTTP=true when a proxy in front ends TLS',
    })
  }
  return problems
}

/** True for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  if (bare === 'localhost' || bare === '::1') return true
  const mapped = bare.replace(/^::ffff:/, '')
  return isIP(mapped) === 4 && mapped.startsWith('127.')
}

function toConfig(values: Values): Config {
  return {
    host: values.HOST,
    port: values.PORT,
    allowed: { hosts: values.ALLOWED_HOSTS, origins: values.ALLOWED_ORIGINS },
    dataDir: path.resolve(values.DATA_DIR),
    adminToken: values.ADMIN_TOKEN ?? null,
    stores: values.STORES === 'server' ? serverStores(values) : { mode: 'embedded' },
    indexMegabytes: values.INDEX_MEMORY ?? null,
    backup:
      values.BACKUP_DIR === undefined
        ? null
        : {
            directory: path.resolve(values.BACKUP_DIR),
            everyHours: values.BACKUP_EVERY,
            keep: values.BACKUP_KEEP,
          },
    llm: llm(values),
    embeddings: embeddings(values),
    decayHalfLifeDays: values.DECAY_HALF_LIFE_DAYS,
    pruneThreshold: values.PRUNE_THRESHOLD,
    upgradeUrl: values.UPGRADE_URL,
    logLevel: values.LOG_LEVEL,
    metrics: values.METRICS,
    monthlyOps: {
      free: values.MONTHLY_OPS_FREE,
      starter: values.MONTHLY_OPS_STARTER,
      pro: values.MONTHLY_OPS_PRO,
      scale: values.MONTHLY_OPS_SCALE,
    },
  }
}

function llm(values: Values): LlmConfig | null {
  if (values.LLM_BASE_URL === undefined) return null
  return {
    baseUrl: values.LLM_BASE_URL,
    apiKey: values.LLM_API_KEY ?? null,
    model: values.LLM_MODEL ?? '',
    timeoutMs: values.LLM_TIMEOUT_MS,
  }
}

function embeddings(values: Values): EmbeddingsConfig | null {
  if (values.EMBEDDINGS_BASE_URL === undefined) return null
  return {
    baseUrl: values.EMBEDDINGS_BASE_URL,
    apiKey: values.EMBEDDINGS_API_KEY ?? null,
    model: values.EMBEDDINGS_MODEL ?? '',
  }
}

function serverStores(values: Values): ServerStoresConfig {
  return {
    mode: 'server',
    neo4j: {
      url: values.NEO4J_URL ?? '',
      user: values.NEO4J_USER,
      password: values.NEO4J_PASSWORD ?? '',
    },
    qdrant: { url: values.QDRANT_URL ?? '', apiKey: values.QDRANT_API_KEY ?? null },
    redis: { url: values.REDIS_URL ?? '' },
  }
}
