// The long suites, benches and builds: `npm run suite NAME`, `npm run bench NAME`, …; without a name it lists them.
// Options for the task come after `--`, or npm takes them: `npm run bench -- facts --personal FILE`.
import { spawnSync } from 'node:child_process'

const install = (folder) =>
  `npm install --prefix ${folder} --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel error`
const clientTools = 'npm ci --prefix clients/typescript --no-audit --no-fund --loglevel error'
const kernel = (source, target, more = '') =>
  `asc ${source} -O3 --enable simd --runtime stub --noAssert --importMemory ${more} -o ${target}`
const scan = 'src/stores/embedded/vector-scan'
const late = 'src/core/late-interaction'

/** By group and name: the command, and what it is for. */
export const tasks = {
  suite: {
    agents: [
      `${install('test/agents')} && node --test test/agents/agents.test.ts`,
      'the real Claude Code and Codex with a made-up model',
    ],
    budget: ['node --test test/heavy/budget.test.ts', '200,000 charges from two processes'],
    clients: [
      `${clientTools} && npm test --prefix clients/typescript && node clients/python/test.mjs`,
      'the TypeScript and Python clients, with the libraries and on the runtimes they are for; needs chromium',
    ],
    console: [
      'node --test --test-concurrency=1 "console/test/*.test.ts"',
      'the console in a browser; needs chromium',
    ],
    crash: ['node test/crash/run.ts', 'kill -9 in the middle of writes'],
    decay: ['node --test test/heavy/decay.test.ts', 'schedules of decay against the formula'],
    docs: ['node --test test/docs/blocks.test.ts', 'every command and program that the pages show'],
    faults: ['node --test "test/faults/*.test.ts"', 'full disk and other faults; some need root'],
    fresh: ['node test/heavy/fresh-clone.ts', 'a stranger with a fresh clone'],
    fuzz: [
      `FUZZ_REQUESTS=${process.env.FUZZ_REQUESTS ?? 100_000} node --test test/fuzz.test.ts`,
      '100,000 hostile requests',
    ],
    import: ['node --test test/heavy/import.test.ts', 'an import of 10,000 messages, killed on its way'],
    loop: ['node --test test/agents/loop.test.ts', 'an agent of forty turns, through every door'],
    mcp: [
      `${install('test/mcp')} && node --test test/mcp/clients.test.ts`,
      'the official MCP clients and conformance scenarios',
    ],
    mem0: ['node --test test/compat/mem0/clients.test.ts', 'the clients that mem0 publishes'],
    package: ['node --test test/heavy/package.test.ts', 'somebody who installs the package'],
    'power-loss': [
      'node test/faults/power-loss/run.ts',
      'a disk that keeps only what was synced; needs strace',
    ],
    relation: ['node --test "test/relation/*.test.ts"', 'what a new statement does to older ones'],
    servers: ['node test/servers/run.ts', 'server mode on Neo4j, Qdrant and Redis; takes files to run'],
    'servers-load': [
      'node test/servers/run.ts test/servers/load/agreement.test.ts test/servers/load/kills.test.ts test/servers/load/long-session.test.ts',
      'both modes agree, 100 kills, a session of 1,500 turns; not in CI',
    ],
    'servers-starved': [
      'node test/servers/run.ts test/servers/starved/starved.test.ts',
      'server mode beside two busy processors; not in CI',
    ],
    soak: ['node --expose-gc test/faults/soak/run.ts', 'memory over minutes; not in CI'],
    stories: ['node --test test/stories/stories.test.ts', 'what people tell it, and what must come first'],
    tenancy: [
      'node test/tenancy/run.ts && node test/tenancy/run-mutants.ts',
      '20,000 calls of 200 tenants; copies of the source without one filter',
    ],
  },
  bench: {
    backup: ['node bench/backup/run.ts', 'how long a backup takes, and what requests notice of it'],
    crowds: ['node bench/relation/crowds.ts', 'what is closed where many things were told side by side'],
    embedder: ['node bench/embedder/run.ts', 'the encoder on public sets (--sets DIR)'],
    facts: ['node bench/facts/run.ts', 'facts read from labelled texts'],
    fit: ['node bench/retrieval/fit.ts', 'fits the ranking, and judges it (--sets DIR)'],
    hub: ['node bench/memory/hub.ts', 'an entity with 100,000 edges'],
    ingest: ['node bench/ingest/ingest.ts', 'batch ingest against the embedder alone (SETS_DIR)'],
    injection: ['node bench/injection/run.ts', 'attacks stored as memories (SETS_DIR)'],
    load: ['node bench/load/run.ts', 'more clients than it can work for'],
    memory: ['node bench/memory/run.ts', 'resident memory with 50,000 chunks'],
    peers: [
      'node bench/peers/run.ts',
      'beside mem0, Mastra and server-memory (--sets DIR); fetches their packages',
    ],
    relation: ['node bench/relation/run.ts', 'the model that notices changes, on pairs it never saw'],
    retrieval: ['node bench/retrieval/run.ts', 'ranking on public sets (--sets DIR)'],
    'retrieval-http': ['node bench/retrieval-http/run.ts', 'the same through HTTP (--sets DIR)'],
    'retrieve-cpu': ['node bench/retrieve-cpu/retrieve-cpu.ts', 'processor time of a retrieve'],
    speed: ['node bench/speed/run.ts', 'what users get over HTTP, times a forward pass (--sets DIR)'],
    stories: ['node bench/stories/run.ts', 'small memories, asked a question each'],
    tenancy: ['node bench/injection/tenancy.ts', 'foreign canaries in prompts'],
    vectors: ['node bench/vector-search/run.ts', 'vector search against brute force and sqlite-vec'],
  },
  build: {
    console: ['node console/build.ts', 'console/src → console/dist'],
    kernels: [
      [
        kernel(`${scan}/scan.kernel.ts`, `${scan}/scan.wasm`),
        kernel(`${scan}/scan.kernel.ts`, `${scan}/scan-relaxed.wasm`, '--enable relaxed-simd'),
        kernel(`${late}/late.kernel.ts`, `${late}/late.wasm`),
      ].join(' && '),
      'the WebAssembly kernels, from *.kernel.ts',
    ],
    types: [
      `${clientTools} && node scripts/openapi.ts | node clients/typescript/scripts/types.mjs && node clients/python/test.mjs types`,
      'the types of both clients, from the OpenAPI document',
    ],
  },
  llm: {
    stub: ['node scripts/llm-stub.ts', 'a made-up language model, to try the LLM paths without one'],
    tinyllama: ['node scripts/tinyllama/run.ts', 'a real small one; fetches 700 MB'],
  },
}

if (import.meta.filename === process.argv[1]) {
  const [group, name, ...options] = process.argv.slice(2)
  const rows = Object.entries(tasks[group])
  const list = rows.map(([known, [, about]]) => `  ${known.padEnd(16)} ${about}`).join('\n')
  if (name === undefined) console.log(`npm run ${group} NAME\n\n${list}`)
  else if (!Object.hasOwn(tasks[group], name)) {
    console.error(`There is no ${group} "${name}". There are:\n\n${list}`)
    process.exitCode = 2
  } else {
    const [command] = tasks[group][name]
    const { status } = spawnSync('sh', ['-c', `${command} "$@"`, name, ...options], { stdio: 'inherit' })
    process.exitCode = status ?? 1
  }
}
