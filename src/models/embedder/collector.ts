import type { Vector } from '../../core/vectors.ts'
import { combineWindows, type WeightedVector } from './combine.ts'
import type { Unit } from './scheduler.ts'

/** Puts the vectors of windows, which come in any order, together to those of whole calls. */
export interface Collector {
  start(job: number, texts: number): void
  /** The vectors of the call when this was its last window, else null. Windows of dropped calls are ignored. */
  add(unit: Unit, vector: Vector): readonly Vector[] | null
  drop(job: number): void
}

interface Call {
  readonly vectors: Vector[]
  /** Windows by text, each at its place: the order they are summed in must not depend on who came first. */
  readonly partial: Map<number, Map<number, WeightedVector>>
  missing: number
}

/** The text's vector once all its windows are there. */
function wholeText(call: Call, unit: Unit, vector: Vector): Vector | null {
  if (unit.windows === 1) return combineWindows([{ vector, weight: unit.weight }])
  const windows = call.partial.get(unit.text) ?? new Map<number, WeightedVector>()
  windows.set(unit.window, { vector, weight: unit.weight })
  call.partial.set(unit.text, windows)
  if (windows.size < unit.windows) return null
  call.partial.delete(unit.text)
  return combineWindows([...windows].sort(([a], [b]) => a - b).map(([, window]) => window))
}

export function createCollector(): Collector {
  const calls = new Map<number, Call>()
  return {
    start: (job, texts) => {
      calls.set(job, { vectors: new Array<Vector>(texts), partial: new Map(), missing: texts })
    },
    add: (unit, vector) => {
      const call = calls.get(unit.job)
      const whole = call ? wholeText(call, unit, vector) : null
      if (!call || !whole) return null
      call.vectors[unit.text] = whole
      call.missing--
      if (call.missing > 0) return null
      calls.delete(unit.job)
      return call.vectors
    },
    drop: (job) => {
      calls.delete(job)
    },
  }
}
