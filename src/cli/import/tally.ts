import type { Newest } from './newest.ts'
import type { Reading } from './read.ts'

/** What a source holds, counted. */
export interface Tally {
  readonly texts: number
  readonly documents: number
  /** Operations that storing them costs. */
  readonly ops: number
  readonly undated: number
  readonly since: number | null
  readonly until: number | null
  readonly formats: readonly string[]
  /** By reason. */
  readonly left: ReadonlyMap<string, number>
  /** Files in no form that is known. */
  readonly unknown: readonly string[]
  readonly problems: readonly string[]
  readonly samples: readonly string[]
}

const opsPerText = 5
const charactersPerText = 32_768

/** Adds every text to the newest, which alone are counted. */
export async function tallyOf(readings: AsyncIterable<Reading>, newest: Newest): Promise<Tally> {
  const tally = { texts: 0, documents: 0, ops: 0, undated: 0 }
  const dates: number[] = []
  const formats = new Set<string>()
  const left = new Map<string, number>()
  const unknown: string[] = []
  const problems: string[] = []
  const samples = { first: '', middle: '', last: '' }
  const date = (at: number | null, count: number) => {
    if (at === null) tally.undated += count
    else dates.splice(0, 2, Math.min(at, ...dates), Math.max(at, ...dates))
  }
  const show = (sample: string) => {
    const count = tally.texts + tally.documents
    if (count === 1) samples.first = sample
    // At every power of two: the last of them is somewhere in the middle.
    if ((count & (count - 1)) === 0) samples.middle = sample
    samples.last = sample
  }
  for await (const reading of readings) {
    const { found, format, file } = reading
    if (found === null) {
      unknown.push(file)
      continue
    }
    if (format !== null) formats.add(format)
    if ('left' in found) left.set(found.left, (left.get(found.left) ?? 0) + 1)
    else if ('problem' in found) problems.push(`${placeOf(reading)}: ${found.problem}`)
    else if ('text' in found) {
      tally.texts++
      newest.add(found.text)
      show(sampleOf(found.text.occurred_at, found.text.source, found.text.text))
    } else {
      const { document, content, occurred_at } = found.document
      tally.documents++
      tally.ops += opsPerText * Math.max(1, Math.ceil(content.length / charactersPerText))
      date(occurred_at, 1)
      show(sampleOf(occurred_at, document, content))
    }
  }
  let older = tally.texts
  for (const { at, count } of newest.all()) {
    older -= count
    date(at, count)
  }
  if (older > 0) left.set('older under the same id', older)
  tally.texts -= older
  tally.ops += opsPerText * tally.texts
  const [since = null, until = null] = dates
  const shown = [...new Set(Object.values(samples))].filter((sample) => sample !== '')
  return { ...tally, since, until, formats: [...formats], left, unknown, problems, samples: shown }
}

export const placeOf = ({ file, at }: Reading) => (at === 0 ? file : `${file}, record ${at}`)

export const dayOf = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 10)

function sampleOf(at: number | null, who: string, text: string): string {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim()
  const cut = line.length > 100 ? `${line.slice(0, 99)}…` : line
  return `${at === null ? 'no date' : dayOf(at)}  ${who}: ${cut}`
}
