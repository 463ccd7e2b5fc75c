/** Word tables of the comparison in same-statement.ts: what may differ between two texts that say the same. */

const list = (words: string) => words.trim().split(/\s+/)

/** Pairs `from:to`, as one table. */
const pairs = (text: string) => new Map(list(text).map((pair) => pair.split(':') as [string, string]))

/** Words that add no information of their own. */
export const fillers: ReadonlySet<string> = new Set(
  list(`a an the that some really very just so quite actually basically literally honestly simply definitely certainly
    please pls btw fyi lol haha currently presently indeed truly and also o'clock do does um uh hmm`),
)

/** Words that add nothing at the beginning of a text; elsewhere they may ("I sleep well"). */
export const interjections: ReadonlySet<string> = new Set(
  list('well oh hey hi hello ah ok okay yeah yep yes thanks cheers anyway so but right sure'),
)

/** Adverbs that may stand at different places: "I usually drink tea", "usually I drink tea". */
export const floating: ReadonlySet<string> = new Set(
  list(`usually frequently sometimes always still already too probably maybe perhaps possibly mostly
    generally normally typically occasionally frequently regularly today tomorrow yesterday tonight nowadays
    recently lately daily weekly monthly`),
)

/** Introductions that say nothing: removed from the beginning of a text, longest first. */
export const openings: readonly (readonly string[])[] = [
  'just so you know',
  'just wanted to let you know',
  'i just wanted to let you know',
  'i wanted to let you know',
  'i just wanted to say',
  'i wanted to say',
  'i just wanted to tell you',
  'i wanted to tell you',
  'just wanted to say',
  'just to let you know',
  'just a reminder',
  'as a reminder',
  'i should mention',
  'i should add',
  'i have to say',
  'let me tell you',
  'please remember',
  'could you please remember',
  'could you remember',
  'do not forget',
  'please do not forget',
  'keep in mind',
  'please keep in mind',
  'note to self',
  'just a quick note',
  'a quick note',
  'quick note',
  'just a note',
  'just a heads up',
  'heads up',
  'i forgot to mention',
  'i forgot to say',
  'i wanted to mention',
  'i want you to know',
  'for your info',
  'right now',
  'at the moment',
  'these days',
  'please note',
  'remember',
  'note',
  'reminder',
  'by the way',
  'for the record',
  'for your information',
  'as i said before',
  'as i said earlier',
  'as i said',
  'as i mentioned',
  'as you know',
  'like i said',
  'you know',
  'i mean',
  'to be honest',
  'in fact',
  'of course',
]
  .map((phrase) => phrase.split(' '))
  .toSorted((a, b) => b.length - a.length)

/** Phrases that say nothing at the end of a text. */
export const closings: readonly (readonly string[])[] = list(
  'thanks thank_you thanks_a_lot by_the_way you_know as_i_said as_you_know to_be_honest right_now at_the_moment these_days',
).map((phrase) => phrase.split('_'))

/** Contractions as they are typed, with and without the apostrophe. `'s` and `'d` depend on their neighbours. */
export const contractions: ReadonlyMap<string, readonly string[]> = new Map(
  list(`i'm:i_am im:i_am i've:i_have ive:i_have i'll:i_will you're:you_are youre:you_are you've:you_have
    youve:you_have you'll:you_will youll:you_will we're:we_are we've:we_have weve:we_have we'll:we_will
    they're:they_are theyre:they_are they've:they_have theyve:they_have they'll:they_will theyll:they_will
    he'll:he_will she'll:she_will it'll:it_will that'll:that_will there'll:there_will there're:there_are
    who're:who_are who've:who_have what're:what_are
    don't:do_not dont:do_not doesn't:does_not doesnt:does_not didn't:did_not didnt:did_not can't:can_not
    cant:can_not cannot:can_not couldn't:could_not couldnt:could_not won't:will_not wont:will_not
    wouldn't:would_not wouldnt:would_not shouldn't:should_not shouldnt:should_not mustn't:must_not
    isn't:is_not isnt:is_not aren't:are_not arent:are_not wasn't:was_not wasnt:was_not weren't:were_not
    werent:were_not haven't:have_not havent:have_not hasn't:has_not hasnt:has_not hadn't:had_not
    hadnt:had_not ain't:be_not aint:be_not needn't:need_not mightn't:might_not shan't:will_not
    wanna:want_to gonna:going_to gotta:got_to gimme:give_me lemme:let_me kinda:kind_of sorta:sort_of
    let's:let_us lets:let_us thats:that_is whats:what_is theres:there_is hes:he_is shes:she_is
    teh:the thier:their alot:a_lot tommorow:tomorrow tommorrow:tomorrow tomorow:tomorrow adn:and untill:until
    definitly:definitely definately:definitely
    u:you ur:your thx:thanks ppl:people w/:with cuz:because coz:because tho:though`).map((pair) => {
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

/** Forms of one word that carry no difference of time, number or person. */
export const sameForm: ReadonlyMap<string, string> = pairs(`
  am:be is:be are:be has:have me:i my:i mine:i myself:i your:you yours:you yourself:you him:he his:he himself:he
  her:she hers:she herself:she its:it itself:it us:we our:we ours:we ourselves:we them:they their:they
  theirs:they themselves:they were:was each:every at:in into:in inside:in within:in whilst:while
  until:till upon:on toward:to towards:to amongst:among round:around`)

/** Words that mean the same in a statement. Kept small: a wrong pair loses a memory, a missing one stores it twice. */
export const synonyms: ReadonlyMap<string, string> = pairs(`
  mum:mother mom:mother mommy:mother mummy:mother mama:mother dad:father daddy:father papa:father kids:children
  kid:child grandma:grandmother granny:grandmother grandpa:grandfather granddad:grandfather tv:television
  telly:television movie:film movies:films photo:picture photos:pictures pic:picture pics:pictures
  bike:bicycle bikes:bicycles begin:start begins:starts began:started beginning:starting buy:purchase
  buys:purchases bought:purchased buying:purchasing big:large huge:enormous enjoy:like enjoys:likes
  enjoyed:liked enjoying:liking reside:live resides:lives resided:lived residing:living cellphone:phone
  telephone:phone automobile:car cop:policeman nyc:newyork fridge:refrigerator
  vacation:holiday vacations:holidays flat:apartment soccer:football autumn:fall often:frequently
  hubby:husband bday:birthday b-day:birthday info:information doc:doctor docs:doctors prof:professor
  approx:about approximately:about roughly:about around:about whole:entire job:work uni:university
  folks:parents guy:man guys:men scared:afraid glad:happy maybe:perhaps
  everybody:everyone anybody:anyone somebody:someone quick:fast ill:sick usually:normally
  fav:favorite fave:favorite yrs:years yr:year hrs:hours hr:hour
  mins:minutes min:minute kms:km kilometers:km kilometer:km kilogram:kg kilograms:kg kilos:kg kilo:kg
  dollars:dollar usd:dollar bucks:dollar buck:dollar euros:euro eur:euro pounds:pound gbp:pound quid:pound
  percent:% mon:monday tue:tuesday tues:tuesday wed:wednesday thu:thursday thur:thursday thurs:thursday
  fri:friday jan:january feb:february apr:april jun:june jul:july aug:august sept:september sep:september
  oct:october nov:november dec:december`)

/** British spellings and what both spellings become. */
export const spellings: readonly (readonly [RegExp, string])[] = [
  [/^(col|fav|flav|neighb|hon|hum|lab|behavi|rum|harb|od|sav|vap|arm|parl|endeav)our/, '$1or'],
  [/^(.{3,})is(e|ed|es|ing|ation|ations)$/, '$1iz$2'],
  [/^(cent|theat|met|lit|fib|kilomet|centimet)re(s?)$/, '$1er$2'],
  [/^(travel|cancel|model|label|fuel|level|counsel|marvel)l(ing|ed|er|ers)$/, '$1$2'],
  [/^grey/, 'gray'],
  [/^(progra)mme(s?)$/, '$1m$2'],
  [/^pyjama/, 'pajama'],
  [/^yoghurt/, 'yogurt'],
  [/^doughnut/, 'donut'],
  [/^aeroplane/, 'airplane'],
  [/^jewellery$/, 'jewelry'],
  [/^(licen|practi|defen|offen)ce/, '$1se'],
  [/^(catalog|dialog)ue/, '$1'],
  [/^whisky$/, 'whiskey'],
]

/** Verbs whose third person is often typed without its s; nouns with these forms would be a difference in number. */
export const everydayVerbs: ReadonlySet<string> = new Set(
  list(`live like love want need eat prefer go know think own speak teach hate learn belong seem mean believe
    remember keep make take give get say become feel hope wear drive attend suffer`),
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

/** Words that begin a phrase which may stand before or after the rest: "on Monday I run", "I run on Monday". */
export const phraseStarts: ReadonlySet<string> = new Set(
  list(`in on at every during after before since by from for with when while because if last next this
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august
    september october november december until till about once twice despite near`),
)
