/** Coordinates come in pairs. */
export type LayoutRequest =
  | {
      readonly kind: 'start'
      readonly job: number
      readonly positions: Float32Array
      readonly radius: Float32Array
      /** Places of both ends, in pairs. */
      readonly links: Uint32Array
      /** How much may still move: 1 for a new graph. */
      readonly alpha: number
      /** Only the last picture is sent. */
      readonly still: boolean
    }
  | { readonly kind: 'hold'; readonly on: boolean }
  | { readonly kind: 'drag'; readonly at: number; readonly to: readonly [number, number] | null }

export interface LayoutAnswer {
  readonly job: number
  readonly positions: Float32Array<ArrayBuffer>
  readonly done: boolean
}

export interface Layout {
  start(request: Omit<Extract<LayoutRequest, { kind: 'start' }>, 'kind' | 'job'>): void
  /** Null: it is let go. */
  drag(at: number, to: readonly [number, number] | null): void
  /** Lets it rest, so that moving a large graph has the processor for itself. */
  hold(on: boolean): void
  stop(): void
}

/** Of the whole page there is one, since the policy may be made once. */
const policy = globalThis.trustedTypes?.createPolicy('layout-worker', {
  createScriptURL: () => workerAddress,
})
const workerAddress = '/console/layout.worker.js'

declare global {
  var trustedTypes:
    | {
        createPolicy(
          name: string,
          rules: { createScriptURL(given: string): string },
        ): { createScriptURL(given: string): string }
      }
    | undefined
}

/** Places by a worker; `place` hears of every picture that it sends. */
export function createLayout(place: (positions: Float32Array, done: boolean) => void): Layout {
  const worker = new Worker(policy?.createScriptURL('') ?? workerAddress, { type: 'module' })
  let job = 0
  worker.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
    // What was begun for an older graph has places for other entities.
    if (data.job === job) place(data.positions, data.done)
  })
  const send = (request: LayoutRequest) => worker.postMessage(request)
  return {
    start: (request) => send({ ...request, kind: 'start', job: ++job }),
    drag: (at, to) => send({ kind: 'drag', at, to }),
    hold: (on) => send({ kind: 'hold', on }),
    stop: () => worker.terminate(),
  }
}
