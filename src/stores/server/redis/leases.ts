import type { Lease, LifecycleStore } from '../../../memory/ports.ts'
import type { Redis } from './connection.ts'
import { defineScript } from './script.ts'

type Leases = Pick<LifecycleStore, 'acquire' | 'renew' | 'release'>

/** The fence counts on for ever, so that a later holder always has a higher one than every earlier holder. */
const acquire = defineScript(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
local fence = redis.call('INCR', KEYS[2])
redis.call('SET', KEYS[1], fence, 'PX', ARGV[1])
return fence
`)

const renew = defineScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[2] then return 0 end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1
`)

const release = defineScript(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0
`)

const holderKey = (name: string) => `memoryd:lease:{${name}}`
const fenceKey = (name: string) => `memoryd:fence:{${name}}`
const millis = (seconds: number) => String(Math.max(1, Math.round(seconds * 1_000)))

/** Rights to run alone. Redis's own clock ends them, so processes with different clocks agree. */
export function createRedisLeases(redis: Redis): Leases {
  return {
    async acquire(name, seconds): Promise<Lease | null> {
      const fence = Number(await redis.script(acquire, [holderKey(name), fenceKey(name)], [millis(seconds)]))
      return fence === 0 ? null : { name, fence }
    },
    async renew(lease, seconds) {
      const kept = await redis.script(renew, [holderKey(lease.name)], [millis(seconds), String(lease.fence)])
      return Number(kept) === 1
    },
    async release(lease) {
      await redis.script(release, [holderKey(lease.name)], [String(lease.fence)])
    },
  }
}
