import { randomUUID } from 'node:crypto'
import type { RateWindow } from '../../../accounts/ports.ts'
import type { Redis } from './connection.ts'
import { defineScript } from './script.ts'

/**
 * One sorted set a key family: the admitted calls of the last 60 seconds by time. Looking and adding are one
 * script, so that processes side by side share one exact window. Times are microseconds, to stay exact in a double.
 * After a clock was set back, calls from its future count as made now: nobody is locked out for longer than a window.
 */
const admit = defineScript(`
local now = tonumber(ARGV[1])
local limit = tonumber(ARGV[2])
for _, later in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '+inf')) do
  redis.call('ZADD', KEYS[1], now, later)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - 60000000)
local count = redis.call('ZCARD', KEYS[1])
if count < limit then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[1], 61000)
  return 0
end
local blocking = now
if limit > 0 then
  blocking = tonumber(redis.call('ZRANGE', KEYS[1], count - limit, count - limit, 'WITHSCORES')[2])
end
return math.max(1, math.ceil((blocking + 60000000 - now) / 1000000))
`)

/** The exact sliding window, shared by every process on the same Redis. */
export function createRedisRateWindow(redis: Redis): RateWindow {
  return {
    async admit(family, limit, now) {
      const micros = Math.round(now * 1e6)
      const wait = Number(
        await redis.script(
          admit,
          [`memoryd:rate:${family}`],
          [String(micros), String(limit), `${micros}:${randomUUID()}`],
        ),
      )
      return wait === 0 ? { admitted: true } : { admitted: false, retryAfterSeconds: wait }
    },
  }
}
