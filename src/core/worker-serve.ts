import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './worker-client.ts'

interface Call<Request> {
  readonly id: number
  readonly request: Request
}

/** Whether nobody waits for the answer any more. */
export type IsCancelled = () => boolean

/**
 * The inside of a thread that answers one call after the other: a model's run takes all that its threads can give. An
 * urgent call goes ahead of those that wait. What a call throws is its failure.
 */
export function serve<Request>(
  handle: (request: Request, isCancelled: IsCancelled) => Promise<unknown>,
  isUrgent: (request: Request) => boolean = () => false,
): void {
  const port = parentPort
  if (!port) throw new Error('This file runs as a worker thread')
  const send = (message: FromThread): void => port.postMessage(message)
  const waiting = new Set<number>()
  const cancelled = new Set<number>()
  const urgent: Call<Request>[] = []
  const usual: Call<Request>[] = []
  let isWorking = false
  let isClosing = false

  const answer = async ({ id, request }: Call<Request>) => {
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

  const work = async () => {
    if (isWorking) return
    isWorking = true
    for (let next = urgent.shift() ?? usual.shift(); next; next = urgent.shift() ?? usual.shift())
      await answer(next)
    isWorking = false
    if (isClosing) port.close()
  }

  port.on('message', (message: ToThread<Request>) => {
    if (message === 'close') {
      isClosing = true
    } else if ('cancel' in message) {
      if (waiting.has(message.cancel)) cancelled.add(message.cancel)
    } else {
      waiting.add(message.id)
      ;(isUrgent(message.request) ? urgent : usual).push(message)
    }
    void work()
  })
  send({ kind: 'ready' })
}
