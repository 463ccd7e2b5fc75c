import type { RateState } from '../core/errors.ts'

/** What a caller is told of its rate; nothing without a limit. */
export function rateHeaders(rate: RateState | null | undefined): Record<string, string> {
  if (rate == null) return {}
  return {
    'x-ratelimit-limit': String(rate.limit),
    'x-ratelimit-remaining': String(rate.remaining),
    'x-ratelimit-reset': String(rate.resetSeconds),
  }
}

const longestName = 64

/**
 * The program that calls, by its own word: `x-client`, or else the first product of `User-Agent` without its version.
 * It is shown to people, so only plain characters of it are kept.
 */
export function clientOf(headers: Headers): string {
  const given = plain(headers.get('x-client') ?? '')
  if (given !== '') return given
  return plain(headers.get('user-agent')?.split(/[/(;,]/)[0] ?? '') || 'unknown'
}

function plain(name: string): string {
  const kept = name.replace(/[^\w .:@/+-]+/g, '').replace(/ +/g, ' ')
  return kept.trim().slice(0, longestName).trimEnd()
}
