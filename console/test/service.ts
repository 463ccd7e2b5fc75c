import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../..')

export interface RunningService {
  readonly address: string
  readonly key: string
  readonly adminToken: string
  /** What the terminal shows for a browser: it signs in once. */
  readonly link: string
  readonly stop: () => Promise<void>
}

/** memoryd as `npm start` runs it: the real models, a free port, at a terminal of its own; in a folder that goes with it, or in one that stays. */
export async function startService(kept?: string): Promise<RunningService> {
  const dataDir = kept ?? mkdtempSync(path.join(tmpdir(), 'memoryd-console-'))
  const child = spawn('script', ['-qfec', `'${process.execPath}' src/main.ts`, '/dev/null'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  let output = ''
  const link = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      const found = /console +(http\S+#link=\S+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', (code) => reject(new Error(`memoryd ended with ${code}:\n${output}`)))
  })
  return {
    address: new URL(link).origin,
    key: readFileSync(path.join(dataDir, 'default-key'), 'utf8').trim(),
    adminToken: readFileSync(path.join(dataDir, 'admin-token'), 'utf8').trim(),
    link,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      if (kept === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
