import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { readConfig } from '../src/config.ts'
import { asNamespace } from '../src/core/ids.ts'
import { dot } from '../src/core/vectors.ts'
import type { IngestReply } from '../src/memory/memory.ts'
import { createLog } from '../src/observe/log.ts'
import { loadModels } from '../src/service/models.ts'
import { anItem, openSmallMemory } from './support/small-memory.ts'
import { vectorsOnly } from './support/vectors-only.ts'

// Ingest with the models that memoryd ships with: what is stored again, and what is skipped as a repetition.
const { config } = readConfig({})
if (config === null) throw new Error('the default configuration is invalid')
const { embedder, extractor, close } = await loadModels(
  config,
  createLog('fatal', () => {}),
)
after(close)

/** The same vector for every text, so that words alone decide. */
const blindEmbedder = {
  identity: embedder.identity,
  ...vectorsOnly(async (texts) => texts.map(() => oneVector)),
}
const oneVector = new Float32Array(embedder.identity.dimensions).fill(
  1 / Math.sqrt(embedder.identity.dimensions),
)

const shipped = openSmallMemory({ parts: { embedder, extractor } })
/** Facts are not at issue where thousands of texts are told. */
const fast = openSmallMemory({ parts: { embedder } })
const blind = openSmallMemory({ parts: { embedder: blindEmbedder } })

let accounts = 0

/** Tells two texts to an account of their own; the reply to the second. */
async function tell({ memory }: typeof shipped, [first, second]: Pair): Promise<IngestReply> {
  const namespace = asNamespace(`account ${accounts++}`)
  await memory.ingest(namespace, anItem(first))
  return memory.ingest(namespace, anItem(second))
}

type Pair = readonly [first: string, second: string]

async function skippedOf(memory: typeof shipped, pairs: readonly Pair[]): Promise<readonly Pair[]> {
  const skipped: Pair[] = []
  for (const pair of pairs) if ((await tell(memory, pair)).deduplicated) skipped.push(pair)
  return skipped
}

const frames = [
  'The wifi password is {}.',
  'The safe word is {}.',
  'My username is {}',
  'My dog is called {}.',
]

function filled(frame: string, values: Pair): Pair {
  const [a, b] = frame.includes('called')
    ? values.map((value) => value.replace(/^./, (c) => c.toUpperCase()))
    : values
  return [frame.replace('{}', a ?? ''), frame.replace('{}', b ?? '')]
}

describe('a value replaced by another is stored', () => {
  const synonyms = readFileSync(path.join(import.meta.dirname, 'support/synonyms.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line): Pair[] => {
      const [first = '', ...others] = line.split(' ')
      return others.map((other) => [first, other])
    })
  const pairs = frames.flatMap((frame) => synonyms.map((values) => filled(frame, values)))

  test('in over 1,000 pairs whose values mean about the same', async () => {
    assert.ok(pairs.length > 1_000)
    assert.deepEqual(await skippedOf(fast, pairs), [])
  })

  test('in the same pairs where every cosine is 1', async () => {
    assert.deepEqual(await skippedOf(blind, pairs), [])
    assert.deepEqual(await skippedOf(blind, [['I live in Rome', 'i live in Rome!']]), [
      ['I live in Rome', 'i live in Rome!'],
    ])
  })

  test('in sentences that a thesaurus took for repetitions', async () => {
    const lines = `
      My wifi password is couch | My wifi password is sofa
      The safe word is taxi | The safe word is cab
      My dog is called Cookie | My dog is called Biscuit
      My daughter is called Autumn | My daughter is called Fall
      My cat is called Buddy | My cat is called Pal
      My username is mommy | My username is mama
      I play football | I play soccer
      I am extremely allergic to nuts | I am fairly allergic to nuts
      I am completely deaf | I am fairly deaf
      My brother works as a hairdresser | My brother works as a barber
      Piano lessons start at 6 | Piano lessons start at the age of 6
      I live at 12 Church Street | I live at 12 Church Saint
      My favourite band is Duran Duran | My favourite band is Duran`
    const told = lines
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' | ') as unknown as Pair)
    assert.deepEqual(await skippedOf(shipped, told), [])
  })

  test('whatever the text, the word and the value', async () => {
    const value = fc.oneof(
      fc.stringMatching(/^[a-z]{3,8}$/),
      fc.nat(9_999).map(String),
      fc.stringMatching(/^[A-Z][a-z]{3,7}$/),
      fc.constantFrom('not', 'never', 'Monday', 'Tuesday', '8:12', '8:21', '-5', '5', 'C', 'C++'),
    )
    const differ = ([a, b]: Pair) => a.toLowerCase() !== b.toLowerCase()
    const text = fc.record({
      before: fc.constantFrom(
        'My sister Maria said that the plan is',
        'I always keep',
        'The code for the',
        'On Friday we chose',
      ),
      values: fc.tuple(value, value).filter(differ),
      after: fc.constantFrom('.', ' for the trip to Lisbon.', ' since 2019', ' and nothing else'),
    })
    await fc.assert(
      fc.asyncProperty(text, async ({ before, values, after: rest }) => {
        const [a, b] = values
        const pair: Pair = [`${before} ${a}${rest}`, `${before} ${b}${rest}`]
        assert.equal((await tell(fast, pair)).deduplicated, false, pair.join(' | '))
      }),
      { numRuns: 60 },
    )
  })
})

const statements = [
  'I am allergic to peanuts and shellfish.',
  'My sister lives in Porto with her two kids.',
  "I don't eat meat because of my health.",
  'My dog is called Rex and he is a labrador.',
  "I can't drive because of my eyesight.",
  'I have two brothers and one sister.',
  'I moved to Berlin in 2021 for a new job.',
  "I've been studying Spanish for three years.",
  'Every morning I run five kilometres in the park.',
  'My rent is 1,950 euros per month.',
  'The wifi password at home is sunflower42.',
  'My husband is a software engineer at Siemens.',
  "I'm training for a marathon in October.",
  'We adopted a grey cat from the shelter.',
  'I prefer tea over coffee.',
]

/** Ways to write a statement that change its surface alone; those that do not apply return it as it is. */
const rewritings: Readonly<Record<string, (text: string) => string>> = {
  'no full stop': (text) => text.replace(/\.$/, ''),
  exclamation: (text) => text.replace(/([a-z])\.$/, '$1!!'),
  'lower case': (text) => (/[A-Z]\w*\d|\d\w*[A-Z]/.test(text) ? text : text.toLowerCase()),
  'white space': (text) => `  ${text.replaceAll(' ', '  ')}\n`,
  'curly apostrophe': (text) => text.replaceAll("'", '’'),
  'written out': (text) =>
    text
      .replace("don't", 'do not')
      .replace("can't", 'cannot')
      .replace("I've", 'I have')
      .replace("I'm", 'I am'),
  digits: (text) =>
    text
      .replace(' two ', ' 2 ')
      .replace(' one ', ' 1 ')
      .replace(' three ', ' 3 ')
      .replace(' five ', ' 5 ')
      .replace('1,950', '1950'),
}

describe('a repetition is skipped', () => {
  test('when it is exact, at any length, and says that the cosine is 1', async () => {
    const long = statements.join(' ').repeat(4)
    for (const text of [...statements, long]) {
      const reply = await tell(shipped, [text, text])
      assert.equal(reply.deduplicated, true, text)
      assert.match(reply.msg, /near-duplicate.*similarity 1\.00/)
    }
  })

  test('when it differs in surface alone and its cosine reaches 0.92; msg says the cosine that was measured', async (context) => {
    const counts = { skipped: 0, stored: 0 }
    for (const first of statements) {
      for (const [kind, rewrite] of Object.entries(rewritings)) {
        const second = rewrite(first)
        if (second === first) continue
        const [a, b] = await embedder.embed([first, second.trim()])
        assert.ok(a && b)
        const cosine = dot(a, b)
        const { deduplicated, msg } = await tell(fast, [first, second])
        assert.equal(deduplicated, cosine >= 0.92, `${kind}: ${second} (${cosine})`)
        if (deduplicated) assert.match(msg, new RegExp(`similarity ${cosine.toFixed(2)}`))
        counts[deduplicated ? 'skipped' : 'stored']++
      }
    }
    const all = counts.skipped + counts.stored
    context.diagnostic(
      `${counts.skipped} of ${all} skipped; ${counts.stored} are below cosine 0.92 and stored`,
    )
    assert.ok(counts.skipped >= 0.8 * all)
  })
})
