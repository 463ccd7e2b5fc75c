import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { helpfulModel } from '../test/support/helpful-llm.ts'
import { type StubBehaviour, type StubReply, startLlmStub } from '../test/support/llm-stub.ts'

const usage = `A made-up language model behind the OpenAI chat protocol, to try memoryd's LLM paths without one.

  npm run llm -- stub [--port 7430] [--answer TEXT | --fault NAME | --script FILE]

  --answer   says TEXT to everything
  --fault    busy, down, reset, cut, endless, hang, huge, empty or garbage
  --script   a JSON list of replies, given in turn, the last one for ever; each is {"kind": "text", "text": "…"},
             {"kind": "raw", "status": 500, "body": "…"}, {"kind": "reset", "after": "nothing" | "half"},
             {"kind": "endless"} or {"kind": "hang"}
Without these it answers with the data it is given.`

const faults: Readonly<Record<string, StubReply>> = {
  busy: {
    kind: 'raw',
    status: 429,
    body: '{"error":{"message":"slow down"}}',
    headers: { 'retry-after': '1' },
  },
  down: { kind: 'raw', status: 503, body: '{"error":{"message":"down"}}' },
  reset: { kind: 'reset', after: 'nothing' },
  cut: { kind: 'reset', after: 'half' },
  endless: { kind: 'endless' },
  hang: { kind: 'hang' },
  huge: { kind: 'text', text: 'x'.repeat(10_000_000) },
  empty: { kind: 'text', text: '' },
  garbage: { kind: 'raw', status: 200, body: '<html>' },
}

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '7430' },
    answer: { type: 'string' },
    fault: { type: 'string' },
    script: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})

if (values.help) console.log(usage)
else await serve(behaviour())

function behaviour(): StubBehaviour {
  const { answer, fault, script } = values
  if (answer !== undefined) return () => ({ kind: 'text', text: answer })
  if (fault !== undefined) return inTurn([faults[fault] ?? fail(`There is no fault named ${fault}.`)])
  if (script !== undefined) return inTurn(JSON.parse(readFileSync(script, 'utf8')) as StubReply[])
  return helpfulModel
}

function inTurn(replies: readonly StubReply[]): StubBehaviour {
  let next = 0
  return () => replies[Math.min(next++, replies.length - 1)] ?? fail('The script is empty.')
}

function fail(message: string): never {
  process.stderr.write(`${message}\n\n${usage}\n`)
  process.exit(2)
}

async function serve(model: StubBehaviour): Promise<void> {
  const stub = await startLlmStub((call) => {
    console.log(JSON.stringify({ stream: call.stream, structured: call.structured, messages: call.messages }))
    return model(call)
  }, Number(values.port))
  console.log(`LLM_BASE_URL=${stub.baseUrl} LLM_MODEL=stub npm start`)
}
