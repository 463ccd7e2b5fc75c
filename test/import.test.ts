import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { type RunningServer, realServers } from './crash/processes.ts'
import { startTestService } from './harness.ts'
import { chatExport } from './support/chat-export.ts'
import { memoryd, startMemoryd } from './support/command-line.ts'
import { zipOf } from './support/zip.ts'

const root = mkdtempSync(path.join(tmpdir(), 'memoryd-import-'))
after(() => rmSync(root, { recursive: true, force: true }))

describe('with the models that ship', () => {
  const dataDir = path.join(root, 'data')
  let server: RunningServer
  before(async () => {
    server = await realServers(dataDir).next()
  })
  after(() => server.kill())

  /** A new account and how the command line reaches it. */
  async function account(name: string, tier = 'enterprise', more: readonly string[] = []) {
    const created = await memoryd(['keys', 'create', name, '--tier', tier, '--json', ...more], adminOf())
    assert.equal(created.code, 0, created.err)
    const key: string = JSON.parse(created.out).key
    return { MEMORYD_URL: server.address, MEMORYD_API_KEY: key }
  }
  const adminOf = () => ({ DATA_DIR: dataDir, ADMIN_TOKEN: 'crash-admin-token-0123456789' })

  const call = async (
    at: Awaited<ReturnType<typeof account>>,
    method: string,
    route: string,
    body: object,
  ) => {
    const headers = { 'x-api-key': at.MEMORYD_API_KEY, 'content-type': 'application/json' }
    const reply = await fetch(`${at.MEMORYD_URL}${route}`, { method, headers, body: JSON.stringify(body) })
    const answer = (await reply.json()) as Record<string, unknown>
    assert.equal(reply.status, 200, JSON.stringify(answer))
    return answer
  }

  test('a ChatGPT export, killed on its way and started again: every message once, with its date', async () => {
    const mine = await account('chats', 'pro')
    const file = path.join(root, 'chatgpt.zip')
    const words = (index: number) =>
      index === 1
        ? 'In Porto. '.repeat(4_000)
        : `On day ${index} I saw ship ${index} in harbour ${index * 7}.`
    writeFileSync(file, zipOf({ 'conversations.json': JSON.stringify(chatExport(120, words)) }))
    const first = startMemoryd(['import', file], mine)
    const counted = () => call(mine, 'POST', '/brain/stats', { user_id: 'me' })
    while (Number((await counted()).episodic_count) < 40) await wait(300)
    first.child.kill('SIGKILL')
    await first.ended
    const second = await memoryd(['import', file], mine)
    assert.equal(second.code, 0, second.err)
    assert.match(second.err, /ChatGPT: 121 texts, from 2023-11-14 to 2023-11-15/)
    assert.match(second.out, /Left out: 2 system and tools/)
    const written = path.join(root, 'chats.jsonl')
    await memoryd(['export', written], mine)
    const records = linesOf(written)
    assert.equal(records.length, 121)
    assert.equal(new Set(records.map(({ external_id }) => external_id)).size, 121)
    const dates = records.filter(({ external_id }) => external_id === 'chatgpt:message-77')
    assert.deepEqual(
      dates.map(({ occurred_at }) => occurred_at),
      [1_700_000_000 + 60 * 77],
    )
  })

  test('exported, erased and imported again, an account has the same counts and gives the same answers', async () => {
    const mine = await account('whole')
    const at = 1_700_000_000
    const long = Array.from(
      { length: 40 },
      (_, index) => `Chapter ${index} tells how the crew of ship ${index} crossed the sea.`,
    )
    const items = [
      { text: 'I live in Lisbon.', occurred_at: at, session_id: 's' },
      { text: 'I have moved to Berlin.', occurred_at: at + 100, session_id: 's' },
      { text: 'My sister Maria works at Siemens.', occurred_at: at + 200, metadata: { from: 'letter' } },
      { text: 'The meeting is in room 4.', occurred_at: at + 300 },
      { text: long.join('\n\n'), occurred_at: at + 400, source: 'document' },
      { text: 'I take my coffee black.', persona: 'work', external_id: 'coffee', occurred_at: at + 500 },
      { messages: [{ role: 'user', content: 'I play the cello.', name: 'Anna' }], occurred_at: at + 600 },
    ]
    const { results } = await call(mine, 'POST', '/brain/ingest/batch', { items })
    const [, , sister, meeting] = results as { ids: string[]; facts: { id: string; fact: string }[] }[]
    await call(mine, 'PATCH', `/brain/memories/${meeting?.ids[0]}`, { text: 'The meeting is in room 5.' })
    await call(mine, 'PATCH', `/brain/memories/${sister?.ids[0]}`, { pinned: true })
    await call(mine, 'PATCH', `/brain/memories/${sister?.facts[0]?.id}`, { pinned: true })
    const content = '# Boats\n\n## Moorings\n\nThe red boat lies in Faro.\n'
    await call(mine, 'PUT', '/brain/documents/boats.md?persona=work', { content, occurred_at: at + 700 })

    const state = async (key: typeof mine) => {
      const { episodic_count, semantic_entities, semantic_relations } = JSON.parse(
        (await memoryd(['stats', '--json'], key)).out,
      )
      const answers: unknown[] = []
      for (const question of [
        ...['Where do I live?', 'Where does my sister work?', 'In which room is the meeting?'],
        ...[
          'Which ship was in chapter 12?',
          'How do I take my coffee?',
          'Where is the red boat?',
          'What does Anna play?',
        ],
      ]) {
        const { facts } = (await call(key, 'POST', '/brain/retrieve', { query: question })) as {
          facts: Record<string, unknown>[]
        }
        answers.push(
          facts.map(({ fact, persona, superseded, rank, created_at, metadata }) => ({
            ...{ fact, persona, superseded, rank, created_at, metadata },
          })),
        )
      }
      return { counts: { episodic_count, semantic_entities, semantic_relations }, answers }
    }
    const before = await state(mine)
    const file = path.join(root, 'whole.jsonl')
    const exported = await memoryd(['export', file], mine)
    assert.match(exported.out, /Wrote 9 texts and documents/)
    assert.equal(statSync(file).mode & 0o077, 0, 'for its owner alone')
    const pinned = linesOf(file).find(({ text }) => text === 'My sister Maria works at Siemens.')
    assert.equal(pinned?.pinned, true)

    assert.equal((await memoryd(['accounts', 'erase', 'whole', '--yes'], adminOf())).code, 0)
    const again = await account('whole')
    const imported = await memoryd(['import', file], again)
    assert.equal(imported.code, 0, imported.err)
    assert.match(imported.out, /Done: 9 stored, 0 were there already/)
    assert.deepEqual(await state(again), before)

    const second = path.join(root, 'second.jsonl')
    await memoryd(['export', second], again)
    const withoutIds = (name: string) =>
      linesOf(name).map(({ id: _id, external_id: _own, corrected_by, ...rest }) => ({
        ...rest,
        corrected: corrected_by !== undefined,
      }))
    assert.deepEqual(withoutIds(second), withoutIds(file))

    const [corrected] = linesOf(second).filter(({ text }) => text === 'The meeting is in room 5.')
    await call(again, 'PATCH', `/brain/memories/${corrected?.id}`, { text: 'The meeting is in room 6.' })
    const newer = await state(again)
    const repeated = await memoryd(['import', file], again)
    assert.equal(repeated.code, 0, repeated.err)
    assert.deepEqual(await state(again), newer, 'what was corrected since stays so')
  })

  test('every account is exported with the right to the data directory', async () => {
    const folder = path.join(root, 'all')
    const { code, out, err } = await memoryd(['export', '--all', folder], adminOf())
    assert.equal(code, 0, err)
    assert.match(out, /default\.jsonl/)
    assert.equal(linesOf(path.join(folder, 'whole.jsonl')).length, 10)
  })

  test('people remember, recall and count; programs get JSON and exit codes', async () => {
    const mine = await account('person', 'free')
    const remembered = await memoryd(['remember', '-'], mine, 'I live in Porto.\n')
    assert.deepEqual([remembered.code, remembered.out], [0, 'Remembered.\n  user lives in Porto\n'])
    assert.match((await memoryd(['remember', 'I live in Porto.'], mine)).out, /^This is known already/)
    assert.match((await memoryd(['recall', 'Where', 'do', 'I', 'live?'], mine)).out, /I live in Porto\./)
    const nothing = await memoryd(['recall', 'Who won the chess cup?'], mine)
    assert.equal(nothing.code === 3, nothing.out.startsWith('Nothing is known'))
    assert.match((await memoryd(['stats'], mine)).out, /texts +1\n/)
    const asked = await memoryd(['ask', 'Where do I live?'], mine)
    assert.equal(asked.code, 1)
    assert.match(asked.err, /tier|plan|LLM/i)
    assert.equal((await memoryd(['recall'], mine)).code, 2)
    const wrong = await memoryd(['stats'], { ...mine, MEMORYD_API_KEY: 'mem_wrong' })
    assert.deepEqual([wrong.code, wrong.out], [1, ''])
    assert.match(wrong.err, /Invalid or inactive API key/)
  })

  test('a record that the server refuses is named, and the others are stored', async () => {
    const mine = await account('refused')
    const file = path.join(root, 'refused.jsonl')
    const lines = [
      { text: 'The first boat is red.' },
      { text: 'The second boat is blue.', metadata: { large: 'x'.repeat(20_000) } },
      { text: 'The third boat is green.' },
      { text: 'The fourth boat is deep.', metadata: nested(9) },
      { document: 'a/../b.md', content: 'Out of here.' },
      { document: 'boats.md', content: '# Boats', metadata: { b: 1, a: 2 } },
    ]
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const { code, out } = await memoryd(['import', file], mine)
    assert.equal(code, 1)
    assert.match(out, /Done: 3 stored, 0 were there already/)
    assert.match(out, /refused\.jsonl, record 4: /)
    assert.match(out, /refused\.jsonl, record 5: .*path must be names between slashes/)
    assert.match(out, /refused\.jsonl, record 2: .*metadata must be at most 16 KiB/)
    const used = async () => JSON.parse((await memoryd(['stats', '--json'], mine)).out).ops_used as number
    const before = await used()
    assert.match((await memoryd(['import', file], mine)).out, /Done: 0 stored, 3 were there already/)
    assert.ok((await used()) - before < 5, 'asking costs less than one text')
    const nowhere = await memoryd(['import', path.join(root, 'no-such-file')], mine)
    assert.equal(nowhere.code, 1)
    assert.match(nowhere.err, /no-such-file cannot be read/)
  })

  test('the same import again leaves the newest of several texts under one id in place', async () => {
    const mine = await account('versions')
    const folder = path.join(root, 'versions')
    mkdirSync(folder)
    const page = (year: string, memory: string) =>
      JSON.stringify({ results: [{ id: 'm1', memory, updated_at: `${year}-01-01` }] })
    writeFileSync(path.join(folder, 'page-1.json'), page('2024', 'I live in Turin'))
    writeFileSync(path.join(folder, 'page-2.json'), page('2025', 'I live in Milan'))
    const lines = ['A cat', 'A dog', 'A cat'].map((text) => ({ text, external_id: 'pet' }))
    writeFileSync(path.join(folder, 'pets.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
    const written = path.join(root, 'versions.jsonl')
    for (const done of [/Done: 2 stored, 1 were/, /Done: 0 stored, 3 were/, /Done: 0 stored, 3 were/]) {
      const { code, out, err } = await memoryd(['import', folder], mine)
      assert.deepEqual([code, done.test(out)], [0, true], out + err)
      assert.match(out, /Left out: 2 older under the same id/)
      await memoryd(['export', written], mine)
      assert.deepEqual(
        linesOf(written).map(({ text }) => text),
        ['I live in Milan', 'A cat'],
      )
    }
  })

  test('two documents of one name are told, and names are as the server keeps them', async () => {
    const mine = await account('names')
    for (const [folder, content] of [
      ['a', 'The red boat.'],
      ['b', 'The blue boat.'],
    ] as const) {
      mkdirSync(path.join(root, folder, 'notes'), { recursive: true })
      writeFileSync(path.join(root, folder, 'notes', 'boat.md'), content)
      writeFileSync(path.join(root, folder, 'notes', 'same.md'), 'The same boat.')
    }
    // An accent of its own, as some systems write names.
    writeFileSync(path.join(root, 'a', 'notes', 'cafe\u0301.md'), 'The green boat.')
    const both = ['import', path.join(root, 'a/notes'), path.join(root, 'b/notes')]
    const first = await memoryd(both, mine)
    assert.equal(first.code, 1)
    assert.match(first.out, /Done: 3 stored, 1 were there already/)
    assert.match(first.out, /notes\/boat\.md: another document of this import has the same name/)
    assert.match((await memoryd(both, mine)).out, /Done: 0 stored, 4 were there already/)
    const headers = { 'x-api-key': mine.MEMORYD_API_KEY }
    const kept = await fetch(`${mine.MEMORYD_URL}/brain/documents/notes/boat.md`, { headers })
    assert.match(await kept.text(), /The red boat/)
  })

  test('a budget that ends is told before and after; what it paid for is stored', async () => {
    const mine = await account('poor', 'free', ['--monthly-ops', '30'])
    const file = path.join(root, 'poor.jsonl')
    const lines = Array.from({ length: 12 }, (_, at) => ({ text: `Boat ${at} is in harbour ${at}.` }))
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const { code, err } = await memoryd(['import', file], mine)
    assert.equal(code, 1)
    assert.match(err, /Costs 60 operations at most \(30 left this month: not enough for all of it/)
    assert.match(err, /Stopped after 5 stored .* of 12\. The same command goes on from there/)
    assert.match(err, /memoryd: .* monthly budget of 30 operations/)
  })
})

const nested = (depth: number): object => (depth === 0 ? {} : { inner: nested(depth - 1) })

function linesOf(file: string): Record<string, unknown>[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

describe('the routes behind it', () => {
  test('known: the same under the same id, of this account and persona alone', async () => {
    const { call, newKey, close } = await startTestService()
    const { key } = await newKey('free')
    const other = await newKey('free')
    const item = {
      text: 'Anna likes Tea.',
      external_id: 'one',
      occurred_at: 1_700_000_000,
      metadata: { a: 1 },
    }
    const { json } = await call('POST', '/brain/ingest', { key, body: item })
    const ask = async (items: object[], as = key) =>
      (await call('POST', '/brain/known', { key: as, body: { items } })).json.known
    const asked = [
      item,
      { ...item, text: 'Anna likes Milk.' },
      { ...item, metadata: null },
      { ...item, external_id: null },
    ]
    assert.deepEqual(await ask([...asked, { ...item, persona: 'p' }]), [json.ids, null, null, null, null])
    assert.deepEqual(await ask([item], other.key), [null])
    assert.equal((await call('GET', '/brain/usage', { key })).json.ops_used, 6)
    await close()
  })

  test('export: long texts whole over the ends of pages, in order; a cursor is of its own account alone', async () => {
    const { call, newKey, close } = await startTestService()
    const { key } = await newKey('enterprise')
    const other = await newKey('enterprise')
    const long = Array.from(
      { length: 60 },
      (_, at) => `Sentence number ${at} of a long text that is cut into pieces.`,
    ).join('\n\n')
    const texts = Array.from({ length: 110 }, (_, at) => `${at}. ${long}`)
    for (const text of texts) await call('POST', '/brain/ingest', { key, body: { text } })
    await call('POST', '/brain/ingest', { key: other.key, body: { text: 'Not yours.' } })
    const found: unknown[] = []
    let cursor: unknown = null
    let pages = 0
    do {
      const { json, status } = await call(
        'GET',
        `/brain/export${cursor === null ? '' : `?cursor=${cursor}`}`,
        { key },
      )
      assert.equal(status, 200)
      found.push(...(json.lines as string[]).map((line) => JSON.parse(line).text))
      cursor = json.next_cursor
      pages++
      if (pages === 1) {
        const stolen = await call('GET', `/brain/export?cursor=${cursor}`, { key: other.key })
        assert.equal(stolen.status, 400)
      }
    } while (cursor !== null)
    assert.ok(pages > 2, `${pages} pages`)
    assert.deepEqual(found, texts)
    await close()
  })

  test('export: where a long text was cut, it has the white space that it has elsewhere', async () => {
    const { call, newKey, close } = await startTestService()
    const { key } = await newKey('enterprise')
    const many = (line: (at: number) => string) => Array.from({ length: 90 }, (_, at) => line(at))
    const sentence = (at: number) =>
      `Ship ${at} left harbour ${at * 7} with ${at + 2} men. Nobody saw it again.`
    const texts = [
      many(sentence).join(' '),
      many(sentence).join('  '),
      many((at) => `${sentence(at)}${at % 5 === 4 ? '\n\n' : ' '}`)
        .join('')
        .trim(),
      many((at) => `Ship ${at} left harbour ${at * 7} with ${at + 2} men.`).join('\n'),
      many((at) => `- boat number ${at} of the harbour`).join('\n'),
      many(
        (at) => `def sail_${at}(boat):\n    if boat:\n        return boat + ${at}\n    return None\n`,
      ).join('\n'),
      many((at) => `func sail${at}() {\n\tif boat {\n\t\tleave(${at});\n\t}\n}`).join('\n\n'),
    ]
    // Of personas of their own: told to one, they would repeat each other.
    for (const [at, text] of texts.entries())
      await call('POST', '/brain/ingest', { key, body: { text, persona: `p${at}` } })
    const { json } = await call('GET', '/brain/export', { key })
    const found = (json.lines as string[]).map((line) => JSON.parse(line).text)
    for (const [at, text] of texts.entries()) assert.equal(found[at], text.trim())
    await close()
  })

  test('export: says who spoke, unless the text itself does as a name before a colon', async () => {
    const { call, newKey, close } = await startTestService()
    const { key } = await newKey('enterprise')
    const said = [
      ['Jo', 'John is my brother and I live in Kyiv.'],
      ['Maria', 'Maria here. I work at Siemens.'],
      ['Al', 'Also I like green tea.'],
      ['Anna', 'Bert: I have a red boat.'],
      ['Carl', 'Carl: I sold my piano.'],
    ] as const
    for (const [name, content] of said)
      await call('POST', '/brain/ingest', { key, body: { messages: [{ role: 'user', name, content }] } })
    const { json } = await call('GET', '/brain/export', { key })
    assert.deepEqual(
      (json.lines as string[]).map((line) => JSON.parse(line).speaker),
      ['Jo', 'Maria', 'Al', 'Anna', undefined],
    )
    await close()
  })
})
