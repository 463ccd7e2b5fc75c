import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { asNamespace } from '../../../../core/ids.ts'
import { dot } from '../../../../core/vectors.ts'
import { chunkId, everything, item, unit } from '../../../contracts/journal-drafts.ts'
import { filesIn } from '../../engine/directory.ts'
import { type Engine, openEngine } from '../../engine/engine.ts'
import { snapshotFiles } from '../../engine/snapshot-files.ts'
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

function keep(index: ResidentIndex, file: string): void {
  const stream = snapshotWriter()
  index.serialize(stream)
  writeFileSync(file, '')
  for (const piece of stream.pieces()) appendFileSync(file, piece)
}

function kept(file: string): ResidentIndex {
  const index = createSearchIndex(createScanArena())
  const read = openSync(file, 'r')
  index.serialize(snapshotReader(read))
  closeSync(read)
  return index
}

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
        index.purge()
        keep(index, file)
        const again = kept(file)
        assert.deepEqual({ said: answers(again, texts), near: neighbours(again, texts) }, before)
        const all = [...texts, ...later]
        for (const [at, text] of later.entries()) {
          index.add(entryOf(texts.length + at, text))
          again.add(entryOf(texts.length + at, text))
        }
        assert.deepEqual(answers(again, all), answers(index, all))
        const bytes = readFileSync(file)
        const left = texts.filter(({ isRemoved }) => !isRemoved)
        for (const [at, word] of words.entries())
          if (!left.some(({ said }) => said.includes(at)))
            assert.equal(bytes.includes(Buffer.from(word, 'utf16le')), false, word)
        for (const name of ['shared', 'work', 'monday', 'tuesday'])
          if (!left.some(({ persona, thread }) => persona === name || thread === name))
            assert.equal(bytes.includes(name), false, name)
      }),
      { numRuns: 300 },
    )
  })
})

test('[IS5] an index that changes while it is written is kept as it was, and follows the changes', async () => {
  await withDirectory(async (directory) => {
    const file = join(directory, 'kept')
    const many = fc.array(told, { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(many, many, fc.array(fc.nat(79)), (texts, later, removed) => {
        const index = createSearchIndex(createScanArena())
        for (const [at, text] of texts.entries()) index.add(entryOf(at, text))
        for (const at of removed) if (at % 2 === 0) index.remove(at + 1)
        const change = (changed: ResidentIndex) => {
          for (const [at, text] of later.entries()) changed.add(entryOf(texts.length + at, text))
          for (const at of removed) changed.remove(at + 1)
        }
        const stream = snapshotWriter()
        index.serialize(stream)
        change(index)
        writeFileSync(file, '')
        for (const piece of stream.pieces()) appendFileSync(file, piece)
        const again = kept(file)
        change(again)
        const all = [...texts, ...later].map((text, at) => ({ ...text, isRemoved: removed.includes(at) }))
        assert.deepEqual(answers(again, all), answers(index, all))
        assert.deepEqual(neighbours(again, all), neighbours(index, all))
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
      index.purge()
      keep(index, file)
      return readFileSync(file)
    }
    assert.ok(keptWithout('boat boat sea red').equals(keptWithout('at dawn')))
  })
})

const namespace = asNamespace('mine')
const question = { vector: unit(1, 1), terms: ['boat', 'red'], personas: null, nearest: 5, lexical: 5 }
const load = { budgetBytes: 2 ** 28 }
const indexesIn = (directory: string) => readdirSync(directory).filter((name) => name.startsWith('indexes'))

const storesOn = (engine: Engine) => createEmbeddedMemoryStores(engine)
const search = (engine: Engine) => storesOn(engine).episodic.search(namespace, question)
const forget = (engine: Engine, ...names: string[]) =>
  storesOn(engine).episodic.remove(namespace, { ...everything, ids: names.map(chunkId) })

const nameOf = (at: number) => `${at % 7 === 0 ? 'boat' : 'sea'} ${at}`

/** More texts than are read as fast from the store. */
async function fill(engine: Engine, from = 0, to = 2_600, into = namespace): Promise<void> {
  const { journal } = storesOn(engine)
  const one = (at: number) => item(nameOf(at), { vector: unit(1, (at % 90) / 100), session: `${at % 5}` })
  for (let at = from; at < to; at += 100)
    await Promise.all(Array.from({ length: 100 }, (_, next) => journal.remember(into, one(at + next))))
}

/** The snapshot that is good now, once it is another one than that of before. */
async function written(directory: string, before: string | null = null): Promise<string> {
  const db = new DatabaseSync(filesIn(directory).database, { readOnly: true })
  try {
    for (let tries = 0; tries < 500; tries++) {
      const file = snapshotFiles(directory).find(db)?.file ?? null
      if (file !== null && file !== before) return file
      await wait(20)
    }
    throw new Error('No snapshot was written.')
  } finally {
    db.close()
  }
}

/** The directory as kill -9 leaves it: nothing writes to it now. */
function crashed(directory: string, name = 'crashed'): string {
  const copy = join(directory, name)
  mkdirSync(copy)
  const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile())
  for (const { name: file } of files)
    if (!file.endsWith('-shm')) copyFileSync(join(directory, file), join(copy, file))
  return copy
}

function change(directory: string, sql: string): void {
  const db = new DatabaseSync(filesIn(directory).database)
  db.exec(sql)
  db.close()
}

/** What the indexes of a crashed store say, and those that are read from it without a snapshot. */
async function saidAfter(directory: string, mayLack = false) {
  const plain = crashed(directory, 'plain')
  for (const name of indexesIn(plain)) rmSync(join(plain, name), { recursive: true })
  const said = []
  for (const each of [directory, plain]) {
    const engine = await openEngine({ directory: each })
    const had = indexesIn(each).length
    await engine.read('index.loadLarge', load)
    said.push({ found: await search(engine), had })
    await engine.close()
  }
  rmSync(plain, { recursive: true })
  const [kept, read] = said
  assert.deepEqual(kept?.found, read?.found)
  if (!mayLack) assert.equal(kept?.had, 1)
  return kept
}

/** An open store whose large index was read from the database, and written beside the questions. */
async function withSnapshot(run: (directory: string, engine: Engine, file: string) => Promise<void>) {
  await withDirectory(async (directory) => {
    const engine = await openEngine({ directory })
    await fill(engine)
    await engine.read('index.loadLarge', load)
    await run(directory, engine, await written(directory))
    await engine.close()
  })
}

/** The words that a database has no more can be found in a snapshot alone. */
const withoutWords = "UPDATE memory_text SET terms = '' WHERE kind = 'chunk'"
const findsBoats = async (engine: Engine) => (await search(engine)).hits.some(({ bm25 }) => bm25 > 0)

test('[IS2] a large index that was read from the store is kept for the start after a crash', () =>
  withSnapshot(async (directory) => {
    const copy = crashed(directory)
    change(copy, withoutWords)
    const again = await openEngine({ directory: copy })
    await again.read('index.loadLarge', load)
    assert.equal(await findsBoats(again), true)
    assert.equal(indexesIn(copy).length, 1)
    await again.close()
    // It serves the next crash, too.
    const third = await openEngine({ directory: copy })
    await third.read('index.loadLarge', load)
    assert.equal(await findsBoats(third), true)
    await third.close()
  }))

test('[IS3] what came and went after the snapshot is right after a crash', () =>
  withSnapshot(async (directory, engine, file) => {
    const { journal, episodic } = storesOn(engine)
    const best = (await search(engine)).hits.map(({ chunk }) => chunk.text)
    await forget(engine, ...best.slice(0, 2))
    await journal.remember(namespace, item('red boat', { vector: unit(1, 1), session: '1' }))
    await episodic.upgrade(namespace, chunkId(nameOf(7)), 'user', 0.5, 2_000_000)
    const copy = crashed(directory)
    assert.deepEqual(indexesIn(copy), [file.slice(directory.length + 1)])
    const said = await saidAfter(copy)
    const texts = said?.found.hits.map(({ chunk }) => chunk.text) ?? []
    assert.ok(texts.includes('red boat'))
    assert.ok(!best.slice(0, 2).some((text) => texts.includes(text)))
  }))

test('[IS3] a vector that was replaced after the snapshot is asked for, not the one in it', () =>
  withSnapshot(async (directory, engine) => {
    const text = { kind: 'chunk' as const, namespace, id: chunkId(nameOf(14)), text: '' }
    await storesOn(engine).vectors.replace([{ text, vector: unit(1, 1), tokens: null }])
    const said = await saidAfter(crashed(directory))
    assert.ok(said?.found.hits.some(({ chunk }) => chunk.text === nameOf(14)))
    // No question has to wait for that.
    const again = await openEngine({ directory: crashed(directory, 'again') })
    await again.read('index.loadLarge', load)
    while ((await again.read('index.state')).loads < 2) await wait(10)
    await again.close()
  }))

test('[IS3] a snapshot is not taken once the log of changes does not reach back to it', () =>
  withSnapshot(async (directory, engine) => {
    await forget(engine, nameOf(7))
    const copy = crashed(directory)
    change(
      copy,
      "DELETE FROM memory_change WHERE change <= (SELECT change FROM memory_change WHERE kind = 'snapshot')",
    )
    assert.equal((await saidAfter(copy, true))?.had, 0)
  }))

test('[IS1] a snapshot of another state of the store is not taken', () =>
  withSnapshot(async (directory, engine) => {
    const older = crashed(directory, 'older')
    await fill(engine, 2_600, 5_200)
    await search(engine)
    const newer = await written(directory, join(directory, indexesIn(older)[0] ?? ''))
    // Somebody puts an older database there, and it went on differently.
    for (const name of indexesIn(older)) rmSync(join(older, name))
    copyFileSync(newer, join(older, newer.slice(directory.length + 1)))
    const branch = await openEngine({ directory: older })
    assert.deepEqual(indexesIn(older), [])
    await branch.close()
  }))

test('[IS1] a snapshot that is torn, damaged or of another format is not taken, and written anew', () =>
  withSnapshot(async (directory, engine, file) => {
    const found = await search(engine)
    const whole = readFileSync(file)
    const spoilt = Buffer.from(whole)
    spoilt[whole.length - 5_000] = (whole.at(-5_000) ?? 0) ^ 1
    const otherFormat = Buffer.from(whole)
    otherFormat.writeDoubleLE(2, 0)
    for (const damaged of [whole.subarray(0, 100_000), whole.subarray(0, 0), spoilt, otherFormat]) {
      const copy = crashed(directory)
      const name = join(copy, file.slice(directory.length + 1))
      writeFileSync(name, damaged)
      const again = await openEngine({ directory: copy })
      await again.read('index.loadLarge', load)
      assert.deepEqual(await search(again), found)
      assert.equal(readFileSync(await written(copy, name)).length, whole.length)
      assert.deepEqual(await search(again), found)
      await again.close()
      rmSync(copy, { recursive: true })
    }
  }))

test('[IS1] a snapshot that does not fit into the budget stays for a start with more', () =>
  withSnapshot(async (directory, engine) => {
    const found = await search(engine)
    const copy = crashed(directory)
    change(copy, withoutWords)
    const again = await openEngine({ directory: copy })
    await again.read('index.loadLarge', { budgetBytes: 1 })
    const little = createEmbeddedMemoryStores(again, { indexBudgetBytes: 1 }).episodic
    const { hits } = await little.search(namespace, question)
    assert.deepEqual(
      hits.slice(0, 5).map(({ cosine }) => cosine),
      found.hits.slice(0, 5).map(({ cosine }) => cosine),
    )
    await again.read('index.loadLarge', load)
    assert.deepEqual(await search(again), found)
    await again.close()
  }))

test('[IS5] a snapshot is written anew when much is new, not for a few texts', () =>
  withSnapshot(async (directory, engine, file) => {
    await fill(engine, 2_600, 3_000)
    await search(engine)
    await wait(100)
    assert.equal(await written(directory), file)
    await fill(engine, 3_000, 5_200)
    await search(engine)
    await written(directory, file)
    assert.equal(indexesIn(directory).length, 1)
    await saidAfter(crashed(directory))
  }))

test('[IS5] a snapshot is written anew before the log of changes leaves it behind', () =>
  withSnapshot(async (directory, engine, file) => {
    const others = (count: number) =>
      change(
        directory,
        `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
INSERT INTO memory_change (namespace, kind, seq, replaced) SELECT 'other', 'chunk', i, 0 FROM n`,
      )
    others(40_000)
    await search(engine)
    await wait(100)
    assert.equal(await written(directory), file)
    others(10_000)
    await search(engine)
    await written(directory, file)
  }))

test('[IS6] what a stop writes holds nothing of what was removed; without news it writes nothing', () =>
  withDirectory(async (directory) => {
    const first = await openEngine({ directory })
    await fill(first)
    await storesOn(first).journal.remember(
      namespace,
      item('secret boat', { vector: unit(1), session: 'hidden' }),
    )
    await first.read('index.loadLarge', load)
    const beside = await written(directory)
    assert.ok(readFileSync(beside).includes(Buffer.from('secret', 'utf16le')))
    // Nobody asks after that: the index in memory still has it.
    await forget(first, 'secret boat')
    await first.close()
    const stopped = await written(directory)
    assert.notEqual(stopped, beside)
    const bytes = readFileSync(stopped)
    assert.ok(bytes.includes(Buffer.from('boat', 'utf16le')))
    assert.equal(bytes.includes(Buffer.from('secret', 'utf16le')), false)
    assert.equal(bytes.includes('hidden'), false)

    const second = await openEngine({ directory })
    await second.read('index.loadLarge', load)
    const found = await search(second)
    const little = createEmbeddedMemoryStores(second, { indexBudgetBytes: 1 }).episodic
    await little.search(namespace, question)
    assert.deepEqual(await little.search(namespace, question), found)
    await second.close()
    const third = await openEngine({ directory })
    await third.read('index.loadLarge', load)
    await search(third)
    await third.close()
    // Whoever opens it and searches nothing leaves it as it is.
    await (await openEngine({ directory })).close()
    assert.equal(await written(directory), await written(directory, beside))
  }))

const tellSecret = (engine: Engine) =>
  storesOn(engine).journal.remember(namespace, item('secret boat', { vector: unit(1), session: 'hidden' }))

/** A store of which something was forgotten, and the snapshot that was written after that, between the questions. */
async function forgottenBefore(directory: string) {
  const first = await openEngine({ directory })
  await fill(first)
  await tellSecret(first)
  await first.read('index.loadLarge', load)
  const before = await written(directory)
  await forget(first, 'secret boat')
  await fill(first, 2_600, 5_200)
  await search(first)
  return { first, beside: await written(directory, before) }
}

test('[IS6] a stop leaves nothing of what was removed where a snapshot was written after it was', () =>
  withDirectory(async (directory) => {
    const { first, beside } = await forgottenBefore(directory)
    await first.close()
    assert.equal(readFileSync(await written(directory, beside)).includes('secret', 'utf16le'), false)
  }))

test('[IS6] a stop leaves nothing of what was removed after a crash, and is written once for it', () =>
  withDirectory(async (directory) => {
    const { first, beside } = await forgottenBefore(directory)
    const copy = crashed(directory)
    await first.close()

    const again = await openEngine({ directory: copy })
    await again.read('index.loadLarge', load)
    await search(again)
    await again.close()
    const stopped = await written(copy, join(copy, beside.slice(directory.length + 1)))
    assert.equal(readFileSync(stopped).includes('secret', 'utf16le'), false)
    const third = await openEngine({ directory: copy })
    await third.read('index.loadLarge', load)
    await search(third)
    await third.close()
    assert.equal(await written(copy), stopped)
  }))

test('[IS6] what was removed while a snapshot was written is known to be in it', () =>
  withSnapshot(async (directory, engine, file) => {
    const db = new DatabaseSync(filesIn(directory).database, { readOnly: true })
    const files = snapshotFiles(directory)
    const begun = files.find(db)
    assert.deepEqual([begun?.file, begun?.isPure], [file, true])
    await forget(engine, nameOf(7))
    assert.equal(files.find(db)?.isPure, false)
    const next = files.create()
    copyFileSync(file, next)
    files.publish(next, { isPure: true, change: begun?.change ?? 0 }, 1_000)
    const found = files.find(db)
    assert.deepEqual([found?.file, found?.isPure], [next, false])
    db.close()
  }))

test('[IS6] a stop removes the snapshot of texts that are all gone', () =>
  withSnapshot(async (directory, engine) => {
    await storesOn(engine).episodic.remove(namespace, everything)
    const copy = crashed(directory)
    await engine.close()
    assert.deepEqual(indexesIn(directory), [])

    // After a crash nobody asks for them, and they take no room.
    const again = await openEngine({ directory: copy })
    await again.read('index.loadLarge', load)
    assert.equal((await again.read('index.state')).bytes, 0)
    await again.close()
    assert.deepEqual(indexesIn(copy), [])
  }))

test('[IS6] what does not fit into the budget keeps nothing of what was removed after a stop', () =>
  withSnapshot(async (directory, engine) => {
    await tellSecret(engine)
    await search(engine)
    await engine.close()
    assert.ok(readFileSync(await written(directory)).includes('secret', 'utf16le'))
    const again = await openEngine({ directory })
    await again.read('index.loadLarge', { budgetBytes: 1 })
    await forget(again, 'secret boat')
    await again.close()
    assert.deepEqual(indexesIn(directory), [])
  }))

test('[IS2] what took less room than was expected of it is taken back', () =>
  withDirectory(async (directory) => {
    // Both fit, and would not if each took what is expected.
    const little = { budgetBytes: 3_600_000 }
    const other = asNamespace('other')
    const ask = (engine: Engine, asked = namespace) =>
      createEmbeddedMemoryStores(engine, { indexBudgetBytes: little.budgetBytes }).episodic.search(
        asked,
        question,
      )
    const first = await openEngine({ directory })
    await fill(first)
    await fill(first, 0, 2_600, other)
    for (const asked of [namespace, other, namespace]) await ask(first, asked)
    await first.close()
    change(directory, withoutWords)
    const again = await openEngine({ directory })
    await again.read('index.loadLarge', little)
    for (const asked of [namespace, other])
      assert.ok(
        (await ask(again, asked)).hits.some(({ bm25 }) => bm25 > 0),
        asked,
      )
    await again.close()
  }))

test('[IS5] a stop keeps what no question needed yet', () =>
  withSnapshot(async (directory, engine, file) => {
    await fill(engine, 0, 2_600, asNamespace('other'))
    await storesOn(engine).episodic.search(asNamespace('other'), question)
    await engine.close()
    const both = await written(directory, file)
    const again = await openEngine({ directory })
    void again.read('index.loadLarge', load)
    void search(again)
    await again.close()
    assert.equal(await written(directory), both)
  }))

test('[IS4] what a crash left half written, and what earlier versions wrote, is gone; what else lies there stays', () =>
  withSnapshot(async (directory, _engine, file) => {
    const copy = crashed(directory)
    const half = file.replace(/.{4}$/, '0000').slice(directory.length + 1)
    for (const name of [half, 'indexes-1-2', 'indexes.part-0']) writeFileSync(join(copy, name), '')
    mkdirSync(join(copy, 'indexes'))
    writeFileSync(join(copy, 'indexes.json'), '{}')
    const engine = await openEngine({ directory: copy })
    const left = ['indexes', file.slice(directory.length + 1), 'indexes.json']
    assert.deepEqual(indexesIn(copy).sort(), left.sort())
    await engine.read('index.loadLarge', load)
    await engine.close()
    assert.equal(readFileSync(filesIn(copy).state, 'utf8'), 'closed')
  }))

const modules = ['../../engine/engine.ts', '../stores.ts', '../../../contracts/journal-drafts.ts']

test('[IS4] a process that is killed while it tells, forgets and writes snapshots leaves a store that answers right', () =>
  withDirectory(async (directory) => {
    const program = `
      const [{ openEngine }, { createEmbeddedMemoryStores }, { chunkId, everything, item, unit }] = await Promise.all(
        ${JSON.stringify(modules.map((name) => new URL(name, import.meta.url).href))}.map((name) => import(name)))
      const engine = await openEngine({ directory: ${JSON.stringify(directory)} })
      const { episodic, journal } = createEmbeddedMemoryStores(engine)
      const load = engine.read('index.loadLarge', { budgetBytes: 2 ** 28 })
      for (let at = 0; ; at++) {
        const name = 'boat ' + at
        await Promise.all(Array.from({ length: 50 }, (_, next) =>
          journal.remember('mine', item(name + '-' + next, { vector: unit(1, next / 50), session: 's' }))))
        const question = { vector: unit(1, 1), terms: ['boat'], personas: null, nearest: 5, lexical: 5 }
        const { hits } = await episodic.search('mine', question)
        await episodic.remove('mine', { ...everything, ids: [hits[0].chunk.id] })
        console.log(at)
      }`
    for (const kills of [100, 10]) {
      const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      for await (const line of createInterface({ input: child.stdout }))
        if (Number(line) === kills) child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      await saidAfter(crashed(directory))
      rmSync(join(directory, 'crashed'), { recursive: true })
    }
  }))
