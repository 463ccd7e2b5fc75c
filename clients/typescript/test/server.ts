import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

export interface TestServer {
  readonly url: string
  readonly key: string
  close(): Promise<void>
}

/** A real memoryd process of this checkout on a folder of its own, with the models that ship. */
export async function startServer(environment: Record<string, string> = {}): Promise<TestServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'memoryd-client-'))
  const main = path.join(import.meta.dirname, '../../../src/main.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
    env: { ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error', ...environment },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let ended = false
  const exit = once(child, 'exit').finally(() => {
    ended = true
  })
  const read = async (file: string): Promise<string> => {
    for (;;) {
      const text = await readFile(path.join(dataDir, file), 'utf8').catch(() => '')
      if (text.trim() !== '') return text.trim()
      if (ended) throw new Error('memoryd ended before it was ready')
      await wait(50)
    }
  }
  const [url, key] = [await read('address'), await read('default-key')]
  for (;;) {
    const response = await fetch(`${url}/brain/health`).catch(() => null)
    const health = response?.ok ? ((await response.json()) as { ready: boolean }) : null
    if (health?.ready) break
    if (ended) throw new Error('memoryd ended before it was ready')
    await wait(50)
  }
  return {
    url,
    key,
    close: async () => {
      child.kill('SIGTERM')
      await exit
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
