import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import asc from 'assemblyscript/asc'
import fc from 'fast-check'
import { dot, normalize, type Vector } from '../../../core/vectors.ts'
import { createScanArena, type KernelName, layoutFor, loadKernel } from './arena.ts'
import { createBest } from './best.ts'
import { createQuantizedRows } from './quantized-rows.ts'
import { readRounded, roundVector } from './rounded.ts'

const builds: Readonly<Record<KernelName, readonly string[]>> = {
  'scan.wasm': [],
  'scan-relaxed.wasm': ['--enable', 'relaxed-simd'],
}
const options = ['-O3', '--enable', 'simd', '--runtime', 'stub', '--noAssert', '--importMemory']

for (const [name, features] of Object.entries(builds)) {
  test(`the committed ${name} is what its source compiles to`, async () => {
    const source = readFileSync(new URL('./scan.kernel.ts', import.meta.url), 'utf8')
    let compiled: Uint8Array = new Uint8Array()
    const { error, stderr } = await asc.main(['scan.kernel.ts', '-o', name, ...options, ...features], {
      readFile: (asked) => (asked === 'scan.kernel.ts' ? source : null),
      writeFile: (_name, contents) => {
        if (contents instanceof Uint8Array) compiled = contents
      },
    })
    assert.equal(error, null, stderr.toString())
    assert.deepEqual(Buffer.from(compiled), readFileSync(new URL(`./${name}`, import.meta.url)))
  })
}

const vectorOf = (dimensions: number) =>
  fc
    .array(fc.float({ min: -1, max: 1, noNaN: true }), { minLength: dimensions, maxLength: dimensions })
    .map((values) => normalize(Float32Array.from(values)))

const spaces = fc.constantFrom(1, 7, 16, 33, 384).chain((dimensions) =>
  fc.record({
    dimensions: fc.constant(dimensions),
    question: vectorOf(dimensions),
    vectors: fc.array(vectorOf(dimensions), { minLength: 1, maxLength: 40 }),
  }),
)

const rounded = (vector: Vector) => readRounded(roundVector(vector))

/** Every row that the scan shows while nothing raises the floor. */
function shown(vectors: readonly Vector[], question: Vector, arena = createScanArena()) {
  const rows = createQuantizedRows(arena, question.length)
  for (const vector of vectors) rows.append(rounded(vector))
  const seen: { row: number; value: number; margin: number }[] = []
  rows.scan(question, (row, value, margin) => {
    seen.push({ row, value, margin })
    return Number.NEGATIVE_INFINITY
  })
  return seen
}

test('an estimate is never further from the exact product than its margin says', () => {
  fc.assert(
    fc.property(spaces, ({ vectors, question }) => {
      const seen = shown(vectors, question)
      assert.deepEqual(
        seen.map(({ row }) => row),
        [...vectors.keys()],
      )
      for (const { row, value, margin } of seen) {
        const exact = dot(question, vectors[row] ?? question)
        assert.ok(Math.abs(exact - value) <= margin, `${exact} is not within ${margin} of ${value}`)
      }
    }),
    { numRuns: 25 },
  )
})

test('both builds of the kernel give the same numbers, at the ends of the range too', () => {
  const relaxed = createScanArena(loadKernel('scan-relaxed.wasm'))
  const plain = createScanArena(loadKernel('scan.wasm'))
  const extreme = (dimensions: number) =>
    fc
      .array(fc.constantFrom(-1, 1), { minLength: dimensions, maxLength: dimensions })
      .map((values) => Float32Array.from(values))
  const extremes = fc.record({
    question: extreme(384),
    vectors: fc.array(extreme(384), { minLength: 1, maxLength: 20 }),
  })
  fc.assert(
    fc.property(fc.oneof(spaces, extremes), ({ vectors, question }) => {
      assert.deepEqual(shown(vectors, question, relaxed), shown(vectors, question, plain))
    }),
    { numRuns: 50 },
  )
})

test('the coarse question is as exact in integers as the fine one', () => {
  for (const name of Object.keys(builds) as KernelName[]) {
    const arena = createScanArena(loadKernel(name))
    const layout = layoutFor(32)
    const block = arena.allocate()
    const values = Int8Array.from({ length: 32 }, (_, at) => (at % 2 ? 127 : -127))
    arena.store(block, layout, 0, { values, scale: 1, error: 0, sum: 0, length: 1 })
    const asked = Int8Array.from({ length: 32 }, (_, at) => (at % 2 ? 63 : -63))
    arena.ask(
      asked.map((value) => value + 64),
      Int16Array.from(asked),
    )
    // A floor of exactly the product is reached; the next larger number is not, by the coarse question alone.
    const product = 32 * 63 * 127
    const reached = (coarse: number, floor: number) =>
      arena.scan(block, layout, 1, {
        ...{ coarse: { scale: coarse, fixed: 0 }, fine: { scale: 1, fixed: 1e9 }, factor: 1, floor },
      }).count
    assert.deepEqual([reached(1, product), reached(1, product + 1)], [1, 0], name)
  }
})

test('margins are small: an unrelated vector does not reach the floor of a related one', () => {
  const wave = (step: number) => normalize(Float32Array.from({ length: 384 }, (_, at) => Math.sin(at * step)))
  for (const { margin } of shown([wave(0.1), wave(0.7), wave(1.3)], wave(2.1)))
    assert.ok(margin < 0.02, `${margin}`)
})

test('the scan leaves out only rows that cannot reach the floor, over many blocks', () => {
  const { rows: rowsPerBlock } = layoutFor(384)
  const vectors = Array.from({ length: rowsPerBlock * 3 + 5 }, (_, row) =>
    normalize(Float32Array.from({ length: 384 }, (_, at) => Math.sin((row + 1) * (at + 1) * 0.37))),
  )
  const question = normalize(Float32Array.from({ length: 384 }, (_, at) => Math.cos(at * 0.11)))
  const rows = createQuantizedRows(createScanArena(), 384)
  for (const vector of vectors) rows.append(rounded(vector))
  const best = createBest(10)
  const seen = new Set<number>()
  rows.scan(question, (row, value, margin) => {
    best.add(value - margin)
    seen.add(row)
    return best.floor
  })
  const ranked = [...vectors.keys()].sort(
    (a, b) => dot(question, vectors[b] ?? question) - dot(question, vectors[a] ?? question),
  )
  for (const row of ranked.slice(0, 10)) assert.ok(seen.has(row), `row ${row} was left out`)
  assert.ok(seen.size < vectors.length / 2, `${seen.size} rows were shown`)
})

test('a released block is used again, and empty', () => {
  const arena = createScanArena()
  const block = arena.allocate()
  arena.store(block, layoutFor(16), 0, {
    values: new Int8Array(16).fill(7),
    scale: 1,
    error: 1,
    sum: 112,
    length: 28,
  })
  arena.release(block)
  assert.equal(arena.allocate(), block)
  arena.ask(new Int8Array(16).fill(65), new Int16Array(16).fill(1))
  const exactly = { scale: 1, fixed: 0 }
  const bounds = { coarse: exactly, fine: exactly, factor: 1, floor: Number.NEGATIVE_INFINITY }
  const found = arena.scan(block, layoutFor(16), 1, bounds)
  assert.deepEqual([found.count, found.value(0), found.margin(0)], [1, 0, 0])
})

test('a vector of another length, or with a value that is no number, is refused', () => {
  const rows = createQuantizedRows(createScanArena(), 3)
  assert.throws(() => rows.append(rounded(Float32Array.of(1, 0))), /2 dimensions/)
  assert.throws(() => roundVector(Float32Array.of(1, 0, Number.NaN)), /no number/)
  rows.append(rounded(Float32Array.of(1, 0, 0)))
  assert.throws(() => rows.scan(Float32Array.of(1), () => 0), /1 dimensions/)
  assert.equal(rows.count, 1)
})

test('the best keeps the largest numbers it is shown', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true })), fc.integer({ min: 1, max: 20 }), (numbers, limit) => {
      const best = createBest(limit)
      for (const number of numbers) best.add(number)
      const expected = numbers.toSorted((a, b) => b - a)[limit - 1] ?? Number.NEGATIVE_INFINITY
      assert.equal(best.floor + 0, expected + 0)
    }),
  )
})
