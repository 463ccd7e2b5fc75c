const people = [
  'Ana',
  'Bob',
  'Carla',
  'David',
  'Elena',
  'Felix',
  'Grace',
  'Hugo',
  'Irina',
  'Jonas',
  'Katrin',
  'Liam',
]
const cities = ['Lisbon', 'Berlin', 'Munich', 'Oslo', 'Kyoto', 'Lima', 'Dublin', 'Prague', 'Toronto', 'Cairo']
const firms = ['Siemens', 'Nordwind', 'Acme', 'Globex', 'Initech', 'Umbrella', 'Stark Labs', 'Wayne Foods']
const hobbies = [
  'chess',
  'rowing',
  'pottery',
  'jazz',
  'climbing',
  'astronomy',
  'baking',
  'sailing',
  'origami',
]
const animals = ['cat', 'dog', 'parrot', 'tortoise', 'horse', 'rabbit']
const months = ['January', 'March', 'May', 'July', 'September', 'November']

type Pick = <T>(values: readonly T[]) => T

const sentences: readonly ((pick: Pick, number: number) => string)[] = [
  (pick, n) => `${pick(people)}: I moved to ${pick(cities)} in ${pick(months)} ${1990 + (n % 35)}.`,
  (pick, n) => `${pick(people)} works at ${pick(firms)} with ${n % 90} colleagues and likes it.`,
  (pick, n) => `My ${pick(animals)} number ${n} is called ${pick(people)} and sleeps on the sofa.`,
  (pick, n) =>
    `${pick(people)} and ${pick(people)} went ${pick(hobbies)} together ${n % 40} times last year.`,
  (pick, n) => `I paid ${n} euros for the ${pick(hobbies)} course in ${pick(cities)}.`,
  (pick, n) =>
    `${pick(people)}: my sister ${pick(people)} starts at ${pick(firms)} on ${pick(months)} ${1 + (n % 28)}.`,
  (pick, n) => `The flight to ${pick(cities)} leaves at ${n % 24}:15 from gate ${n % 60}.`,
  (pick, n) => `${pick(people)} is allergic to ${pick(animals)}s since ${1980 + (n % 40)}.`,
]

const askings: readonly ((pick: Pick) => string)[] = [
  (pick) => `Where did ${pick(people)} move?`,
  (pick) => `Who works at ${pick(firms)}?`,
  (pick) => `What is the name of my ${pick(animals)}?`,
  (pick) => `How much was the ${pick(hobbies)} course in ${pick(cities)}?`,
  (pick) => `When does the flight to ${pick(cities)} leave?`,
  (pick) => `Who is allergic to ${pick(animals)}s?`,
  (pick) => `With whom did ${pick(people)} go ${pick(hobbies)}?`,
]

/** Talk of made-up people, the same in every run. */
export function conversation(count: number, questions: number) {
  let state = 42
  const pick: Pick = (values) => {
    state = (state * 48_271) % 2_147_483_647
    const value = values[state % values.length]
    if (value === undefined) throw new Error('nothing to pick from')
    return value
  }
  const lines = Array.from({ length: count }, (_, number) => ({
    text: pick(sentences)(pick, number),
    sessionId: `talk-${Math.floor(number / 25)}`,
  }))
  const asked = Array.from({ length: questions }, () => pick(askings)(pick))
  return { lines, asked }
}
