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

export async function tallyOf(readings: AsyncIterable<Reading>): Promise<Tally> {
  const tally = { texts: 0, documents: 0, ops: 0, undated: 0 }
  const dates: number[] = []
  const formats = new Set<string>()
  const left = new Map<string, number>()
  const unknown: string[] = []
  const problems: string[] = []
  const samples = { first: '', middle: '', last: '' }
  const note = (at: number | null, sample: string) => {
    if (at === null) tally.undated++
    else dates.splice(0, 2, Math.min(at, ...dates), Math.max(at, ...dates))
    const count = tally.texts + tally.documents
    if (count === 1) samples.first = sample
    // At every power of two: the last of them is somewhere in the middle.
    if ((count & (count - 1)) === 0) samples.middle = sample
    samples.last = sample
  }
  for await (const reading of readings) {
    const { found, format, file } = reading
    if (found === null || format === null) {
      unknown.push(file)
      continue
    }
    formats.add(format)
    if ('left' in found) left.set(found.left, (left.get(found.left) ?? 0) + 1)
    else if ('problem' in found) problems.push(`${placeOf(reading)}: ${found.problem}`)
    else if ('text' in found) {
      tally.texts++
      tally.ops += opsPerText
      note(found.text.occurred_at, sampleOf(found.text.occurred_at, found.text.source, found.text.text))
    } else {
      const { document, content, occurred_at } = found.document
      tally.documents++
      tally.ops += opsPerText * Math.max(1, Math.ceil(content.length / charactersPerText))
      note(occurred_at, sampleOf(occurred_at, document, content))
    }
  }
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
