import type { ExtractedChange } from '../../../memory/ports.ts'

/** A way to say that something is over, and on which side of it that something stands. */
interface Ending {
  readonly said: RegExp
  readonly side: 'after' | 'before'
  readonly kind: Extract<ExtractedChange['kind'], 'ended' | 'soured'>
  /** Somebody else does it to the speaker: `my doctor took me off …`. */
  readonly toMe?: true
}

const after = (kind: Ending['kind'], forms: string): Ending[] =>
  forms.split(' | ').map((form) => ({ said: phrase(form), side: 'after', kind }))
const before = (form: string): Ending => ({ said: phrase(form), side: 'before', kind: 'ended' })
const phrase = (form: string) => new RegExp(`(?<![\\p{L}'-])(?:${form.trim()})(?![\\p{L}'-])`, 'giu')

const be =
  "(?:is|are|was|were|'s|'re|has been|have been|got|gets)(?: now| finally| officially| all| long| just)*"
const has = "(?:(?:has|have|had|'s) (?:just |finally |now |since )*|finally |just |suddenly |sadly )?"
const mine = '(?:my|our|the|all|both|that)'

/** Each line with a sentence that says so. Only what has happened counts: plans and wishes end nothing. */
export const endings: readonly Ending[] = [
  // I sold the boat. We had to sell it. I gave my guitar to Ben.
  ...after(
    'ended',
    'sold(?: off)? | got rid of | gave away | given away | threw (?:away|out) | donated | scrapped',
  ),
  ...after(
    'ended',
    'returned | traded(?: in)? | swapped(?: out)? | replaced | exchanged | pawned | wrecked | totall?ed',
  ),
  ...after(
    'ended',
    'had to (?:sell|return|cancel|close|quit|leave|drop|give up|give away|get rid of|put down|let go of)',
  ),
  ...after('ended', `gave (?=${mine} [^,.;!?]* to ) | parted with | passed on (?=${mine} )`),
  { ...one('(?:stole|nicked|confiscated|repossessed)'), toMe: true },
  // We cancelled the gym. She unsubscribed from the newsletter.
  ...after(
    'ended',
    'cancell?ed | unsubscribed from | ended | terminated | closed(?: down)? | shut down | deleted',
  ),
  ...after('ended', 'uninstalled | wiped | ditched | dumped | axed | binned | chucked(?: in)? | abandoned'),
  ...after('ended', 'dropped(?: out of)? | disbanded | dissolved | called off | broke off | pulled out of'),
  ...after('ended', 'backed out of | withdrew from | opted out of | signed off from | checked out of'),
  // I quit the choir. He left Acme. Today was my last day at the mill.
  ...after(
    'ended',
    'quit | left | resigned from | retired from | stepped down (?:from|as) | departed(?: from)?',
  ),
  ...after(
    'ended',
    'parted ways with | last (?:day|shift|week) (?:at|with|in|as(?: an?)?) | (?:my|our) notice (?:at|to|with)',
  ),
  ...after(
    'ended',
    'moved (?:away |out )?(?:from|of) | switched(?: away| over)? from | changed from | migrated from',
  ),
  ...after(
    'ended',
    'fired | sacked | let go of | kicked out | outgrew | grew out of | graduated from | finished at',
  ),
  // I stopped going to yoga. I gave up on Latin. I'm off the pills.
  ...after(
    'ended',
    '(?:stopped|quit|gave up|given up)(?: (?!any|every|some|no)\\p{L}+ing)?(?: to| on| at| with| for| in| the)* | kicked',
  ),
  ...after(
    'ended',
    "cut out | swore off | (?:came|come|weaned|been taken|am|'m|went|got) off | stayed away from",
  ),
  ...after(
    'ended',
    'said (?:goodbye|farewell) to | goodbye to | (?:good)?bye(?: bye)?,? | farewell,? | no more | (?:done|finished|through) with',
  ),
  // I broke up with Ana. She divorced Tom.
  ...after(
    'ended',
    'broke up with | broken up with | split(?: up)? (?:with|from) | divorced | separated from',
  ),
  ...after('ended', '(?:ended|finished|broke) (?:it|things)(?: off)? with'),
  { ...one('(?:took|taken|weaned) (?:me|us) off'), toMe: true },
  one(`let (?=${mine} .*\\b(?:lapse|expire|go|run out)\\b)`),
  // I no longer row. We used to sing in a choir. I don't keep bees any longer.
  one('no longer(?: (?:be|a|an|the|my|in|at|on|with|\\p{L}+(?: (?:in|at|on|for|with|to))?))?'),
  one('used to (?:be (?:in|at|on|with|an?) |\\p{L}+(?: (?:to|at|in|for|with|on))? )?(?:the |a |an )?'),
  {
    said: /(?<=\bnot|n't|\p{L}nt) (?:be |really |even )?(?:\p{L}+ )(?:to |at |in |on |for |with |of )?(?=[^,.;!?]*\b(?:any ?more|any longer|after all)\b)/giu,
    side: 'after',
    kind: 'ended',
  },
  // I've gone off coffee. I'm tired of techno. The Cure has overtaken Blur as my favourite.
  ...after(
    'soured',
    '(?:gone|went) off | (?:sick|tired) of | fed up with | bored (?:of|with) | had enough of',
  ),
  ...after('soured', "fell out of love with | lost interest in | can't stand | don't (?:care for|fancy)"),
  {
    ...one(
      '(?:overtaken|overtook|dethroned|replaced|beaten|beat|topped|knocked out)(?=[^,.;!?]* as (?:my|our) )',
    ),
    kind: 'soured',
    toMe: true,
  },
  {
    ...before("(?:used to be|isn't|is not|was|is no longer) (?:my|our) (?:all-time )?fav\\p{L}+"),
    kind: 'soured',
  },
  // The gym is closed. Oslo is history. The band broke up. My internship ended.
  before(
    `${be} (?:over|history|off|done|finished|gone|dead|closed|cancell?ed|ended|called off|in the past|behind (?:me|us)|toast|kaput|no more|dissolved|disbanded|discontinued|stolen|sold|wrecked|totall?ed|scrapped|out of the picture)`,
  ),
  before(
    `${has}(?:ended|died|passed away|passed on|broke down|packed up|packed in|given up the ghost|gave up the ghost|fell through|fallen through|closed down|shut down|went bust|gone bust|folded|expired|lapsed|ran out|run out|fell apart|didn't work out|did not work out|came to an end|come to an end|left me|left us|dumped me|ran away|moved out)`,
  ),
  before(
    `${has}(?:retired|quit|resigned|left(?: the (?:company|firm|team|practice|school|job))?|moved on|stepped down|was let go|got fired|was fired|was replaced)(?= *(?:[,.;!?]|$|and|so|last|this|in|at the|yesterday))`,
  ),
  // Ana and I broke up. My husband and I are divorced. Ben and I aren't together anymore.
  before(
    "and (?:i|me)(?: have|'ve| are| finally| just| recently| officially)* (?:broke up|broken up|split(?: up)?|(?:got |are |are getting )?divorced|separated|parted ways|called it quits|ended (?:it|things)|are (?:over|done|no longer together)|are(?: not|n't) together(?: any ?more)?|aren't (?:a couple|dating|seeing each other)(?: any ?more)?)",
  ),
  // It's tea now instead of coffee.
  ...after('ended', 'instead of | rather than'),
]

function one(form: string): Ending {
  return { said: phrase(form), side: 'after', kind: 'ended' }
}
