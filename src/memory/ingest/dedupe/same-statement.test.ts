import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createComparison, type KnowsWord } from './same-statement.ts'
import { readStatement } from './statement.ts'

const vocabulary = new Set(
  'pancake typical allergic peanuts brother baker banker hospital restaurant beautiful'.split(' '),
)
const knowsWord = (word: string) => vocabulary.has(word)

const statesTheSame = (a: string, b: string, knows: KnowsWord | null = null) =>
  createComparison(knows)(a, b) !== 'different'

const changed: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  number: [
    ['I have two dogs.', 'I have three dogs.'],
    ['I have 2 dogs', 'I have 12 dogs'],
    ['My flight number is LH1234.', 'My flight number is LH4321.'],
    ['The budget is 50,000 euros.', 'The budget is 80,000 euros.'],
    ['It costs $50', 'It costs €50'],
    ['The rate is 5%', 'The rate is 6%'],
    ['It was -5 degrees', 'It was 5 degrees'],
    ['I run twice a week', 'I run once a week'],
    ['My first job was in Rome', 'My second job was in Rome'],
    ['I have a dog', 'I have two dogs'],
    ['I have a dog', 'I have dogs'],
    ['twenty-five people came', 'twenty-six people came'],
    ['We paid one hundred dollars', 'We paid two hundred dollars'],
    ['My phone is +49 170 1234567', 'My phone is +49 170 1234576'],
    ['We use version 2.0', 'We use version 2.1'],
    ['My address is anna@example.com', 'My address is anne@example.com'],
    ['I weigh 70kg', 'I weigh 71kg'],
    ['the price is < 5', 'the price is > 5'],
    ['My pin is 007', 'My pin is 7'],
    ['Use version 2.1', 'Use version 2.10'],
    ['I have few friends', 'I have a few friends'],
    ['I take 5mg', 'I take 50mg'],
    ['The distance is 5 km', 'The distance is 5 miles'],
    ['My son is 5 months old', 'My son is 5 years old'],
    ['i ate tomato soup and a pancake', 'i ate tomato soup and a pancakes'],
  ],
  date: [
    ['My meeting is on Tuesday at 3pm.', 'My meeting is on Thursday at 3pm.'],
    ['My meeting is on Tuesday at 3pm.', 'My meeting is on Tuesday at 4pm.'],
    ['My meeting is at 3pm', 'My meeting is at 3am'],
    ['I moved to Lisbon in May.', 'I moved to Lisbon in June.'],
    ['My birthday is May 5', 'My birthday is May 6'],
    ['My birthday is 5 May', 'My birthday is 5 June'],
    ['The deadline is 2024-05-05', 'The deadline is 2025-05-05'],
    ['I leave today', 'I leave tomorrow'],
    ['I leave next week', 'I leave this week'],
    ['I was born in 1990', 'I was born in 1991'],
    ['It opens in the morning', 'It opens in the evening'],
  ],
  name: [
    ['I live in Paris', 'I live in Rome'],
    ['Alice manages Bob.', 'Bob manages Alice.'],
    ['I met Anna', 'I met Anne'],
    ['I met Jon', 'I met John'],
    ['Anna: I like tea', 'Bob: I like tea'],
    ['I flew from Paris to Rome', 'I flew from Rome to Paris'],
    ['I flew to Paris from Rome', 'I flew from Paris to Rome'],
    ['I moved to the US', 'I moved to us'],
    ['I love Turkey', 'I love turkey'],
    ['Remind me to call mum on Sunday.', 'Remind me to call dad on Sunday.'],
    ['The cat chased the dog', 'The dog chased the cat'],
    ['Anna is the sister of Bob', 'Bob is the sister of Anna'],
    ['I love you', 'You love me'],
    ['My sister is a doctor', 'Her sister is a doctor'],
    ["Alice is Bob's boss", "Bob is Alice's boss"],
  ],
  negation: [
    ['I like coffee.', 'I do not like coffee.'],
    ["I'm allergic to peanuts.", "I'm not allergic to peanuts."],
    ['I can eat nuts', "I can't eat nuts"],
    ['I work at Google', 'I no longer work at Google'],
    ['I smoke', 'I used to smoke'],
    ['I always eat meat', 'I never eat meat'],
    ['I drink it with sugar', 'I drink it without sugar'],
    ["I like tea and don't like coffee", "I don't like tea and like coffee"],
    ['I have a car', 'I have no car'],
    ['I am able to come', 'I am unable to come'],
    ['I want to go', 'I dont want to go'],
    ['Nobody came', 'Everybody came'],
    ['the finding is typical', 'the finding is atypical'],
    ['He is employed', 'He is unemployed'],
    ['I stopped smoking', 'I started smoking'],
  ],
  tense: [
    ['I live in Berlin.', 'I lived in Berlin until 2019.'],
    ['I live in Berlin.', 'I lived in Berlin.'],
    ['Anna is married to Tom.', 'Anna was married to Tom.'],
    ['I have a dog', 'I had a dog'],
    ['I will move to Rome', 'I moved to Rome'],
    ['I have worked here', 'I worked here'],
    ['I was living in Rome', 'I am living in Rome'],
    ['I could swim', 'I can swim'],
    ['I might move', 'I will move'],
    ['I run', 'I ran'],
  ],
  word: [
    ['I like coffee', 'I like tea'],
    ['My password hint is blue.', 'My password hint is green.'],
    ['I work as a baker', 'I work as a banker'],
    ['I bought paint', 'I bought a painting'],
    ['The keys are in the drawer', 'The keys are on the drawer'],
    ['I love it', 'I hate it'],
    ['I like tea or coffee', 'I like tea and coffee'],
    ['I like hiking', 'I like hiking in the Alps'],
    ['You like tea', 'You like tea?'],
    ['I arrive before lunch', 'I arrive after lunch'],
    ['The book is by Anna', 'The book is for Anna'],
    ['I think I like it', 'I like it'],
    ['Only Anna came', 'Anna came'],
    ['I stopped to smoke', 'I stopped smoking'],
    ['I named him', 'I called him'],
    ['She is older than me', 'She is younger than me'],
    ['I run before I eat', 'I eat before I run'],
    ['I love it 😀', 'I love it 😡'],
    ['好きです', '嫌いです'],
  ],
}

for (const [kind, pairs] of Object.entries(changed)) {
  for (const [a, b] of pairs) {
    test(`a changed ${kind} is no repetition: ${a} / ${b}`, () => {
      assert.equal(statesTheSame(a, b, knowsWord), false)
      assert.equal(statesTheSame(b, a, knowsWord), false)
    })
  }
}

const repeated: readonly (readonly [string, string])[] = [
  ['I live in Lisbon.', 'i live in lisbon'],
  ['I LIVE IN LISBON!!', 'I live in Lisbon.'],
  ['I am allergic to peanuts.', "I'm allergic to peanuts"],
  ['Im allergic to peanuts', 'I’m allergic to peanuts.'],
  ['i am alergic to peanuts', 'i am allergic to peanuts'],
  ['I am allergic to penauts', 'I am allergic to peanuts'],
  ['I do not like coffee.', "I don't like coffee."],
  ['I weigh 70kg', 'I weigh 70 kg'],
  ['I like tea, thanks', 'I like tea'],
  ['I like tea, by the way', 'Just a quick note: I like tea'],
  ["Don't forget that I like tea", 'Please remember that I like tea'],
  ['Right now I work at Siemens', 'I work at Siemens at the moment'],
  ["My name's Tom", 'My name is Tom'],
  ['I have a dog named Rex', 'I have a dog called Rex'],
  ['I am 30 years old', "I'm 30"],
  ['The meeting is on 2024-05-05', 'The meeting is on May 5, 2024'],
  ['I like tea ❤️', 'I like tea'],
  ['teh dog likes me alot', 'the dog likes me a lot'],
  ['I cannot come', "I can't come"],
  ['I really like hiking', 'I like hiking'],
  ['I like to hike', 'I like hiking'],
  ['I work as a nurse', "I'm working as a nurse"],
  ['My favourite colour is green', 'My favorite color is green.'],
  ['On Monday I have yoga', 'I have yoga on Monday'],
  ['In the morning, I drink coffee.', 'I drink coffee in the morning'],
  ["My dog's name is Rex", 'The name of my dog is Rex'],
  ["Rex is my dog's name", "My dog's name is Rex."],
  ['My boss is Anna', 'Anna is my boss'],
  ['I have two dogs', 'I have 2 dogs'],
  ['The meeting is at 3pm', 'The meeting is at 15:00'],
  ['The meeting is at 3 p.m.', 'The meeting is at 3pm'],
  ['My birthday is May 5th', 'My birthday is on the 5th of May'],
  ['It costs $50', 'It costs 50 dollars'],
  ['The budget is 50,000 euros', 'The budget is 50000 €'],
  ['By the way, I am vegetarian', 'I am vegetarian'],
  ['Just so you know, I moved to Rome', 'I moved to Rome'],
  ['Please remember that I am vegan', "I'm vegan"],
  ['I usually drink tea', 'Usually I drink tea'],
  ['My mom lives in Rome', 'My mum lives in Rome'],
  ['I am going to move to Rome', 'I will move to Rome'],
  ["I've got a cat", 'I have a cat'],
  ['Maria is in Rome', "Maria's in Rome"],
  ['My brother live in Rome', 'My brother lives in Rome'],
  ['I love it 😀', 'I love it'],
  ['twenty-five people came', '25 people came'],
  ['two hundred and ten people came', '210 people came'],
  ['I work at   the hospital', 'I work in the hospital'],
  ['東京に住んでいます。', '東京に住んでいます'],
]

for (const [a, b] of repeated) {
  test(`a repetition is seen: ${a} / ${b}`, () => {
    assert.equal(statesTheSame(a, b, knowsWord), true)
    assert.equal(statesTheSame(b, a, knowsWord), true)
  })
}

test('without a vocabulary no word is taken for a misspelling', () => {
  assert.equal(statesTheSame('i am alergic to peanuts', 'i am allergic to peanuts'), false)
})

test('says the same of a pair in either order, and of any text and itself', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.constantFrom(...repeated.flat()))
  fc.assert(
    fc.property(text, text, (a, b) => {
      assert.equal(statesTheSame(a, a), true)
      assert.equal(statesTheSame(a, b), statesTheSame(b, a))
    }),
  )
})

test('reads a text in time that grows with its length only', () => {
  const cpu = (length: number) => {
    const text = "1.1,1@a'".repeat(length)
    const start = process.cpuUsage()
    for (let run = 0; run < 3; run++) readStatement(text)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  cpu(500)
  assert.ok(cpu(8_000) < 80 * Math.max(1_000, cpu(1_000)))
})
