import type { EntityType, Source } from '../../memory/model.ts'
import type { FactsModel, Grid, Reading } from '../reader/facts-model.ts'
import { WIDTH } from '../reader/lower.ts'
import labels from './labels.json' with { type: 'json' }
import type { TextPieces, Word } from './words.ts'

/** Words of a text, first and last; null: who speaks. */
export type Mention = { readonly first: number; readonly last: number } | null

/** A fact as the model reads it, in the words of the text. */
export interface ReadFact {
  readonly subject: Mention
  readonly object: Mention
  readonly subjectKind: EntityType
  readonly objectKind: EntityType
  /** The words that say the relation, by number; there may be none. */
  readonly predicate: readonly number[]
  readonly relation: string
  /** How likely it is that a careful reader would note this fact. */
  readonly chance: number
  readonly flags: Flags
}

export type Flags = Readonly<Record<'neg' | 'ended' | 'hyp' | 'future', boolean>>

/** Less likely facts are not looked at. */
const LEAST_CHANCE = 0.25
/** At most this many facts of one reading: more is a table or an attack. */
const MOST_FACTS = 64
/** No name or value has more words. */
const LONGEST_MENTION = 24

const sigmoid = (value: number): number => 1 / (1 + Math.exp(-value))

/** Reads the facts of one text, the surest first. */
export async function readFacts(
  model: FactsModel,
  pieces: TextPieces,
  source: Source,
): Promise<readonly ReadFact[]> {
  if (pieces.words.length === 0) return []
  const reading = await model.read(pieces.ids, labels.sources.indexOf(source))
  const found = likelyPairs(reading.pairs, pieces)
  if (found.length === 0) return []
  const drafts = found.map((pair) => ({
    ...pair,
    predicate: predicateOf(reading.words, pieces, pair.object),
  }))
  const { relations, edits } = await model.name(...featuresOf(reading, pieces, drafts))
  // Those that are values rather than not.
  const values = new Set(found.filter(({ chance }) => chance >= 0.5).map(({ object }) => object))
  let wordsBefore = 0
  return drafts.map(({ subject, object, chance, predicate }, at) => {
    const classes = labels.relations.length
    const scores = rowOf(relations, at, classes + labels.flags.length)
    const edited = predicate.map((word, i) => {
      const form = formOf(pieces, word)
      return withEdit(form, rowOf(edits, wordsBefore + i, labels.edits.length))
    })
    wordsBefore += predicate.length
    return {
      subject: mentionOf(reading.starts, pieces, subject),
      object: uncut(mentionOf(reading.starts, pieces, object), pieces, values),
      subjectKind: kindOf(reading.kinds, pieces, subject),
      objectKind: kindOf(reading.kinds, pieces, object),
      predicate,
      relation: relationOf(labels.relations[largest(scores.subarray(0, classes))] ?? '', edited),
      chance,
      flags: flagsOf(scores.subarray(classes)),
    }
  })
}

interface Pair {
  /** The last word of each; -1 for who speaks. */
  readonly subject: number
  readonly object: number
  readonly chance: number
}

const lastPiece = ({ words }: TextPieces, word: number): number => words[word]?.last ?? 0

function likelyPairs(grid: Grid, pieces: TextPieces): readonly Pair[] {
  const size = pieces.ids.length
  const pairs: Pair[] = []
  for (let subject = -1; subject < pieces.words.length; subject++) {
    for (let object = -1; object < pieces.words.length; object++) {
      if (subject === object) continue
      const logit = grid[lastPiece(pieces, subject) * size + lastPiece(pieces, object)] ?? 0
      const chance = calibrated(logit)
      if (chance >= LEAST_CHANCE) pairs.push({ subject, object, chance })
    }
  }
  return pairs.sort((a, b) => b.chance - a.chance).slice(0, MOST_FACTS)
}

/** Fitted on texts that were not trained on: how often a fact of this score was right. */
function calibrated(logit: number): number {
  const { slope, shift } = labels.calibration
  return sigmoid(slope * logit + shift)
}

function predicateOf(grid: Grid, pieces: TextPieces, object: number): readonly number[] {
  const row = lastPiece(pieces, object) * pieces.ids.length
  return [...pieces.words.keys()].filter((word) => (grid[row + lastPiece(pieces, word)] ?? 0) >= 0)
}

/** Rows of subject, object and predicate of every fact; rows of word and object of every word of a predicate. */
function featuresOf(
  { rows }: Reading,
  pieces: TextPieces,
  facts: readonly (Pair & { readonly predicate: readonly number[] })[],
): [Float32Array, Float32Array] {
  const row = (word: number) => rowOf(rows, lastPiece(pieces, word), WIDTH)
  const features = new Float32Array(facts.length * 3 * WIDTH)
  const words = new Float32Array(facts.reduce((sum, { predicate }) => sum + predicate.length, 0) * 2 * WIDTH)
  let next = 0
  for (const [at, { subject, object, predicate }] of facts.entries()) {
    // The row of who speaks sums up the whole text, and would let one clause decide for another.
    if (subject >= 0) features.set(row(subject), at * 3 * WIDTH)
    features.set(row(object), (at * 3 + 1) * WIDTH)
    features.set(meanOf(predicate.map(row)), (at * 3 + 2) * WIDTH)
    for (const word of predicate) {
      words.set(row(word), next * 2 * WIDTH)
      words.set(row(object), (next * 2 + 1) * WIDTH)
      next++
    }
  }
  return [features, words]
}

function rowOf(values: Float32Array, row: number, width: number): Float32Array {
  return values.subarray(row * width, (row + 1) * width)
}

function meanOf(rows: readonly Float32Array[]): Float32Array {
  const mean = new Float32Array(WIDTH)
  for (const row of rows)
    for (const [i, value] of row.entries()) mean[i] = (mean[i] ?? 0) + value / rows.length
  return mean
}

function largest(values: Float32Array): number {
  return values.reduce((best, value, at) => (value > (values[best] ?? 0) ? at : best), 0)
}

function mentionOf(grid: Grid, pieces: TextPieces, last: number): Mention {
  if (last < 0) return null
  const row = lastPiece(pieces, last) * pieces.ids.length
  let first = last
  for (let word = Math.max(0, last - LONGEST_MENTION); word < last; word++) {
    const score = (at: number) => grid[row + (pieces.words[at]?.first ?? 0)] ?? 0
    if (score(word) > score(first)) first = word
  }
  return { first, last }
}

/** What holds the parts of a code together: `db-07.lan:5439`, `1.22.3+hotfix1`, `#VNT-00912`. */
const joint = /^[-_./:+#!@&%~]$/

/**
 * A code or an address is kept whole: a value in the middle of letters, digits and joints without white space goes on to their ends. Where another
 * value is among them, what stands between the two belongs to the first.
 */
function uncut(mention: Mention, pieces: TextPieces, others: ReadonlySet<number>): Mention {
  if (mention === null) return null
  const { text, words } = pieces
  const isJoined = (left: number) => words[left] !== undefined && words[left].end === words[left + 1]?.start
  const isPart = (word: number) =>
    !others.has(word) && (joint.test(formOf(pieces, word)) || /^[\p{L}\p{N}]/u.test(formOf(pieces, word)))
  let { first, last } = mention
  while (isJoined(first - 1) && isPart(first - 1)) first--
  if (isJoined(first - 1) && others.has(first - 1)) first = mention.first
  while (isJoined(last) && isPart(last + 1)) last++
  // The full stop after it, or a colon, is none of it.
  while (last > mention.last && joint.test(formOf(pieces, last))) last--
  const whole = text.slice(words[first]?.start, words[last]?.end)
  return /[\p{N}@_]/u.test(whole) ? { first, last } : mention
}

function kindOf(kinds: Float32Array, pieces: TextPieces, word: number): EntityType {
  if (word < 0) return 'person'
  return labels.kinds[largest(rowOf(kinds, lastPiece(pieces, word), labels.kinds.length))] as EntityType
}

function flagsOf(logits: Float32Array): Flags {
  const [neg, ended, hyp, future] = labels.flags.map((_, at) => (logits[at] ?? 0) >= 0)
  return { neg: neg === true, ended: ended === true, hyp: hyp === true, future: future === true }
}

/** The form of a word as it stands in the text. */
export function formOf({ text, words }: TextPieces, word: number): string {
  const { start, end } = words[word] as Word
  return text.slice(start, end)
}

/** What the word becomes in a relation's name: itself, itself with another ending, or nothing. */
function withEdit(form: string, scores: Float32Array): string | null {
  const word = form.toLowerCase()
  const order = [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
  for (const at of order) {
    const edit = labels.edits[at] ?? 'drop'
    if (edit === 'drop') return null
    if (edit === 'keep') return word
    const [off = '', on = ''] = edit.slice(1).split('+')
    if (Number(off) < word.length) return spelt(word.slice(0, word.length - Number(off)), on)
  }
  return null
}

/** A stem with its ending, as the third person is spelt: `touches`, `worries`, `goes`. */
export function spelt(stem: string, ending: string): string {
  if (ending !== 's') return stem + ending
  if (/(?:s|x|z|ch|sh|[^aeiou]o)$/.test(stem)) return `${stem}es`
  return /[^aeiou]y$/.test(stem) ? `${stem.slice(0, -1)}ies` : `${stem}s`
}

/**
 * A class is a relation by its name, or by what stands before the words of the text: `has_*`. Of an attribute that the text names
 * in other words (`clothes size`, where the class is `has_shoe_size`) the text's words are its name.
 */
function relationOf(name: string, words: readonly (string | null)[]): string {
  const made = words
    .filter((word) => word !== null)
    .join('_')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')
  if (!name.endsWith('*') && !isAnotherAttribute(name, made)) return name
  const prefix = name.endsWith('*') ? name.slice(0, -1) : 'has_'
  if (made === '') return prefix.replace(/_$/, '') || 'is'
  return made.startsWith(prefix) ? made : prefix + made
}

function isAnotherAttribute(name: string, made: string): boolean {
  const [has, ...own] = name.split('_')
  const said = made.split('_')
  return has === 'has' && own.length === 2 && said.length === 2 && own[1] === said[1] && own[0] !== said[0]
}
