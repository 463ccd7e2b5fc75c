import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TierName } from '../src/accounts/tiers.ts'
import { readConfig } from '../src/config.ts'
import { createManualClock, type ManualClock } from '../src/core/clock.ts'
import { issuedKeyReply } from '../src/http/routes/account-replies.ts'
import type { Embedder, ExtractedFact, Extractor, Llm, StatementRelation } from '../src/memory/ports.ts'
import { createLog } from '../src/observe/log.ts'
import type { Models } from '../src/service/models.ts'
import { embedded, type OpenStores } from '../src/service/stores.ts'
import { openService, type Service } from '../src/service.ts'
import { openInlineEngine } from '../src/stores/embedded/engine/inline.ts'
import { vectorsOnly } from './support/vectors-only.ts'

export const adminToken = 'test-admin-token-0123456789'

export interface CallOptions {
  readonly key?: string
  readonly body?: unknown
  /** Sent as it is, in place of `body`. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | ReadableStream
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Empty when the reply is not JSON. */
  readonly json: Readonly<Record<string, unknown>>
}

/** The whole service on a store in memory, with a clock that only tests move. */
export interface TestService {
  readonly service: Service
  readonly clock: ManualClock
  readonly dataDir: string
  /** Log lines so far. */
  readonly lines: readonly string[]
  call(method: string, path: string, options?: CallOptions): Promise<Reply>
  admin(method: string, path: string, body?: unknown): Promise<Reply>
  /** A new account with its key. */
  newKey(tier: TierName, monthlyOps?: number): Promise<{ key: string; id: string; account: string }>
  close(): Promise<void>
}

export interface TestSetup {
  readonly loaded?: boolean
  readonly environment?: Readonly<Record<string, string>>
  readonly models?: Partial<Models>
  /** In place of loading those: it may fail. */
  readonly loadModels?: () => Promise<Models>
  /** In place of the store in memory. */
  readonly stores?: OpenStores
}

export async function startTestService(setup: TestSetup = {}): Promise<TestService> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'memoryd-test-'))
  const { config } = readConfig({ DATA_DIR: dataDir, ADMIN_TOKEN: adminToken, ...setup.environment })
  if (config === null) throw new Error('the test configuration is invalid')
  const lines: string[] = []
  const log = createLog('debug', (line) => lines.push(line))
  const clock = createManualClock(1_800_000_000)
  const stores = setup.stores ?? embedded(openInlineEngine(), log)
  const models = setup.loadModels ?? (async () => ({ ...testModels(), ...setup.models }))
  const service = await openService(config, { log, clock, stores, models })
  if (setup.loaded ?? true) await service.loadModels()
  const call = caller(service)
  const admin = (method: string, address: string, body?: unknown) =>
    call(method, address, { body, headers: { authorization: `Bearer ${adminToken}` } })
  let accounts = 0
  return {
    service,
    clock,
    dataDir,
    lines,
    call,
    admin,
    newKey: async (tier, monthlyOps) => {
      const account = `account-${++accounts}`
      const ops = monthlyOps === undefined ? {} : { monthly_ops: monthlyOps }
      return issuedKeyReply.parse((await admin('POST', '/admin/keys', { account, tier, ...ops })).json)
    },
    close: async () => {
      await service.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function caller({ app }: Service): TestService['call'] {
  return async (method, address, { key, body, raw, headers = {} } = {}) => {
    const payload = raw ?? (body === undefined ? null : JSON.stringify(body))
    const request = new Request(`http://localhost${address}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { 'x-api-key': key }),
        ...(payload === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(payload === null ? {} : { body: payload, duplex: 'half' }),
    })
    const response = await app.request(request)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') ?? false
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson && text !== '' ? JSON.parse(text) : {},
    }
  }
}

const dimensions = 64

/** Words hashed into a vector: alike texts are near, others are not, and it costs nothing. */
export const hashingEmbedder: Embedder = {
  identity: { model: 'hashing', weights: 'none', scale: '1', dimensions },
  ...vectorsOnly(async (texts, signal) => {
    signal?.throwIfAborted()
    return texts.map(vectorOf)
  }),
}

function vectorOf(text: string): Float32Array {
  const vector = new Float32Array(dimensions)
  for (const word of `  ${text.toLowerCase()}`.split(/[^\p{L}\p{N}]+/u)) {
    let hash = 2_166_136_261
    for (const character of word) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619)
    const at = (hash >>> 0) % dimensions
    vector[at] = (vector[at] ?? 0) + (hash & 0x10000 ? 1 : -1)
  }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

/** Reads `Someone verb Something.` sentences of three words, which is all that tests of the surface need. */
export const threeWordExtractor: Extractor = {
  extract: async (inputs) =>
    inputs.map(({ text }) => {
      const facts: ExtractedFact[] = [...text.matchAll(/\b([A-Z]\w+) (\w+) ([A-Z]\w+)\./g)].map((match) => ({
        subject: match[1] ?? '',
        relation: match[2] ?? '',
        object: match[3] ?? '',
        confidence: 0.9,
        negated: false,
        ended: false,
        hypothetical: false,
        when: null,
        start: match.index,
        end: match.index + match[0].length,
      }))
      const names = new Set(facts.flatMap(({ subject, object }) => [subject, object]))
      const entities = [...names].map((name) => ({ name, type: 'thing' as const, aliases: [] }))
      return { facts, entities, notice: null }
    }),
}

/** A judge that takes every two statements to hold beside each other. */
export const indifferentRelation: StatementRelation = {
  judge: async (pairs) => pairs.map(() => ({ same: 0, replaces: 0, ends: 0, beside: 1 })),
}

export const obedientLlm: Llm = {
  text: async () => 'It is so [1].',
  object: async (schema) => schema.parse({}),
}

export function testModels(): Models {
  return {
    embedder: hashingEmbedder,
    extractor: threeWordExtractor,
    relation: indifferentRelation,
    llm: null,
    close: async () => {},
  }
}
