/** Whether a word is in the language's vocabulary; a word that is not may be a misspelling of one that is. */
export type KnowsWord = (word: string) => boolean

/** How a word can be misspelt, and how long both must be: short words are too close to each other (cat, car). */
const shortest = { swapped: 4, doubled: 5, dropped: 6, vowel: 7 } as const

type Slip = keyof typeof shortest

/** Of words this long none is another with two letters exchanged or one doubled, be they in the vocabulary or not. */
const longWord = 8

/** Whether one word is the other with a slip of the keys; both real words, or a derived one, are no slip. */
export function isMisspelling(a: string, b: string, knowsWord: KnowsWord): boolean {
  const length = Math.min(a.length, b.length)
  if (length < shortest.swapped || a[0] !== b[0] || Math.abs(a.length - b.length) > 1) return false
  if (!/^\p{L}+$/u.test(a + b) || isDerived(a, b)) return false
  const slip = slipBetween(a, b)
  if (slip === null || length < shortest[slip]) return false
  const [knowsA, knowsB] = [isReal(a, knowsWord), isReal(b, knowsWord)]
  if (knowsA !== knowsB) return true
  return !knowsA && length >= longWord && (slip === 'swapped' || slip === 'doubled')
}

/** An ending makes another word: pancake and pancakes, bake and baker. */
function isDerived(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return long.startsWith(short) && /[sdryne]$/.test(long) && long.at(-1) !== short.at(-1)
}

function slipBetween(a: string, b: string): Slip | null {
  if (a.length < b.length) return slipBetween(b, a)
  let at = 0
  while (at < b.length && a[at] === b[at]) at++
  if (a.length > b.length) {
    if (a.slice(at + 1) !== b.slice(at)) return null
    return a[at] === a[at - 1] || a[at] === a[at + 1] ? 'doubled' : 'dropped'
  }
  if (a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)) return 'swapped'
  return a.slice(at + 1) === b.slice(at + 1) && confused.has(`${a[at]}${b[at]}`) ? 'vowel' : null
}

/** Vowels that sound alike where they are not stressed; any other exchanged letter makes another word (pilates, pirates). */
const confused: ReadonlySet<string> = new Set(['ae', 'ea', 'ei', 'ie'])

/** Endings that the vocabulary does not list with every word, and what may stand in their place. */
const endings = /(?:ings?|ed|e?s|ly)$/

function isReal(word: string, knowsWord: KnowsWord): boolean {
  if (knowsWord(word) || knowsWord(word.replace(/iz(?=[aei])/, 'is'))) return true
  const stem = word.replace(endings, '')
  return stem !== word && stem.length >= 4 && (knowsWord(stem) || knowsWord(`${stem}e`))
}
