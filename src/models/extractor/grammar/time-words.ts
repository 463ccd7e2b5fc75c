const months =
  /^(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?$/i
const days =
  /^(?:mon|tues?|wednes|thurs?|fri|satur|sun)days?$|^(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)$/i
const units =
  /^(?:today|tomorrow|yesterday|tonight|mornings?|afternoons?|evenings?|nights?|noon|midnight|days?|weeks?|weekends?|weekdays?|months?|years?|decades?|century|centuries|hours?|minutes?|seconds?|spring|summer|autumn|fall|winter|christmas|easter|thanksgiving|halloween|am|pm|a\.m\.?|p\.m\.?|semester|quarter|fortnight|moment|childhood|age)$/i
const year = /^(?:1[0-9]|20)\d\d$/
const decade = /^(?:(?:1[0-9]|20)?\d0)s$/
const clock = /^\d{1,2}:\d\d$/

export const isMonth = (word: string): boolean => months.test(word)
export const isYear = (word: string): boolean => year.test(word)

/** Whether a word by itself names a time: a month, a day, a unit of time, a year, a clock time. */
export function isTimeWord(word: string, tag: string): boolean {
  if (months.test(word)) return tag !== 'MD' && !/^VB/.test(tag)
  return days.test(word) || units.test(word) || year.test(word) || decade.test(word) || clock.test(word)
}

/** Words between the others of a date: `March 3, 1990`. */
export const isDatePart = (word: string): boolean =>
  months.test(word) || year.test(word) || /^\d{1,2}(?:st|nd|rd|th)?$/.test(word) || word === ','
