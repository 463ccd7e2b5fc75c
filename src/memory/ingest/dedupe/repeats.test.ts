import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createComparison } from './same-statement.ts'

/** Two texts a line that say the same. */
const repeated: Readonly<Record<string, string>> = {
  number: `
    My cat is 3 yrs old. | My cat is three years old.
    I go to the gym three times a week. | I go to the gym 3 times per week.
    I go to the gym three times a week. | I go to the gym 3x a week.
    My rent is €900 a month. | My rent is 900 euros per month.
    My rent is 900 EUR monthly. | My rent is 900 euros a month.
    I owe Karim 50 dollars. | I owe Karim $50.
    I owe Karim fifty bucks. | I owe Karim $50.
    My garden is 200 square metres. | My garden is 200 square meters.
    My garden is 200 m². | My garden is 200 square meters.
    I have a thousand followers. | I have 1000 followers.
    My apartment is on the third floor. | My apartment is on the 3rd floor.
    I run ten km every Sunday. | I run 10 kilometers every Sunday.
    My lucky number is seven. | My lucky number is 7.
    I've visited twenty-one countries. | I have visited 21 countries.
    My desk is 1.5 m wide. | My desk is 1.5m wide.
    It's 30 degrees outside. | It's 30° outside.
    I paid 20% in tips. | I paid 20 percent in tips.
    I sleep about seven hours a night. | I sleep around 7 hours per night.
    I sleep approximately 7 hours a night. | I sleep about 7 hours a night.
    I have physio twice a week. | Twice a week I have physio.
    I have physio two times a week. | I have physio twice a week.
    I take 2 pills a day. | I take two pills daily.
    I take two pills every day. | I take 2 pills each day.
    I ran a marathon in under four hours. | I ran a marathon in less than 4 hours.
    I paid more than 300 for the lamp. | I paid over 300 for the lamp.
    My salary is 52k. | My salary is 52,000.
    I earn 52 thousand a year. | I earn 52,000 per year.
    My flight number is LH 1234. | My flight number is LH1234.
    I've been to Malta three times. | I have been to Malta 3 times.
    I need eight hours of sleep. | I need 8 hours' sleep.`,
  time: `
    I run on Mondays. | Every Monday I run.
    I run on Monday mornings. | Every Monday morning I run.
    The concert takes place on Friday. | The concert is on Friday.
    My doctor's appointment is at 4 p.m. | My doctor's appointment is at 16:00.
    The wedding is on Saturday, June 7. | The wedding is on Saturday 7 June.
    My meeting with Priya is at half past two. | My meeting with Priya is at 2:30.
    I start my new job on 1st March. | I start my new job on March 1.
    I'm starting my new job on March 1. | I start my new job on 1 March.
    I have a meeting tomorrow at nine in the morning. | I have a meeting tomorrow at 9 am.
    The shop closes at 8 in the evening. | The shop closes at 8pm.
    My bus leaves at a quarter past eight. | My bus leaves at 8:15.
    I finish work at 5:30 pm. | I finish work at half past five in the afternoon.
    The baby was born on the twelfth of May. | The baby was born on May 12th.
    I studied in Ghent from 2001 to 2005. | I studied in Ghent from 2001 until 2005.
    I studied in Ghent between 2001 and 2005. | From 2001 to 2005 I studied in Ghent.
    My shop is open from Monday to Friday. | My shop is open Monday through Friday.
    I work 9 to 5. | I work 9-5.
    I work from nine to five. | I work 9 to 5.
    The meeting's at 12:00. | The meeting is at noon.
    My flight lands at quarter past ten pm. | My flight lands at 10:15 pm.
    The kids finish school at three thirty. | The kids finish school at 3:30.
    I have choir rehearsal on Wed. | I have choir rehearsal on Wednesday.`,
  spelling: `
    My neighbor Stan is a fireman. | My neighbour Stan is a firefighter.
    I'm colour blind. | I'm colorblind.
    I'm colour-blind. | I am color blind.
    My fiancé is called Émile. | My fiance is called Emile.
    We had lunch at Café Zoë. | We had lunch at Cafe Zoe.
    My e-mail is bob@example.org. | My email is bob@example.org.
    The Wi-Fi password is hunter2. | The wifi password is hunter2.
    My mothers name is Ingrid. | My mother's name is Ingrid.
    its my dads birthday tomorrow | It's my dad's birthday tomorrow.
    were going to Malta in May | We're going to Malta in May.
    ill be late on Monday | I'll be late on Monday.
    id rather sit outside | I'd rather sit outside.
    I will probaly be late. | I will probably be late.
    My restaraunt opens in the spring. | My restaurant opens in the spring.
    I am sooo tired. | I am so tired.
    I live in New York City. | I live in NYC.`,
  aside: `
    Good afternoon, I've changed my phone number. | I've changed my phone number.
    Hi! My flight got cancelled. | My flight was cancelled.
    Unfortunately my laptop died. | My laptop died, unfortunately.
    Whew, I passed my exam! | I passed my exam!
    Hello assistant, my locker is number 12. | My locker is number 12.
    My thesis is about moss :) | My thesis is about moss
    OMG I won the raffle | I won the raffle
    Thank you! My order arrived. | My order arrived.
    My order has arrived, thank you. | My order arrived. Thanks!
    Hey there! I'm Priya. | I'm Priya.
    Could you please speak slowly? | Please speak slowly.
    Please call me Bob. | Call me Bob, please.
    Please call me Bob. | Call me Bob.
    Please remind me to water the plants on Sunday. | Remind me to water the plants on Sunday.`,
  phrase: `
    I'm not able to swim. | I can't swim.
    I don't have any pets. | I have no pets.
    I do not have a car. | I don't own a car.
    I haven't got a TV. | I don't have a TV.
    I quit smoking in 2015. | I stopped smoking in 2015.
    I gave up smoking in 2015. | I quit smoking in 2015.
    I'm thirty-four years old. | I am 34 years of age.
    I work for Siemens. | I work at Siemens.
    I have an allergy to peanuts. | I'm allergic to peanuts.
    My grandmother died in 2018. | My grandmother passed away in 2018.
    I was raised in Malta. | I grew up in Malta.
    Call me Bob. | You can call me Bob.
    Nobody in my family smokes. | No one in my family smokes.
    I'm thinking of buying a van. | I'm thinking about buying a van.
    I know how to juggle. | I can juggle.
    I live by myself. | I live alone.
    I live on my own. | I live alone.
    My favourite food is sushi. | Sushi is my favourite food.
    My favourite food is sushi. | My fave food is sushi.
    I've been clean for 3 months. | I have been clean for three months now.
    I don't eat red meat anymore. | I no longer eat red meat.
    I do not eat pork any more. | I don't eat pork anymore.
    I never drink coffee after noon. | I don't ever drink coffee after noon.`,
  construction: `
    I have a parrot named Kiwi. | My parrot's name is Kiwi.
    My parrot is Kiwi. | My parrot is called Kiwi.
    I have a sister, Maud, who is a vet in Cork. | My sister Maud is a vet in Cork.
    Biscuit, my dog, is a golden retriever. | My dog Biscuit is a golden retriever.
    I have a twin brother. | I've a twin brother.
    My twin brother is called Ezra. | I have a twin brother called Ezra.
    Oakfield is the name of my daughter's school. | My daughter's school is called Oakfield.
    Doctor Okafor is my dentist. | My dentist is Dr. Okafor.
    The password for the wifi is tulip77. | The wifi password is tulip77.
    I have blue eyes. | My eyes are blue.
    My hair is red. | I have red hair.
    Grandpa makes violins. | My grandpa makes violins.
    I am a plumber in Hull. | I work as a plumber in Hull.
    My husband comes from Ghana. | My husband is from Ghana.
    Ada, Bo, and Cy are my colleagues. | My colleagues are Ada, Bo and Cy.
    I only eat halal meat. | I eat only halal meat.
    Hello, I'm Priya. | My name is Priya.
    My sister is 2 years older than me. | My sister is two years older than I am.
    My height is 185 cm. | I'm 185 cm tall.`,
  receiver: `
    I gave Eli my old phone. | I gave my old phone to Eli.
    I turned off the heating. | I turned the heating off.
    There are four bedrooms in our house. | Our house has four bedrooms.
    I guess I'm an optimist. | I'm an optimist, I guess.
    I have a daughter. | I have one daughter.`,
  tense: `
    I've sold my motorbike. | I sold my motorbike.
    My car broke down on the motorway. | My car has broken down on the motorway.
    I've lived in Perth for six years. | I have been living in Perth for 6 years.
    I've worked there since 2010. | I have been working there since 2010.
    The meeting has been moved to Friday. | The meeting was moved to Friday.
    The meeting got moved to Friday. | The meeting has been moved to Friday.
    My bike got stolen. | My bike was stolen.
    My train was delayed. | My train got delayed.
    The heating isn't working. | The heating doesn't work.
    My rent's gone up. | My rent has gone up.
    I am using Linux. | I use Linux.`,
  order: `
    I work from home on Wednesdays. | On Wednesdays I work from home.
    I broke my arm last winter. | Last winter I broke my arm.
    I play chess on Sundays with Ivan. | I play chess with Ivan on Sundays.
    We moved here 3 years ago. | Three years ago we moved here.
    My boss, Linda, is on holiday this week. | This week my boss Linda is on holiday.
    Because of my back I can't lift boxes. | I can't lift boxes because of my back.
    If it rains I stay at home. | I stay at home if it rains.
    I moved to Ghent because I got a job there. | I moved to Ghent since I got a job there.
    I was married in Bath in 2004. | I was married in 2004 in Bath.
    We have two sons: Abel and Cain. | We have two sons, Cain and Abel.
    I like apples, pears and plums. | I like plums, apples and pears.
    I speak French, German and a bit of Czech. | I speak German, French and a little Czech.
    Originally I'm from Portugal. | I'm originally from Portugal.
    I finished my thesis, finally. | I finally finished my thesis.
    This year's Thanksgiving is at my place. | Thanksgiving is at my place this year.
    I listen to podcasts while I cook. | While I cook I listen to podcasts.
    Each morning I do yoga. | I do yoga every morning.
    Thursday nights I sing in a choir. | I sing in a choir on Thursday nights.
    My knee hurts when I run. | When I run, my knee hurts.
    I like hiking and swimming. | I like swimming and hiking.`,
}

for (const [kind, lines] of Object.entries(repeated)) {
  test(`a repetition with another ${kind} is seen, in either order`, () => {
    const compare = createComparison(null)
    const pairs = lines
      .trim()
      .split('\n')
      .map((line) => line.trim().split(' | '))
    const missed = pairs.filter(([a = '', b = '']) => [compare(a, b), compare(b, a)].includes('different'))
    assert.deepEqual(missed, [])
    assert.ok(pairs.every((pair) => pair.length === 2))
  })
}

/** One real word, and what is typed in its place. */
const misspelt = `
  accountant acountant
  mattress matress
  calendar calender
  library libary
  weather wether
  umbrella umbrela
  friend freind
  engineer enginer`

test('a slip of the keys is no other word', () => {
  const pairs = misspelt
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' '))
  const vocabulary = new Set(pairs.map(([real]) => real))
  const compare = createComparison((word) => vocabulary.has(word))
  const missed = pairs.filter(
    ([real, typed]) => compare(`I lost my ${real} there`, `I lost my ${typed} there`) === 'different',
  )
  assert.deepEqual(missed, [])
})
