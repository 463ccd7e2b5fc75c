import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { after, describe, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { zipOf } from '../../../test/support/zip.ts'
import { createNewest } from './newest.ts'
import { readingsOf } from './read.ts'
import type { DocumentRecord, TextRecord } from './record.ts'
import { placeOf, tallyOf } from './tally.ts'
import { valuesOf } from './values.ts'

const root = mkdtempSync(path.join(tmpdir(), 'memoryd-import-'))
after(() => rmSync(root, { recursive: true, force: true }))

let places = 0

/** Everything that is found in these files, written as they are given. */
async function readFiles(files: Readonly<Record<string, string | Buffer>>, named = '') {
  const folder = path.join(root, `place-${++places}`)
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return readPlace(path.join(folder, named))
}

async function readPlace(place: string) {
  const texts: TextRecord[] = []
  const documents: DocumentRecord[] = []
  const left: Record<string, number> = {}
  const problems: string[] = []
  const unknown: string[] = []
  const formats = new Set<string | null>()
  for await (const reading of readingsOf([place])) {
    const { found, format, file } = reading
    if (found === null) unknown.push(file)
    else formats.add(format)
    if (found === null) continue
    if ('text' in found) texts.push(found.text)
    else if ('document' in found) documents.push(found.document)
    else if ('left' in found) left[found.left] = (left[found.left] ?? 0) + 1
    else problems.push(`${placeOf(reading)}: ${found.problem}`)
  }
  return { texts, documents, left, problems, unknown, formats: [...formats] }
}

const told = ({ text, source, occurred_at }: TextRecord) => [text, source, occurred_at]

describe('a ChatGPT export', () => {
  const message = (id: string, role: string, parts: unknown, rest: object = {}) => ({
    ...{ id, author: { role }, content: { content_type: 'text', parts }, recipient: 'all' },
    ...rest,
  })
  const node = (
    id: string,
    parent: string | null,
    children: readonly string[],
    given: object | null = null,
  ) => [id, { id, parent, children, message: given }]
  const conversation = {
    ...{ conversation_id: 'c1', title: 'Boats \ud800', create_time: 1_700_000_000.5, current_node: 'e' },
    mapping: Object.fromEntries([
      node('a', null, ['b']),
      node('b', 'a', ['c'], message('sys', 'system', ['You are helpful'])),
      node('c', 'b', ['d', 'old'], message('q', 'user', ['Where is my boat?', { asset_pointer: 'file' }])),
      node('old', 'c', [], message('old', 'assistant', ['A first answer'], { create_time: 1_700_000_005 })),
      node('d', 'c', ['call'], message('ans', 'assistant', ['In Porto.'], { create_time: 1_700_000_010 })),
      node('call', 'd', ['tool'], message('call', 'assistant', ['search()'], { recipient: 'browser' })),
      node('tool', 'call', ['hid'], message('tool', 'tool', ['42'])),
      node('hid', 'tool', ['thought'], {
        ...message('hid', 'user', ['about me']),
        metadata: { is_visually_hidden_from_conversation: true },
      }),
      node('thought', 'hid', ['empty'], {
        ...message('th', 'assistant', []),
        content: { content_type: 'thoughts', thoughts: [] },
      }),
      node('empty', 'thought', ['image'], message('empty', 'user', [' \n'])),
      node('image', 'empty', ['e'], message('image', 'user', [{ content_type: 'image_asset_pointer' }])),
      node('e', 'image', [], message('long', 'user', [`${'A long tale. '.repeat(3_100)}The end.`])),
    ]),
  }

  test('is read along its current branch, with dates, and what is no word of either side is counted', async () => {
    const { texts, left, problems, formats } = await readFiles({
      'conversations.json': JSON.stringify([conversation], null, 1),
    })
    assert.deepEqual(problems, [])
    assert.deepEqual(formats, ['ChatGPT'])
    assert.deepEqual(texts.slice(0, 2).map(told), [
      ['Where is my boat?', 'user', 1_700_000_000.5],
      ['In Porto.', 'assistant', 1_700_000_010],
    ])
    assert.deepEqual(left, {
      ...{ 'system and tools': 2, 'images and files': 2, 'calls of tools': 1, hidden: 1 },
      ...{ 'thoughts and context': 1, empty: 1, 'answers made anew': 1 },
    })
    assert.equal(texts[0]?.session_id, 'chatgpt:c1')
    assert.equal(texts[0]?.external_id, 'chatgpt:q')
    assert.ok(JSON.stringify(texts[0]?.metadata).isWellFormed())
  })

  test('a message beyond the limit is cut into pieces that are all there, each under a name of its own', async () => {
    const { texts } = await readFiles({ 'x.json': JSON.stringify([conversation]) })
    const pieces = texts.filter(({ external_id }) => external_id.startsWith('chatgpt:long'))
    assert.equal(pieces.length, 2)
    assert.equal(pieces.map(({ text }) => text).join(''), `${'A long tale. '.repeat(3_100)}The end.`)
    assert.ok(
      pieces.every(({ text }) => text.length <= 32_768 && text.endsWith('. ') !== text.endsWith('end.')),
    )
    assert.equal(new Set(pieces.map(({ external_id }) => external_id)).size, 2)
  })

  test('is the same in shards, in a ZIP, and in pieces of any size', async () => {
    const others = [1, 2, 3].map((at) => ({
      ...conversation,
      conversation_id: `other-${at}`,
      mapping: {
        only: {
          id: 'only',
          parent: null,
          children: [],
          message: message(`m${at}`, 'user', [`Ünïcode "\\" ] } ${at}`]),
        },
      },
      current_node: undefined,
    }))
    const files = {
      'conversations-000.json': JSON.stringify([conversation, others[0]]),
      'conversations-001.json': `\ufeff${JSON.stringify(others.slice(1))}`,
      'export_manifest.json': JSON.stringify({ files: ['conversations-000.json'] }),
      'user.json': JSON.stringify({ id: 'user-1', email: 'me@example.com' }),
      'chat.html': '<html></html>',
    }
    const plain = await readFiles(files)
    const zipped = await readFiles({ 'export.zip': zipOf(files) }, 'export.zip')
    assert.equal(plain.texts.length, 7)
    assert.deepEqual(plain.texts.at(-1)?.text, 'Ünïcode "\\" ] } 3')
    assert.deepEqual(zipped.texts, plain.texts)
    assert.deepEqual(
      zipped.unknown.map((name) => path.basename(name)),
      ['export_manifest.json', 'user.json', 'chat.html'],
    )
  })

  test('a tree that turns in a circle, or does not say its current message, ends nevertheless', async () => {
    const round = {
      mapping: {
        a: { id: 'a', parent: 'b', children: ['b'], message: message('a', 'user', ['One']) },
        b: { id: 'b', parent: 'a', children: [], message: message('b', 'user', ['Two']) },
      },
    }
    const { texts } = await readFiles({ 'x.json': JSON.stringify([round]) })
    assert.deepEqual(
      texts.map(({ text, occurred_at }) => [text, occurred_at]),
      [
        ['One', null],
        ['Two', null],
      ],
    )
  })

  test('a file that breaks off keeps what is whole, and says where it ends', async () => {
    const whole = JSON.stringify([conversation, conversation])
    const { texts, problems } = await readFiles({ 'cut.json': whole.slice(0, -40) })
    assert.equal(texts.length, 4)
    assert.match(problems.join(), /cut\.json, record 2: the file ends before its list does/)
  })
})

describe('a Claude export', () => {
  const files = {
    'conversations.json': JSON.stringify([
      {
        ...{ uuid: 'c1', name: 'Plans', created_at: '2025-01-02T03:04:05.678901Z' },
        chat_messages: [
          {
            uuid: 'm1',
            text: '',
            content: [{ type: 'text', text: 'I moved to Berlin.' }],
            sender: 'human',
            created_at: '2025-01-02T03:04:06Z',
            attachments: [{ file_name: 'a.txt', extracted_content: 'Lease of the flat' }],
            files: [{}],
          },
          {
            uuid: 'm2',
            text: 'Noted.',
            content: [{ type: 'thinking', thinking: 'hm' }, { type: 'tool_use' }],
            sender: 'assistant',
          },
          { uuid: 'm3', text: '', content: [], sender: 'human', created_at: 'not a date' },
        ],
      },
    ]),
    'projects/p1.json': JSON.stringify({
      uuid: 'p1',
      name: 'A/B',
      prompt_template: 'Be brief',
      created_at: '2025-02-01T00:00:00Z',
      docs: [{ uuid: 'd', filename: '../notes.md', content: '# Notes', created_at: '2025-02-02T00:00:00Z' }],
    }),
    'users.json': JSON.stringify([{ uuid: 'u', full_name: 'Somebody' }]),
    'zz-memories.json': JSON.stringify([
      { conversations_memory: '# About\n\nLives in Berlin.', project_memories: { p1: 'Brief.', p2: '' } },
    ]),
  }

  test('brings the memories first, then conversations with attachments, and the documents of projects', async () => {
    const { texts, documents, left, problems, unknown } = await readFiles({ 'claude.zip': zipOf(files) })
    assert.deepEqual(problems, [])
    assert.deepEqual(
      documents.map(({ document }) => document),
      [
        ...['claude/memory.md', 'claude/memories/p1.md'],
        ...['claude/projects/A-B/instructions.md', 'claude/projects/A-B/..-notes.md'],
      ],
    )
    assert.deepEqual(texts.map(told), [
      ['I moved to Berlin.', 'user', 1_735_787_046],
      ['Lease of the flat', 'document', 1_735_787_046],
      ['Noted.', 'assistant', 1_735_787_046],
    ])
    assert.deepEqual(left, { empty: 2, 'images and files': 1, 'tools, thoughts and images': 2 })
    assert.equal(unknown.length, 1)
    assert.equal(documents.at(-1)?.occurred_at, Date.parse('2025-02-02') / 1000)
  })

  test('has its memories in a ZIP of their own, too; other ZIPs in it are left alone', async () => {
    const { 'zz-memories.json': memories, ...others } = files
    const inner = zipOf({ 'memories.json': memories })
    const zip = zipOf({ ...others, 'memories-000.zip': inner, 'uploads/code.zip': inner })
    const { documents, unknown } = await readFiles({ 'claude.zip': zip })
    assert.equal(documents[0]?.document, 'claude/memory.md')
    assert.equal(documents.length, 4)
    assert.deepEqual(unknown.map((name) => path.basename(name)).sort(), ['code.zip', 'users.json'])
  })
})

test('sessions of Claude Code: words of both sides, without side chains, tools and notes of the program', async () => {
  const line = (uuid: string, type: string, content: unknown, rest: object = {}) =>
    JSON.stringify({
      uuid,
      type,
      sessionId: 's1',
      timestamp: '2026-01-01T00:00:00Z',
      cwd: '/work',
      message: { content },
      ...rest,
    })
  const { texts, left, problems, formats } = await readFiles({
    '-work/s1.jsonl': [
      JSON.stringify({ type: 'summary', summary: 'Boats', leafUuid: 'x' }),
      line('1', 'user', 'Use tabs.'),
      line('2', 'assistant', [
        { type: 'text', text: 'Tabs it is.' },
        { type: 'tool_use', name: 'Edit' },
      ]),
      line('3', 'user', [{ type: 'tool_result', content: 'ok' }]),
      line('4', 'user', 'A task', { isSidechain: true }),
      line('5', 'user', '<command-name>/clear</command-name>'),
      line('6', 'user', 'Caveat', { isMeta: true }),
      '{"broken": ',
      '',
      line('7', 'user', 'I like boats.', { timestamp: undefined }),
    ].join('\n'),
  })
  assert.deepEqual(formats, ['Claude Code'])
  assert.deepEqual(texts.map(told), [
    ['Use tabs.', 'user', 1_767_225_600],
    ['Tabs it is.', 'assistant', 1_767_225_600],
    ['I like boats.', 'user', null],
  ])
  assert.deepEqual(left, {
    'lines without a message': 1,
    'tools, thoughts and images': 2,
    'side chains': 1,
    'notes of the program': 1,
    hidden: 1,
  })
  assert.match(problems.join(), /s1\.jsonl, record 8: /)
})

test('rollouts of Codex: the messages, under the session that the first line names', async () => {
  const line = (type: string, payload: object) =>
    JSON.stringify({ timestamp: '2026-01-01T00:00:00Z', type, payload })
  const { texts, left } = await readFiles({
    '2026/01/01/rollout-x.jsonl': [
      line('session_meta', { id: 'abc', cwd: '/work' }),
      line('response_item', {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_text', text: 'rules' }],
      }),
      line('response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>x' }],
      }),
      line('response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'Call it memoryd.' }],
      }),
      line('response_item', { type: 'function_call', name: 'shell' }),
      line('response_item', {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Done.' }],
      }),
      line('event_msg', { type: 'agent_message', message: 'Done.' }),
    ].join('\n'),
  })
  assert.deepEqual(
    texts.map(({ text, source, session_id }) => [text, source, session_id]),
    [
      ['Call it memoryd.', 'user', 'codex:abc'],
      ['Done.', 'assistant', 'codex:abc'],
    ],
  )
  assert.deepEqual(left, { 'lines without a message': 3, 'system and tools': 1, 'notes of the program': 1 })
})

test('Markdown: a document a file, with front matter and the dates of daily notes; hidden folders are left alone', async () => {
  const { documents, problems, left, unknown } = await readFiles(
    {
      'vault/Boats.md': '---\ntags:\n  - sea\n  - "red"\ncreated: 2024-05-01\naliases: [a, b]\n---\n# Boats',
      'vault/daily/2024-06-02.md': '[[Boats]] were seen.',
      'vault/2031-01-01.md': 'Dated in the future.',
      'vault/empty.md': '\n',
      'vault/latin.md': Buffer.from([0x43, 0xe9]),
      'vault/large.md': 'x'.repeat(1024 * 1024 + 1),
      'vault/.obsidian/plugin.md': 'hidden',
      'vault/picture.png': Buffer.from([0x89, 0x50]),
    },
    'vault',
  )
  assert.deepEqual(
    documents.map(({ document, occurred_at, metadata }) => [document, occurred_at, metadata]),
    [
      ['vault/2031-01-01.md', null, null],
      ['vault/Boats.md', 1_714_521_600, { tags: ['sea', 'red'], created: '2024-05-01', aliases: ['a', 'b'] }],
      ['vault/daily/2024-06-02.md', 1_717_286_400, null],
    ],
  )
  assert.deepEqual(left, { empty: 1 })
  assert.deepEqual(
    problems.map((line) => line.replace(/: .*/, '')),
    ['vault/large.md', 'vault/latin.md'],
  )
  assert.deepEqual(unknown, ['vault/picture.png'])
})

test('links are followed: a file is read once, whatever leads to it, and one that leads nowhere is told', async () => {
  const outside = path.join(root, 'outside')
  const vault = path.join(root, 'links', 'vault')
  mkdirSync(path.join(vault, 'x'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'far.md'), 'Far away.')
  writeFileSync(path.join(outside, 'own.jsonl'), '{"text": "I live in Lisbon."}')
  writeFileSync(path.join(vault, 'x', 'a.md'), 'Here.')
  const links = {
    ...{ 'x/up': '..', 'x/me': '../x', loop: vault, 'again.md': 'x/a.md' },
    ...{ folder: outside, second: 'folder', 'far.md': path.join(outside, 'far.md') },
    ...{ 'gone.md': 'nowhere', 'gone.json': 'nowhere' },
  }
  for (const [name, target] of Object.entries(links)) symlinkSync(target, path.join(vault, name))
  const { documents, texts, problems } = await readPlace(vault)
  assert.deepEqual(
    documents.map(({ document }) => document),
    ['vault/far.md', 'vault/x/a.md'],
  )
  assert.equal(texts.length, 1)
  assert.deepEqual(
    problems.map((line) => line.replace(/(ENOENT).*/, '$1')),
    ['vault/gone.json: ENOENT', 'vault/gone.md: ENOENT'],
  )
})

test('mem0: pages of get_all, one or several, and bare lists', async () => {
  const memory = {
    id: 'a1',
    memory: 'Likes boats',
    user_id: 'anna',
    run_id: 'r',
    agent_id: 'bot',
    categories: ['sea'],
    metadata: { own: 1 },
    created_at: '2025-01-01T00:00:00-08:00',
    updated_at: null,
  }
  const page = { count: 1, results: [memory, { id: 'a2', memory: null }] }
  for (const content of [
    JSON.stringify(page, null, 2),
    JSON.stringify([page]),
    `${JSON.stringify(page)}\n`,
  ]) {
    const { texts, problems } = await readFiles({ 'mem0.json': content })
    assert.equal(texts.length, 1)
    assert.deepEqual(texts[0], {
      ...{
        text: 'Likes boats',
        occurred_at: 1_735_718_400,
        source: 'user',
        persona: 'anna',
        session_id: 'r',
      },
      ...{ external_id: 'mem0:a1', metadata: { own: 1, agent_id: 'bot', categories: ['sea'], from: 'mem0' } },
    })
    assert.match(problems.join(), /mem0\.json, record 1: a memory has no text/)
  }
  assert.equal((await readFiles({ 'list.json': JSON.stringify([memory]) })).texts.length, 1)
})

test('of several texts under one id and persona the newest counts, by date, else by order', async () => {
  const lines = [
    { external_id: 'a', text: 'I live in Milan.', occurred_at: '2025-01-01' },
    { external_id: 'a', text: 'I live in Turin.', occurred_at: '2024-01-01' },
    { external_id: 'a', text: 'I live in Rome.', occurred_at: '2024-01-01', persona: 'anna' },
    { external_id: 'a', text: 'I live in Bari.', occurred_at: '2023-01-01', persona: 'work' },
    ...['One', 'Two', 'One'].map((text) => ({ external_id: 'b', text })),
    { external_id: 'c', text: 'Now', persona: 'work' },
    { external_id: 'c', text: 'Then', occurred_at: '2022-01-01', persona: 'work' },
  ]
  const file = path.join(root, 'versions.jsonl')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const newest = createNewest('work')
  const { texts, ops, left, since, undated } = await tallyOf(readingsOf([file]), newest)
  const { texts: all } = await readPlace(file)
  assert.deepEqual(
    all.filter(newest.has).map(({ text }) => text),
    ['I live in Milan.', 'I live in Rome.', 'One', 'One', 'Now'],
  )
  assert.deepEqual([texts, ops, undated, since], [5, 25, 3, Date.parse('2024-01-01') / 1000])
  assert.deepEqual([...left], [['older under the same id', 4]])
})

test('server-memory: observations and relations as sentences', async () => {
  const { texts, left } = await readFiles({
    'memory.jsonl': [
      {
        type: 'entity',
        name: 'John_Smith',
        entityType: 'person',
        observations: ['Speaks Spanish', 'John Smith likes tea'],
      },
      { type: 'entity', name: 'Nobody', entityType: 'person', observations: [] },
      { type: 'relation', from: 'John_Smith', to: 'Acme', relationType: 'works_at' },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  })
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['John Smith: Speaks Spanish', 'John Smith likes tea', 'John Smith works at Acme.'],
  )
  assert.equal(new Set(texts.map(({ external_id }) => external_id)).size, 3)
  assert.deepEqual(left, { 'entities without observations': 1 })
})

test('our own lines: defaults, dates in words or numbers, and what is wrong is told by record', async () => {
  // Just exported, by a server whose clock is a little ahead.
  const now = Date.now() / 1000 + 30
  const { texts, problems } = await readFiles({
    'own.jsonl': [
      { text: 'One' },
      { text: 'Two', occurred_at: '2025-01-01', source: 'assistant', external_id: 'x', persona: 'p' },
      { text: 'Three', occurred_at: 'soon' },
      { text: 'Four', source: 'friend' },
      { text: 'Five', ocurred_at: 1 },
      { source: 'user' },
      { text: 'Seven', occurred_at: 0 },
      { text: 'Eight', occurred_at: now },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  })
  assert.deepEqual(texts.map(told), [
    ['One', 'user', null],
    ['Two', 'assistant', 1_735_689_600],
    ['Seven', 'user', 0],
    ['Eight', 'user', now],
  ])
  assert.deepEqual(
    problems.map((line) => line.replace(/^.*own/, 'own')),
    [
      'own.jsonl, record 3: occurred_at is not a time of the past',
      'own.jsonl, record 4: source must be one of user, assistant, document',
      'own.jsonl, record 5: there is no field ocurred_at',
      'own.jsonl, record 6: text is missing',
    ],
  )
})

test('our own lines: a value of a wrong type is told, and the record left out', async () => {
  const wrong = {
    ...{ session_id: 7, external_id: 42, persona: 9, id: 1, speaker: true, corrected_by: {} },
    ...{ metadata: [1], pinned: 'yes', pinned_facts: ['a', 1], occurred_at: [5], source: 1 },
  }
  const lines = [
    ...Object.entries(wrong).map(([name, value]) => ({ text: 'I live in Rome.', [name]: value })),
    ...[{ text: 5 }, { document: 'a.md', content: 5 }],
    { document: 'a.md', content: 'A', content_type: 'text/html' },
    { text: 'Kept.', session_id: null, persona: '', pinned: false, metadata: null, pinned_facts: [] },
  ]
  const { texts, documents, problems } = await readFiles({
    'own.jsonl': lines.map((line) => JSON.stringify(line)).join('\n'),
  })
  assert.deepEqual([texts.map(({ text }) => text), documents], [['Kept.'], []])
  assert.deepEqual(
    problems.map((line) => line.replace(/^.*, record /, '')),
    [
      ...['session_id', 'external_id', 'persona', 'id', 'speaker', 'corrected_by'].map(
        (name, at) => `${at + 1}: ${name} must be a string`,
      ),
      '7: metadata must be an object',
      '8: pinned must be true or false',
      '9: pinned_facts must be a list of strings',
      '10: occurred_at must be a date or Unix seconds',
      '11: source must be one of user, assistant, document',
      '12: text must be a string',
      '13: content must be a string',
      '14: content_type must be text/markdown or text/plain',
    ],
  )
})

test('what belongs to no form is named, and a broken ZIP is refused', async () => {
  const { unknown, texts } = await readFiles({
    'slack.json': JSON.stringify([{ type: 'message', text: 'hello', ts: '1.2', user: 'U1' }]),
    'empty.json': '',
    'text.txt': 'Hello',
  })
  assert.equal(unknown.length, 3)
  assert.deepEqual(texts, [])
  const broken = zipOf({ 'a.json': '[]' }).subarray(0, 60)
  await assert.rejects(readFiles({ 'broken.zip': broken }), /broken\.zip is not a whole ZIP file/)
})

test('a file that is cut off or damaged before anything whole of it is told, not called unknown', async () => {
  const chat = JSON.stringify([{ conversation_id: 'c', mapping: { a: { message: null } } }])
  const { problems, unknown } = await readFiles({
    'conversations-001.json': chat.slice(0, 30),
    'one.json': '{"results": [{"memory": "I live',
    'notes.ini': '[section]\nkey=value',
  })
  assert.deepEqual(
    problems.map((line) => line.replace(/^[^/]*\//, '').slice(0, 68)),
    [
      'conversations-001.json, record 1: the file ends before its list does',
      'one.json, record 1: Unterminated string in JSON at position 31 (line',
    ],
  )
  assert.deepEqual(
    unknown.map((name) => path.basename(name)),
    ['notes.ini'],
  )
})

test('nothing is read of a file whose checksum in the ZIP does not fit; the others are', async () => {
  const own = (text: string) => JSON.stringify({ text })
  const zip = zipOf({ 'a.jsonl': own('I live in Porto.'), 'b.md': 'A note.', 'c.jsonl': own('I like tea.') })
  for (const sum of [crc32(own('I live in Porto.')), crc32('A note.')]) {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32LE(sum)
    // In the directory, which is at the end.
    zip[zip.lastIndexOf(bytes)] = (bytes[0] ?? 0) ^ 1
  }
  const { texts, documents, problems } = await readFiles({ 'x.zip': zip }, 'x.zip')
  assert.deepEqual([texts.map(({ text }) => text), documents], [['I like tea.'], []])
  assert.deepEqual(problems, [
    'x.zip/a.jsonl: it is damaged: its checksum in the ZIP does not fit',
    'x.zip/b.md: it is damaged: its checksum in the ZIP does not fit',
  ])
})

test('JSON that is not UTF-8 is told by record, in lists and in lines', async () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const { texts, problems } = await readFiles({
    'a.jsonl': latin('{"text": "I live in Zürich."}\n{"text": "I like tea."}'),
    'b.jsonl': latin('{"text": "I like coffee."}\n{"text": "I live in Zürich."}'),
    'c.json': latin('[{"text": "I like boats."}, {"text": "I live in Zürich."}]'),
    'd.json': latin('{"text": "I live in Zürich."}'),
  })
  assert.deepEqual(
    texts.map(({ text }) => text),
    ['I like tea.', 'I like coffee.', 'I like boats.'],
  )
  assert.deepEqual(
    problems.map((line) => line.replace(/^[^/]*\//, '')),
    [['a.jsonl', 1] as const, ['b.jsonl', 2] as const, ['c.json', 2] as const, ['d.json', 1] as const].map(
      ([name, at]) => `${name}, record ${at}: it is not UTF-8`,
    ),
  )
})

test('the values of a file are the same, however it comes', async () => {
  const list = JSON.stringify([{ a: '"\\ü]' }, [1, [2]], 'x,]', 3, null], null, 1)
  const lines = '\ufeff{"a": 1}\n\n{"b": "ü"}\r\n{broken\n{"c": []}'
  const whole = JSON.stringify({ results: [{ memory: 'x' }] }, null, 2)
  for (const [content, expected] of [
    [list, [{ a: '"\\ü]' }, [1, [2]], 'x,]', 3, null]],
    [lines, [{ a: 1 }, { b: 'ü' }, 'problem', { c: [] }]],
    [whole, [{ results: [{ memory: 'x' }] }]],
  ] as const) {
    for (const size of [1, 2, 3, 7, 64, 10_000]) {
      const bytes = Buffer.from(content)
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      )
      const found = await Array.fromAsync(valuesOf(Readable.from(pieces)))
      const values = found.map((entry) => ('value' in entry ? entry.value : 'problem'))
      assert.deepEqual(values, expected, `in pieces of ${size}`)
    }
  }
})

test('a value without an end is given up, not held in memory', async () => {
  const piece = Buffer.alloc(2 ** 20, 'x')
  async function* endless(start: string) {
    yield Buffer.from(start)
    while (true) yield piece
  }
  for (const start of ['["', '{"a": "']) {
    const found = await Array.fromAsync(valuesOf(endless(start)))
    assert.deepEqual(found, [{ at: 1, problem: 'a value of more than 256 MiB' }])
  }
})
