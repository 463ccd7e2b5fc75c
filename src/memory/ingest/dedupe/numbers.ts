/** Numbers in one spelling: `two` is `2`, `1,200` is `1200`, `twenty-first` is `21st`. Ordinals are written `#21`. */

const list = (words: string) => words.trim().split(/\s+/)

const small = new Map(
  list(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
    eighteen nineteen`).map((word, value) => [word, value] as const),
)
const tens = new Map(
  list('twenty thirty forty fifty sixty seventy eighty ninety').map(
    (word, index) => [word, (index + 2) * 10] as const,
  ),
)
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
])
const irregular = new Map([
  ['first', 1],
  ['second', 2],
  ['third', 3],
  ['fifth', 5],
  ['eighth', 8],
  ['ninth', 9],
  ['twelfth', 12],
])
const ordinals: ReadonlyMap<string, number> = new Map([
  ...[...small].map(([word, value]) => [`${word}th`, value] as const),
  ...[...tens].map(([word, value]) => [word.replace(/y$/, 'ieth'), value] as const),
  ...irregular,
])
const multiples = new Map([
  ['dozen', ['12']],
  ['once', ['1', 'times']],
  ['twice', ['2', 'times']],
])
const magnitudes = new Map([
  ['k', 1e3],
  ['m', 1e6],
  ['bn', 1e9],
])

/** A number as typed, in digits: thousands separated, abbreviated or ordinal; null when it is none. */
export function readNumber(word: string): string | null {
  const ordinal = /^(\d+)(?:st|nd|rd|th)$/.exec(word)
  if (ordinal) return `#${Number(ordinal[1])}`
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)(k|m|bn)$/.exec(word) ?? []
  if (amount !== undefined) return String(Number(amount) * (magnitudes.get(unit) ?? 1))
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(word)) return String(Number(word.replaceAll(',', '')))
  // Codes begin with zeros (0042), and versions end in them (2.10): those stay as they are.
  return /^(0|[1-9]\d*)\.00$/.exec(word)?.[1] ?? null
}

/** Number words become digits: `twenty five` is 25, `two hundred and ten` is 210, `twice` is 2 times. */
export function mergeNumberWords(words: readonly string[]): string[] {
  const merged: string[] = []
  for (let at = 0; at < words.length; ) {
    const number = numberAt(words, at)
    merged.push(...(number === null ? (multiples.get(words[at] ?? '') ?? [words[at] ?? '']) : [number.value]))
    at += number?.length ?? 1
  }
  return mergeHalves(merged)
}

interface Merged {
  readonly value: string
  readonly length: number
}

function numberAt(words: readonly string[], start: number): Merged | null {
  const cardinal = cardinalAt(words, start)
  const after = start + (cardinal?.length ?? 0)
  const ordinal = ordinals.get(words[after] ?? '')
  if (ordinal === undefined) return cardinal
  if (cardinal === null) return { value: `#${ordinal}`, length: 1 }
  return mayFollow(Number(cardinal.value), ordinal)
    ? { value: `#${Number(cardinal.value) + ordinal}`, length: cardinal.length + 1 }
    : cardinal
}

function cardinalAt(words: readonly string[], start: number): Merged | null {
  const first = words[start] ?? ''
  const digits = scales.has(words[start + 1] ?? '') && /^\d+(?:\.\d+)?$/.test(first)
  let total = 0
  let group: number | null = digits ? Number(first) : null
  let at = digits ? start + 1 : start
  for (; at < words.length; at++) {
    const word = words[at] ?? ''
    const value = small.get(word) ?? tens.get(word)
    const scale = scales.get(word)
    if (value !== undefined && mayFollow(group, value)) group = (group ?? 0) + value
    else if (scale !== undefined && (group !== null || first === word)) {
      const scaled: number = (group ?? 1) * scale
      if (scale === 100) group = scaled
      else {
        total += scaled
        group = null
      }
    } else if (!joinsNumber(words, start, at)) break
  }
  return at === start ? null : { value: String(total + (group ?? 0)), length: at - start }
}

/** The "and" of "two hundred and ten". */
function joinsNumber(words: readonly string[], start: number, at: number): boolean {
  return words[at] === 'and' && at > start && scales.has(words[at - 1] ?? '') && isNumberWord(words[at + 1])
}

/** `twenty` takes a unit, `two hundred` takes anything below a hundred; `two three` are two numbers. */
function mayFollow(group: number | null, value: number): boolean {
  if (group === null) return true
  if (group % 100 === 0) return value > 0
  return group % 10 === 0 && group % 100 >= 20 && value > 0 && value < 10
}

function isNumberWord(word: string | undefined): boolean {
  return word !== undefined && (small.has(word) || tens.has(word))
}

/** `one and a half` is 1.5. */
function mergeHalves(words: readonly string[]): string[] {
  const merged: string[] = []
  for (const word of words) {
    const number = merged.at(-3) ?? ''
    const isHalf = word === 'half' && merged.at(-2) === 'and' && merged.at(-1) === 'a' && /^\d+$/.test(number)
    if (isHalf) merged.splice(-3, 3, `${number}.5`)
    else merged.push(word)
  }
  return merged
}
