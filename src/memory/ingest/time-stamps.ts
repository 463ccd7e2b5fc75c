import type { Clock, Seconds } from '../../core/clock.ts'

/** Creation times that never repeat, so that texts of the same instant keep their order. */
export type TimeStamps = () => Seconds

const step: Seconds = 1e-6
/** A clock set back by more than this is followed; smaller steps are its own corrections. */
const correction: Seconds = 1

export function createTimeStamps(clock: Clock): TimeStamps {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock.now()
    last = now > last || last - now > correction ? now : last + step
    return last
  }
}
