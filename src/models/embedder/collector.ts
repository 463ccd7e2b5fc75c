import type { Encoding } from '../../memory/ports.ts'
import { combineWindows, type EncodedWindow } from './combine.ts'
import type { Unit } from './scheduler.ts'

/** Puts windows, which come in any order, together to the texts of whole calls. */
export interface Collector {
  start(job: number, texts: number): void
  /** The texts of the call when this was its last window, else null. Windows of dropped calls are ignored. */
  add(unit: Unit, window: EncodedWindow): readonly Encoding[] | null
  drop(job: number): void
}

interface Call {
  readonly texts: Encoding[]
  /** Windows by text, each at its place: the order they are summed in must not depend on who came first. */
  readonly partial: Map<number, Map<number, EncodedWindow>>
  missing: number
}

/** The text once all its windows are there. */
function wholeText(call: Call, unit: Unit, window: EncodedWindow): Encoding | null {
  if (unit.windows === 1) return combineWindows([window])
  const windows = call.partial.get(unit.text) ?? new Map<number, EncodedWindow>()
  windows.set(unit.window, window)
  call.partial.set(unit.text, windows)
  if (windows.size < unit.windows) return null
  call.partial.delete(unit.text)
  return combineWindows([...windows].sort(([a], [b]) => a - b).map(([, each]) => each))
}

export function createCollector(): Collector {
  const calls = new Map<number, Call>()
  return {
    start: (job, texts) => {
      calls.set(job, { texts: new Array<Encoding>(texts), partial: new Map(), missing: texts })
    },
    add: (unit, window) => {
      const call = calls.get(unit.job)
      const whole = call ? wholeText(call, unit, window) : null
      if (!call || !whole) return null
      call.texts[unit.text] = whole
      call.missing--
      if (call.missing > 0) return null
      calls.delete(unit.job)
      return call.texts
    },
    drop: (job) => {
      calls.delete(job)
    },
  }
}
