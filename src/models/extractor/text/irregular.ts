/** Verbs: the lemma, then the forms that no rule makes. A form belongs to the first lemma that lists it. */
const verbForms = `
be was is am are were been being r|have had has ve|do does did done|go goes went gone|say said|make made|get got gotten
take took taken|come came|see saw seen|know knew known|think thought|give gave given|find found|tell told|feel felt
become became|leave left leaving|put|mean meant|keep kept|let|begin began begun|show showed shown|hear heard|run ran|hold held
bring brought|write wrote written|sit sat|stand stood|lose lost|pay paid|meet met|set|lead led|understand understood
speak spoke spoken|read|spend spent|grow grew grown|win won|buy bought|send sent|build built|fall fell fallen|cut
drive drove driven|break broke broken|wear wore worn|choose chose chosen|eat ate eaten|draw drew drawn|teach taught
catch caught|sell sold|fly flies flew flown|drink drank drunk|sing sang sung|swim swam swum|ride rode ridden
sleep slept|rise rose risen|throw threw thrown|fight fought|seek sought|forget forgot forgotten|wake woke woken
bear bore born borne|hide hid hidden|hit|hurt|shut|quit|bet|cost|stick stuck|strike struck|swear swore sworn
tear tore torn|shake shook shaken|steal stole stolen|freeze froze frozen|forgive forgave forgiven|shrink shrank shrunk
undergo underwent undergone|overcome overcame|withdraw withdrew withdrawn|ring rang rung|sink sank sunk|shoot shot
shine shone|slide slid|lend lent|bend bent|deal dealt|dream dreamt|burn burnt|learn learnt|light lit
lie lain lying|lay laid|die died dying|tie tied tying|feed fed|bleed bled|breed bred|flee fled|hang hung|dig dug
spin spun|spread|split|blow blew blown|bite bit bitten|weave wove woven|sweep swept|creep crept|weep wept|bind bound
wind wound|grind ground|undertake undertook undertaken|mistake mistook mistaken|foresee foresaw foreseen
rewrite rewrote rewritten|rebuild rebuilt|retake retook retaken|need needed|proceed proceeded|exceed exceeded|succeed succeeded
use used using|base based basing|care cared caring|hope hoped hoping|bare bared|star starred starring|bar barred
model modelled modelling modeled modeling|found founded founding|wound wounded wounding|add added|do doing|see seeing
agree agreed|free freed|guarantee guaranteed|ski skied skiing|panic panicked panicking|mimic mimicked mimicking
picnic picnicked picnicking|hate hated hating|date dated dating|rate rated rating|state stated|mate mated
dine dined dining|bathe bathed bathing|breathe breathed breathing|tape taped|tile tiled|file filed filing
rule ruled ruling|bore bored boring|wed wed|bus bussed|sue sued suing|owe owed owing|dye dyed dyeing|singe singed
`

const nounForms = `
child children|man men|woman women|person people|mouse mice|foot feet|tooth teeth|goose geese|wife wives|knife knives
life lives|wolf wolves|half halves|shelf shelves|leaf leaves|loaf loaves|thief thieves|calf calves|scarf scarves
self selves|species|series|news|physics|mathematics|maths|economics|politics|athletics|gymnastics|linguistics
statistics|headquarters|glasses|pants|jeans|shorts|scissors|trousers|clothes|thanks|goods|earnings|savings|troops
regards|supplies|movie movies|cookie cookies|pie pies|tie ties|brownie brownies|calorie calories|zombie zombies
selfie selfies|hoodie hoodies|smoothie smoothies|shoe shoes|bus buses|gas gases|virus viruses|campus campuses
daughter-in-law daughters-in-law|sister-in-law sisters-in-law|brother-in-law brothers-in-law|tennis|ski skis
`

function table(forms: string): ReadonlyMap<string, string> {
  const result = new Map<string, string>()
  for (const line of forms.split(/[|\n]/)) {
    const [lemma, ...others] = line.trim().split(/\s+/)
    if (!lemma) continue
    for (const form of [lemma, ...others]) if (!result.has(form)) result.set(form, lemma)
  }
  return result
}

/** Forms that the rules of lemmas.ts would get wrong, to their lemma. */
export const irregularVerbs = table(verbForms)
export const irregularNouns = table(nounForms)

/** The simple past of verbs that do not take -ed. */
export const irregularPast: ReadonlyMap<string, string> = new Map(
  // The first line of a lemma says its past, so it is set last.
  verbForms
    .split(/[|\n]/)
    .reverse()
    .flatMap((line): [string, string][] => {
      const [lemma, ...others] = line.trim().split(/\s+/)
      const past = others.find((form) => !/(?:s|ing)$/.test(form)) ?? lemma
      return lemma && past ? [[lemma, past]] : []
    }),
)
