import { randomUUID } from 'node:crypto'
import type { RateVerdict, RateWindow } from '../../../accounts/ports.ts'
import { outOfOrderSeconds, windowSeconds } from '../../../accounts/rules.ts'
import { ServiceError } from '../../../core/errors.ts'
import type { Redis } from './connection.ts'
import { createLocalWindow, windowMicros } from './local-window.ts'
import { defineScript } from './script.ts'

/**
 * One sorted set a key family: the admitted calls of the last 60 seconds by time. Looking and adding are one
 * script, so that processes side by side share one exact window. Times are microseconds, to stay exact in a double.
 * A call that comes a little out of order counts as made with the newest: moved back in time, that one would leave the
 * window early. After a clock was set back, calls from its future count as made now: nobody is locked out for long.
 */
const admit = defineScript(`
local asked = tonumber(ARGV[1])
local limit = tonumber(ARGV[2])
local newest = tonumber(redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')[2] or ARGV[1])
local now = asked
if newest > asked and newest - asked <= ${outOfOrderSeconds * 1e6} then now = newest end
for _, later in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', now), '+inf')) do
  redis.call('ZADD', KEYS[1], now, later)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ${windowMicros})
local count = redis.call('ZCARD', KEYS[1])
if count < limit then
  redis.call('ZADD', KEYS[1], now, ARGV[3])
  redis.call('EXPIRE', KEYS[1], ${windowSeconds + outOfOrderSeconds + 1})
  local oldest = tonumber(redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2])
  return {0, limit - count - 1, math.max(1, math.ceil((oldest + ${windowMicros} - asked) / 1000000))}
end
local blocking = now
if limit > 0 then
  blocking = tonumber(redis.call('ZRANGE', KEYS[1], count - limit, count - limit, 'WITHSCORES')[2])
end
return {math.max(1, math.ceil((blocking + ${windowMicros} - asked) / 1000000)), 0, 0}
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
    const answer = await redis.script(admit, [`memoryd:rate:${family}`], args)
    const [wait = Number.NaN, remaining = Number.NaN, resetSeconds = Number.NaN] = Array.isArray(answer)
      ? answer.map(Number)
      : []
    if (![wait, remaining, resetSeconds].every(Number.isInteger))
      throw new ServiceError('store_unavailable', { detail: 'Redis answered out of turn.' })
    return wait === 0
      ? { admitted: true, remaining, resetSeconds }
      : { admitted: false, retryAfterSeconds: wait }
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
      if (verdict === null) aloneUntil = micros + windowMicros
      // Others may have been admitted without Redis while this one waited for it: Redis does not know of them.
      const settled = own.verdict(family, limit, micros)
      if (verdict?.admitted === false) return verdict
      if (!settled.admitted) return settled
      own.count(family, micros)
      // Each may know of calls that the other does not.
      return verdict !== null && verdict.remaining <= settled.remaining ? verdict : settled
    },
  }
}
