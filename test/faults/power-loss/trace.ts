import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'

/** Something that a process did to its files, or said, in the order in which it was finished. */
export type Event =
  | { readonly kind: 'open'; readonly path: string; readonly truncates: boolean; readonly creates: boolean }
  | { readonly kind: 'write'; readonly path: string; readonly bytes: Buffer; readonly at: number | null }
  | { readonly kind: 'truncate'; readonly path: string; readonly length: number }
  | { readonly kind: 'sync'; readonly path: string }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'said'; readonly text: string }

/** The system calls that change files; those with a question mark do not exist on every processor. */
const calls =
  'openat,?open,?creat,write,pwrite64,fsync,fdatasync,ftruncate,?unlink,unlinkat,?rename,?renameat,renameat2,writev,pwritev,?pwritev2,fallocate,sync_file_range'

/** Arguments that make strace write a trace which `readTrace` understands. */
export function straceArguments(file: string): string[] {
  return ['-f', '-qq', '-xx', '-y', '-s', '9000', '-o', file, '-e', `trace=${calls}`, '-e', 'signal=none']
}

const text = (hex: string) => bytesOf(hex).toString('utf8')
const bytesOf = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex')

/** Reads a trace. Calls that were interrupted by another thread's line count where they finish. */
export async function* readTrace(file: string): AsyncGenerator<Event> {
  const unfinished = new Map<string, string>()
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const [, thread = '', rest = ''] = /^(\d+)\s+(.*)$/s.exec(line) ?? []
    if (rest.endsWith('<unfinished ...>')) {
      unfinished.set(thread, rest.slice(0, -'<unfinished ...>'.length).trimEnd())
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(rest)
    const whole = resumed === null ? rest : `${unfinished.get(thread) ?? ''}${resumed[1]}`
    // A call that failed changed nothing.
    if (!/\) += [0-9]/.test(whole)) continue
    const event = eventOf(whole)
    if (event !== null) yield event
  }
}

const readers: Readonly<Record<string, (call: string) => Event | null>> = {
  openat: (call) => {
    const found = /^openat\([^"]*"([^"]*)", ([A-Z_|]+)/.exec(call)
    if (found === null) return null
    const [, path = '', flags = ''] = found
    const has = (flag: string) => flags.split('|').includes(flag)
    return { kind: 'open', path: text(path), truncates: has('O_TRUNC'), creates: has('O_CREAT') }
  },
  write: (call) => {
    const [, descriptor, path = '', data = '', cut] =
      /^write\((\d+)<([^>]*)>, "([^"]*)"(\.\.\.)?/.exec(call) ?? []
    if (descriptor === '1') return { kind: 'said', text: text(data) }
    return { kind: 'write', path: text(path), bytes: written(call, data, cut), at: null }
  },
  pwrite64: (call) => {
    const found = /^pwrite64\(\d+<([^>]*)>, "([^"]*)"(\.\.\.)?, \d+, (\d+)/.exec(call)
    const [, path = '', data = '', cut, at] = found ?? []
    return { kind: 'write', path: text(path), bytes: written(call, data, cut), at: Number(at) }
  },
  ftruncate: (call) => {
    const [, path = '', length] = /^ftruncate\(\d+<([^>]*)>, (\d+)/.exec(call) ?? []
    return { kind: 'truncate', path: text(path), length: Number(length) }
  },
  fsync: (call) => ({ kind: 'sync', path: text(/<([^>]*)>/.exec(call)?.[1] ?? '') }),
  fdatasync: (call) => ({ kind: 'sync', path: text(/<([^>]*)>/.exec(call)?.[1] ?? '') }),
  unlink: (call) => ({ kind: 'unlink', path: text(/"([^"]*)"/.exec(call)?.[1] ?? '') }),
  unlinkat: (call) => ({ kind: 'unlink', path: text(/"([^"]*)"/.exec(call)?.[1] ?? '') }),
}

/** What only partly went through, or was cut off by strace, must not be taken for the whole. */
function written(call: string, data: string, cut: string | undefined): Buffer {
  const bytes = bytesOf(data)
  const result = Number(/= (\d+)/.exec(call.slice(call.lastIndexOf(')')))?.[1])
  return cut === undefined ? bytes.subarray(0, result) : Buffer.alloc(0)
}

function eventOf(call: string): Event | null {
  const name = /^\w+/.exec(call)?.[0] ?? ''
  if (readers[name] !== undefined) return readers[name](call)
  if (/memory\.db|\\x6d\\x65\\x6d\\x6f\\x72\\x79\\x2e\\x64\\x62/.test(call)) {
    throw new Error(`the simulation does not know what ${name} does`)
  }
  return null
}
