import type { ExtractedChange } from '../../../memory/ports.ts'

/** A way to say that something is over, and on which side of it that something stands. */
interface Ending {
  readonly said: RegExp
  readonly side: 'after' | 'before'
  readonly kind: Extract<ExtractedChange['kind'], 'ended' | 'soured'>
  /** It denies by itself: `not … anymore`. */
  readonly denies?: true
  /** What is over, where no words name it: `I handed in my notice`. */
  readonly words?: string
  /** Somebody else does it to the speaker: `my doctor took me off …`. */
  readonly toMe?: true
}

/** One form a line, or several between bars; the longest is tried first. What they all begin with stands in `lead`. */
function anyOf(list: string, lead = ''): RegExp {
  const forms = list
    .split(/\n| \| /)
    .map((form) => form.trimStart())
    .filter(Boolean)
    .sort((a, b) => b.length - a.length)
  return new RegExp(`(?<![\\p{L}'-])${lead}(?:${forms.join('|')})(?:(?<=\\s)|(?![\\p{L}'-]))`, 'giu')
}

const after = (kind: Ending['kind'], list: string, more: Partial<Ending> = {}): Ending => ({
  ...{ said: anyOf(list), side: 'after', kind },
  ...more,
})
const before = (kind: Ending['kind'], list: string, lead = ''): Ending => ({
  said: anyOf(list, lead),
  side: 'before',
  kind,
})

const be = `(?:is|are|was|were|'s|'re|has been|have been|got|gets)(?: now| finally| officially| all| long| just)*`
const has = `(?:(?:has|have|had|'s) (?:just |finally |now |since )*|finally |just |suddenly |sadly )?`
/** Who leaves at six, or leaves something somewhere, comes back. */
const forGood = String.raw`(?! [^.;!?]*\b(?:at (?:\d|noon|dawn|dusk|midnight|lunch|night|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|quarter)|today|tonight|this (?:morning|afternoon|evening)|early|late|on the (?:bus|train|table|plane|counter|desk|roof|way)|in the (?:car|taxi|rain|fridge|oven|sun)|back (?:on|in|by|at|soon|home|tomorrow))\b)`
/** `Ana and I`, and what may stand before the verb. */
const weTwo = `and (?:i|me)(?: have|'ve| are| finally| just| recently| officially)* `
const mine = '(?:my|our|the|all|both|that)'

/** Only what has happened counts: plans and wishes end nothing. */
export const endings: readonly Ending[] = [
  // I sold the boat. We had to sell it. I gave my guitar to Ben.
  after(
    'ended',
    `sold(?: off)? | got rid of | gave away | given away | threw (?:away|out) | donated | scrapped | returned
    traded(?: in)? | swapped(?: out)? | replaced | exchanged | pawned | wrecked | totall?ed | crashed | wrote off
    gave (?=${mine} [^,.;!?]* to ) | parted with | passed on (?=${mine} ) | lent out | offloaded
    had to (?:sell|return|cancel|close|quit|leave|drop|give up|give away|get rid of|put down|let go of)`,
  ),
  // We cancelled the gym. She unsubscribed from the newsletter.
  after(
    'ended',
    `cancell?ed | unsubscribed from | ended | terminated | closed(?: down)? | shut down | deleted | uninstalled | wiped
    ditched | dumped | axed | binned | chucked(?: in)? | abandoned | dropped(?: out of)? | disbanded | dissolved
    called off | broke off | pulled out of | backed out of | withdrew from | opted out of | signed off from | checked out of
    (?:down|up)graded(?: from)? | packed in | jacked in | shelved | put an end to | pulled the plug on | canned`,
  ),
  // I quit the choir. He left Acme. Today was my last day at the mill.
  after(
    'ended',
    String.raw`quit | left${forGood} | resigned from | retired from | stepped down (?:from|as) | departed(?: from)? | parted ways with
    last (?:day|shift|week) (?:at|with|in|as(?: an?)?) | (?:my|our) (?:notice|resignation) (?:at|to|with|from) | walked (?:out of|away from)
    moved (?:away |out )?(?:from|of) | switched(?: away| over)? from | changed from | migrated from | jumped ship from
    (?:ported|moved|switched|transferred|migrated|changed|went|converted|swapped) (?:(?:my|our|the) \p{L}+(?: \p{L}+)? )?(?:over |away )?from
    fired | sacked | let go of | outgrown | kicked out | outgrew | grew out of | graduated from | finished(?: at| reading| watching| playing) | finished (?=my (?:studies|degree|master|phd|internship|course|training|apprenticeship))
    completed | wrapped up | shaved(?: off)? | (?:back|returned|home) from | (?:sacked|fired|let go|made redundant|laid off|dismissed|expelled|the sack|the boot) (?:from|by|at)`,
  ),
  // I stopped going to yoga. I gave up on Latin. I'm off the pills.
  after(
    'ended',
    String.raw`(?:stopped|quit|gave up|given up)(?: (?!any|every|some|no)\p{L}+ing)?(?: to| on| at| with| for| in| the)*
    kicked | cut out | swore off | (?:came|come|weaned|been taken|am|'m|went|got) off | stayed away from | kissed goodbye to
    said (?:goodbye|farewell) to | goodbye to | no more | (?:done|finished|through) with`,
  ),
  // I broke up with Ana. She divorced Tom.
  after(
    'ended',
    `broke up with | broken up with | split(?: up)? (?:with|from) | divorced | separated from
    (?:ended|finished|broke) (?:it|things)(?: off)? with | fell out with | unfriended`,
  ),
  // My doctor took me off the pills. Somebody stole our tent. We let the lease lapse.
  after(
    'ended',
    '(?:took|taken|weaned) (?:me|us) off | stole | nicked | confiscated | repossessed | removed | took (?:out|down) | cut off',
    {
      toMe: true,
    },
  ),
  after('ended', String.raw`let (?=[^,.;!?]*\b(?:lapse|expire|go|run out)\b)`),
  // I no longer row. We used to sing in a choir. I don't keep bees any longer.
  after(
    'ended',
    String.raw`no longer(?: (?:be|a|an|the|my|in|at|on|with|\p{L}+(?: (?:in|at|on|for|with|to))?))?
    used to (?:be (?:in|at|on|with|an?) |\p{L}+(?: (?:to|at|in|for|with|on))? )?(?:the |a |an )?`,
  ),
  {
    said: /(?<=\bnot|n't|\p{L}nt) (?:be |really |even )?(?:\p{L}+ )(?:to |at |in |on |for |with |of )?(?=[^,.;!?]*\b(?:any ?more|any longer|after all)\b)/giu,
    side: 'after',
    kind: 'ended',
    denies: true,
  },
  // I handed in my notice. I got laid off.
  after(
    'ended',
    `(?:handed in|gave|given in) (?:my|our) (?:two weeks' |four weeks' )?notice | (?:got|was|been) (?:laid off|made redundant|sacked|fired|let go)(?! by| from)
    lost my job | took early retirement | (?:i|i've) (?:just )?(?:resigned|retired)(?= *(?:[,.;!?]|$|last|in|yesterday|today|this))`,
    { words: 'job' },
  ),
  // Our divorce is final. I'm divorced. I didn't renew the lease.
  // I got remarried.
  ...['divorced', 'single', 'widowed'].map((words) =>
    after('ended', "(?:got |getting |am |'m |just |recently )*(?:remarried|married again)", { words }),
  ),
  ...['marriage', 'married'].map((words) =>
    after(
      'ended',
      `(?:my|our|the) divorce (?:came through|went through|is (?:final|finali[sz]ed|official|done)|was finali[sz]ed)
      (?:i'm|i am|we're|we are|i|we) (?:now |finally |officially |just )*(?:got |getting )?divorced(?= *(?:[,.;!?]|$|now|last|in|this))`,
      { words },
    ),
  ),
  after('ended', `(?:did not|didn't|have not|haven't|won't|will not) (?:renew|renewed|extend|be renewing)`, {
    denies: true,
  }),
  // I've gone off coffee. I'm tired of techno. The Cure has overtaken Blur as my favourite.
  after(
    'soured',
    `(?:gone|went) off | (?:sick|tired) of | fed up with | bored (?:of|with) | had enough of | fell out of love with
    lost interest in | can't stand | don't (?:care for|fancy) | sworn off | overdosed on | grown tired of`,
  ),
  after(
    'soured',
    '(?:overtaken|overtook|dethroned|replaced|beaten|beat|topped|knocked out)(?=[^,.;!?]* as (?:my|our) )',
    { toMe: true },
  ),
  before(
    'soured',
    String.raw`(?:used to be|isn't|is not|was|is no longer) (?:my|our) (?:all-time )?fav\p{L}+`,
  ),
  // The gym is closed. Oslo is history. The band broke up. My internship ended.
  before(
    'ended',
    `${be} (?:over|history|off|done|finished|gone|dead|closed|cancell?ed|ended|called off|in the past|behind (?:me|us)|toast|kaput|no more|dissolved|disbanded|discontinued|stolen|sold|wrecked|totall?ed|scrapped|out of the picture)(?= *(?:[,.;!?]|$|and|so|but|now|for good|since|last|this|in|because|after|thanks))
    ${has}(?:died|passed away|passed on)(?= *(?:[,.;!?]|$|so|and|last|in|yesterday|this|on (?:mon|tues|wednes|thurs|fri|satur|sun)day))
    ${has}(?:ended|packed (?:up|in)|g[ai]ven? up the ghost|f[ae]ll(?:en)? (?:through|apart)|closed down|shut down|(?:went|gone) (?:bust|bankrupt|under)|folded|expired|lapsed|r[au]n out|did(?: not|n't) work out|c[ao]me to an end|left (?:me|us)|(?:let|laid|fired|sacked|dropped|dumped|released|axed) (?:me|us)(?: go| off)?|made me redundant|ran away|moved out)
    ${has}(?:retired|quit|resigned|left(?: the (?:company|firm|team|practice|school|job))?|moved on|stepped down|was let go|got fired|was fired|was replaced)(?= *(?:[,.;!?]|$|and|so|last|this|in|at the|yesterday))`,
  ),
  // Ana and I broke up. My husband and I are divorced. Ben and I aren't together anymore.
  before(
    'ended',
    `broke up | broken up | split(?: up)? | separated | parted ways | ended (?:it|things) | called it (?:quits|a day)
    (?:got |are |are getting )?divorced | (?:got|are getting|filed for) a divorce
    (?:decided to |agreed to )?(?:go|went|are going) our separate ways
    are (?:over|done) | are no longer (?:together|friends|dating|married|speaking|a couple|an item)
    are(?: not|n't) together(?: any ?more)? | aren't (?:a couple|dating|seeing each other)(?: any ?more)?`,
    weTwo,
  ),
  // It's tea now instead of coffee.
  after('ended', 'instead of | rather than'),
]
