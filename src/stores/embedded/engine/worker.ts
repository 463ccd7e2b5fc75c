import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { FromThread, ToThread } from '../../../core/worker-client.ts'
import { growing, reads, writes } from '../commands.ts'
import { saveSnapshot } from '../memory/index/indexes.ts'
import { createContext } from './context.ts'
import { toWire, type WireFailure } from './failures.ts'
import { type OpenOptions, openForReading, openForWriting } from './open-database.ts'
import { ignoringFailure, removeSnapshots, type SnapshotFiles, snapshotFiles } from './snapshot-files.ts'
import { type Call, type Outcome, type Request, runRead } from './transactions.ts'
import { createWriter } from './writer.ts'

/** A walker reads what may take long, and searches nothing. */
export type WorkerRole = 'writer' | 'reader' | 'walker'

export interface WorkerSetup {
  readonly role: WorkerRole
  readonly options: OpenOptions
}

/** Bounds how long the first of a group waits for the last. */
const largestGroup = 256

interface Role {
  run(requests: readonly Request[]): readonly Outcome[]
  close(): void
  readonly group: number
}

const roles: Record<WorkerRole, (options: OpenOptions) => Role> = {
  writer: (options) => {
    const { db, reserve, close } = openForWriting(options)
    const onFull = () => ignoringFailure(() => removeSnapshots(options.directory))
    const { run } = createWriter({ context: createContext(db), table: writes, growing, reserve, onFull })
    return { run, close, group: largestGroup }
  },
  reader: (options) => readerOn(options, options.shared ? null : snapshotFiles(options.directory)),
  walker: (options) => readerOn(options, null),
}

function readerOn(options: OpenOptions, snapshot: SnapshotFiles | null): Role {
  const db = openForReading(options)
  const context = createContext(db, snapshot)
  return {
    run: (requests) => requests.map((request) => runRead(context, reads, request)),
    close: () => {
      ignoringFailure(() => saveSnapshot(context))
      db.close()
    },
    group: 1,
  }
}

/** Serves one connection. What arrived while a group was committing makes the next group. */
function serve(port: MessagePort, { role, options }: WorkerSetup): void {
  const send = (message: FromThread<WireFailure>) => port.postMessage(message)
  const part = roles[role](options)
  const answer = (outcomes: readonly Outcome[]) => {
    try {
      send({ kind: 'outcomes', outcomes })
    } catch (error) {
      // A result does not survive a structured clone. Which one is not said, so each is tried alone.
      if (outcomes.length > 1) for (const outcome of outcomes) answer([outcome])
      else for (const { id } of outcomes) answer([{ id, ok: false, failure: toWire(error) }])
    }
  }
  const close = () => {
    let failure: WireFailure | null = null
    try {
      part.close()
    } catch (error) {
      failure = toWire(error)
    }
    send({ kind: 'closed', failure })
    port.close()
  }
  port.on('message', (first: ToThread<Call>) => {
    const requests: Request[] = []
    let next: ToThread<Call> | undefined = first
    while (next !== undefined && next !== 'close') {
      // Commands are not cancelled: they are short, and a write that has begun is finished.
      if ('request' in next) requests.push({ id: next.id, ...next.request })
      next = requests.length < part.group ? receiveMessageOnPort(port)?.message : undefined
    }
    if (requests.length > 0) answer(part.run(requests))
    if (next === 'close') close()
  })
  send({ kind: 'ready' })
}

if (parentPort !== null) {
  try {
    serve(parentPort, workerData)
  } catch (error) {
    const refused: FromThread<WireFailure> = { kind: 'refused', failure: toWire(error) }
    parentPort.postMessage(refused)
    parentPort.close()
  }
}
