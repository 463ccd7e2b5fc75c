/** One spelling for each word: British and American, short and long forms of units, frequent slips of the keys. */

const list = (words: string) => words.trim().split(/\s+/)

/** Pairs `from:to`, as one table. */
const pairs = (text: string) => new Map(list(text).map((pair) => pair.split(':') as [string, string]))

/** Endings and stems with two spellings, and what both become. Applied in order. */
const patterns: readonly (readonly [RegExp, string])[] = [
  [/^(licen|practi|defen|offen|preten)[cs](e|ed|es|ing|eless)$/, '$1s$2'],
  [
    /^(col|fav|flav|neighb|hon|hum|lab|behavi|rum|harb|od|sav|vap|arm|parl|endeav|glam|vig|clam|fav|tum)our/,
    '$1or',
  ],
  [/^(.{3,})(?<!pract)is(e|ed|es|ing|ation|ations|er|ers)$/, '$1iz$2'],
  [/^(anal|paral|catal)ys(e|ed|es|ing)$/, '$1yz$2'],
  [/^(cent|theat|met|lit|fib|kilomet|centimet|millimet|spect|cal|lust)re(s?)$/, '$1er$2'],
  [
    /^(travel|cancel|model|label|fuel|level|counsel|marvel|quarrel|signal|dial|total)l(ing|ed|er|ers)$/,
    '$1$2',
  ],
  [/^(enrol|fulfil|instal|distil|skil|wil)(s|ment|ments|ful|fully)?$/, '$1l$2'],
  [/^(burn|learn|dream|spell|spoil|smell|spill|lean|kneel)t$/, '$1ed'],
  [/^(an|p|orthop|gyn|leuk|encyclop|arch|medi|h)ae/, '$1e'],
  [/^(f|diarrh|man|am|hom)oe(?=[a-z]{2})/, '$1e'],
  [/^grey/, 'gray'],
  [/^(progra|gra|kilogra)mme(s?)$/, '$1m$2'],
  [/^(catalog|dialog|monolog|analog)ue/, '$1'],
]

/** Words with two spellings of their own. */
const spelled = pairs(`
  mould:mold mouldy:moldy cheque:check cheques:checks tyre:tire tyres:tires plough:plow kerb:curb sceptical:skeptical
  aluminium:aluminum moustache:mustache liquorice:licorice omelette:omelet omelettes:omelets chilli:chili
  draught:draft storey:story cosy:cozy sulphur:sulfur ageing:aging judgement:judgment maths:math spelt:spelled
  smelt:smelled spilt:spilled manoeuvre:maneuver pyjamas:pajamas pyjama:pajama yoghurt:yogurt yoghurts:yogurts
  doughnut:donut doughnuts:donuts aeroplane:airplane aeroplanes:airplanes jewellery:jewelry jeweller:jeweler
  whisky:whiskey woollen:woolen artefact:artifact axe:ax speciality:specialty acknowledgement:acknowledgment
  adviser:advisor racquet:racket gaol:jail phoney:phony ok:okay sulphate:sulfate carburettor:carburetor marvellous:marvelous
  barbeque:barbecue bbq:barbecue
  metre:m metres:m meter:m meters:m kilometre:km kilometres:km kilometer:km kilometers:km kms:km
  centimetre:cm centimetres:cm centimeter:cm centimeters:cm millimeter:mm millimeters:mm kilogram:kg kilograms:kg
  kilos:kg kilo:kg kgs:kg gram:g grams:g milligram:mg milligrams:mg liter:l liters:l milliliter:ml milliliters:ml
  lbs:lb feet:ft yrs:years yr:year hrs:hours hr:hour h:hours mins:minutes min:minute celsius:c degree:degrees
  dollars:dollar usd:dollar bucks:dollar buck:dollar euros:euro eur:euro pounds:pound gbp:pound quid:pound
  francs:franc chf:franc percent:% approx:about nyc:newyork m2:sqm street:st
  avenue:ave road:rd saint:st doctor:dr doc:dr doctors:drs docs:drs mister:mr versus:vs`)

/** Frequent slips: of short words, of two letters, and of words that begin with a capital. */
const slips = pairs(`
  hte:the teh:the thier:their taht:that wiht:with jsut:just liek:like ahve:have thsi:this waht:what knwo:know
  wnat:want yuo:you adn:and nad:and wich:which allways:always allready:already thx:thanks ppl:people u:you ur:your
  cuz:because coz:because tho:though wierd:weird definitly:definitely definately:definitely definetly:definitely
  definatly:definitely neccessary:necessary accomodation:accommodation restaraunt:restaurant resturant:restaurant
  probaly:probably probly:probably usualy:usually useually:usually finaly:finally realy:really sometims:sometimes
  tommorow:tomorrow tommorrow:tomorrow tomorow:tomorrow tommorro:tomorrow tonite:tonight yestarday:yesterday
  recieve:receive recieved:received buisness:business collegue:colleague enviroment:environment embarassed:embarrassed
  vegeterian:vegetarian vegitarian:vegetarian diabetis:diabetes medecine:medicine excercise:exercise exersize:exercise
  choclate:chocolate brocoli:broccoli brocolli:broccoli spagetti:spaghetti sandwhich:sandwich bycicle:bicycle
  untill:until fourty:forty twelth:twelfth nineth:ninth thrid:third seperate:separate suprise:surprise
  monay:monday tusday:tuesday teusday:tuesday tuseday:tuesday wensday:wednesday wednsday:wednesday wendesday:wednesday
  wedensday:wednesday thrusday:thursday thursady:thursday firday:friday saterday:saturday satruday:saturday
  janurary:january febuary:february feburary:february agust:august septmber:september septemeber:september
  ocotber:october novemeber:november decemeber:december`)

/** A word without its slip, if it is one of the frequent ones; numbers and dates are read from what it returns. */
export const withoutSlip = (word: string): string => slips.get(word) ?? word

/** Most words are spelled in one way; one look tells. */
const anyPattern = new RegExp(patterns.map(([from]) => from.source).join('|'))

/** The one spelling of a lower-case word; a word that has but one is returned as it is. */
export function spell(word: string): string {
  const form = anyPattern.test(word)
    ? patterns.reduce((before, [from, to]) => before.replace(from, to), word)
    : word
  return spelled.get(form) ?? form
}
