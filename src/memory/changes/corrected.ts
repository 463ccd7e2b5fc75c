import { canonicalKey } from '../entities.ts'
import type { ExtractedChange } from '../ports.ts'
import { isOneAtATime } from '../slots.ts'
import type { ToldFact } from './told.ts'

const month = /^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/
const day = /^(?:mon|tues|wednes|thurs|fri|satur|sun)day/
const numeral =
  /^(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty)$/

/** What a value looks like: a correction is of the same kind as what it corrects. */
function shapeOf(value: string): string {
  const words = canonicalKey(value).split(/[\s-]+/)
  if (value.includes('@')) return 'address'
  if (words.some((word) => month.test(word) && word.length > 2) && /\d/.test(value)) return 'date'
  if (words.some((word) => day.test(word))) return 'day'
  if (/^\p{L}+[-_]?\d|\d\p{L}|\p{L}-\d/u.test(value.trim())) return 'code'
  if (/\d/.test(value) || words.some((word) => numeral.test(word))) return 'number'
  return /^\p{Lu}/u.test(value.trim()) ? 'name' : 'word'
}

/** Told of once, and over: no value that holds. */
const happened = /^(?!based|located|married|engaged|enrolled)(?:went|met|was|did|had|got|\p{L}+ed)(?:_|$)/u

/** What the newest text said of the one value that looks like the new one; none where no value does, or several. */
export function correctedBy(change: ExtractedChange, told: readonly ToldFact[]): readonly ToldFact[] {
  const shape = shapeOf(change.words)
  const alike = told.filter(
    ({ latest, relation, object, subject }) =>
      latest &&
      shapeOf(object) === shape &&
      !canonicalKey(object).startsWith(`${canonicalKey(subject)}'s `) &&
      !happened.test(relation),
  )
  const single = alike.filter(({ relation }) => isOneAtATime(relation))
  // A plain word looks like any other: it corrects what can only be one.
  const meant = single.length > 0 || shape === 'word' ? single : alike
  const [wrong] = meant
  const isOne = meant.every(({ object }) => object === wrong?.object)
  if (!wrong || !isOne || canonicalKey(wrong.object) === canonicalKey(change.words)) return []
  // `My dog is called Max` told it twice: of the dog, and of me.
  return told.filter(
    ({ latest, object, relation }) => latest && object === wrong.object && !happened.test(relation),
  )
}
