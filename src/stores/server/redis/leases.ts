import type { Lease, LifecycleStore } from '../../../memory/ports.ts'
import type { Redis } from './connection.ts'
import { defineScript } from './script.ts'

type Leases = Pick<LifecycleStore, 'acquire' | 'renew' | 'release'>

/** A lease is a hash of its fence and its end. It is never removed: the fence has to go on growing for ever. */
const acquire = defineScript(`
local ends = tonumber(redis.call('HGET', KEYS[1], 'until') or '-inf')
if ends > tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'until', ARGV[2])
return redis.call('HINCRBY', KEYS[1], 'fence', 1)
`)

const renew = defineScript(`
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[3] then return 0 end
if tonumber(redis.call('HGET', KEYS[1], 'until')) <= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'until', ARGV[2])
return 1
`)

const release = defineScript(`
if redis.call('HGET', KEYS[1], 'fence') == ARGV[1] then redis.call('HSET', KEYS[1], 'until', '-inf') end
return 0
`)

const leaseKey = (name: string) => `memoryd:lease:${name}`

/** Rights to run alone, shared by every process on the same Redis. */
export function createRedisLeases(redis: Redis): Leases {
  return {
    async acquire(name, seconds, now): Promise<Lease | null> {
      const fence = Number(
        await redis.script(acquire, [leaseKey(name)], [String(now), String(now + seconds)]),
      )
      return fence === 0 ? null : { name, fence }
    },
    async renew({ name, fence }, seconds, now) {
      const args = [String(now), String(now + seconds), String(fence)]
      return Number(await redis.script(renew, [leaseKey(name)], args)) === 1
    },
    async release({ name, fence }) {
      await redis.script(release, [leaseKey(name)], [String(fence)])
    },
  }
}
