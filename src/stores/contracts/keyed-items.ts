import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Namespace } from '../../core/ids.ts'
import { documentKey } from '../../memory/keys.ts'
import type { Document, ItemWrite, LinkDraft, MemoryStores } from '../../memory/ports.ts'
import {
  anyFilter,
  chunkId,
  everything,
  factId,
  item,
  type OpenStores,
  start,
  unit,
  withStores,
} from './journal-drafts.ts'

/** Rules J14, GS22, ES20 and DS1 to DS3 of docs/ports/memory.md: items that can be replaced by their key, and documents. */
export function keyedItemsContract(backend: string, open: OpenStores): void {
  describe(`keyed items: ${backend}`, () => {
    replacingRules(open)
    documentRules(open)
  })
}

type Told = NonNullable<Parameters<typeof item>[1]>

const keyed = (text: string, key: string, more: Told = {}): ItemWrite => ({ ...item(text, more), key })

const current = async ({ graph }: MemoryStores, mine: Namespace) =>
  (await graph.list(mine, anyFilter, { after: null, limit: 99 })).map(({ objectName }) => objectName).sort()

const texts = async ({ episodic }: MemoryStores, mine: Namespace) =>
  (await episodic.list(mine, anyFilter, { after: null, limit: 99 })).map(({ text }) => text).sort()

function replacingRules(open: OpenStores): void {
  test('[J14] takes the place of the item with its key: nothing of that is left, and what it closed holds again', () =>
    withStores(open, async (stores, mine) => {
      const { journal, episodic, graph } = stores
      await journal.remember(mine, item('I live in Rome', { facts: [{ object: 'rome' }] }))
      const links: LinkDraft[] = [
        {
          ...{
            newer: chunkId('first'),
            older: chunkId('I live in Rome'),
            kind: 'replaces',
            probability: 0.995,
          },
          closes: [factId('I live in Rome')],
        },
      ]
      const facts = [{ object: 'oslo' }]
      await journal.remember(mine, keyed('first', 'k', { facts, links, at: start + 1, vector: unit(0, 1) }))
      assert.deepEqual(await current(stores, mine), ['oslo'])
      const told = { facts: [{ relation: 'likes', object: 'tea' }], at: start + 2, vector: unit(0, 0, 1) }
      const receipt = await journal.remember(mine, keyed('second', 'k', told))
      assert.equal(receipt.outcome, 'stored')
      assert.deepEqual(receipt.outcome === 'stored' && [...(receipt.removed ?? [])].sort(), [
        ...[chunkId('first'), factId('first')].sort(),
      ])
      assert.deepEqual(await current(stores, mine), ['rome', 'tea'])
      assert.deepEqual(await texts(stores, mine), ['I live in Rome', 'second'])
      assert.deepEqual(await episodic.links(mine, chunkId('I live in Rome')), [])
      const [old] = await episodic.get(mine, [chunkId('I live in Rome')])
      assert.deepEqual([old?.replaced, old?.closedFactCount], [null, 0])
      assert.deepEqual(await graph.get(mine, [factId('first')]), [])
      const [near] = await episodic.nearest(mine, ['shared'], unit(0, 1), 1)
      assert.notEqual(near?.chunk.id, chunkId('first'))
      assert.equal((await episodic.nearest(mine, ['shared'], unit(0, 0, 1), 1))[0]?.chunk.key, 'k')
    }))

  test('[J14] the same text under its key is a duplicate, under another key or without one it is not', () =>
    withStores(open, async (stores, mine, other) => {
      const { journal } = stores
      await journal.remember(mine, keyed('boat', 'k'))
      const copy = (name: string, more: object = {}) => ({ ...item('boat', { name }), ...more })
      assert.deepEqual(await journal.remember(mine, copy('a', { key: 'k' })), {
        ...{ outcome: 'duplicate', chunkId: chunkId('boat') },
      })
      assert.equal((await journal.remember(mine, copy('b', { key: 'l' }))).outcome, 'stored')
      assert.equal((await journal.remember(other, copy('d', { key: 'k' }))).outcome, 'stored')
      const elsewhere = { ...item('boat', { name: 'e', persona: 'work' }), key: 'k' }
      assert.equal((await journal.remember(mine, elsewhere)).outcome, 'stored')
      assert.deepEqual(await texts(stores, mine), ['boat', 'boat', 'boat'])
      assert.deepEqual(await texts(stores, other), ['boat'])
    }))

  test('[J14] a write that fails leaves the item with its key whole', () =>
    withStores(open, async (stores, mine) => {
      const { journal, episodic } = stores
      await journal.remember(mine, keyed('first', 'k', { facts: [{ object: 'rome' }] }))
      const next = keyed('second', 'k', { facts: [{ object: 'oslo' }] })
      const broken = { ...next, chunks: next.chunks.map((chunk) => ({ ...chunk, text: undefined as never })) }
      await assert.rejects(journal.remember(mine, broken))
      assert.deepEqual(await texts(stores, mine), ['first'])
      assert.deepEqual(await current(stores, mine), ['rome'])
      assert.deepEqual((await episodic.keyed(mine, 'shared', 'k'))?.chunks, [chunkId('first')])
    }))

  test('[J14] leaves a fact that another text told, too, as that one’s', () =>
    withStores(open, async (stores, mine) => {
      const { journal, graph, episodic } = stores
      await journal.remember(mine, keyed('first', 'k', { facts: [{ object: 'rome' }] }))
      await journal.remember(mine, item('again', { facts: [{ object: 'rome' }], at: start + 1 }))
      await journal.removeKeyed(mine, 'shared', 'k')
      const [fact] = await graph.factsOf(mine, [chunkId('again')])
      assert.deepEqual([fact?.id, fact?.objectName, fact?.createdAt], [factId('first'), 'rome', start + 1])
      assert.equal(fact?.evidence, fact?.fact)
      assert.equal((await episodic.get(mine, [chunkId('again')]))[0]?.factCount, 1)
      assert.deepEqual(await current(stores, mine), ['rome'])
    }))

  test('[GS22] passes a fact that another chunk told, too, on to that one, with all that is its text’s', () =>
    withStores(open, async (stores, mine, other) => {
      const { journal, graph, episodic } = stores
      const ways = { metadata: { team: 'blue' }, session: 'later', at: start + 1 } as const
      for (const namespace of [mine, other]) {
        const first = [{ object: 'rome' }, { name: 'tea', relation: 'likes', object: 'tea' }]
        await journal.remember(namespace, item('first', { facts: first, session: 'early' }))
        const again = item('again', { facts: [{ object: 'rome' }], ...ways, vector: unit(0, 1) })
        await journal.remember(namespace, again)
      }
      const [rome] = await graph.list(mine, { ...anyFilter, text: 'rome' }, { after: null, limit: 9 })
      assert.ok(rome)
      const texts = [chunkId('first')]
      assert.deepEqual(await graph.toldElsewhere(mine, texts), [rome.id])
      assert.deepEqual(await graph.toldElsewhere(mine, [...texts, chunkId('again')]), [])
      assert.deepEqual(await graph.toldElsewhere(mine, []), [])
      const elsewhere = await graph.get(other, [rome.id])
      await graph.passOn(mine, texts)
      await graph.passOn(mine, texts)
      const [passed] = await graph.get(mine, [rome.id])
      assert.deepEqual(
        [passed?.chunkId, passed?.sessionId, passed?.metadata, passed?.createdAt, passed?.evidence],
        [chunkId('again'), 'later', { team: 'blue' }, start + 1, passed?.fact],
      )
      assert.deepEqual(
        (await graph.factsOf(mine, texts)).map(({ objectName }) => objectName),
        ['tea'],
      )
      assert.deepEqual(await graph.get(other, [rome.id]), elsewhere)
      await episodic.remove(mine, { ...everything, ids: texts })
      const within = { since: start + 1, until: null, asOf: null, filter: null }
      const query = { terms: ['rome'], vector: unit(1), personas: null, limit: 5, within }
      assert.deepEqual(
        (await graph.searchFacts(mine, query)).map(({ fact }) => fact.id),
        [rome.id],
      )
    }))

  test('[J14] is removed by its key as if it had never been told, again is nothing', () =>
    withStores(open, async (stores, mine, other) => {
      const { journal } = stores
      for (const namespace of [mine, other]) {
        await journal.remember(namespace, item('rome', { facts: [{ object: 'rome' }] }))
        await journal.remember(namespace, keyed('oslo', 'k', { facts: [{ object: 'oslo' }], at: start + 1 }))
      }
      const gone = await journal.removeKeyed(mine, 'shared', 'k')
      assert.deepEqual([...gone].sort(), [chunkId('oslo'), factId('oslo')].sort())
      assert.deepEqual(await current(stores, mine), ['rome'])
      assert.deepEqual(await current(stores, other), ['oslo'])
      assert.deepEqual(await journal.removeKeyed(mine, 'shared', 'k'), [])
    }))

  test('[ES20] finds an item by key, namespace and persona, with its chunks in order', () =>
    withStores(open, async ({ journal, episodic }, mine, other) => {
      const more = [{ name: 'more', text: 'more', vector: unit(0, 1) }]
      const written = keyed('first', 'k', { more })
      await journal.remember(mine, written)
      assert.deepEqual(await episodic.keyed(mine, 'shared', 'k'), {
        ...{ chunks: [chunkId('first'), chunkId('more')], textHash: written.textHash },
      })
      assert.equal(await episodic.keyed(mine, 'work', 'k'), null)
      assert.equal(await episodic.keyed(mine, 'shared', 'l'), null)
      assert.equal(await episodic.keyed(other, 'shared', 'k'), null)
      await episodic.remove(mine, { ...everything, ids: [chunkId('more')] })
      assert.deepEqual(await episodic.keyed(mine, 'shared', 'k'), {
        ...{ chunks: [chunkId('first')], textHash: null },
      })
    }))
}

const document = (path: string, content: string): Document => ({
  ...{ path, content, contentType: 'text/plain', metadata: { a: [1] }, bytes: Buffer.byteLength(content) },
  ...{ etag: `e ${content}`, createdAt: start, updatedAt: start + 1 },
})

const filed = (path: string, content: string, more: Told = {}): ItemWrite => ({
  ...keyed(content, documentKey(path), { name: `${path} ${content}`, source: 'document', ...more }),
  document: document(path, content),
})

function documentRules(open: OpenStores): void {
  test('[DS1] a document comes back as it was, and its next version alone', () =>
    withStores(open, async ({ journal, documents }, mine, other) => {
      const odd = '# Ünï\r\n\ttab\u0000\ud83d\ude00\n'
      await journal.remember(mine, filed('a/b.md', odd))
      assert.deepEqual(await documents.get(mine, 'shared', 'a/b.md'), document('a/b.md', odd))
      assert.equal(await documents.get(mine, 'work', 'a/b.md'), null)
      assert.equal(await documents.get(other, 'shared', 'a/b.md'), null)
      await journal.remember(mine, filed('a/b.md', 'new'))
      assert.equal((await documents.get(mine, 'shared', 'a/b.md'))?.content, 'new')
      await journal.removeKeyed(mine, 'shared', documentKey('a/b.md'))
      assert.equal(await documents.get(mine, 'shared', 'a/b.md'), null)
    }))

  test('[DS2] lists by path, from a place on, under a prefix that means itself', () =>
    withStores(open, async ({ journal, documents }, mine, other) => {
      const paths = ['a%/1', 'a/1', 'a/2', 'a/3', 'b']
      for (const path of paths.toReversed()) await journal.remember(mine, filed(path, `text of ${path}`))
      await journal.remember(mine, filed('a/9', 'elsewhere', { persona: 'work' }))
      await journal.remember(other, filed('a/8', 'other'))
      const list = async (prefix: string, after: string | null, limit: number) =>
        (await documents.list(mine, 'shared', { prefix, after, limit })).map(({ path }) => path)
      assert.deepEqual(await list('', null, 9), paths)
      assert.deepEqual(await list('a/', null, 2), ['a/1', 'a/2'])
      assert.deepEqual(await list('a/', 'a/2', 2), ['a/3'])
      assert.deepEqual(await list('a%', null, 9), ['a%/1'])
      const [info] = await documents.list(mine, 'shared', { prefix: 'b', after: null, limit: 1 })
      const { content: _content, ...expected } = document('b', 'text of b')
      assert.deepEqual(info, expected)
    }))

  test('[DS3] forgets the documents of a persona, or all of a namespace', () =>
    withStores(open, async ({ journal, documents }, mine, other) => {
      await journal.remember(mine, filed('a', 'one'))
      await journal.remember(mine, filed('b', 'two'))
      await journal.remember(mine, filed('a', 'three', { persona: 'work' }))
      await journal.remember(other, filed('a', 'four'))
      assert.equal(await documents.forget(mine, 'work'), 1)
      assert.equal(await documents.forget(mine, null), 2)
      assert.equal(await documents.get(mine, 'shared', 'a'), null)
      assert.notEqual(await documents.get(other, 'shared', 'a'), null)
    }))
}
