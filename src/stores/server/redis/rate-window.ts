import { randomUUID } from 'node:crypto'
import type { RateVerdict, RateWindow } from '../../../accounts/ports.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { Redis } from './connection.ts'
import { createLocalWindow, windowMicros } from './local-window.ts'
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

/**
 * The exact sliding window, shared by every process on the same Redis. While Redis is away each process keeps an exact
 * window of its own, which holds what it admitted before: a limit is then a limit per process, and no call is refused
 * because of Redis. What was admitted meanwhile still counts in this process when Redis is back.
 */
export function createRedisRateWindow(redis: Redis): RateWindow {
  const own = createLocalWindow()
  /** Until then some calls of the window are known to this process alone. */
  let aloneUntil = Number.NEGATIVE_INFINITY

  async function shared(family: string, limit: number, micros: number): Promise<RateVerdict> {
    const args = [String(micros), String(limit), `${micros}:${randomUUID()}`]
    const wait = Number(await redis.script(admit, [`memoryd:rate:${family}`], args))
    if (!Number.isInteger(wait))
      throw new ServiceError('store_unavailable', { detail: 'Redis answered out of turn.' })
    return wait === 0 ? { admitted: true } : { admitted: false, retryAfterSeconds: wait }
  }

  return {
    async admit(family, limit, now) {
      const micros = Math.round(now * 1e6)
      const alone = micros < aloneUntil ? own.verdict(family, limit, micros) : null
      if (alone?.admitted === false) return alone
      const verdict = await shared(family, limit, micros).catch((error: unknown) => {
        if (error instanceof ServiceError && error.code === 'store_unavailable') return null
        throw error
      })
      // Others may have been admitted while this one waited in vain.
      const settled = verdict ?? own.verdict(family, limit, micros)
      if (settled.admitted) own.count(family, micros)
      if (verdict === null) aloneUntil = micros + windowMicros
      return settled
    },
  }
}
