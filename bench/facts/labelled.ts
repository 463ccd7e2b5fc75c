import { readFileSync } from 'node:fs'
import type { Source } from '../../src/memory/model.ts'
import type { ExtractedFact } from '../../src/memory/ports.ts'

/** A fact as data/facts/GUIDE.md labels it. */
export interface LabelledFact {
  readonly subject: string
  readonly object: string
  readonly relation: string
  /** Said not to hold, or not to hold any more. */
  readonly denied: boolean
}

export interface LabelledText {
  readonly source: Source
  readonly speaker: string | null
  readonly text: string
  /** A group that the writer put it into; empty mostly. */
  readonly group: string
  readonly facts: LabelledFact[]
}

export function readLabelled(path: string): readonly LabelledText[] {
  const texts: LabelledText[] = []
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [kind, ...rest] = line.split('\t')
    if (kind === 'T') {
      const [source, speaker = '', text = '', group = ''] = rest
      texts.push({ source: source as Source, speaker: speaker || null, text, group, facts: [] })
    } else if (kind === 'F') {
      const [subject = '', , object = '', relation = '', flags = ''] = rest
      texts.at(-1)?.facts.push({ subject, object, relation, denied: /\b(?:neg|ended)\b/.test(flags) })
    }
  }
  return texts
}

const small = new Set(
  'the a an my our your his her their some of to in on at for with and this that'.split(' '),
)

function wordsOf(name: string): readonly string[] {
  const words = name.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  const carrying = words.filter((word) => !small.has(word))
  return carrying.length > 0 ? carrying : words
}

/** How many words of two lists are shared, 0 to 1. */
export function sharedPart(left: readonly string[], right: readonly string[]): number {
  const rest = [...right]
  let shared = 0
  for (const word of left) {
    const at = rest.indexOf(word)
    if (at < 0) continue
    shared++
    rest.splice(at, 1)
  }
  return (2 * shared) / (left.length + right.length)
}

function overlap(left: string, right: string): number {
  const [a, b] = [wordsOf(left), wordsOf(right)]
  return a.length === 0 || b.length === 0 ? Number(left === right) : sharedPart(a, b)
}

/** Whether they speak of the same two things, whatever they say of them. */
export function sameThings(gold: LabelledFact, fact: ExtractedFact, { speaker }: LabelledText): boolean {
  const me = (speaker ?? 'user').toLowerCase()
  const same = (label: string, name: string, least: number) => {
    const isMe = label.startsWith('@')
    if (isMe || name.toLowerCase() === me) return isMe && name.toLowerCase() === me
    // `my sister` is stored as `user's sister`.
    const plain = name.replace(/^.+?['’]s (?=\S)/u, '')
    return Math.max(overlap(label, name), overlap(label, plain)) >= least
  }
  return same(gold.subject, fact.subject, 0.6) && same(gold.object, fact.object, 0.5)
}

export const isDenied = ({ negated, ended }: ExtractedFact) => negated || ended

/** Subject, object and polarity. */
export const fits = (gold: LabelledFact, fact: ExtractedFact, text: LabelledText): boolean =>
  gold.denied === isDenied(fact) && sameThings(gold, fact, text)
