/** Words that only one language of each line uses often, so that a few of them decide. */
const english =
  words(`the and is are was were i my me you your he she his her we our they their it of to in on at for with
from that this have has had not but be been am do does did don't i'm i've it's will would can could just about who which
when where what there than then because by as an a so very really love like went got`)

const foreign =
  words(`el la los las una unos que por para con muy mi mis tu su sus yo ella nosotros ustedes soy eres somos
estoy está están tengo tiene vivo trabajo pero porque también del al gusta hola gracias
le les des une est sont suis je tu il elle nous vous ils elles mon ma mes ton ses avec pour dans sur pas mais aussi très
j'ai j'habite c'est qui du et au aux ne travaille
der die das und ist sind ich du er sie wir ihr mein meine meinen nicht mit für auf von zu aber auch sehr ein eine einen
einem wohne arbeite habe bin im am dem den
il lo gli uno sono sei è siamo io tu lui lei noi voi mio mia miei con per che non ma anche molto abito lavoro ho della di
o os um uma eu ele ela nós meu minha meus não mas também muito moro trabalho em na no dos das sou estou tenho com
de het een ik jij hij zij wij mijn niet met voor op van maar ook heel woon werk heb ben
och jag du han hon vi min mitt inte med för på av men också mycket är bor att som
og jeg ikke til jeg min er
i w na nie jest są się mam mój moja mieszkam pracuję z do że ale
bir ve bu için çok ben sen değil ile evim yaşıyorum`)

/** Also English words: they say nothing about which language it is. */
for (const shared of [
  'i',
  'me',
  'a',
  'an',
  'on',
  'of',
  'in',
  'so',
  'do',
  'no',
  'as',
  'at',
  'am',
  'die',
  'was',
  'man',
]) {
  foreign.delete(shared)
}

function words(list: string): Set<string> {
  return new Set(list.split(/\s+/))
}

/** How much of a text is looked at: enough to be sure, little enough to be free. */
const sampleLength = 2000

/**
 * Whether a text is English, by its script and its small words; a few words without either count as English when
 * most of them are known. Anything else is not read for facts.
 */
export function isEnglish(text: string, isKnown: (word: string) => boolean): boolean {
  const sample = text.slice(0, sampleLength).toLowerCase().replace(/[’ʼ]/g, "'")
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters === 0 || latin / letters < 0.7) return false
  const found = sample.match(/[\p{L}']+/gu) ?? []
  const hits = found.filter((word) => english.has(word)).length
  const misses = found.filter((word) => foreign.has(word) && !english.has(word)).length
  if (hits + misses > 0) return hits > misses || (hits === misses && share(found, isKnown) > 0.8)
  return share(found, isKnown) >= 0.5
}

function share(found: readonly string[], isKnown: (word: string) => boolean): number {
  return found.filter((word) => isKnown(word.replace(/'.*/, ''))).length / Math.max(1, found.length)
}
