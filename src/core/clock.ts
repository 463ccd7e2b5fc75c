/** Unix time in seconds, with fractions: the unit of every time in the API and in the stores. */
export type Seconds = number

export interface Clock {
  now(): Seconds
}

export const systemClock: Clock = { now: () => Date.now() / 1000 }

/** A clock that only moves when told to: tests advance it instead of sleeping. */
export interface ManualClock extends Clock {
  advance(seconds: Seconds): void
  set(time: Seconds): void
}

export function createManualClock(start: Seconds): ManualClock {
  let time = start
  return {
    now: () => time,
    advance: (seconds) => {
      time += seconds
    },
    set: (value) => {
      time = value
    },
  }
}
