const units =
  `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/)
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const irregularOrdinals: Readonly<Record<string, string>> = {
  ...{ one: 'first', two: 'second', three: 'third', five: 'fifth', eight: 'eighth', nine: 'ninth' },
  twelve: 'twelfth',
}
const scales: ReadonlyMap<string, bigint> = new Map([
  ['hundred', 100n],
  ['thousand', 1_000n],
  ['million', 1_000_000n],
  ['billion', 1_000_000_000n],
])

const digits = createDigits()

/** Every number that is one word, and its digits: `three` 3, `twenty-five` 25, `third` 3rd. */
function createDigits(): ReadonlyMap<string, string> {
  const cardinals = new Map(units.map((word, value) => [word, value]))
  for (const [at, ten] of tens.entries()) {
    cardinals.set(ten, (at + 2) * 10)
    for (const [unit, word] of units.slice(0, 10).entries()) {
      if (unit > 0) cardinals.set(`${ten}-${word}`, (at + 2) * 10 + unit)
    }
  }
  const written = new Map<string, string>()
  for (const [word, value] of cardinals) {
    written.set(word, String(value))
    written.set(ordinalWord(word), `${value}${ordinalEnding(value)}`)
  }
  for (const [word, value] of scales) written.set(word, String(value))
  return written
}

/** `twenty-five` is `twenty-fifth`: the last part alone takes the ending. */
function ordinalWord(cardinal: string): string {
  const start = cardinal.lastIndexOf('-') + 1
  const last = cardinal.slice(start)
  return cardinal.slice(0, start) + (irregularOrdinals[last] ?? last.replace(/y$/, 'ie').concat('th'))
}

function ordinalEnding(value: number): string {
  if (value > 10 && value < 20) return 'th'
  return ['th', 'st', 'nd', 'rd'][value % 10] ?? 'th'
}

/** The digits of a number that is one lower-case word; null when it is none. */
export function digitsOf(word: string): string | null {
  return digits.get(word) ?? null
}

/** `2` and `thousand` are 2000; null when the word does not multiply, or the digits are no plain whole number. */
export function multiplied(number: string, word: string): string | null {
  const scale = scales.get(word)
  return scale === undefined || !/^[1-9]\d*$/.test(number) ? null : String(BigInt(number) * scale)
}

const grouped = /^(?<before>[-+]?\p{Sc}?)(?<number>[1-9]\d{0,2}(?:,\d{3})+)(?<after>(?:\.\d+)?[\p{Sc}%]?)$/u

/** `1,000` is 1000; anything else stays as it is. A leading zero makes a code, which is not grouped. */
export function ungrouped(literal: string): string {
  const { before = '', number, after = '' } = grouped.exec(literal)?.groups ?? {}
  return number === undefined ? literal : before + number.replaceAll(',', '') + after
}
