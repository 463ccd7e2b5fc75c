/** Whether an endpoint answers, as its calls show; when there are none, it is asked now and then. */
export interface EndpointWatch {
  /** Why it cannot be used; null while it can. */
  problem(): string | null
  /** What a call has shown: null is an answer. */
  saw(problem: string | null): void
  close(): void
}

/** Down, it is asked often, so that nobody waits long after it is back; idle, seldom: endpoints charge by the call. */
const pausesMs = { down: 5_000, idle: 60_000 } as const

/** `ask` makes a small call, whose outcome comes back through `saw`. */
export function watchEndpoint(ask: () => Promise<unknown>): EndpointWatch {
  let problem: string | null = null
  let answered = true
  let timer: NodeJS.Timeout
  const again = () => {
    clearTimeout(timer)
    timer = setTimeout(look, problem === null ? pausesMs.idle : pausesMs.down).unref()
  }
  const look = async () => {
    // The failure itself comes through `saw`.
    if (problem !== null || !answered) await ask().catch(() => {})
    answered = false
    again()
  }
  again()
  return {
    problem: () => problem,
    saw: (seen) => {
      const changed = (seen === null) !== (problem === null)
      problem = seen
      answered = seen === null
      if (changed) again()
    },
    close: () => clearTimeout(timer),
  }
}
