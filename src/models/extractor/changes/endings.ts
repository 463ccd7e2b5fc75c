import type { ExtractedChange } from '../../../memory/ports.ts'

/** A way to say that something is over, and on which side of it that something stands. */
interface Ending {
  readonly said: RegExp
  readonly side: 'after' | 'before'
  readonly kind: Extract<ExtractedChange['kind'], 'ended' | 'soured'>
  /** Somebody else does it to the speaker: `my doctor took me off …`. */
  readonly toMe?: true
}

const after = (kind: Ending['kind'], ...forms: readonly string[]): Ending[] =>
  forms.map((form) => ({ said: phrase(form), side: 'after', kind }))
const before = (...forms: readonly string[]): Ending[] =>
  forms.map((form) => ({ said: phrase(form), side: 'before', kind: 'ended' }))
const phrase = (form: string) => new RegExp(`(?<![\\p{L}'-])(?:${form})(?![\\p{L}'-])`, 'giu')

const be =
  "(?:is|are|was|were|'s|'re|has been|have been|got|gets)(?: now| finally| officially| all| long| just)*"
const has = "(?:(?:has|have|had|'s) (?:just |finally |now |since )*|finally |just |suddenly |sadly )?"

/** Each form with a sentence that says so. Only what has happened counts: plans and wishes end nothing. */
export const endings: readonly Ending[] = [
  // I sold the boat. We got rid of the sofa.
  ...after(
    'ended',
    'sold(?: off)?',
    'got rid of',
    'gave away',
    'given away',
    'threw (?:away|out)',
    'donated',
    'scrapped',
  ),
  ...after(
    'ended',
    'returned',
    'traded(?: in)?',
    'swapped(?: out)?',
    'replaced',
    'exchanged',
    'pawned',
    'wrecked',
    'totall?ed',
  ),
  // We cancelled the gym. She unsubscribed from the newsletter.
  ...after(
    'ended',
    'cancell?ed',
    'unsubscribed from',
    'ended',
    'terminated',
    'closed(?: down)?',
    'shut down',
    'deleted',
  ),
  ...after(
    'ended',
    'uninstalled',
    'wiped',
    'ditched',
    'dumped',
    'axed',
    'binned',
    'chucked(?: in)?',
    'abandoned',
    'dropped(?: out of)?',
  ),
  ...after(
    'ended',
    'disbanded',
    'dissolved',
    'called off',
    'broke off',
    'pulled out of',
    'backed out of',
    'withdrew from',
    'opted out of',
  ),
  // I quit the choir. He left Acme.
  ...after(
    'ended',
    'quit',
    'left',
    'resigned from',
    'retired from',
    'stepped down (?:from|as)',
    'departed(?: from)?',
    'parted ways with',
  ),
  ...after(
    'ended',
    'moved (?:away |out )?(?:from|of)',
    'moved out of',
    'switched(?: away| over)? from',
    'changed from',
    'went from',
    'migrated from',
  ),
  ...after(
    'ended',
    'fired',
    'sacked',
    'let go of',
    'kicked out',
    'outgrew',
    'grew out of',
    'graduated from',
    'finished at',
    'aged out of',
  ),
  // I stopped going to yoga. I gave up on Latin.
  ...after(
    'ended',
    '(?:stopped|quit|gave up|given up)(?: (?!any|every|some|no)\\p{L}+ing)?(?: to| on| at| with| for| in| the)*',
    'kicked',
    'cut out',
    'swore off',
    'went off',
  ),
  ...after(
    'ended',
    "(?:came|come|weaned|been taken|am|'m|went|got) off",
    'took a break from',
    'fell out with',
    'lost touch with',
  ),
  ...after(
    'ended',
    'said (?:goodbye|farewell) to',
    'goodbye to',
    'bye bye',
    'no more',
    '(?:done|finished|through|over and done) with',
  ),
  // I broke up with Ana. She divorced Tom.
  ...after(
    'ended',
    'broke up with',
    'broken up with',
    'split(?: up)? (?:with|from)',
    'divorced',
    'separated from',
    'put down',
  ),
  {
    said: phrase('(?:took|taken|weaned) (?:me|us|him|her|them) off'),
    side: 'after',
    kind: 'ended',
    toMe: true,
  },
  {
    said: phrase('let (?=(?:my|our|the) .*\\b(?:lapse|expire|go|run out)\\b)'),
    side: 'after',
    kind: 'ended',
  },
  // I no longer row. We used to sing in a choir. I don't keep bees any longer.
  ...after(
    'ended',
    'no longer(?: (?:be|a|an|the|my|in|at|on|with|\\p{L}+(?: (?:in|at|on|for|with|to))?))?',
    'used to (?:be (?:in|at|on|with|an?) |\\p{L}+(?: (?:to|at|in|for|with|on))? )?(?:the |a |an )?',
  ),
  {
    said: phrase(
      "(?:not|n't|nt) (?:be |really |\\p{L}+ )?(?=[^,.;!?]*\\b(?:any ?more|any longer|after all)\\b)",
    ),
    side: 'after',
    kind: 'ended',
  },
  // I've gone off coffee. I'm tired of techno.
  ...after(
    'soured',
    'gone off',
    'went off',
    '(?:sick|tired) of',
    'fed up with',
    'bored (?:of|with)',
    'fell out of love with',
    'lost interest in',
    'over my',
    "can't stand",
    'had enough of',
  ),
  ...after(
    'soured',
    '(?:overtaken|overtook|dethroned|replaced|beaten|beat|topped|knocked out|knocked)(?=[^,.;!?]* as (?:my|our) )',
  ),
  // The gym is closed. Oslo is history. The band broke up.
  ...before(
    `${be} (?:over|history|off|done|finished|gone|dead|closed|cancell?ed|ended|called off|in the past|behind (?:me|us)|toast|kaput|no more|dissolved|disbanded|discontinued|stolen|sold|wrecked|totall?ed|scrapped|out of the picture)`,
  ),
  ...before(
    `${has}(?:died|passed away|passed on|broke down|packed up|packed in|given up the ghost|gave up the ghost|fell through|fallen through|closed down|shut down|went bust|gone bust|folded|expired|lapsed|ran out|run out|got stolen|fell apart|didn't work out|did not work out|came to an end|come to an end|left me|left us|ran away)`,
  ),
  ...before(
    `${has}(?:retired|quit|resigned|left(?: the (?:company|firm|team|practice|school|job))?|moved on|stepped down|was let go|got fired|was fired|was replaced)(?= *(?:[,.;!?]|$|and|so|last|this|in|at the|yesterday|today))`,
  ),
  // Ana and I broke up. My husband and I are divorced.
  ...before(
    "and (?:i|me)(?: have| 've| are| finally| just| recently| officially)* (?:broke up|broken up|split(?: up)?|(?:got |are |are getting )?divorced|separated|parted ways|called it quits|ended (?:it|things)|are (?:over|done|no longer together|not together anymore))",
  ),
  ...after('ended', '(?:ended|finished|broke) (?:it|things)(?: off)? with'),
  // It's tea now instead of coffee.
  ...after('ended', 'instead of', 'rather than'),
]
