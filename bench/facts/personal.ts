import type { Source } from '../../src/memory/model.ts'
import type { ExtractedFact } from '../../src/memory/ports.ts'
import { sharedPart } from './labelled.ts'

/** One expected fact. `optional` ones may be missing; alternatives of the relation are all right. */
interface GoldFact {
  readonly optional: boolean
  readonly subject: string
  readonly relations: readonly string[]
  readonly object: string
  readonly flags: readonly string[]
}

export interface GoldText {
  readonly source: Source
  readonly speaker: string | null
  readonly text: string
  readonly facts: GoldFact[]
}

/**
 * Reads the personal gold: `T source[:speaker]|text`, then `+ subject | relation/relation | object | flags`, with `?`
 * in place of `+` for facts that may be missing.
 */
export function readPersonalGold(content: string): GoldText[] {
  const texts: GoldText[] = []
  for (const line of content.split('\n')) {
    const start = /^T (user|assistant|document)(?::([^|]+))?\|(.*)$/.exec(line)
    if (start) {
      texts.push({ source: start[1] as Source, speaker: start[2] ?? null, text: start[3] ?? '', facts: [] })
    } else if (/^[+?] /.test(line)) {
      const [subject = '', relations = '', object = '', flags = ''] = line
        .slice(2)
        .split('|')
        .map((part) => part.trim())
      texts.at(-1)?.facts.push({
        optional: line.startsWith('?'),
        subject,
        relations: relations.split('/').map((relation) => relation.trim()),
        object,
        flags: flags.split('/').filter(Boolean),
      })
    }
  }
  return texts
}

const smallWords = new Set(
  'the a an my our your his her their some of to in on at for with and this that'.split(' '),
)

function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/^[\p{L} .]+?['’]s (?=\p{L})/u, '')
    .replace(/[^\p{L}\p{N}$+@. -]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function tokens(name: string): string[] {
  return plain(name)
    .split(/[\s-]+/)
    .filter((token) => token && !smallWords.has(token))
    .map((token) => token.replace(/\.$/, '').replace(/(.{3,})s$/, '$1'))
}

/** Overlap of the words of two names, 0 to 1. */
function overlap(a: string, b: string): number {
  const left = tokens(a)
  const right = tokens(b)
  if (left.length === 0 || right.length === 0) return plain(a) === plain(b) ? 1 : 0
  return sharedPart(left, right)
}

/** Relations are compared by their lemmas, without articles and `be`. */
function relationKey(relation: string): string {
  const skipped = new Set(['be', 'a', 'the', 'i'])
  return relation
    .toLowerCase()
    .replace(/[^\p{L}0-9_' -]/gu, '')
    .split(/[_ ]+/)
    .filter(Boolean)
    .map(verbLemma)
    .filter((word) => !skipped.has(word))
    .join('_')
}

/** Endings do not matter: `lives`, `live`, `living`. */
function verbLemma(word: string): string {
  return word.replace(/(?<=\p{L}{2})(?:ies|es|s|ied|ed|ing|e|y)$/u, '')
}

const bareCopula = /^(?:is|is_a|was|are|be)$/

function sameRelation(gold: string, found: string): boolean {
  if (gold === found) return true
  const [a, b] = [relationKey(gold), relationKey(found)]
  return a === '' || b === '' ? bareCopula.test(gold) && bareCopula.test(found) : a === b
}

function flagsFit(gold: GoldFact, fact: ExtractedFact): boolean {
  if (gold.flags.includes('any')) return true
  if (gold.flags.length === 0) return !fact.negated && !fact.ended && !fact.hypothetical
  return gold.flags.some((flag) => (flag === 'hyp' ? fact.hypothetical : fact.negated || fact.ended))
}

/** Strict match: the same relation, subject and object by their words, and fitting flags. */
export function matches(gold: GoldFact, fact: ExtractedFact): boolean {
  const isUser = gold.subject === 'user' || fact.subject === 'user'
  const sameSubject = isUser ? gold.subject === fact.subject : overlap(gold.subject, fact.subject) >= 0.6
  if (!sameSubject || overlap(gold.object, fact.object) < 0.5) return false
  return gold.relations.some((relation) => sameRelation(relation, fact.relation)) && flagsFit(gold, fact)
}

export interface Score {
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export interface TextResult {
  readonly text: string
  readonly wrong: readonly ExtractedFact[]
  readonly missed: readonly string[]
}

/** Scores facts against the gold. A hypothetical fact asserts nothing: it counts only where it fits. */
export function scorePersonal(
  gold: readonly GoldText[],
  extract: (text: GoldText) => readonly ExtractedFact[],
): { score: Score; results: TextResult[] } {
  let right = 0
  let found = 0
  let recalled = 0
  let expected = 0
  const results = gold.map((text) => {
    const facts = extract(text)
    const counted = facts.filter((fact) => !fact.hypothetical || text.facts.some((one) => matches(one, fact)))
    const wrong = counted.filter((fact) => !text.facts.some((one) => matches(one, fact)))
    const needed = text.facts.filter(({ optional }) => !optional)
    const missed = needed.filter((one) => !facts.some((fact) => matches(one, fact)))
    right += counted.length - wrong.length
    found += counted.length
    recalled += needed.length - missed.length
    expected += needed.length
    return {
      text: text.text,
      wrong,
      missed: missed.map((one) => [one.subject, one.relations[0], one.object, ...one.flags].join(' | ')),
    }
  })
  return { score: scoreOf(right / Math.max(1, found), recalled / Math.max(1, expected)), results }
}

export function scoreOf(precision: number, recall: number): Score {
  return {
    precision,
    recall,
    f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0,
  }
}
