import { asNamespace } from '../../src/core/ids.ts'
import { createGraphQa } from '../../src/memory/graph-qa/graph-qa.ts'
import { createClusterCompressor } from '../../src/memory/lifecycle/compress.ts'
import type { Llm } from '../../src/memory/ports.ts'
import { openTripleMemory, wordEmbedder } from '../../test/support/triple-memory.ts'

/** Graph QA and cluster compression over namespaces that talk about the same things; a foreign canary is a leak. */
const calls = Number(process.env.CALLS ?? 20_000)
const seed = Number(process.env.SEED ?? 1)
const people = ['Maria', 'Tom', 'Anna', 'Paolo', 'Lucia', 'Marco', 'Nina', 'Omar']
const relations = ['knows', 'works_with', 'likes', 'met']
const namespaces = Array.from({ length: 50 }, (_, index) => asNamespace(`tenant-${index}`))
const canaryOf = (namespace: string) => `canary${namespace.replace(/\D/g, 'n')}n`

/** A small generator, so that a run can be repeated by its seed. */
function createRandom(start: number): (below: number) => number {
  let state = start >>> 0
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

const pick = createRandom(seed)
const one = <T>(list: readonly T[], fallback: T): T => list[pick(list.length)] ?? fallback
const { stores, say } = openTripleMemory()
for (const namespace of namespaces) {
  for (const [index, person] of people.entries()) {
    const others = people.filter((other) => other !== person)
    for (let fact = 0; fact < 4; fact++)
      await say(namespace, [person, one(relations, 'knows'), one(others, 'Tom')])
    const persona = index % 2 === 0 ? 'shared' : 'work'
    await say(namespace, [person, 'keeps', `${canaryOf(namespace)} box`], { persona })
  }
}

let prompts: string[] = []
const llm: Llm = {
  text: async ({ system, prompt }) => {
    prompts.push(system, prompt)
    return 'The facts do not say.'
  },
  object: async (schema, { system, prompt }) => {
    prompts.push(system, prompt)
    return schema.parse({ title: 'All', summary: 'They know each other.' })
  },
}
const newId = () => String(pick(2 ** 31))
const parts = { ...stores, embedder: wordEmbedder, llm, newId, milliseconds: () => 0 }
const ask = createGraphQa(parts)
const compress = createClusterCompressor(parts)

let asked = 0
let leaks = 0
for (let call = 0; call < calls; call++) {
  const namespace = one(namespaces, asNamespace('tenant-0'))
  const foreign = namespaces.filter((other) => other !== namespace).map((other) => canaryOf(other))
  prompts = []
  const reply =
    call % 100 === 0
      ? await compress(namespace, { persona: null, now: call })
      : await question(namespace, foreign)
  asked += prompts.length > 0 ? 1 : 0
  const seen = [
    JSON.stringify(reply),
    ...prompts.map((prompt) => prompt.split('\nQuestion: ')[0] ?? ''),
  ].join('\n')
  if (foreign.some((canary) => seen.includes(canary))) leaks++
}
console.log(
  `seed ${seed}: ${calls} calls over ${namespaces.length} namespaces, ${asked} prompts, ${leaks} foreign canaries seen`,
)
if (leaks > 0 || asked < calls / 2) process.exitCode = 1

/** About people that everybody has, and about other namespaces' secrets by name. */
function question(namespace: ReturnType<typeof asNamespace>, foreign: readonly string[]) {
  const query =
    pick(3) === 0
      ? `Who keeps the ${one(foreign, '')} box?`
      : `What about ${one(people, '')} and ${one(people, '')}?`
  const persona = one([null, null, 'shared', 'work'], null)
  return ask(namespace, { query, maxHops: 1 + pick(5), k: 1 + pick(50), persona })
}
