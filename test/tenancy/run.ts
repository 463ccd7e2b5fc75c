// Many tenants that use the same names for everything, each with a canary of its own, and many calls of every route. No reply
// may show another's canary; nothing that one does may change what another has. TENANCY_CALLS and TENANCY_NAMESPACES
// set the size, SEED repeats a run.
import { everyRoute } from '../../src/http/routes/table.ts'
import { announceSeed, createRandom, sizeFrom } from '../faults/support/random.ts'
import { startTestService } from '../harness.ts'
import { anyCall } from './calls.ts'
import { aliasExtractor, createWatchingLlm, introduction, type Tenant, tenantOf } from './tenants.ts'
import { callAs, sessionFacts, settleAccesses, snapshot, type World } from './world.ts'

const calls = sizeFrom('TENANCY_CALLS', 20_000)
const namespaces = sizeFrom('TENANCY_NAMESPACES', 200)
const callsPerPhase = 250
const quietPerPhase = Math.max(1, Math.round(namespaces / 12))
const atOnce = 4

const seed = announceSeed('tenancy')
const violations: string[] = []
const service = await startTestService({
  models: { extractor: aliasExtractor, llm: createWatchingLlm(violations) },
})
const tenants: Tenant[] = []
for (let index = 0; index < namespaces; index++) {
  tenants.push(tenantOf(index, (await service.newKey('enterprise')).key))
}
const world: World = { service, random: createRandom(seed), tenants, violations, counts: new Map() }
/** The same world for looking at it: these calls are not among those that are counted. */
const watched: World = { ...world, counts: new Map() }
for (const tenant of tenants)
  await callAs(watched, tenant, 'POST', '/brain/ingest', { body: { text: introduction(tenant) } })

/** Some tenants are silent for a while, and must find everything as they left it. */
async function phase(): Promise<void> {
  const { random } = world
  const quiet = [...tenants].sort(() => random.next() - 0.5).slice(0, quietPerPhase)
  const active = tenants.filter((tenant) => !quiet.includes(tenant))
  service.clock.advance(random.pick([60, 700, 3_600, 5 * 86_400]))
  const before = new Map<Tenant, { sessions: string; kept: Awaited<ReturnType<typeof snapshot>> }>()
  for (const tenant of quiet) {
    const sessions = await sessionFacts(watched, tenant)
    await settleAccesses(watched)
    before.set(tenant, { sessions, kept: await snapshot(watched, tenant) })
  }
  const until = made() + callsPerPhase
  while (made() < until && violations.length === 0) {
    const start = random.below(active.length)
    const group = Array.from(
      { length: Math.min(atOnce, active.length) },
      (_, at) => active[(start + at) % active.length],
    )
    await Promise.all(group.map((tenant) => tenant && anyCall(world)(world, tenant)))
  }
  await settleAccesses(watched)
  for (const [tenant, { sessions, kept }] of before) {
    const now = await snapshot(watched, tenant)
    if (now.memories !== kept.memories) violations.push(`the memories of silent ${tenant.canary} changed`)
    if (now.counts !== kept.counts) violations.push(`the counts of silent ${tenant.canary} changed`)
    if ((await sessionFacts(watched, tenant)) !== sessions) {
      violations.push(`the sessions of silent ${tenant.canary} changed`)
    }
  }
}

function neverCalled(): string[] {
  const called = [...world.counts.keys()]
  return everyRoute
    .filter(({ auth }) => auth === 'key')
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !called.some((one) => matches(route, one)))
    .map((route) => `${route} was never called`)
}

const matches = (route: string, called: string) =>
  new RegExp(`^${route.replace('{path}', '.+').replace(/\{\w+\}/g, '[^/]+')}$`).test(called)

const made = () => [...world.counts.values()].reduce((sum, count) => sum + count, 0)

while (made() < calls && violations.length === 0) await phase()
await service.close()
// Few calls are for finding a mutant.
if (calls >= 5_000 && violations.length === 0) violations.push(...neverCalled())
for (const [route, count] of [...world.counts].sort(([, a], [, b]) => b - a))
  console.log(`  ${count} ${route}`)
for (const violation of violations.slice(0, 10)) console.log(`  VIOLATION ${violation}`)
console.log(`tenancy: ${namespaces} namespaces, ${made()} calls, ${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1
