import { grown } from '../../vector-scan/grown.ts'

/** BM25 as the question's weights were fitted for: short texts, where length says little. */
const k1 = 0.9
const b = 0.4

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

export interface LexicalScores {
  /** By place, for every place that shares a term with the question. */
  readonly scores: ReadonlyMap<number, number>
  readonly idfSum: number
}

/** Which term occurs where, and how often. */
export interface Postings {
  readonly bytes: number
  /** Adds a text's terms; says how many there are. */
  add(place: number, terms: string): number
  score(terms: readonly string[], texts: Texts): LexicalScores
}

/** Times a term may count within one text: what fits beside the place in 32 bits. */
const largestCount = 255
const largestPlace = 2 ** 24

/** Each term's postings are a linked list inside two arrays: no object per term, whatever the vocabulary. */
export function createPostings(): Postings {
  const numbers = new Map<string, number>()
  let heads = new Int32Array(64)
  let entries = new Uint32Array(256)
  let nexts = new Int32Array(256)
  let used = 0

  const numberOf = (term: string) => {
    const known = numbers.get(term)
    if (known !== undefined) return known
    const number = numbers.size
    numbers.set(term, number)
    heads = grown(heads, number + 1)
    heads[number] = -1
    return number
  }
  const push = (term: string, place: number, count: number) => {
    const number = numberOf(term)
    entries = grown(entries, used + 1)
    nexts = grown(nexts, used + 1)
    entries[used] = place * 256 + Math.min(count, largestCount)
    nexts[used] = heads[number] ?? -1
    heads[number] = used++
  }
  /** The searched texts with this term, as entries. */
  const matches = (term: string, { personas, allowed }: Texts): number[] => {
    const number = numbers.get(term)
    const found: number[] = []
    if (number === undefined) return found
    for (let at = heads[number] ?? -1; at >= 0; at = nexts[at] ?? -1) {
      const entry = entries[at] ?? 0
      const persona = personas[entry >>> 8] ?? -1
      if (persona >= 0 && allowed[persona] === 1) found.push(entry)
    }
    return found
  }

  return {
    get bytes() {
      return heads.byteLength + entries.byteLength + nexts.byteLength + numbers.size * 100
    },
    add: (place, text) => {
      if (place >= largestPlace) throw new Error('The namespace holds more texts than its index can.')
      if (text === '') return 0
      const terms = text.split(' ')
      const counts = new Map<string, number>()
      for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
      for (const [term, count] of counts) push(term, place, count)
      return terms.length
    },
    score: (terms, texts) => {
      const scores = new Map<number, number>()
      const { count, terms: total } = texts.searched
      const average = count === 0 || total === 0 ? 1 : total / count
      const asked = new Map<string, number>()
      for (const term of terms) asked.set(term, (asked.get(term) ?? 0) + 1)
      let idfSum = 0
      for (const [term, repeats] of asked) {
        const found = matches(term, texts)
        const idf = Math.log(1 + (count - found.length + 0.5) / (found.length + 0.5))
        idfSum += idf
        for (const entry of found) {
          const place = entry >>> 8
          const frequency = entry & 255
          const weight = k1 * (1 - b + (b * (texts.lengths[place] ?? 0)) / average)
          const gain = (repeats * idf * frequency * (k1 + 1)) / (frequency + weight)
          scores.set(place, (scores.get(place) ?? 0) + gain)
        }
      }
      return { scores, idfSum }
    },
  }
}
