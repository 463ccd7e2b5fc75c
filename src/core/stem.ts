/** Stems an English word in lower case (Porter's second algorithm, "Snowball English"). Other words come back as they are. */
export function stem(word: string): string {
  if (word.length < 3 || !/^[a-z]+$/.test(word)) return word
  const special = exceptions.get(word)
  if (special !== undefined) return special
  const marked = markConsonantY(word)
  const start = regionsOf(marked)
  const trimmed = plural(marked)
  if (finishedAfterPlural.has(trimmed)) return trimmed
  let result = pastAndGerund(trimmed, start)
  result = finalY(result)
  result = replaceSuffix(result, start, secondStep)
  result = replaceSuffix(result, start, thirdStep)
  result = replaceSuffix(result, start, fourthStep)
  return finalLetter(result, start).toLowerCase()
}

/** Where the regions R1 and R2 of the word begin. */
interface Regions {
  readonly first: number
  readonly second: number
}

/** Words that the rules below would get wrong, from the algorithm's own list. */
const exceptions = new Map([
  ...Object.entries({ skis: 'ski', skies: 'sky', dying: 'die', lying: 'lie', tying: 'tie' }),
  ...Object.entries({ idly: 'idl', gently: 'gentl', ugly: 'ugli', early: 'earli', only: 'onli' }),
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
])

const finishedAfterPlural = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '))

const vowels = new Set('aeiouy')
const doubles = new Set('bb dd ff gg mm nn pp rr tt'.split(' '))
/** Beginnings after which R1 starts at once, whatever the vowels say. */
const wholePrefixes = ['gener', 'commun', 'arsen']

/** A `y` that acts as a consonant becomes `Y`, which is in no list of vowels. */
function markConsonantY(word: string): string {
  let marked = ''
  for (const letter of word) {
    const before = marked.at(-1)
    marked += letter === 'y' && (before === undefined || vowels.has(before)) ? 'Y' : letter
  }
  return marked
}

function isVowel(word: string, at: number): boolean {
  return vowels.has(word[at] ?? '')
}

function hasVowel(word: string): boolean {
  for (let at = 0; at < word.length; at++) if (isVowel(word, at)) return true
  return false
}

/** The position after the first consonant that follows a vowel, from `start` on. */
function afterVowelConsonant(word: string, start: number): number {
  for (let at = start + 1; at < word.length; at++) {
    if (!isVowel(word, at) && isVowel(word, at - 1)) return at + 1
  }
  return word.length
}

function regionsOf(word: string): Regions {
  const prefix = wholePrefixes.find((start) => word.startsWith(start))
  const first = prefix === undefined ? afterVowelConsonant(word, 0) : prefix.length
  return { first, second: afterVowelConsonant(word, first) }
}

/** Ends in a short syllable: vowel between consonants (not w, x, Y), or a vowel and a consonant as the whole word. */
function endsShort(word: string): boolean {
  const last = word.length - 1
  if (isVowel(word, last) || !isVowel(word, last - 1)) return false
  if (last === 1) return true
  return !isVowel(word, last - 2) && !'wxY'.includes(word[last] ?? '')
}

function plural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1)
  if (!word.endsWith('s') || word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function pastAndGerund(word: string, start: Regions): string {
  const suffix = ['eedly', 'ingly', 'edly', 'eed', 'ing', 'ed'].find((end) => word.endsWith(end))
  if (suffix === undefined) return word
  const rest = word.slice(0, -suffix.length)
  if (suffix.startsWith('eed')) return rest.length >= start.first ? `${rest}ee` : word
  if (!hasVowel(rest)) return word
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (doubles.has(rest.slice(-2))) return rest.slice(0, -1)
  return start.first >= rest.length && endsShort(rest) ? `${rest}e` : rest
}

function finalY(word: string): string {
  const at = word.length - 1
  const isFinal = /[yY]$/.test(word) && at > 1 && !isVowel(word, at - 1)
  return isFinal ? `${word.slice(0, -1)}i` : word
}

/** Suffix, what takes its place, the region it must stand in, and what must come before it. */
type SuffixRule = readonly [suffix: string, into: string, region: keyof Regions, before?: RegExp]

function rules(region: keyof Regions, table: Readonly<Record<string, string>>): readonly SuffixRule[] {
  return Object.entries(table).flatMap(([into, suffixes]) =>
    suffixes.split(' ').map((suffix): SuffixRule => [suffix, into === '-' ? '' : into, region]),
  )
}

const longestFirst = (table: readonly SuffixRule[]) => table.toSorted((a, b) => b[0].length - a[0].length)

const secondStep = longestFirst([
  ...rules('first', {
    tion: 'tional',
    ence: 'enci',
    ance: 'anci',
    able: 'abli',
    ent: 'entli',
    al: 'alism aliti alli',
  }),
  ...rules('first', { ize: 'izer ization', ate: 'ational ation ator', ful: 'fulness fulli', less: 'lessli' }),
  ...rules('first', { ous: 'ousli ousness', ive: 'iveness iviti', ble: 'biliti bli' }),
  ['ogi', 'og', 'first', /l$/],
  ['li', '', 'first', /[cdeghkmnrt]$/],
])

const thirdStep = longestFirst([
  ...rules('first', { tion: 'tional', ate: 'ational', al: 'alize', ic: 'icate iciti ical', '-': 'ful ness' }),
  ['ative', '', 'second'],
])

const fourthStep = longestFirst([
  ...rules('second', { '-': 'al ance ence er ic able ible ant ement ment ent ism ate iti ous ive ize' }),
  ['ion', '', 'second', /[st]$/],
])

/** The longest suffix that the word ends in decides; when its conditions fail, nothing happens. */
function replaceSuffix(word: string, start: Regions, table: readonly SuffixRule[]): string {
  const rule = table.find(([suffix]) => word.endsWith(suffix))
  if (rule === undefined) return word
  const [suffix, into, region, before] = rule
  const rest = word.slice(0, -suffix.length)
  if (rest.length < start[region] || (before !== undefined && !before.test(rest))) return word
  return rest + into
}

function finalLetter(word: string, start: Regions): string {
  const rest = word.slice(0, -1)
  if (word.endsWith('e')) {
    const drops = rest.length >= start.second || (rest.length >= start.first && !endsShort(rest))
    return drops ? rest : word
  }
  return word.endsWith('ll') && rest.length >= start.second ? rest : word
}
