import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNamespace, openSmallMemory, type SmallMemory } from '../../../test/support/small-memory.ts'
import { ServiceError } from '../../core/errors.ts'
import { proseOf, sectionsOf } from './sections.ts'

const anything = { persona: null, sessionId: null, source: null, since: null, until: null }
const all = { after: null, limit: 500 }

const texts = async ({ stores }: SmallMemory) =>
  (await stores.episodic.list(aNamespace, anything, all)).map(({ text }) => text).sort()
const current = async ({ stores }: SmallMemory) =>
  (await stores.graph.list(aNamespace, anything, all)).map(({ fact }) => fact).sort()

const put = ({ memory }: SmallMemory, path: string, content: string, more: object = {}) =>
  memory.putDocument(aNamespace, {
    ...{ path, content, text: content, persona: 'shared', contentType: 'text/markdown', metadata: null },
    ...more,
  })

const guide = `# Boats

The red boat is old.

## Moorings

Ana lives in Porto.

### Prices

| place | price |
|---|---|
| Porto | 12 |

\`\`\`sh
# not a heading

moor --place porto
\`\`\`

## Repairs

Ben works at Siemens.
`

describe('the pieces of a document', () => {
  test('carry the headings above them; code and tables stay as they are', () => {
    assert.deepEqual(
      sectionsOf(guide).map(({ text }) => text),
      [
        'Boats\nThe red boat is old.',
        'Boats › Moorings\nAna lives in Porto.',
        'Boats › Moorings › Prices\n| place | price |\n|---|---|\n| Porto | 12 |\n\n```sh\n# not a heading\n\nmoor --place porto\n```',
        'Boats › Repairs\nBen works at Siemens.',
      ],
    )
    for (const { span, text } of sectionsOf(guide))
      assert.ok(text.endsWith(guide.slice(span.start, span.end)))
  })

  test('hold every word of any text once, and none is too long', () => {
    const paragraph = 'The boat lies in the harbour and waits for the tide. '.repeat(60)
    const code = `\`\`\`\n${'let boat = harbour(tide)\n'.repeat(120)}\`\`\``
    const table = `| a | b |\n${'| one | two |\n'.repeat(200)}`
    const long = `# One\n\n${paragraph}\n\n## Two\n\n${code}\n\n${table}\n${'x'.repeat(3_000)}\n`
    for (const text of [
      guide,
      long,
      'no heading at all',
      '',
      '\n\n',
      '# Only a heading',
      `${'# a\n'.repeat(50)}b`,
    ]) {
      const sections = sectionsOf(text)
      for (const section of sections) assert.ok(section.text.length <= 1_400, `${section.text.length}`)
      const words = (from: string) => from.match(/[^\s#]+/g) ?? []
      const body = sections.map(({ span }) => text.slice(span.start, span.end)).join('\n')
      const headings = text.replace(/^#+ .*$/gm, '')
      if (!text.includes('```')) assert.deepEqual(words(body), words(headings))
    }
    const pieces = sectionsOf(
      `# One\n\n${'Some words here. '.repeat(40)}\n\n\`\`\`\n${'line\n'.repeat(100)}\`\`\`\n`,
    )
    assert.equal(
      pieces.filter(({ text }) => text.includes('```')).length,
      1,
      'a code block that fits is not cut',
    )
  })

  test('tell facts in their sentences alone, at their places', () => {
    const prose = proseOf(guide)
    assert.equal(prose.length, guide.length)
    assert.equal(prose.indexOf('Ana lives in Porto.'), guide.indexOf('Ana lives in Porto.'))
    for (const word of ['Moorings', 'price', 'moor --place']) assert.ok(!prose.includes(word), word)
  })
})

describe('a document', () => {
  test('is kept as it is and found by what it says, with its headings', async () => {
    const small = openSmallMemory()
    const { document, created, indexed } = await put(small, 'notes/boats.md', guide, { metadata: { v: 1 } })
    assert.deepEqual([created, indexed.episodicChunks, document.bytes], [true, 4, Buffer.byteLength(guide)])
    assert.equal((await small.memory.getDocument(aNamespace, 'shared', 'notes/boats.md'))?.content, guide)
    assert.deepEqual(await current(small), ['Ana lives in Porto', 'Ben works at Siemens'])
    const { facts } = await small.retrieve('moorings prices', { includeSemantic: false })
    const best = facts.find(({ rank }) => rank === 1)
    assert.match(best?.fact ?? '', /^Boats › Moorings › Prices\n/)
    assert.deepEqual(best?.metadata, { document: 'notes/boats.md', v: 1 })
  })

  test('gives way to its next version as a whole, and what the first had closed holds again', async () => {
    const small = openSmallMemory()
    await small.ingest('You live in Oslo.', { source: 'assistant' })
    await small.ingest('The kettle is blue.')
    const first = await put(small, 'a', '# Me\n\nAna lives in Porto.\n\nAna knows Ben.')
    small.clock.advance(60)
    const second = await put(small, 'a', 'Ana lives in Rome.')
    assert.deepEqual([first.created, second.created], [true, false])
    assert.notEqual(second.document.etag, first.document.etag)
    assert.equal(second.document.createdAt, first.document.createdAt)
    assert.equal(second.document.updatedAt, first.document.updatedAt + 60)
    assert.deepEqual(await texts(small), ['Ana lives in Rome.', 'The kettle is blue.', 'You live in Oslo.'])
    assert.deepEqual(await current(small), ['Ana lives in Rome', 'user lives in Oslo'])
    assert.deepEqual(await small.stores.graph.entitiesNamed(aNamespace, ['ben', 'porto']), [])
  })

  test('put again as it is changes nothing; forgotten pieces come back', async () => {
    const small = openSmallMemory()
    const first = await put(small, 'a', guide)
    small.clock.advance(60)
    const again = await put(small, 'a', guide)
    assert.deepEqual([again.indexed.deduplicated, again.created], [true, false])
    assert.deepEqual(again.document, first.document)
    assert.deepEqual(again.indexed.ids, first.indexed.ids)
    await small.memory.forget(aNamespace, { by: 'ids', ids: [first.indexed.ids?.[0] ?? ''] })
    assert.equal((await put(small, 'a', guide)).indexed.deduplicated, false)
    assert.equal((await texts(small)).length, 4)
  })

  test('does not fade, and is deleted with everything that was read from it', async () => {
    const small = openSmallMemory()
    await put(small, 'a', guide)
    small.clock.advance(400 * 86_400)
    await small.memory.consolidate(aNamespace, { persona: null, force: true })
    assert.equal((await texts(small)).length, 4)
    assert.ok(((await small.memory.deleteDocument(aNamespace, 'shared', 'a')) ?? 0) >= 4)
    assert.deepEqual(await texts(small), [])
    assert.equal(await small.memory.getDocument(aNamespace, 'shared', 'a'), null)
    assert.equal(await small.memory.deleteDocument(aNamespace, 'shared', 'a'), null)
    assert.equal(await small.stores.graph.countEntities(aNamespace, null), 0)
  })

  test('stays whole when its next version cannot be stored', async () => {
    let isBroken = false
    const small = openSmallMemory({
      around: (stores) => ({
        ...stores,
        journal: {
          ...stores.journal,
          remember: (namespace, item) =>
            isBroken
              ? Promise.reject(new ServiceError('storage_full'))
              : stores.journal.remember(namespace, item),
        },
      }),
    })
    await put(small, 'a', guide)
    isBroken = true
    await assert.rejects(put(small, 'a', 'Other.'))
    assert.equal((await small.memory.getDocument(aNamespace, 'shared', 'a'))?.content, guide)
    assert.equal((await texts(small)).length, 4)
  })

  test('may be empty; and goes with its persona or everything', async () => {
    const small = openSmallMemory()
    await put(small, 'empty', '')
    assert.equal((await small.memory.getDocument(aNamespace, 'shared', 'empty'))?.content, '')
    await put(small, 'b', 'The cup is red.', { persona: 'work' })
    await small.memory.forget(aNamespace, { by: 'persona', persona: 'work' })
    assert.equal(await small.memory.getDocument(aNamespace, 'work', 'b'), null)
    await small.memory.forget(aNamespace, { by: 'everything' })
    assert.equal(await small.memory.getDocument(aNamespace, 'shared', 'empty'), null)
  })

  test('is listed by path, page by page', async () => {
    const small = openSmallMemory()
    for (const path of ['b', 'a/2', 'a/1', 'a/3']) await put(small, path, `Text of ${path}.`)
    const list = (after: string | null) =>
      small.memory.listDocuments(aNamespace, { persona: 'shared', prefix: 'a/', limit: 2, after })
    const first = await list(null)
    assert.deepEqual([first.documents.map(({ path }) => path), first.nextAfter], [['a/1', 'a/2'], 'a/2'])
    const second = await list(first.nextAfter)
    assert.deepEqual([second.documents.map(({ path }) => path), second.nextAfter], [['a/3'], null])
  })
})
