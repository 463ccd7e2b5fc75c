import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extractCommand } from './command.ts'

async function run(args: readonly string[], stdin = ''): Promise<{ status: number; lines: string[] }> {
  const lines: string[] = []
  async function* chunks() {
    for (const chunk of stdin.match(/[\s\S]{1,7}/g) ?? []) yield chunk
  }
  const status = await extractCommand(args, { stdin: chunks(), stdout: (line) => lines.push(line) })
  return { status, lines }
}

test('prints facts and entities of a text as tables', async () => {
  const { status, lines } = await run(['I no longer work at Siemens AG.'])
  assert.equal(status, 0)
  assert.match(lines[1] ?? '', /^user +works_at +Siemens AG +[01]\.\d+ +ended$/)
  assert.ok(lines.some((line) => /^Siemens AG +organization/.test(line)))
})

test('--jsonl prints one object a line, in order, and says what is wrong with a bad line', async () => {
  const good = JSON.stringify({ text: 'I live in Rome.', source: 'user', speaker: 'Ana' })
  const { status, lines } = await run(['--jsonl'], `${good}\nnot json\n{"text":1}\n${good}`)
  const objects = lines.map(
    (line) => JSON.parse(line) as { facts: object[]; entities: object[]; error?: string },
  )
  assert.equal(status, 0)
  assert.deepEqual(
    objects.map(({ error }) => error !== undefined),
    [false, true, true, false],
  )
  const [fact] = objects[0]?.facts ?? []
  assert.deepEqual(Object.keys(fact ?? {}), [
    'subject',
    'relation',
    'object',
    'confidence',
    'negated',
    'ended',
    'hypothetical',
    'when',
  ])
  assert.deepEqual(
    { ...fact, confidence: 0 },
    {
      subject: 'Ana',
      relation: 'lives_in',
      object: 'Rome',
      confidence: 0,
      negated: false,
      ended: false,
      hypothetical: false,
      when: null,
    },
  )
  assert.deepEqual(objects[0]?.entities, [
    { name: 'Ana', type: 'person' },
    { name: 'Rome', type: 'place' },
  ])
})

for (const args of [[], ['--source', 'nobody', 'x'], ['--what']]) {
  test(`called wrongly (${args.join(' ') || 'without a text'}) it says how`, async () => {
    const { status, lines } = await run(args)
    assert.equal(status, 2)
    assert.match(lines[0] ?? '', /^usage/)
  })
}
