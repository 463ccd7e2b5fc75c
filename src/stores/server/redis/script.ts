import { createHash } from 'node:crypto'
import type { RedisScript } from './connection.ts'

/** A Lua script with its digest, by which Redis remembers it. */
export function defineScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') }
}
