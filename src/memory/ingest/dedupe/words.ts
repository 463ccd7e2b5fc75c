/** Word tables of the comparison in same-statement.ts: what may differ between two texts that say the same. */

const list = (words: string) => words.trim().split(/\s+/)

/** Pairs `from:to`, as one table. */
const pairs = (text: string) => new Map(list(text).map((pair) => pair.split(':') as [string, string]))

/** Articles: they say nothing, but show where a noun phrase begins. */
export const articles: ReadonlySet<string> = new Set(list('a an the'))

/** Words that add no information of their own, but are part of phrases that do ("so much", "that is why"). */
export const fillers: ReadonlySet<string> = new Set(
  list("a an the that so and also do does o'clock per therefore thus hence too ever now"),
)

/** Adverbs and interjections that add nothing anywhere. */
export const empty: ReadonlySet<string> = new Set(
  list(`really very just quite actually basically literally honestly simply definitely certainly truly indeed please pls btw
    fyi lol haha tbh currently presently um uh hmm sadly unfortunately luckily fortunately thankfully personally absolutely
    totally extremely super obviously genuinely seriously incredibly terribly awfully completely utterly entirely deeply
    clearly surely naturally frankly surprisingly interestingly sincerely kindly fairly`),
)

/** Adverbs that may stand anywhere in their clause: "I usually drink tea", "usually I drink tea". */
export const floating: ReadonlySet<string> = new Set(
  list(`normally frequently sometimes always still already probably perhaps possibly mostly both
    generally typically occasionally regularly today tomorrow yesterday tonight nowadays
    recently lately daily weekly monthly yearly hourly again finally originally eventually soon rarely apparently
    hopefully constantly`),
)

/** Contractions as they are typed, with and without the apostrophe. `'s` and `'d` depend on their neighbours. */
export const contractions: ReadonlyMap<string, readonly string[]> = new Map(
  list(`i'm:i_am im:i_am i've:i_have ive:i_have i'll:i_will you're:you_are youre:you_are you've:you_have
    youve:you_have you'll:you_will youll:you_will we're:we_are we've:we_have weve:we_have we'll:we_will
    they're:they_are theyre:they_are they've:they_have theyve:they_have they'll:they_will theyll:they_will
    he'll:he_will she'll:she_will it'll:it_will itll:it_will that'll:that_will there'll:there_will there're:there_are
    who're:who_are who've:who_have what're:what_are could've:could_have should've:should_have would've:would_have
    don't:do_not dont:do_not doesn't:does_not doesnt:does_not didn't:did_not didnt:did_not can't:can_not
    cant:can_not cannot:can_not couldn't:could_not couldnt:could_not won't:will_not wont:will_not
    wouldn't:would_not wouldnt:would_not shouldn't:should_not shouldnt:should_not mustn't:must_not mustnt:must_not
    isn't:is_not isnt:is_not aren't:are_not arent:are_not wasn't:was_not wasnt:was_not weren't:were_not
    werent:were_not haven't:have_not havent:have_not hasn't:has_not hasnt:has_not hadn't:had_not
    hadnt:had_not ain't:be_not aint:be_not needn't:need_not mightn't:might_not shan't:will_not
    wanna:want_to gonna:going_to gotta:got_to gimme:give_me lemme:let_me kinda:kind_of sorta:sort_of
    let's:let_us lets:let_us thats:that_is whats:what_is theres:there_is hes:he_is shes:she_is whos:who_is
    i'd:i_would youd:you_would theyd:they_would alot:a_lot w/:with`).map((pair) => {
    const [from = '', to = ''] = pair.split(':')
    return [from, to.split('_')]
  }),
)

/** Words after which `'s` is the verb. */
export const verbalHosts: ReadonlySet<string> = new Set(
  list(
    'name he she it that there what who where when how here this everything everyone nobody nothing someone',
  ),
)

/** Words before which `'s` behind a noun is the verb: "Maria's in Rome", against "Maria's house". */
export const afterVerbalS: ReadonlySet<string> = new Set(
  list('a an the not in at on from my your his our their going very really allergic called named married'),
)

/** Words before which `'s` is "has". */
export const participles: ReadonlySet<string> = new Set(
  list('been got gone become begun broken taken given grown fallen had'),
)

/** Contractions that are another word without their apostrophe, and what follows only the contraction. */
export const unmarkedContractions: ReadonlyMap<
  string,
  { readonly written: readonly string[]; readonly follows: ReadonlySet<string> }
> = new Map([
  ['its', { written: ['it', 'is'], follows: afterVerbalS }],
  [
    'ill',
    {
      written: ['i', 'will'],
      follows: new Set(list('be have go call come see do get try take bring send start')),
    },
  ],
  ['id', { written: ['i', 'would'], follows: new Set(list('like love rather prefer')) }],
  [
    'were',
    {
      written: ['we', 'are'],
      follows: new Set(list('going moving planning having getting thinking not all')),
    },
  ],
])

/** Verbs of one time in one form: they carry no difference of number or person. */
export const verbForms: ReadonlyMap<string, string> = pairs('am:be is:be are:be has:have were:was')

/** Pronouns and prepositions whose form says nothing. The place in the sentence says who does what to whom. */
export const sameForm: ReadonlyMap<string, string> = pairs(`
  me:i my:i mine:i myself:i your:you yours:you yourself:you him:he his:he himself:he
  her:she hers:she herself:she its:it itself:it us:we our:we ours:we ourselves:we them:they their:they
  theirs:they themselves:they each:every at:in into:in inside:in within:in whilst:while
  until:till upon:on toward:to towards:to amongst:among round:about around:about`)

/** Verbs whose third person is often typed without its s; nouns with these forms would be a difference in number. */
export const everydayVerbs: ReadonlySet<string> = new Set(
  list(`live like love want need eat prefer go know think own speak teach hate learn belong seem mean believe
    remember keep make take give get say become feel hope wear drive attend suffer dislike`),
)

/** Verbs behind which "to smoke" and "smoking" are two things. */
export const infinitiveMatters: ReadonlySet<string> = new Set(
  list('stop stops stopped remember remembers remembered forget forgets forgot regret regretted try tried'),
)

/** A capital letter changes what these words name. */
export const caseSensitive: ReadonlySet<string> = new Set(
  list(`us it who polish turkey may march china apple amazon jordan will mark rose bill chase rob frank grace
    hope joy jack pat art sue drew dean guy nick cliff grant dale reading nice mobile orange chad georgia
    may august amber ruby daisy lily violet ivy hazel pepper ginger olive target shell gap visa meta oracle
    python java rust swift ruby go excel word teams slack zoom discord`),
)

/** Words behind which a noun phrase or a list begins anew. */
export const heads: ReadonlySet<string> = new Set(
  list(`be was have had in on to from for with of by about like love hate speak eat drink play called and or but
    i you he she it we they include including see visit study know met both either than near`),
)

/** Words that begin a phrase which may stand before or after the rest: "on Monday I run", "I run on Monday". */
export const phraseStarts: ReadonlySet<string> = new Set(
  list(`in on at every during after before since by from for with when while because if last next this
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december until till about despite near to due beside behind under
    over above below between across through along opposite outside without except instead besides throughout as whenever
    where unless but`),
)

/** Words of which a phrase is one of time. */
export const timeWord =
  /^(?:date:\S+|t\d+|(?:19|20)\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|morning|noon|afternoon|evening|night|weekends?|days?|weeks?|months?|years?|spring|summers?|fall|winters?|easter|christmas)$/

/** Times before which "on" and "in" say nothing. */
export const bareTime = /^(?:date:|t\d+$|weekends?$|(?:mon|tues|wednes|thurs|fri|satur|sun)days?$)/

/** Words that can be the subject of a clause behind "and". */
export const subjects: ReadonlySet<string> = new Set(list('i you he she it we they this there'))

/** Words behind which a name may stand in a text without capitals. */
export const nameIntroductions: ReadonlySet<string> = new Set(
  list(
    'called named name in from to at with by for near and of mr mrs ms dr met know meet love like visit see saw',
  ),
)
