/** One turn of a conversation. A question of the user names what the first line of the memory must hold. */
export interface Turn {
  readonly user: string
  readonly agent: string
  readonly first?: string
}

const turn = (user: string, agent: string): Turn => ({ user, agent })
const question = (user: string, first: string, agent: string): Turn => ({ user, first, agent })

/** Forty turns of somebody who runs a bakery, in five conversations on five days. */
export const sessions: readonly (readonly Turn[])[] = [
  [
    turn(
      "Hi! I'm Mira Halvorsen. I run a small bakery in Bergen together with my brother Jonas.",
      'Nice to meet you, Mira! What is in the oven today?',
    ),
    turn('We open at seven, but on Sundays only at nine.', 'Got it, a later start on Sundays.'),
    turn('Our flour comes from Holm Mill, they deliver every Tuesday.', 'Good to know.'),
    turn(
      "I'm planning a summer party for our regulars. It's going to be on June 14 in the courtyard.",
      'A courtyard party sounds lovely. How many guests do you expect?',
    ),
    turn(
      'About sixty people, and I can spend 20,000 kroner on it.',
      'That is a bit over 330 kroner per guest, which is comfortable.',
    ),
    turn(
      'Please keep your answers short, I mostly read them on my phone between two batches.',
      'Short it is.',
    ),
    turn(
      "By the way, I can't eat hazelnuts, so don't suggest recipes with them for me.",
      'Understood, no hazelnuts.',
    ),
    turn('Thanks, talk to you tomorrow!', 'See you tomorrow.'),
  ],
  [
    turn(
      'Good morning. The oven guy was here, the repair costs 4,800 kroner.',
      'Ouch. Did he say how long it will last?',
    ),
    turn(
      "My apprentice Selma starts her exams in May, so she'll work mornings only until then.",
      'I hope the exams go well.',
    ),
    turn("I take the number 3 tram to work, it's quicker than the bus.", 'Nice, more time for the dough.'),
    turn('Can you suggest a name for a rye bread with caraway?', 'How about Fjordrug?'),
    turn("Fjordrug is great, let's call it that.", 'Fjordrug it is.'),
    turn(
      "A band would be nice for the party. I've asked the Lindgren Trio.",
      'Good choice, fingers crossed.',
    ),
    question('When is the summer party again?', 'june 14', 'On June 14.'),
    turn(
      'Jonas wants us at the Saturday market too, we got stall number 12.',
      'Congratulations on the stall.',
    ),
  ],
  [
    turn(
      'Small disaster: the courtyard gets dug up in June, so the party has to wait until August 23.',
      'That is annoying, but August can be lovely.',
    ),
    turn(
      "And we'll hold it at the boathouse, the courtyard won't be ready by then either.",
      'By the water, even better.',
    ),
    turn(
      "Holm Mill has raised its prices again, so from now on we're ordering from Sogn Grain.",
      'Let us hope the quality is as good.',
    ),
    turn('What goes well with beetroot?', 'Goat cheese, dill or a sharp apple.'),
    turn(
      "The Lindgren Trio can't make the new date. I got the Nordnes Brass Band instead.",
      'Brass by the water will be fun.',
    ),
    turn(
      "I finally have the number of the food inspector: Turid Aas, 555-0188. She's strict but fair.",
      'Good to have at hand.',
    ),
    turn("My mother is visiting next week, and she's allergic to shellfish.", 'I will keep that in mind.'),
    turn('That was it for today, the buns are ready.', 'Enjoy the buns.'),
  ],
  [
    question('Who do we get our flour from?', 'sogn grain', 'From Sogn Grain.'),
    turn(
      'Good news, the bank gave us more room: I can spend 35,000 on the party now.',
      'That makes planning easier.',
    ),
    turn('Selma passed all her exams!', 'Wonderful, congratulations to her.'),
    turn(
      "They've moved our market stall, it's number 27 from this Saturday on.",
      'I hope it is a better corner.',
    ),
    turn("The tram line is closed all summer, so I'm cycling to work these days.", 'Enjoy the morning air.'),
    turn('How long does a sourdough starter keep in the fridge?', 'About a week without feeding.'),
    turn("I've ordered a new oven from Hansen & Dahl, it arrives on September 2.", 'No more repairs, then.'),
    turn('From next month on we open half an hour earlier on weekdays, at half past six.', 'An early start.'),
  ],
  [
    question('What date did we settle on for the summer party?', 'august 23', 'On August 23.'),
    question('Where will the party take place?', 'boathouse', 'At the boathouse.'),
    question('How much money can I spend on the party?', '35,000', '35,000 kroner.'),
    question('Which band is going to play?', 'nordnes brass band', 'The Nordnes Brass Band.'),
    question("What's our stall number at the market?", '27', 'Number 27.'),
    question('How do I get to work at the moment?', 'cycling', 'By bicycle.'),
    question('Is there anything I must not eat?', 'hazelnut', 'Hazelnuts.'),
    question('When does the new oven arrive?', 'september 2', 'On September 2.'),
  ],
]
