import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './worker-client.ts'

/** Whether nobody waits for the answer any more. */
export type IsCancelled = () => boolean

/**
 * The inside of a thread that answers one call after the other: a model's run takes all that its threads can give. What
 * a call throws is its failure.
 */
export function serve<Request>(
  handle: (request: Request, isCancelled: IsCancelled) => Promise<unknown>,
): void {
  const port = parentPort
  if (!port) throw new Error('This file runs as a worker thread')
  const send = (message: FromThread): void => port.postMessage(message)
  const waiting = new Set<number>()
  const cancelled = new Set<number>()
  let work: Promise<void> = Promise.resolve()
  let isClosing = false

  const answer = async (id: number, request: Request) => {
    try {
      if (isClosing || cancelled.has(id)) return
      const result = await handle(request, () => isClosing || cancelled.has(id))
      send({ kind: 'outcomes', outcomes: [{ id, ok: true, result }] })
    } catch (cause) {
      const failure = cause instanceof Error ? cause.message : String(cause)
      send({ kind: 'outcomes', outcomes: [{ id, ok: false, failure }] })
    } finally {
      waiting.delete(id)
      cancelled.delete(id)
    }
  }

  port.on('message', (message: ToThread<Request>) => {
    if (message === 'close') {
      isClosing = true
      work = work.then(() => port.close())
    } else if ('cancel' in message) {
      if (waiting.has(message.cancel)) cancelled.add(message.cancel)
    } else {
      waiting.add(message.id)
      work = work.then(() => answer(message.id, message.request))
    }
  })
  send({ kind: 'ready' })
}
