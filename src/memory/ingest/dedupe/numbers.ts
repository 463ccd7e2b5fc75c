/** Numbers, times and dates in one spelling, so that `two` is `2`, `3 pm` is `15:00` and `5 May` is `May 5th`. */

const small = new Map(
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
   eighteen nineteen`
    .split(/\s+/)
    .map((word, value) => [word, value] as const),
)
const tens = new Map(
  'twenty thirty forty fifty sixty seventy eighty ninety'
    .split(' ')
    .map((word, index) => [word, (index + 2) * 10] as const),
)
const scales = new Map([
  ['hundred', 100],
  ['thousand', 1_000],
  ['million', 1_000_000],
  ['billion', 1_000_000_000],
])
const ordinals = new Map(
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'
    .split(' ')
    .map((word, index) => [word, index + 1] as const),
)
const multiples = new Map([
  ['dozen', 12],
  ['once', 1],
  ['twice', 2],
])

const magnitudes = new Map([
  ['k', 1e3],
  ['m', 1e6],
  ['bn', 1e9],
])

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)

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

/** A time of day in minutes, as `t900` for 3 pm or 15:00; null when it is none. */
export function readTime(text: string): string | null {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s*(?:([ap])\.?m\.?)?$/.exec(text)
  if (!match || (match[2] === undefined && match[3] === undefined)) return null
  const hour = Number(match[1])
  const half = match[3] === 'p' && hour < 12 ? 12 : match[3] === 'a' && hour === 12 ? -12 : 0
  return `t${(hour + half) * 60 + Number(match[2] ?? 0)}`
}

/** Number words become digits: `twenty five` is 25, `two hundred and ten` is 210, `first` is #1. */
export function mergeNumberWords(words: readonly string[]): string[] {
  const merged: string[] = []
  for (let at = 0; at < words.length; ) {
    const number = numberAt(words, at)
    merged.push(number?.value ?? words[at] ?? '')
    at += number?.length ?? 1
  }
  return merged
}

function numberAt(words: readonly string[], start: number): { value: string; length: number } | null {
  const first = words[start] ?? ''
  const ordinal = ordinals.get(first)
  if (ordinal !== undefined) return { value: `#${ordinal}`, length: 1 }
  const multiple = multiples.get(first)
  if (multiple !== undefined) return { value: String(multiple), length: 1 }
  let total = 0
  let group: number | null = null
  let at = start
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
    } else if (
      !(word === 'and' && at > start && scales.has(words[at - 1] ?? '') && isNumberWord(words[at + 1]))
    )
      break
  }
  return at === start ? null : { value: String(total + (group ?? 0)), length: at - start }
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

/** `5 May`, `May 5th` and `the 5th of May` become one token; a year behind it stays a number. */
export function mergeDates(words: readonly string[]): string[] {
  const merged: string[] = []
  for (let at = 0; at < words.length; at++) {
    const date = dayThenMonth(words, at) ?? monthThenDay(words, at)
    if (date === null) merged.push(words[at] ?? '')
    else {
      merged.push(date.value)
      at += date.length - 1
    }
  }
  return merged
}

function dayThenMonth(words: readonly string[], at: number): { value: string; length: number } | null {
  const day = dayOf(words[at])
  if (day === null) return null
  const gap = words[at + 1] === 'of' ? 2 : 1
  const month = months.indexOf(words[at + gap] ?? '')
  return month < 0 ? null : { value: `date:${month + 1}-${day}`, length: gap + 1 }
}

function monthThenDay(words: readonly string[], at: number): { value: string; length: number } | null {
  const month = months.indexOf(words[at] ?? '')
  if (month < 0) return null
  const gap = words[at + 1] === 'the' ? 2 : 1
  const day = dayOf(words[at + gap])
  return day === null ? null : { value: `date:${month + 1}-${day}`, length: gap + 1 }
}

function dayOf(word: string | undefined): number | null {
  const match = /^#?(\d{1,2})$/.exec(word ?? '')
  const day = Number(match?.[1] ?? 0)
  return day >= 1 && day <= 31 ? day : null
}

/** An ISO date in the tokens of `mergeDates`, the year behind it; null when it is none. */
export function readIsoDate(word: string): readonly string[] | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word)
  return match ? [`date:${Number(match[2])}-${Number(match[3])}`, String(Number(match[1]))] : null
}
