import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const script = path.resolve(import.meta.dirname, '../../src/cli.ts')

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** `memoryd` on the command line, started. */
export function startMemoryd(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  input = '',
) {
  const child: ChildProcess = spawn(process.execPath, [script, ...args], {
    env: { PATH: process.env.PATH, ...environment },
  })
  let [out, err] = ['', '']
  child.stdout?.on('data', (data) => {
    out += data
  })
  child.stderr?.on('data', (data) => {
    err += data
  })
  child.stdin?.end(input)
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => ({ code, out, err }))
  return { child, ended }
}

export const memoryd = (args: readonly string[], environment: Readonly<Record<string, string>>, input = '') =>
  startMemoryd(args, environment, input).ended
