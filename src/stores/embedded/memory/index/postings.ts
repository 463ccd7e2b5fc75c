import { inverseDocumentFrequency, termWeight } from '../../../../core/bm25.ts'
import { grown } from '../../vector-scan/grown.ts'
import type { SnapshotStream } from '../../vector-scan/snapshot-stream.ts'
import { createTermTable } from './term-table.ts'

/** What the postings need to know of the texts, by their place. */
export interface Texts {
  /** Persona number by place; negative once removed. */
  readonly personas: Int32Array
  readonly lengths: Uint32Array
  /** How many texts are searched, and their terms together. */
  readonly searched: { readonly count: number; readonly terms: number }
  /** By persona number: 1 when it is searched. */
  readonly allowed: Uint8Array
}

/** Valid until the next question. */
export interface LexicalScores {
  /** Every place that shares a term with the question. */
  readonly places: Int32Array
  /** 0 without a shared term. */
  scoreAt(place: number): number
  readonly idfSum: number
}

/** Which term occurs where, and how often. */
export interface Postings {
  readonly bytes: number
  /** Adds a text's terms; says how many there are. */
  add(place: number, terms: string): number
  score(terms: readonly string[], texts: Texts): LexicalScores
  /** Forgets the terms of texts that were removed. */
  purge(personas: Texts['personas']): void
  serialize(stream: SnapshotStream): void
}

/** Times a term may count within one text: what fits beside the place in 32 bits. */
const largestCount = 255
const largestPlace = 2 ** 24
const none = -1

/**
 * Each term's postings are a linked list inside two arrays: no object per term, whatever the vocabulary. With `asked`
 * only those terms are kept.
 */
export function createPostings(asked: ReadonlySet<string> | null = null): Postings {
  let numbers = createTermTable()
  for (const term of asked ?? []) numbers.numberOf(term, 0, term.length)
  let heads = new Int32Array(64).fill(none)
  let entries = new Uint32Array(256)
  let nexts = new Int32Array(256)
  let used = 0

  const append = (number: number, entry: number) => {
    if (number >= heads.length) {
      const before = heads.length
      heads = grown(heads, number + 1).fill(none, before)
    }
    entries = grown(entries, used + 1)
    nexts = grown(nexts, used + 1)
    entries[used] = entry
    nexts[used] = heads[number] ?? none
    heads[number] = used++
  }
  const push = (number: number, place: number) => {
    const head = heads[number] ?? none
    const entry = head === none ? none : (entries[head] ?? 0)
    if (entry === none || entry >>> 8 !== place) append(number, place * 256 + 1)
    else if ((entry & 255) < largestCount) entries[head] = entry + 1
  }
  let matched = new Uint32Array(64)
  let totals = new Float64Array(64)
  let places = new Int32Array(64)
  let touched = 0

  /** Collects the searched texts with this term, as entries; says how many. */
  const match = (term: string, { personas, allowed }: Texts): number => {
    const number = numbers.find(term, 0, term.length)
    if (number === none) return 0
    const [entryAt, nextAt] = [entries, nexts]
    let count = 0
    for (let at = heads[number] ?? none; at >= 0; at = nextAt[at] ?? none) {
      const entry = entryAt[at] ?? 0
      const persona = personas[entry >>> 8] ?? -1
      if (persona < 0 || allowed[persona] !== 1) continue
      if (count === matched.length) matched = grown(matched, count + 1)
      matched[count++] = entry
    }
    return count
  }
  /** Adds a term's part to every text that was matched. */
  const addGains = (count: number, weight: number, lengths: Uint32Array, average: number) => {
    const [matches, sums] = [matched, totals]
    places = grown(places, touched + count)
    for (let at = 0; at < count; at++) {
      const entry = matches[at] ?? 0
      const place = entry >>> 8
      const frequency = entry & 255
      const before = sums[place] ?? 0
      if (before === 0) places[touched++] = place
      sums[place] = before + weight * termWeight(frequency, lengths[place] ?? 0, average)
    }
  }
  const forgetLastQuestion = () => {
    for (let at = 0; at < touched; at++) totals[places[at] ?? 0] = 0
    touched = 0
  }

  return {
    get bytes() {
      return heads.byteLength + entries.byteLength + nexts.byteLength + totals.byteLength + numbers.bytes
    },
    add: (place, text) => {
      if (place >= largestPlace) throw new Error('The namespace holds more texts than its index can.')
      if (text === '') return 0
      let count = 0
      for (let start = 0; start <= text.length; count++) {
        const space = text.indexOf(' ', start)
        const end = space < 0 ? text.length : space
        const number = asked === null ? numbers.numberOf(text, start, end) : numbers.find(text, start, end)
        if (number !== none) push(number, place)
        start = end + 1
      }
      return count
    },
    score: (terms, texts) => {
      forgetLastQuestion()
      totals = grown(totals, texts.personas.length)
      const { count, terms: total } = texts.searched
      const average = count === 0 || total === 0 ? 1 : total / count
      const asked = new Map<string, number>()
      for (const term of terms) asked.set(term, (asked.get(term) ?? 0) + 1)
      let idfSum = 0
      for (const [term, repeats] of asked) {
        const found = match(term, texts)
        const idf = inverseDocumentFrequency(count, found)
        idfSum += idf
        addGains(found, repeats * idf, texts.lengths, average)
      }
      return { places: places.subarray(0, touched), scoreAt: (place) => totals[place] ?? 0, idfSum }
    },
    purge: (personas) => {
      const before = { heads, entries, nexts, used }
      entries = new Uint32Array(before.used)
      nexts = new Int32Array(before.used)
      used = 0
      /** Where an entry stands now; of a removed one, the next of its list. A list leads from newer entries to older ones. */
      const moved = new Int32Array(before.used)
      const movedFrom = (at: number) => (at === none ? none : (moved[at] ?? none))
      for (let at = 0; at < before.used; at++) {
        const entry = before.entries[at] ?? 0
        const next = movedFrom(before.nexts[at] ?? none)
        moved[at] = next
        if ((personas[entry >>> 8] ?? none) < 0) continue
        entries[used] = entry
        nexts[used] = next
        moved[at] = used++
      }
      const known = numbers
      const kept: number[] = []
      numbers = createTermTable()
      for (const [term, head] of before.heads.entries()) {
        const left = movedFrom(head)
        if (left === none) continue
        const text = known.termOf(term)
        numbers.numberOf(text, 0, text.length)
        kept.push(left)
      }
      heads = new Int32Array(Math.max(64, kept.length)).fill(none)
      heads.set(kept)
    },
    serialize: (stream) => {
      numbers.serialize(stream)
      heads = stream.array(heads)
      entries = stream.settled(entries, used)
      nexts = stream.settled(nexts, used)
      used = stream.number(used)
    },
  }
}
