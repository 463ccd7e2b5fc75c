import type { Vector } from '../../../../core/vectors.ts'
import type { ScanArena } from '../../vector-scan/arena.ts'
import { createBest } from '../../vector-scan/best.ts'
import { grown } from '../../vector-scan/grown.ts'
import {
  createPassingRows,
  createQuantizedRows,
  type QuantizedRows,
  type ResidentRows,
} from '../../vector-scan/quantized-rows.ts'
import { isSame, type Rounded } from '../../vector-scan/rounded.ts'
import type { SnapshotStream } from '../../vector-scan/snapshot-stream.ts'
import type { IndexEntry } from './entries.ts'
import { createIdColumn } from './id-column.ts'
import { createPostings, type LexicalScores } from './postings.ts'

/** The number of the persona by place; negative where a question may not look. */
export type Visible = Int32Array

export interface Scored {
  readonly place: number
  readonly score: number
}

/** The texts of one namespace and kind in memory: vectors as 8-bit integers, words as postings. */
export interface SearchIndex {
  readonly bytes: number
  /** Removed ones included. */
  readonly count: number
  readonly removed: number
  /** Removed entries still take room; a new index does not. */
  readonly isWorn: boolean
  add(entry: IndexEntry): void
  /** Unknown ones are ignored. */
  remove(seq: number): void
  seqAt(place: number): number
  idAt(place: number): string
  /** The live places next to a text in the same thread, nearest first: one of each of the `limit` texts before, or after. */
  before(place: number, limit: number): number[]
  after(place: number, limit: number): number[]
  /** The `limit` best by the exact cosine, best first, ties by id. */
  nearest(query: NearestQuery): Scored[]
  /** The cosines of what has these row numbers, in order, as far as 8 bits say them; 0 for unknown ones. */
  roughly(seqs: readonly number[], question: Vector): Float64Array
  lexical(
    terms: readonly string[],
    personas: readonly string[] | null,
    visible?: Visible | null,
  ): LexicalScores
  /** Only the entries with these row numbers; unknown ones are ignored. */
  only(seqs: Iterable<number>): Visible
}

/** One that stays in memory, and between two runs on disk. */
export interface ResidentIndex extends SearchIndex {
  release(): void
  /** Of the removed ones, those whose words and vectors are still there. */
  readonly unpurged: number
  /** Forgets the words and vectors of what was removed: of that, its number alone is left. */
  purge(): void
  /** What is written may be looked up later, until the index is purged or released. */
  serialize(stream: SnapshotStream): void
}

/** A question that is known before the texts. */
export interface Passing {
  readonly vector: Vector
  readonly terms: readonly string[]
  idOf(seq: number): string
}

export interface NearestQuery {
  readonly vector: Vector
  readonly personas: readonly string[] | null
  readonly limit: number
  /** Absent or null: every place. */
  readonly visible?: Visible | null
  /** Reads the cosines of stored vectors, in order. */
  exact(places: readonly number[]): Float64Array
}

/** Vectors read together once there are enough to compare with. */
const readAtOnce = 4

const removed = -1
const none = -1

/**
 * With a question it answers that one alone, and keeps some 40 bytes a text instead of its vector, its words and its
 * id: texts pass by, however many there are.
 */
export function createSearchIndex(arena: ScanArena, passing: Passing | null = null): ResidentIndex {
  const postings = createPostings(passing && new Set(passing.terms))
  const personaNumbers = new Map<string, number>()
  let counts: number[] = []
  let termTotals: number[] = []
  const ids = createIdColumn()
  const tails = new Map<string, number>()
  let rows: QuantizedRows | null = null
  let resident: ResidentRows | null = null
  let last: Rounded | null = null
  let count = 0
  let dead = 0
  let purged = 0
  let seqs = new Float64Array(64)
  let personas = new Int32Array(64)
  let lengths = new Uint32Array(64)
  let rowOf = new Int32Array(64)
  let firstOf = new Int32Array(64)
  let previous = new Int32Array(64)
  let next = new Int32Array(64)
  /** How many rows before it the first piece of its text stands. */
  let behindFirst = new Uint32Array(64)

  const personaNumber = (persona: string) => {
    const known = personaNumbers.get(persona)
    if (known !== undefined) return known
    const number = counts.length
    personaNumbers.set(persona, number)
    counts.push(0)
    termTotals.push(0)
    return number
  }
  const allowedOf = (names: readonly string[] | null) => {
    const allowed = new Uint8Array(counts.length)
    if (names === null) return allowed.fill(1)
    for (const name of names) {
      const number = personaNumbers.get(name)
      if (number !== undefined) allowed[number] = 1
    }
    return allowed
  }
  const residentRows = (dimensions: number) => {
    resident ??= createQuantizedRows(arena, dimensions)
    return resident
  }
  const rowFor = (rounded: Rounded) => {
    if (passing !== null) rows ??= createPassingRows(arena, passing.vector)
    else rows ??= residentRows(rounded.values.length)
    // Facts of one sentence carry its vector: neighbours share a row.
    if (last !== null && isSame(last, rounded)) return rows.count - 1
    last = rounded
    return rows.append(rounded)
  }
  /** The place itself, or the nearest one before it in its thread that was not removed. */
  const lastLive = (place: number) => {
    let at = place
    while (at !== none && personas[at] === removed) at = previous[at] ?? none
    return at
  }
  const link = (place: number, persona: number, thread: string | null) => {
    previous[place] = none
    next[place] = none
    if (thread === null) return
    const key = `${persona}:${thread}`
    const tail = lastLive(tails.get(key) ?? none)
    if (tail !== none) next[tail] = place
    previous[place] = tail
    tails.set(key, place)
  }
  const makeRoom = (length: number) => {
    seqs = grown(seqs, length)
    personas = grown(personas, length)
    lengths = grown(lengths, length)
    rowOf = grown(rowOf, length)
    firstOf = grown(firstOf, length)
    previous = grown(previous, length)
    next = grown(next, length)
    behindFirst = grown(behindFirst, length)
  }
  /** Entries come in the order of their seq. */
  const placeOf = (seq: number) => {
    let low = 0
    let high = count - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const found = seqs[middle] ?? 0
      if (found === seq) return middle
      if (found < seq) low = middle + 1
      else high = middle - 1
    }
    return none
  }
  const firstSeqAt = (place: number) => (seqs[place] ?? 0) - (behindFirst[place] ?? 0)
  /** Of the texts on the way each with the piece that is met first. */
  const walk = (links: Int32Array, place: number, limit: number) => {
    const found: number[] = []
    let text = firstSeqAt(place)
    for (let at = links[place] ?? none; at !== none && found.length < limit; at = links[at] ?? none) {
      if (firstSeqAt(at) === text) continue
      text = firstSeqAt(at)
      found.push(at)
    }
    return found
  }
  const purge = () => {
    if (dead === purged) return
    purged = dead
    postings.purge(personas)
    last = null
    for (let place = 0; place < count; ) {
      const row = rowOf[place] ?? 0
      let isUsed = false
      for (; place < count && rowOf[place] === row; place++) isUsed ||= personas[place] !== removed
      if (!isUsed) resident?.clear(row)
    }
    for (const [thread, place] of tails) {
      const tail = lastLive(place)
      if (tail === none) tails.delete(thread)
      else tails.set(thread, tail)
    }
    for (let place = 0; place < count; place++) {
      if (personas[place] !== removed) continue
      lengths[place] = 0
      behindFirst[place] = 0
      previous[place] = none
      next[place] = none
    }
  }
  const idAt = (place: number) => (passing === null ? ids.at(place) : passing.idOf(seqs[place] ?? 0))
  const byScoreThenId = (a: Scored, b: Scored) =>
    b.score - a.score || (idAt(a.place) < idAt(b.place) ? -1 : 1)

  /** Places that may be among the best, judged by the scan's bounds, most promising first. */
  const promising = ({ vector, personas: names, limit, visible }: NearestQuery, known: QuantizedRows) => {
    const allowed = allowedOf(names)
    const seen = visible ?? personas
    const isSearched = (place: number) => allowed[seen[place] ?? removed] === 1
    const found: Scored[] = []
    const total = allowed.reduce((sum, one, persona) => sum + one * (counts[persona] ?? 0), 0)
    // Where there are no more than are asked for, the scan would turn none away.
    if (total <= limit) {
      for (let place = 0; total > 0 && place < count; place++)
        if (isSearched(place)) found.push({ place, score: 1 })
      return found
    }
    const best = createBest(limit)
    known.scan(vector, (row, value, margin) => {
      for (let place = firstOf[row] ?? 0; place < count && rowOf[place] === row; place++) {
        if (!isSearched(place)) continue
        best.add(value - margin)
        found.push({ place, score: value + margin })
      }
      return best.floor
    })
    return found.filter(({ score }) => score >= best.floor).sort(byScoreThenId)
  }

  return {
    get bytes() {
      return (rows?.bytes ?? 0) + postings.bytes + seqs.byteLength * 4.5 + ids.bytes + tails.size * 100
    },
    get count() {
      return count
    },
    get removed() {
      return dead
    },
    get isWorn() {
      return dead > 1_000 && dead > count / 3
    },
    add: ({ seq, id, persona: name, thread, firstSeq, terms, rounded }) => {
      const place = count
      const persona = personaNumber(name)
      const row = rowFor(rounded)
      makeRoom(place + 1)
      if (passing === null) ids.add(id)
      seqs[place] = seq
      behindFirst[place] = seq - firstSeq
      personas[place] = persona
      rowOf[place] = row
      if (place === 0 || rowOf[place - 1] !== row) firstOf[row] = place
      lengths[place] = postings.add(place, terms)
      counts[persona] = (counts[persona] ?? 0) + 1
      termTotals[persona] = (termTotals[persona] ?? 0) + (lengths[place] ?? 0)
      link(place, persona, thread)
      count++
    },
    remove: (seq) => {
      const place = placeOf(seq)
      const persona = place === none ? removed : (personas[place] ?? removed)
      if (persona === removed) return
      counts[persona] = (counts[persona] ?? 0) - 1
      termTotals[persona] = (termTotals[persona] ?? 0) - (lengths[place] ?? 0)
      personas[place] = removed
      if (passing === null) ids.clear(place)
      dead++
      const [left, right] = [previous[place] ?? none, next[place] ?? none]
      if (left !== none) next[left] = right
      if (right !== none) previous[right] = left
    },
    seqAt: (place) => seqs[place] ?? 0,
    idAt,
    before: (place, limit) => walk(previous, place, limit),
    after: (place, limit) => walk(next, place, limit),
    nearest: (query) => {
      if (rows === null || query.limit <= 0) return []
      const best = createBest(query.limit)
      const scored: Scored[] = []
      const waiting = promising(query, rows)
      // The first `limit` are read whatever they are; of the others a few at a time, while they may be better.
      for (let from = 0; from < waiting.length; ) {
        const to = from + (from === 0 ? query.limit : readAtOnce)
        const places = waiting
          .slice(from, to)
          .filter(({ score }) => score >= best.floor)
          .map(({ place }) => place)
        if (places.length === 0) break
        const exact = query.exact(places)
        places.forEach((place, at) => {
          const score = exact[at] ?? 0
          best.add(score)
          scored.push({ place, score })
        })
        from = to
      }
      return scored.sort(byScoreThenId).slice(0, query.limit)
    },
    roughly: (known, question) =>
      Float64Array.from(known, (seq) => {
        const place = placeOf(seq)
        return rows === null || place === none ? 0 : rows.product(rowOf[place] ?? 0, question)
      }),
    lexical: (terms, names, visible = null) => {
      const allowed = allowedOf(names)
      const searched = { count: 0, terms: 0 }
      if (visible === null) {
        allowed.forEach((isSearched, persona) => {
          searched.count += isSearched * (counts[persona] ?? 0)
          searched.terms += isSearched * (termTotals[persona] ?? 0)
        })
      } else {
        visible.forEach((persona, place) => {
          if (persona === removed || allowed[persona] !== 1) return
          searched.count++
          searched.terms += lengths[place] ?? 0
        })
      }
      return postings.score(terms, { personas: visible ?? personas, lengths, searched, allowed })
    },
    only: (known) => {
      const visible = new Int32Array(personas.length).fill(removed)
      for (const seq of known) {
        const place = placeOf(seq)
        if (place !== none) visible[place] = personas[place] ?? removed
      }
      return visible
    },
    release: () => rows?.release(),
    get unpurged() {
      return dead - purged
    },
    purge,
    serialize: (stream) => {
      const names: (string | null)[] = counts.map(() => null)
      for (const [name, number] of personaNumbers) if ((counts[number] ?? 0) > 0) names[number] = name
      stream.list(names).forEach((name, number) => {
        if (name !== null) personaNumbers.set(name, number)
      })
      counts = [...stream.array(Float64Array.from(counts))]
      termTotals = [...stream.array(Float64Array.from(termTotals))]
      ids.serialize(stream)
      const threads = stream.list([...tails.keys()])
      const ends = stream.array(Int32Array.from(tails.values()))
      threads.forEach((thread, at) => {
        tails.set(thread, ends[at] ?? none)
      })
      count = stream.number(count)
      dead = stream.number(dead)
      purged = stream.number(purged)
      personas = stream.prefix(personas, count)
      previous = stream.prefix(previous, count)
      next = stream.prefix(next, count)
      seqs = stream.settled(seqs, count)
      lengths = stream.settled(lengths, count)
      rowOf = stream.settled(rowOf, count)
      firstOf = stream.settled(firstOf, count)
      behindFirst = stream.settled(behindFirst, count)
      postings.serialize(stream)
      const dimensions = stream.number(rows?.dimensions ?? 0)
      if (dimensions > 0) {
        rows = residentRows(dimensions)
        resident?.serialize(stream)
      }
    },
  }
}
