/** What each rule of the ranking does, for people. */
export const ruleWords = {
  replaced: 'It is out of date: it stands behind what replaced it.',
  replaces: 'It took the place of an outdated memory, and has at least its score.',
  text: 'A text has the best score of the facts in it.',
  folded: 'Another result of the same text stands before it.',
  session: 'The newest of the session come along.',
  path: 'The way over the facts went on to it.',
  contradicted: 'A fact that is preferred contradicts it, or says the same.',
  copy: 'It is a copy of another result.',
  floor: 'It scored less than the least that is shown.',
  k: 'There were enough better ones.',
} as const

export const outcomeWords = {
  ...ruleWords,
  returned: 'It came back.',
  unknown: 'There is no memory with this id.',
  persona: 'It belongs to another persona.',
  outside: 'It lies outside of the times or the filter.',
  closed: 'It no longer holds.',
  not_found: 'It is near to the question neither by words nor by meaning.',
} as const
