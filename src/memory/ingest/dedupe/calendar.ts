/** Times and dates in one spelling: `3 pm` is `15:00`, and `5 May` is `May 5th`. */

const months = 'january february march april may june july august september october november december'.split(
  ' ',
)

/** Short names; those that are also words (sat, sun, mar) are left alone. */
const shortNames: ReadonlyMap<string, string> = new Map(
  `mon:monday tue:tuesday tues:tuesday wed:wednesday weds:wednesday thu:thursday thur:thursday thurs:thursday fri:friday
   jan:january feb:february apr:april jun:june jul:july aug:august sept:september sep:september oct:october
   nov:november dec:december`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
)

interface Merged {
  readonly value: string
  readonly length: number
}

type Reading = (words: readonly string[], at: number) => Merged | null

/** A time of day in minutes, as `t900` for 3 pm or 15:00; null when it is none. */
export function readTime(text: string): string | null {
  const match = /^(\d{1,2})(?:[:.](\d{2}))?\s*(?:([ap])\.?m\.?)?$/.exec(text)
  if (!match || (match[2] === undefined && match[3] === undefined)) return null
  const hour = Number(match[1])
  const half = match[3] === 'p' && hour < 12 ? 12 : match[3] === 'a' && hour === 12 ? -12 : 0
  return `t${(hour + half) * 60 + Number(match[2] ?? 0)}`
}

/** An ISO date in the tokens of `mergeCalendar`, the year behind it; null when it is none. */
export function readIsoDate(word: string): readonly string[] | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(word)
  return match ? [`date:${Number(match[2])}-${Number(match[3])}`, String(Number(match[1]))] : null
}

/** `5 May`, `May 5th` and `the 5th of May` become one token, as do `7 in the morning` and `noon`. A year stays a number. */
export function mergeCalendar(written: readonly string[]): string[] {
  const words = everyOne(written.map((word) => shortNames.get(word) ?? word))
  const merged: string[] = []
  for (let at = 0; at < words.length; ) {
    const read = firstOf(readings, words, at)
    merged.push(read?.value ?? words[at] ?? '')
    at += read?.length ?? 1
  }
  return merged
}

const repeatedTime = /^(?:\w{3,6}day|weekday|weekend|morning|afternoon|evening|night|summer|winter)s$/

/** "on Mondays" is "every Monday", and "Monday mornings" are "every Monday morning". */
function everyOne(words: readonly string[]): readonly string[] {
  const isRepeated = (at: number) => repeatedTime.test(words[at] ?? '')
  const beginsRepeated = (at: number) => isRepeated(at) || (isWeekday(words[at]) && isRepeated(at + 1))
  return words.flatMap((word, at) => {
    if (before.has(word) && beginsRepeated(words[at + 1] === 'the' ? at + 2 : at + 1)) return []
    if (isWeekday(word) && isRepeated(at + 1)) return ['every', word]
    if (!isRepeated(at)) return [word]
    return isWeekday(words[at - 1]) ? [word.slice(0, -1)] : ['every', word.slice(0, -1)]
  })
}

const before: ReadonlySet<string> = new Set(['on', 'in', 'at'])
const isWeekday = (word: string | undefined) =>
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)day$/.test(word ?? '')

function firstOf(all: readonly Reading[], words: readonly string[], at: number): Merged | null {
  for (const read of all) {
    const merged = read(words, at)
    if (merged !== null) return merged
  }
  return null
}

const dayThenMonth: Reading = (words, at) => {
  const day = dayOf(words[at])
  if (day === null) return null
  const gap = words[at + 1] === 'of' ? 2 : 1
  const month = months.indexOf(words[at + gap] ?? '')
  return month < 0 ? null : { value: `date:${month + 1}-${day}`, length: gap + 1 }
}

const monthThenDay: Reading = (words, at) => {
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

const namedHours = new Map([
  ['noon', 't720'],
  ['midnight', 't0'],
])

const namedHour: Reading = (words, at) => {
  const value = namedHours.get(words[at] ?? '')
  return value === undefined ? null : { value, length: 1 }
}

/** Hours of a part of the day that are counted from noon on. */
const dayParts = new Map([
  ['morning', 0],
  ['afternoon', 12],
  ['evening', 12],
])

const hourOfDayPart: Reading = (words, at) => {
  const shift =
    words[at + 1] === 'in' && words[at + 2] === 'the' ? dayParts.get(words[at + 3] ?? '') : undefined
  const hour = hourOf(words[at])
  return shift === undefined || hour === null ? null : { value: `t${((hour % 12) + shift) * 60}`, length: 4 }
}

/** `half past six` is 6:30 and `quarter to six` 5:45, of which half of the day may be said. */
const hourAndPart: Reading = (words, at) => {
  const start = words[at] === 'quarter' ? 15 : words[at] === 'half' ? 30 : null
  const sign = words[at + 1] === 'past' ? 1 : words[at + 1] === 'to' && start === 15 ? -1 : null
  const hour = hourOf(words[at + 2])
  if (start === null || sign === null || hour === null) return null
  if (words[at + 3] === 'pm') return { value: `t${(hour + 12) * 60 + sign * start}`, length: 4 }
  const shift =
    words[at + 3] === 'in' && words[at + 4] === 'the' ? dayParts.get(words[at + 5] ?? '') : undefined
  return { value: `t${(hour + (shift ?? 0)) * 60 + sign * start}`, length: shift === undefined ? 3 : 6 }
}

/** "at three thirty". */
const hourAndMinutes: Reading = (words, at) => {
  const [hour, minutes = ''] = [hourOf(words[at]), words[at + 1]]
  const isTime = words[at - 1] === 'at' && hour !== null && /^(?:15|20|30|40|45|50)$/.test(minutes)
  return isTime ? { value: `t${hour * 60 + Number(minutes)}`, length: 2 } : null
}

function hourOf(word: string | undefined): number | null {
  const hour = /^\d{1,2}$/.test(word ?? '') ? Number(word) : 0
  return hour >= 1 && hour <= 12 ? hour : null
}

const readings: readonly Reading[] = [
  dayThenMonth,
  monthThenDay,
  namedHour,
  hourOfDayPart,
  hourAndPart,
  hourAndMinutes,
]
