import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { isRepetition } from './find-duplicate.ts'
import { surfaceOf, unchangedLetters } from './surface.ts'

const pairsOf = (lines: string) =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' | '))

const isSame = ([a = '', b = '']: readonly string[]) => surfaceOf(a) === surfaceOf(b)

/** Two ways to write one text a line. */
const surface: Readonly<Record<string, string>> = {
  Unicode: `
    I’m “sure” | I'm "sure"
    Zoë lives here | Zoe\u0308 lives here
    The code is ４７１１ | The code is 4711
    It was −5 outside | It was -5 outside
    the ﬁrst oﬃce | the first office
    I like tea ❤\ufe0f | I like tea ❤
    co\u00adoperation | cooperation`,
  case: `
    I live in Lisbon. | i live in lisbon
    I LIVE IN LISBON!! | I live in Lisbon.
    Anna-Maria is here | anna-maria is here
    My Password Is Abc | my password is abc`,
  punctuation: `
    I like tea, not coffee. | I like tea; not coffee
    Yes, I moved to Rome, and I like it. | Yes I moved to Rome and I like it
    I met Anna, Maria and Tom. | I met Anna, Maria, and Tom!
    I met Dr. Weber. He is nice | I met Dr Weber! He is nice
    I live in Lisbon... | I live in Lisbon!
    My dog is called "Rex". | My dog is called Rex
    I run (on Mondays). | I run on Mondays
    It costs 50%. | It costs 50%
    東京に住んでいます。 | 東京に住んでいます
    Do you like tea? | do you like tea ?`,
  'white space': `
    I live in Lisbon | I   live\u00a0in\tLisbon`,
  contraction: `
    I don't like it | I do not like it
    I'm here and you're there | I am here and you are there
    I can't, I won't, I shan't | I cannot, I will not, I shall not
    We've met; they'll come | We have met; they will come
    It's late and that's fine | It is late and that is fine`,
  number: `
    I have two dogs | I have 2 dogs
    twenty-five people came | 25 people came
    My rent is 1,000 euros | My rent is 1000 euros
    It costs $1,250.50 | It costs $1250.50
    two hundred people came | 200 people came
    I earn three hundred thousand | I earn 300,000
    On the third floor | on the 3rd floor
    My twenty-first birthday | my 21st birthday
    One came | 1 came`,
}

for (const [kind, lines] of Object.entries(surface)) {
  test(`${kind} is surface`, () => {
    const pairs = pairsOf(lines)
    assert.ok(pairs.every((pair) => pair.length === 2))
    assert.deepEqual(
      pairs.filter((pair) => !isSame(pair)),
      [],
    )
  })
}

/** Two texts a line that differ in a sign or in case alone, and mean different things. */
const values = `
  It was -5 | It was 5
  It takes 3.5 | It takes 35
  It takes .5 | It takes 5
  version 1.2.3 | version 1.23
  write to a@b.c | write to ab.c
  I know C | I know C++
  I know C++ | I know C#
  The bus leaves at 8:12 | The bus leaves at 812
  I owe $5 | I owe 5
  I owe $5 | I owe €5
  It fell 50% | It fell 50
  See /etc/hosts | See etc/hosts
  See /Users/ana | See /users/ana
  See .env | See env
  cd .. | cd .
  My pin is 007 | My pin is 7
  It is version 2.1 | It is version 2.10
  10² metres | 102 metres
  10⁵ metres | 105 metres
  2ⁿ apples | 2n apples
  1½ cups | 11/2 cups
  My blood type is A+ | My blood type is A-
  My blood type is A - | My blood type is A
  The board is 5' long | The board is 5" long
  The board is 5' long | The board is 5 long
  The loss is (5) | The loss is 5
  The score was 3:1 | The score was 31
  The score was 3 : 1 | The score was 3 1
  The code is aB3x | The code is ab3x
  The code is b3x | The code is B3x
  The password is hunter2! | The password is hunter2
  The password is ABC | The password is abc
  The password is abC | The password is abc
  The password is tHree | The password is three
  My IPHONE | My iPhone
  I moved to the US | I moved to us
  follow #rust | follow rust
  @anna wrote | anna wrote
  You like tea? | You like tea.
  I love it :) | I love it :(
  I love it 😀 | I love it 😡
  No one came | No. 1 came
  No one came | No, one came
  no one came | no, one came
  I have two. Thousand people came | I have 2000 people came
  twenty five dollar bills | 25 dollar bills
  rooms one hundred and five | rooms 105
  I met Anna, Maria and Tom | I met Anna Maria and Tom
  Anna: Maria left | Anna Maria left
  I need 3, 5 and 7 | I need 3 5 and 7
  I need three, five and 7 | I need three five and 7
  a 1,00 note | a 100 note
  code 0,123 | code 0123
  my sister's car | my sisters car
  my sister's car | my sisters' car
  I'd put it there | I would put it there
  a 999999999999999999 billion fund | a 999999999999999998 billion fund`

test('a sign, or the case of a code, that carries a value is no surface', () =>
  assert.deepEqual(pairsOf(values).filter(isSame), []))

/** Two wordings of one statement a line: other words are other texts. */
const paraphrases = `
  My parrot is Kiwi. | My parrot is called Kiwi.
  I have blue eyes. | My eyes are blue.
  On Mondays I run. | I run on Mondays.
  I like apples and pears. | I like pears and apples.
  I've sold my bike. | I sold my bike.
  My mum lives in Rome. | My mom lives in Rome.
  I really like hiking. | I like hiking.
  By the way, I am vegan. | I am vegan.
  My favourite colour is green. | My favorite color is green.
  I am alergic to nuts. | I am allergic to nuts.
  The meeting is at 3pm. | The meeting is at 15:00.
  I have a dog. | I have one dog.`

test('a paraphrase is another text', () => assert.deepEqual(pairsOf(paraphrases).filter(isSame), []))

test('words of one meaning are values: no two of them are the same', () => {
  const file = path.join(import.meta.dirname, '../../../../test/support/synonyms.txt')
  const words = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
  assert.ok(words.length > 400)
  const surfaces = new Map(words.map((word) => [surfaceOf(`The password is ${word}.`), word]))
  assert.equal(surfaces.size, new Set(words).size)
})

/** A token with what it says, and all ways in which this test writes it. */
interface Said {
  readonly value: string
  readonly ways: readonly string[]
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const dressed = (word: string) => [word, `"${word}"`, `(${word})`, `${word}.`, `${word}!`]
const ended = (literal: string) => [literal, `${literal}.`, `${literal}...`]

const word = fc
  .oneof(
    fc.constantFrom(
      'not',
      'never',
      'i',
      'my',
      'is',
      'the',
      'a',
      'lives',
      'couch',
      'sofa',
      'anna',
      'rome',
      'mañana',
    ),
    fc.stringMatching(/^[a-z]{2,9}$/).filter((letters) => !numberWords.includes(letters) && letters !== 'no'),
  )
  .map(
    (letters): Said => ({
      value: letters,
      ways: [`${letters},`, `${letters};`, ...[letters, capital(letters)].flatMap(dressed)],
    }),
  )

const numberWords =
  `zero one two three four five six seven eight nine ten eleven twelve first second third hundred thousand
  million billion cannot`.split(/\s+/)
const number = fc.oneof(fc.nat(12), fc.nat(3_000_000)).map((value): Said => {
  const name = numberWords[value]
  const scaled = value > 0 && value <= 9_000 && value % 1000 === 0 ? numberWords[value / 1000] : undefined
  const ways = [`${value}`, value.toLocaleString('en')].flatMap(ended)
  if (value <= 12 && name !== undefined) ways.push(...ended(name), capital(name))
  if (scaled !== undefined) ways.push(`${scaled} thousand`)
  return { value: `number ${value}`, ways }
})
const code = fc
  .oneof(
    fc.stringMatching(/^[a-z]{1,3}[A-Z][0-9][a-zA-Z#@%]{0,2}$/),
    fc.stringMatching(/^[-$#~][1-9][0-9]?(?:\.[0-9])?$/),
    fc.stringMatching(/^[0-9]{1,2}:[0-9]{2}$/),
    fc.stringMatching(/^[a-z]{2,4}@[a-z]{2,4}\.[a-z]{2}$/),
  )
  .map((literal): Said => ({ value: literal, ways: ended(literal) }))

const said = fc.oneof({ weight: 4, arbitrary: word }, number, code)
const sentence = fc.array(said, { minLength: 1, maxLength: 12 })
const choices = fc.infiniteStream(fc.nat(1_000))

/** Writes a sentence in one of its ways, with any white space. */
function write(tokens: readonly Said[], choose: Iterator<number>): string {
  const pick = <T>(list: readonly T[]): T => list[(choose.next().value ?? 0) % list.length] as T
  return tokens.map(({ ways }) => pick(ways) + pick([' ', '  ', '\n', '\u00a0', ' \t'])).join('')
}

const repeats = (a: string, b: string) => isRepetition(a, b, 1)

describe('of any text', () => {
  test('the same, written with another surface, is a repetition', () => {
    fc.assert(
      fc.property(sentence, choices, choices, (tokens, one, other) => {
        const [a, b] = [write(tokens, one), write(tokens, other)]
        assert.ok(repeats(a, b), `${a} | ${b}`)
        assert.equal(unchangedLetters(a), unchangedLetters(b))
      }),
      { numRuns: 500 },
    )
  })

  test('its surface has the same unchanged letters', () => {
    const same = (text: string) => assert.equal(unchangedLetters(text), unchangedLetters(surfaceOf(text)))
    for (const texts of Object.values(surface)) for (const text of pairsOf(texts).flat()) same(text)
    const words = "twenty-second seconds can't won't I'm KPMG Kiew ｋm \u212a".split(' ')
    const word = fc.constantFrom(...numberWords, ...words)
    const letters = fc.stringMatching(/^[cdeknost',.?-]{1,8}$/)
    const anything = fc.array(fc.oneof(word, letters, fc.string()), { maxLength: 6 })
    fc.assert(
      fc.property(anything, (pieces) => same(pieces.join(' '))),
      { numRuns: 2_000 },
    )
  })

  test('one word, number or name replaced by another makes it no repetition, however both are written', () => {
    fc.assert(
      fc.property(sentence, fc.nat(), said, choices, choices, (tokens, at, other, one, two) => {
        const place = at % tokens.length
        fc.pre(tokens[place]?.value !== other.value)
        const [a, b] = [write(tokens, one), write(tokens.with(place, other), two)]
        assert.ok(!repeats(a, b), `${a} | ${b}`)
        assert.ok(!repeats(b, a))
      }),
      { numRuns: 1_000 },
    )
  })

  test('a word more, or two in another order, makes it no repetition', () => {
    fc.assert(
      fc.property(sentence, fc.nat(), fc.nat(), said, choices, choices, (tokens, at, to, more, one, two) => {
        const [from, place] = [at % tokens.length, to % tokens.length]
        const [x, y] = [tokens[from], tokens[place]]
        assert.ok(!repeats(write(tokens, one), write(tokens.toSpliced(from, 0, more), two)))
        fc.pre(x !== undefined && y !== undefined && x.value !== y.value)
        assert.ok(!repeats(write(tokens, one), write(tokens.with(from, y).with(place, x), two)))
      }),
      { numRuns: 500 },
    )
  })
})

test('a text of the same words is no repetition below the cosine of the specification', () => {
  assert.equal(isRepetition('I live in Lisbon.', 'i live in Lisbon', 0.919), false)
  assert.equal(isRepetition('I live in Lisbon.', 'i live in Lisbon', 0.92), true)
})

test('reads a text in time that grows with its length only', () => {
  const cpu = (piece: string, length: number) => {
    const text = piece.repeat(length)
    const start = process.cpuUsage()
    for (let run = 0; run < 3; run++) surfaceOf(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  for (const piece of ["1.1,1@a'", '!!!!a', "an't", '("', 'one thousand ']) {
    cpu(piece, 500)
    assert.ok(cpu(piece, 8_000) < 80 * Math.max(1_000, cpu(piece, 1_000)), piece)
  }
})
