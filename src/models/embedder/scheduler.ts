import type { Window } from './windows.ts'

/** A call waiting for its vectors. */
export interface Job {
  readonly id: number
  readonly texts: readonly string[]
}

/** One window of one text of a job. */
export interface Unit extends Window {
  readonly job: number
  readonly text: number
  /** Which window of the text, and of how many. */
  readonly window: number
  readonly windows: number
}

export interface Scheduler {
  add(job: Job): void
  /** Forgets a job: none of its units is handed out any more. */
  cancel(job: number): void
  /** The next units to run together, all of one length; empty when nothing waits. */
  next(): readonly Unit[]
}

export interface SchedulerParts {
  /** The windows of a text. Called just before they are needed. */
  readonly split: (text: string) => readonly Window[]
  /** Tokens handed out at once, unless a single window is longer. */
  readonly maxTokens: number
}

interface Lane {
  /** Runs since a lane behind it had one. */
  runs: number
  /** Texts not yet split, oldest first. */
  readonly texts: { readonly job: number; readonly index: number; readonly text: string }[]
  /** Units by length, oldest first. */
  readonly ready: Map<number, Unit[]>
  readyCount: number
}

/** Units kept ready: enough for neighbours of the same length to meet. */
const READY = 256
/** Characters split before the next run: a heap of long texts must not hold up a short question. */
const SPLIT_CHARACTERS = 16_384
/** Calls with so few texts are questions: somebody waits for the answer. */
const FEW_TEXTS = 2
/** Calls with so few characters, as the names of a text, are done soon: they need not wait for a document. */
const FEW_CHARACTERS = 4_096
/** Runs of a lane in a row before one behind it has one: they slow down but never starve. */
const RUNS = 8

const newLane = (): Lane => ({ runs: 0, texts: [], ready: new Map(), readyCount: 0 })

function refill(lane: Lane, split: SchedulerParts['split']): void {
  let characters = 0
  while (lane.texts.length > 0 && lane.readyCount < READY && characters < SPLIT_CHARACTERS) {
    const next = lane.texts.shift()
    if (!next) return
    characters += next.text.length
    const windows = split(next.text)
    for (const [index, window] of windows.entries()) {
      const unit = { ...window, job: next.job, text: next.index, window: index, windows: windows.length }
      const same = lane.ready.get(unit.tokens.length)
      if (same) same.push(unit)
      else lane.ready.set(unit.tokens.length, [unit])
      lane.readyCount++
    }
  }
}

/** The units of the length that has waited longest: a Map keeps the order in which lengths came. */
function take(lane: Lane, maxTokens: number): readonly Unit[] {
  const oldest = lane.ready.entries().next()
  if (oldest.done) return []
  const [length, units] = oldest.value
  const taken = units.splice(0, Math.max(1, Math.floor(maxTokens / length)))
  lane.ready.delete(length)
  // What is left goes to the end of the line, so that one length cannot hold up the others.
  if (units.length > 0) lane.ready.set(length, units)
  lane.readyCount -= taken.length
  return taken
}

function removeJob(lane: Lane, job: number): void {
  const texts = lane.texts.filter((text) => text.job !== job)
  lane.texts.splice(0, lane.texts.length, ...texts)
  for (const [length, units] of lane.ready) {
    const kept = units.filter((unit) => unit.job !== job)
    lane.readyCount -= units.length - kept.length
    if (kept.length > 0) lane.ready.set(length, kept)
    else lane.ready.delete(length)
  }
}

/** Decides what the model runs next: equal lengths together and no padding, small calls before large ones. */
export function createScheduler({ split, maxTokens }: SchedulerParts): Scheduler {
  const [questions, small, heaps] = [newLane(), newLane(), newLane()]
  const lanes = [questions, small, heaps]
  const laneOf = (texts: readonly string[]) => {
    if (texts.length <= FEW_TEXTS) return questions
    return texts.reduce((sum, { length }) => sum + length, 0) <= FEW_CHARACTERS ? small : heaps
  }
  const from = (lane: Lane): readonly Unit[] => {
    refill(lane, split)
    return take(lane, maxTokens)
  }
  return {
    add: ({ id, texts }) => {
      const lane = laneOf(texts)
      for (const [index, text] of texts.entries()) lane.texts.push({ job: id, index, text })
    },
    cancel: (job) => {
      for (const lane of lanes) removeJob(lane, job)
    },
    next: () => {
      const hadTheirs = ({ runs }: Lane) => runs >= RUNS
      const order = [...lanes.filter((lane) => !hadTheirs(lane)), ...lanes.filter(hadTheirs)]
      for (const lane of order) {
        const units = from(lane)
        if (units.length === 0) continue
        for (const before of lanes.slice(0, lanes.indexOf(lane))) before.runs = 0
        lane.runs++
        return units
      }
      return []
    },
  }
}
