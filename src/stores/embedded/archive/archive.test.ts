import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ArchiveRecord, documentsPerPage, pagesOf } from '../../../archive/archive.ts'
import { migrate } from '../../../archive/migrate.ts'
import { asNamespace } from '../../../core/ids.ts'
import { documentKey } from '../../../memory/keys.ts'
import { chunkId, everything, factId, item, start } from '../../contracts/journal-drafts.ts'
import { openInlineEngine } from '../engine/inline.ts'
import { plansOf } from '../engine/query-plans.ts'
import { createEmbeddedMemoryStores } from '../memory/stores.ts'
import { createEmbeddedArchive } from './archive.ts'
import { archiveReads } from './reads.ts'

test('[AR4] a copy keeps links, closers and pins: removing the newer text reopens there too', async () => {
  const mine = asNamespace('mine')
  const [source, target] = [openInlineEngine(), openInlineEngine()]
  const from = createEmbeddedMemoryStores(source)
  await from.journal.remember(mine, item('old', { facts: [{ object: 'rome' }] }))
  const links = [
    {
      ...{ newer: chunkId('new'), older: chunkId('old'), kind: 'replaces' as const, probability: 0.95 },
      closes: [factId('old')],
    },
  ]
  await from.journal.remember(mine, item('new', { links, at: start + 1 }))
  await from.episodic.pin(mine, chunkId('new'), true)
  await from.graph.pin(mine, factId('old'), true)
  const archives = { from: createEmbeddedArchive(source), to: createEmbeddedArchive(target) }
  const copied = await migrate({ ...archives, position: null, keep: async () => undefined })
  assert.equal(copied.outcome, 'done')
  assert.equal(copied.outcome === 'done' && copied.tally.link.count, 1)
  const to = createEmbeddedMemoryStores(target)
  const [old] = await to.episodic.get(mine, [chunkId('old')])
  assert.equal(old?.replaced?.by, chunkId('new'))
  await to.episodic.remove(mine, { ...everything, ids: [chunkId('new')] })
  const [fact] = await to.graph.get(mine, [factId('old')])
  assert.deepEqual([fact?.closedAt, fact?.closer, fact?.pinned], [null, null, true])
  await Promise.all([source.close(), target.close()])
})

test('[AR4] a copy keeps documents, keys and when things were told', async () => {
  const mine = asNamespace('mine')
  const [source, target] = [openInlineEngine(), openInlineEngine()]
  const from = createEmbeddedMemoryStores(source)
  const document = {
    ...{ path: 'a/b.md', content: 'Rome\r\n', contentType: 'text/plain', metadata: { a: 1 }, bytes: 6 },
    ...{ etag: 'e', createdAt: start, updatedAt: start + 1 },
  }
  const written = item('Rome', { facts: [{ object: 'rome' }] })
  await from.journal.remember(mine, { ...written, key: documentKey('a/b.md'), document })
  await from.episodic.touch(mine, [chunkId('Rome')], start + 9, start + 5)
  const archives = { from: createEmbeddedArchive(source), to: createEmbeddedArchive(target) }
  const copied = await migrate({ ...archives, position: null, keep: async () => undefined })
  assert.equal(copied.outcome === 'done' && copied.tally.document.count, 1)
  const to = createEmbeddedMemoryStores(target)
  assert.deepEqual(await to.documents.get(mine, 'shared', 'a/b.md'), document)
  const [chunk] = await to.episodic.get(mine, [chunkId('Rome')])
  assert.deepEqual([chunk?.key, chunk?.createdAt, chunk?.toldAt], [documentKey('a/b.md'), start, start + 5])
  await to.journal.removeKeyed(mine, 'shared', documentKey('a/b.md'))
  assert.equal(await to.episodic.count(mine, everything), 0)
  await Promise.all([source.close(), target.close()])
})

test('[AR1] documents come a few at a time, whatever is asked for, and all of them', async () => {
  const mine = asNamespace('mine')
  const engine = openInlineEngine()
  const { journal } = createEmbeddedMemoryStores(engine)
  const paths = Array.from({ length: documentsPerPage + 1 }, (_, at) => `${at}.md`)
  for (const path of paths) {
    const document = {
      ...{ path, content: path, contentType: 'text/plain', metadata: null, bytes: path.length },
      ...{ etag: path, createdAt: start, updatedAt: start },
    }
    await journal.remember(mine, { ...item(path), key: documentKey(path), document })
  }
  const found: ArchiveRecord[][] = []
  for await (const { records } of pagesOf(createEmbeddedArchive(engine), 'document', null, 200))
    found.push([...records])
  assert.deepEqual(
    found.map(({ length }) => length),
    [documentsPerPage, 1],
  )
  const names = found.flat().map((record) => (record.kind === 'document' ? record.document.path : ''))
  assert.deepEqual(names.sort(), paths.sort())
  await engine.close()
})

for (const kind of ['chunk', 'fact', 'link', 'document'] as const) {
  test(`[AR5] each ${kind} of a namespace is found by an index, past the rows of all others`, () => {
    const asked = { kind, after: null, limit: 200, only: asNamespace('mine') }
    const plans = plansOf((context) => archiveReads['archive.page'](context, asked))
    const [first = ''] = plans
    assert.match(first, /^SEARCH \w+ USING .*\(namespace=\?/, plans.join('\n'))
    assert.ok(!plans.some((plan) => /TEMP B-TREE/.test(plan)), plans.join('\n'))
  })
}
