import assert from 'node:assert/strict'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { asNamespace } from '../../../../core/ids.ts'
import { dot } from '../../../../core/vectors.ts'
import { chunkId, everything, item, unit } from '../../../contracts/journal-drafts.ts'
import { publishSnapshot } from '../../engine/directory.ts'
import { type Engine, openEngine } from '../../engine/engine.ts'
import { withDirectory } from '../../engine/test-directory.ts'
import { createScanArena } from '../../vector-scan/arena.ts'
import { readRounded, roundVector } from '../../vector-scan/rounded.ts'
import { snapshotReader, snapshotWriter } from '../../vector-scan/snapshot-stream.ts'
import { createEmbeddedMemoryStores } from '../stores.ts'
import { createSearchIndex, type ResidentIndex } from './search-index.ts'

const words = ['boat', 'red', 'sea', 'boot', 'größe']
const vectors = [unit(1), unit(0, 1), unit(1, 1), unit(1, 0.3)]

const entryOf = (at: number, { said, vector, persona, thread, continues }: Told) => ({
  seq: at + 1,
  id: `id-${at}`,
  persona,
  thread,
  firstSeq: at + (continues && at > 0 ? 0 : 1),
  terms: said.map((word) => words[word]).join(' '),
  rounded: readRounded(roundVector(vectors[vector] ?? unit(1))),
})

interface Told {
  readonly said: readonly number[]
  readonly vector: number
  readonly persona: string
  readonly thread: string | null
  /** It is a piece of the text before it. */
  readonly continues: boolean
  readonly isRemoved: boolean
}

const told: fc.Arbitrary<Told> = fc.record({
  said: fc.array(fc.nat(words.length - 1), { maxLength: 6 }),
  vector: fc.nat(vectors.length - 1),
  persona: fc.constantFrom('', 'shared', 'work'),
  thread: fc.constantFrom(null, 'monday', 'tuesday'),
  continues: fc.boolean(),
  isRemoved: fc.boolean(),
})

/** Everything that an index says. */
function answers(index: ResidentIndex, texts: readonly Told[]) {
  const vector = unit(1, 0.5)
  const exact = (places: readonly number[]) =>
    Float64Array.from(places, (place) => dot(vector, vectors[texts[place]?.vector ?? 0] ?? vector))
  return [null, ['work'], ['', 'nobody']].map((personas) => {
    const { places, idfSum, scoreAt } = index.lexical(words, personas)
    const scores = [...places].map((place) => [place, scoreAt(place)])
    return { scores, idfSum, near: index.nearest({ vector, personas, limit: 3, exact }) }
  })
}

const neighbours = (index: ResidentIndex, texts: readonly Told[]) =>
  texts.map(({ isRemoved }, at) =>
    isRemoved ? null : [index.idAt(at), index.before(at, 9), index.after(at, 9)],
  )

test('an index that was kept answers as before, takes new texts, and says nothing of what was removed', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'kept')
    fc.assert(
      fc.property(fc.array(told, { maxLength: 40 }), fc.array(told, { maxLength: 5 }), (texts, later) => {
        const index = createSearchIndex(createScanArena())
        texts.forEach((text, at) => {
          index.add(entryOf(at, text))
        })
        texts.forEach(({ isRemoved }, at) => {
          if (isRemoved) index.remove(at + 1)
        })
        const before = { said: answers(index, texts), near: neighbours(index, texts) }
        const written = openSync(file, 'w')
        index.serialize(snapshotWriter(written))
        closeSync(written)
        const again = createSearchIndex(createScanArena())
        const read = openSync(file, 'r')
        again.serialize(snapshotReader(read))
        closeSync(read)
        assert.deepEqual({ said: answers(again, texts), near: neighbours(again, texts) }, before)
        const all = [...texts, ...later]
        for (const [at, text] of later.entries()) {
          index.add(entryOf(texts.length + at, text))
          again.add(entryOf(texts.length + at, text))
        }
        assert.deepEqual(answers(again, all), answers(index, all))
        const kept = readFileSync(file)
        const left = texts.filter(({ isRemoved }) => !isRemoved)
        for (const [at, word] of words.entries())
          if (!left.some(({ said }) => said.includes(at)))
            assert.equal(kept.includes(Buffer.from(word, 'utf16le')), false, word)
        for (const name of ['shared', 'work', 'monday', 'tuesday'])
          if (!left.some(({ persona, thread }) => persona === name || thread === name))
            assert.equal(kept.includes(name), false, name)
      }),
      { numRuns: 300 },
    )
  })
})

test('of a removed text no word is kept, also where others use it', async (t) => {
  // The same hashes for both.
  t.mock.method(Math, 'random', () => 0.5)
  await withDirectory(async (directory) => {
    const file = join(directory, 'kept')
    const keptWithout = (removed: string) => {
      const index = createSearchIndex(createScanArena())
      const rounded = readRounded(roundVector(unit(1)))
      for (const [at, terms] of ['red boat at sea', removed, 'sea boat'].entries()) {
        const place = { seq: at + 1, firstSeq: at + 1, id: `${at}`, persona: 'shared', thread: 'monday' }
        index.add({ ...place, terms, rounded })
      }
      index.remove(2)
      const written = openSync(file, 'w')
      index.serialize(snapshotWriter(written))
      closeSync(written)
      return readFileSync(file)
    }
    assert.ok(keptWithout('boat boat sea red').equals(keptWithout('at dawn')))
  })
})

const namespace = asNamespace('mine')
const question = { vector: unit(1, 1), terms: ['boat', 'red'], personas: null, nearest: 5, lexical: 5 }
const snapshotIn = (directory: string) => readdirSync(directory).filter((name) => name.startsWith('indexes'))
const load = { budgetBytes: 2 ** 28 }

const search = (engine: Engine) => createEmbeddedMemoryStores(engine).episodic.search(namespace, question)

/** More texts than are read as fast from the store. */
async function fill(engine: Engine): Promise<void> {
  const { journal } = createEmbeddedMemoryStores(engine)
  const one = (at: number) =>
    item(`${at % 7 === 0 ? 'boat' : 'sea'} ${at}`, { vector: unit(1, (at % 90) / 100), session: `${at % 5}` })
  for (let at = 0; at < 2_600; at += 100)
    await Promise.all(Array.from({ length: 100 }, (_, next) => journal.remember(namespace, one(at + next))))
}

test('a store that is closed keeps its large indexes for the next run, which takes them once', async () => {
  await withDirectory(async (directory) => {
    const first = await openEngine({ directory })
    await fill(first)
    const { episodic, journal } = createEmbeddedMemoryStores(first)
    await journal.remember(namespace, item('secret boat', { vector: unit(1), session: 'hidden' }))
    await search(first)
    // Nobody asks after that: the index in memory still has it.
    await episodic.remove(namespace, { ...everything, ids: [chunkId('secret boat')] })
    await first.close()
    const [kept = ''] = snapshotIn(directory)
    const bytes = readFileSync(join(directory, kept))
    assert.ok(bytes.includes(Buffer.from('boat', 'utf16le')))
    assert.equal(bytes.includes(Buffer.from('secret', 'utf16le')), false)
    assert.equal(bytes.includes('hidden'), false)

    const second = await openEngine({ directory })
    assert.deepEqual(snapshotIn(directory), ['indexes'])
    await second.read('index.loadLarge', load)
    assert.deepEqual(snapshotIn(directory), [])
    const found = await search(second)
    assert.equal((await second.read('index.state')).loads, 1)
    const little = createEmbeddedMemoryStores(second, { indexBudgetBytes: 1 }).episodic
    await little.search(namespace, question)
    assert.deepEqual(await little.search(namespace, question), found)
    const stores = createEmbeddedMemoryStores(second)
    await stores.journal.remember(namespace, item('red boat', { vector: unit(1, 1) }))
    const { hits } = await search(second)
    assert.ok(hits.some(({ chunk }) => chunk.text === 'red boat'))
    await second.close()
    assert.equal(snapshotIn(directory).length, 1)

    // Whoever opens it and searches nothing leaves nothing that could be out of date.
    await (await openEngine({ directory })).close()
    assert.deepEqual(snapshotIn(directory), [])
  })
})

test('kept indexes of another state of the store, or half of them, are not taken', async () => {
  await withDirectory(async (directory) => {
    const first = await openEngine({ directory })
    await fill(first)
    const before = await search(first)
    await first.close()
    const [kept = ''] = snapshotIn(directory)
    const whole = readFileSync(join(directory, kept))
    const spoilt = Buffer.from(whole)
    spoilt[whole.length - 5_000] = (whole.at(-5_000) ?? 0) ^ 1
    for (const damaged of [whole.subarray(0, 100_000), spoilt]) {
      const [name = ''] = snapshotIn(directory)
      writeFileSync(join(directory, name), damaged)
      const again = await openEngine({ directory })
      await again.read('index.loadLarge', load)
      assert.equal((await again.read('index.state')).loads, 2)
      assert.deepEqual(await search(again), before)
      await again.close()
      assert.equal(readFileSync(join(directory, snapshotIn(directory)[0] ?? '')).length, whole.length)
    }
    // As after somebody put another database there.
    utimesSync(join(directory, 'memory.db'), 1, 1)
    const third = await openEngine({ directory })
    assert.equal(existsSync(join(directory, 'indexes')), false)
    assert.deepEqual(await search(third), before)
    await third.close()
  })
})

test('what was put away before the last change of the store is gone', async () => {
  await withDirectory(async (directory) => {
    await (await openEngine({ directory })).close()
    for (const change of [4, 5]) writeFileSync(join(directory, `indexes.part-${change}`), '')
    publishSnapshot(directory, 5)
    const { size, mtimeNs } = statSync(join(directory, 'memory.db'), { bigint: true })
    assert.deepEqual(snapshotIn(directory), [`indexes-${size}-${mtimeNs}`])
  })
})

test('what else lies in the directory stays, and stops neither a start nor a stop', async () => {
  await withDirectory(async (directory) => {
    writeFileSync(join(directory, 'indexes.json'), '{}')
    for (const name of ['indexes', 'indexes-1-2', 'indexes.part-0']) mkdirSync(join(directory, name))
    const engine = await openEngine({ directory })
    await engine.read('index.loadLarge', load)
    await engine.close()
    assert.equal(readFileSync(join(directory, 'state'), 'utf8'), 'closed')
    assert.ok(existsSync(join(directory, 'indexes.json')))
  })
})
