// Overload: what a server process answers when five times as many clients ask as it works for at once. Prints the goodput
// (answers with 200 per second) at the best number of clients and under overload, and how fast the excess is refused.
// LOAD_SECONDS sets the time of each step, LOAD_MEMORIES how much is stored before. The models are small: it is the
// server that is measured, not the embedder.
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { newAccount } from '../../test/crash/client.ts'
import { smallServers } from '../../test/crash/processes.ts'
import { createRandom, sizeFrom } from '../../test/faults/support/random.ts'

const stepSeconds = sizeFrom('LOAD_SECONDS', 10)
const memories = sizeFrom('LOAD_MEMORIES', 2_000)
const random = createRandom(1)
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

interface Answered {
  readonly status: number
  readonly milliseconds: number
}

const cut = 0

function post(address: string, key: string, route: string, body: unknown): Promise<Answered> {
  const began = performance.now()
  return new Promise((resolve) => {
    const sent = request(`${address}${route}`, {
      agent,
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
    })
    // A connection that was cut counts as an answer that never came.
    sent.on('error', () => resolve({ status: cut, milliseconds: performance.now() - began }))
    sent.on('response', (response) => {
      response.resume()
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, milliseconds: performance.now() - began }),
      )
    })
    sent.end(JSON.stringify(body))
  })
}

const aText = () => {
  const number = random.below(1_000_000)
  return `Person${number} likes Thing${number}. It rains on ${number} roofs.`
}

/** Clients that ask without a pause, refused ones after a short one, as clients do. */
async function step(address: string, key: string, clients: number) {
  const began = performance.now()
  const until = began + stepSeconds * 1_000
  const answers: Answered[] = []
  const client = async () => {
    while (performance.now() < until) {
      const answer = random.chance(0.2)
        ? await post(address, key, '/brain/ingest', { text: aText() })
        : await post(address, key, '/brain/retrieve', { query: aText() })
      answers.push(answer)
      if (answer.status !== 200) await new Promise((resume) => setTimeout(resume, 50))
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  const timesOf = (isWanted: (status: number) => boolean) =>
    answers.filter(({ status }) => isWanted(status)).map(({ milliseconds }) => milliseconds)
  const good = timesOf((status) => status === 200)
  const refused = timesOf((status) => status === 503)
  const cutOff = timesOf((status) => status === cut).length
  const failed = answers.length - good.length - refused.length - cutOff
  const goodput = (good.length * 1_000) / (performance.now() - began)
  console.log(
    `${clients} clients: ${goodput.toFixed(0)} good answers/s (median ${at(good, 0.5)}, 99 % ${at(good, 0.99)}), ${refused.length} refused (median ${at(refused, 0.5)}, 95 % ${at(refused, 0.95)}), ${cutOff} cut off, ${failed} failed`,
  )
  return { goodput, failed }
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b)
  const time = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return time === undefined ? '–' : `${time.toFixed(0)} ms`
}

const dataDir = mkdtempSync(path.join(tmpdir(), 'memoryd-load-'))
const servers = smallServers(dataDir)
const server = await servers.next()
try {
  const key = await newAccount(server.address, 'load', 1_000_000_000)
  for (let stored = 0; stored < memories; stored += 50) {
    const items = Array.from({ length: 50 }, () => ({ text: aText() }))
    await post(server.address, key, '/brain/ingest/batch', { items })
  }
  const steps = [await step(server.address, key, 20), await step(server.address, key, 100)]
  steps.push(await step(server.address, key, 200))
  const peak = Math.max(...steps.map(({ goodput }) => goodput))
  const overload = await step(server.address, key, 1_280)
  const failed = [...steps, overload].reduce((sum, one) => sum + one.failed, 0)
  console.log(
    `goodput under overload: ${((100 * overload.goodput) / peak).toFixed(0)} % of the peak; ${failed} failed`,
  )
  process.exitCode = failed === 0 ? 0 : 1
} finally {
  agent.destroy()
  await server.kill()
  await servers.close()
  rmSync(dataDir, { recursive: true, force: true })
}
