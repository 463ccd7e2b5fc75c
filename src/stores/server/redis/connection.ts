import { createClient, ErrorReply } from 'redis'
import { createEngineGuard, type EngineGuard, type EngineReason } from '../engine/guard.ts'

/** What the Redis adapters need of the driver: one raw command, guarded. Replies are strings, numbers, arrays or null. */
export interface Redis {
  readonly guard: EngineGuard
  send(command: readonly string[]): Promise<unknown>
  /** Runs a Lua script by its digest, sending its text only when Redis does not know it. */
  script(script: RedisScript, keys: readonly string[], args: readonly string[]): Promise<unknown>
  close(): Promise<void>
}

export interface RedisScript {
  readonly text: string
  readonly sha1: string
}

/** It answers in well under a millisecond: what takes so long is away, and is done without. */
const limitMs = 500
const silenceMs = 750
/** What takes so long stands in a queue. */
const slowMs = 100

/** Connects in the background and for ever; calls are refused by the guard until it is up. */
export function openRedis(url: string): Redis {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    socket: { connectTimeout: 1_000, reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, 500) },
  })
  // The driver reports lost connections as events too; the guard's probe tells the state.
  client.on('error', () => undefined)
  const connecting = client.connect().catch(() => undefined)

  const guard = createEngineGuard({
    engine: 'redis',
    probe: async () => {
      await client.sendCommand(['PING'])
    },
    classify,
    timeoutMs: limitMs,
    slowMs,
    silenceMs,
  })
  const send = (command: readonly string[]) => guard.call(() => client.sendCommand<unknown>(command))

  return {
    guard,
    send,
    async script(script, keys, args) {
      const tail = [String(keys.length), ...keys, ...args]
      try {
        return await send(['EVALSHA', script.sha1, ...tail])
      } catch (error) {
        if (!(error instanceof ErrorReply && error.message.startsWith('NOSCRIPT'))) throw error
        return await send(['EVAL', script.text, ...tail])
      }
    },
    async close() {
      guard.close()
      client.destroy()
      await connecting
    },
  }
}

function classify(error: unknown): EngineReason | null {
  if (!(error instanceof ErrorReply)) return 'unreachable'
  if (/^(NOAUTH|WRONGPASS|NOPERM)/.test(error.message)) return 'credentials rejected'
  if (/^(LOADING|MASTERDOWN|CLUSTERDOWN|READONLY|OOM|MISCONF|BUSY)/.test(error.message)) return 'failing'
  return null
}
