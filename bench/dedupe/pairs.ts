/** Pairs of texts, made from tables: changed facts that must both be stored, and rephrasings that say the same. */
export interface Pair {
  readonly kind: string
  readonly first: string
  readonly second: string
}

type Fill = readonly [string, string]

/** `{}` in a frame takes the two values of a fill. */
function changes(
  kind: string,
  frames: readonly string[],
  fills: readonly Fill[],
  count: number,
): readonly Pair[] {
  const pairs = frames.flatMap((frame) =>
    fills.map(([a, b]): Pair => ({ kind, first: frame.replace('{}', a), second: frame.replace('{}', b) })),
  )
  const step = Math.max(1, Math.floor(pairs.length / count))
  return pairs.filter((_, at) => at % step === 0).slice(0, count)
}

const numberFrames = [
  'I have {} dogs at home.',
  'My apartment is on the {} floor of the building.',
  'We need {} chairs for the party.',
  'The rent is {} euros a month.',
  'My daughter is {} years old.',
  'I run {} kilometres every morning.',
  'My locker code is {}.',
  'It takes me {} minutes to get to work.',
  'We have been married for {} years.',
]
const numberFills: readonly Fill[] = [
  ['two', 'three'],
  ['12', '21'],
  ['4', '5'],
  ['fifteen', 'fifty'],
  ['1,200', '1,300'],
  ['seven', '8'],
  ['100', '1000'],
  ['3.5', '4.5'],
  ['third', 'fourth'],
]
const dateFrames = [
  'My dentist appointment is on {}.',
  'We are moving house in {}.',
  'The project deadline is {}.',
  'My flight to Boston leaves {}.',
  'I started this job {}.',
  'The course begins {} at the college.',
  'My parents are visiting {}.',
]
const dateFills: readonly Fill[] = [
  ['Monday', 'Tuesday'],
  ['March', 'May'],
  ['5 June', '6 June'],
  ['June 14th', 'July 14th'],
  ['2019', '2020'],
  ['at 3pm', 'at 4pm'],
  ['at 9:30', 'at 9:45'],
  ['next week', 'next month'],
  ['tomorrow', 'today'],
  ['2024-03-01', '2024-03-11'],
  ['in the morning', 'in the evening'],
]
const nameFrames = [
  'I live in {}.',
  'My best friend is called {}.',
  'I had dinner with {} last night.',
  'My manager at work is {}.',
  'We are planning a trip to {}.',
  '{} is my favourite author.',
  'I bought the ticket from {}.',
  '{} told me about the new restaurant.',
]
const nameFills: readonly Fill[] = [
  ['Paris', 'Rome'],
  ['Anna', 'Hanna'],
  ['Maria', 'Mario'],
  ['Jon Smith', 'John Smith'],
  ['Austria', 'Australia'],
  ['Google', 'Apple'],
  ['Dr. Weber', 'Dr. Becker'],
  ['Lena', 'Lina'],
  ['Porto', 'Lisbon'],
  ['Tom Hill', 'Tom Hall'],
]
const negations: readonly Fill[] = [
  ['I like coffee in the morning.', "I don't like coffee in the morning."],
  ['I am allergic to peanuts.', 'I am not allergic to peanuts.'],
  ['I eat meat.', 'I no longer eat meat.'],
  ['My brother can drive.', "My brother can't drive."],
  ['I have a driving licence.', 'I have no driving licence.'],
  ['I always drink wine with dinner.', 'I never drink wine with dinner.'],
  ['We were at the party.', "We weren't at the party."],
  ['I want to go back to school.', "I don't want to go back to school."],
  ['She has finished the report.', "She hasn't finished the report."],
  ['I smoke.', 'I used to smoke.'],
  ['My sister is married.', "My sister isn't married."],
  ['I will come to the wedding.', "I won't come to the wedding."],
  ['I work at the hospital.', "I don't work at the hospital anymore."],
  ['Everybody liked the film.', 'Nobody liked the film.'],
  ['I take my tea with milk.', 'I take my tea without milk.'],
  ['I live in Berlin.', 'I lived in Berlin.'],
  ['Anna is married to Tom.', 'Anna was married to Tom.'],
  ['My car is insured.', 'My car is uninsured.'],
  ['I trust my bank.', 'I distrust my bank.'],
  ['I have been to Japan.', 'I have never been to Japan.'],
  ['He agreed with the plan.', 'He disagreed with the plan.'],
  ['I should call my mother.', "I shouldn't call my mother."],
  ['There is a key under the mat.', 'There is no key under the mat.'],
  ['The museum is open on Sunday.', 'The museum is closed on Sunday.'],
  ['I prefer tea over coffee.', 'I prefer coffee over tea.'],
]
const negationFrames = ['{}', 'Just so you know, {}', '{} That is important to me.']

/** 300 pairs that differ in a number, a date, a name or a negation. */
export const changedPairs: readonly Pair[] = [
  ...changes('number', numberFrames, numberFills, 75),
  ...changes('date', dateFrames, dateFills, 75),
  ...changes('name', nameFrames, nameFills, 75),
  ...changes('negation', negationFrames, negations, 75),
]

const statements = [
  'I am allergic to peanuts and shellfish.',
  'My sister lives in Porto with her two kids.',
  'I work as a nurse at the city hospital.',
  'My favourite colour is dark green.',
  "I don't eat meat because of my health.",
  'On Monday evening I have a yoga class.',
  'I am learning to play the guitar.',
  'My dog is called Rex and he is a labrador.',
  'We are going to visit Japan next spring.',
  'I usually drink my coffee without sugar.',
  "I can't drive because of my eyesight.",
  'My birthday is on the 14th of June.',
  'The meeting with Karen is at 3 pm.',
  'I have two brothers and one sister.',
  'I really enjoy hiking in the mountains.',
  'My husband is a software engineer at Siemens.',
  'I moved to Berlin in 2021 for a new job.',
  'My car is an old red Volvo.',
  "I've been studying Spanish for three years.",
  'Every morning I run five kilometres in the park.',
  'My mother is a retired teacher.',
  'I am organising a party for my colleagues.',
  'My phone number ends with 4471.',
  'I prefer tea over coffee.',
  "My daughter doesn't like broccoli.",
  'I would like to learn pottery this year.',
  'Our neighbours have a very loud dog.',
  'I was born in Vienna in 1990.',
  'My doctor told me to avoid salt.',
  'I have an appointment with the dentist tomorrow.',
  'My wife and I bought a house near the lake.',
  'The wifi password at home is sunflower42.',
  "I'm afraid of flying.",
  'My team won the final on Saturday.',
  'I keep my passport in the top drawer.',
  'My grandfather fought in the war.',
  'I need glasses for reading.',
  'We adopted a grey cat from the shelter.',
  'My rent is 950 euros per month.',
  "I'm training for a marathon in October.",
  'I am saving money for a boat.',
]

/** Rewritings that change nothing of what is said; those that do not apply to a statement return it as it is. */
const rewritings: Readonly<Record<string, (text: string) => string>> = {
  'no full stop': (text) => text.replace(/\.$/, ''),
  'lower case': (text) => text.toLowerCase(),
  exclamation: (text) => text.replace(/\.$/, '!!'),
  'white space': (text) => `  ${text.replaceAll(' ', '  ')}\n`,
  'written out': (text) =>
    text
      .replace("don't", 'do not')
      .replace("doesn't", 'does not')
      .replace("can't", 'cannot')
      .replace("I've", 'I have'),
  contracted: (text) =>
    text
      .replace('I am ', "I'm ")
      .replace('We are ', "We're ")
      .replace('I would ', "I'd ")
      .replace('I have been', "I've been"),
  opening: (text) => `By the way, ${text.replace(/^(?!I\b)./, (letter) => letter.toLowerCase())}`,
  reminder: (text) => `Please remember that ${text.replace(/^(?!I\b)./, (letter) => letter.toLowerCase())}`,
  filler: (text) =>
    text.replace(/^(I|My \w+|We|Our \w+) (am|is|are|have|was|would|work|moved|prefer)\b/, '$1 $2 actually'),
  american: (text) =>
    text
      .replace('favourite', 'favorite')
      .replace('colour', 'color')
      .replace('organising', 'organizing')
      .replace('kilometres', 'kilometers')
      .replace('neighbours', 'neighbors')
      .replace('colleagues', 'colleagues'),
  digits: (text) =>
    text.replace(' two ', ' 2 ').replace(' one ', ' 1 ').replace(' three ', ' 3 ').replace(' five ', ' 5 '),
  synonym: (text) => text.replace('kids', 'children').replace('My mother', 'My mum').replace('enjoy', 'like'),
  moved: (text) =>
    text
      .replace('On Monday evening I have a yoga class.', 'I have a yoga class on Monday evening.')
      .replace(
        'Every morning I run five kilometres in the park.',
        'I run five kilometres in the park every morning.',
      )
      .replace('I usually drink', 'Usually I drink'),
  'time written differently': (text) => text.replace('3 pm', '3pm').replace('the 14th of June', 'June 14th'),
  misspelt: (text) =>
    text
      .replace('allergic', 'alergic')
      .replace('hospital', 'hosptial')
      .replace('guitar', 'guitarr')
      .replace('engineer', 'enginer')
      .replace('appointment', 'apointment')
      .replace('mountains', 'mountians')
      .replace('pottery', 'potery')
      .replace('teacher', 'techer')
      .replace('favourite', 'favuorite'),
  'no apostrophe': (text) => text.replaceAll("'", ''),
}

/** At least 300 pairs that say the same. */
export const repeatedPairs: readonly Pair[] = statements.flatMap((first) =>
  Object.entries(rewritings)
    .map(([kind, rewrite]): Pair => ({ kind, first, second: rewrite(first) }))
    .filter(({ second }) => second !== first),
)
