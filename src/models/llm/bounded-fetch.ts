/** The reply grew past the cap: reading stopped there. */
class ReplyTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`the reply is longer than ${maxBytes} bytes`)
    this.name = 'ReplyTooLarge'
  }
}

/**
 * A fetch whose reply bodies fail at `maxBytes`, so that neither a huge reply nor an endless stream is held in
 * memory. Redirects are refused: the only address asked is the configured one.
 */
export function createBoundedFetch(maxBytes: number): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await globalThis.fetch(input, { ...init, redirect: 'error' })
    if (response.body === null) return response
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(limiter(maxBytes)), { status, statusText, headers })
  }
}

function limiter(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength
      if (seen > maxBytes) controller.error(new ReplyTooLarge(maxBytes))
      else controller.enqueue(chunk)
    },
  })
}
