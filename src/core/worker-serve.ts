import { setImmediate } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import type { FromThread, ToThread } from './worker-client.ts'

/** A call, a step after the other; what it returns in the end is the answer, what it throws its failure. */
export type Steps = AsyncGenerator<void, unknown>

interface Call {
  readonly id: number
  readonly steps: Steps
  /** Those that wait for their next step as it does. */
  readonly line: Call[]
}

/**
 * The inside of a thread that does one step after the other: a model's run takes all that its threads can give. An urgent
 * call goes ahead of those that wait; calls of several steps take turns, and one nobody waits for any more has no further.
 */
export function serve<Request>(
  handle: (request: Request) => Steps,
  isUrgent: (request: Request) => boolean = () => false,
): void {
  const port = parentPort
  if (!port) throw new Error('This file runs as a worker thread')
  const send = (message: FromThread): void => port.postMessage(message)
  const waiting = new Set<number>()
  const cancelled = new Set<number>()
  const urgent: Call[] = []
  const usual: Call[] = []
  let isWorking = false
  let isClosing = false

  /** Whether there are more steps after this one. */
  const advance = async ({ id, steps }: Call): Promise<boolean> => {
    if (isClosing || cancelled.has(id)) return false
    try {
      const { done, value } = await steps.next()
      if (!done) return true
      send({ kind: 'outcomes', outcomes: [{ id, ok: true, result: value }] })
    } catch (cause) {
      const failure = cause instanceof Error ? cause.message : String(cause)
      send({ kind: 'outcomes', outcomes: [{ id, ok: false, failure }] })
    }
    return false
  }

  const work = async () => {
    if (isWorking) return
    isWorking = true
    for (let call = urgent.shift() ?? usual.shift(); call; call = urgent.shift() ?? usual.shift()) {
      if (await advance(call)) {
        call.line.push(call)
        // Lets new calls and cancellations in before the next choice.
        await setImmediate()
      } else {
        waiting.delete(call.id)
        cancelled.delete(call.id)
      }
    }
    isWorking = false
    if (isClosing) port.close()
  }

  port.on('message', (message: ToThread<Request>) => {
    if (message === 'close') {
      isClosing = true
    } else if ('cancel' in message) {
      if (waiting.has(message.cancel)) cancelled.add(message.cancel)
    } else {
      const line = isUrgent(message.request) ? urgent : usual
      waiting.add(message.id)
      line.push({ id: message.id, steps: handle(message.request), line })
    }
    void work()
  })
  send({ kind: 'ready' })
}
