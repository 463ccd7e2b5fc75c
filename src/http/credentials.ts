/**
 * The keys that a request carries, in `x-api-key` and as `Authorization: Bearer` (or `Token`). The same key in both is
 * one; two different ones come back as two, and are refused. Node joins repeated headers with a comma, which no key
 * contains: they come apart again and are refused, too.
 */
export function keysOf(headers: Headers): string[] {
  const keys = headers.get('x-api-key')?.split(',') ?? []
  const bearer = headers.get('authorization')?.match(/^(?:Bearer|Token) +(\S+)$/i)?.[1]
  if (bearer === undefined || (keys.length === 1 && keys[0] === bearer)) return keys
  return [...keys, bearer]
}
