import { createHash } from 'node:crypto'
import { analyze } from '../../src/core/analyze.ts'
import { normalize, type Vector } from '../../src/core/vectors.ts'
import type {
  AnswerReader,
  Embedder,
  ExtractedEntity,
  ExtractedFact,
  Extraction,
  ExtractionInput,
  Extractor,
  RelationChances,
  StatementPair,
  StatementRelation,
} from '../../src/memory/ports.ts'
import { vectorsOnly } from './vectors-only.ts'

const dimensions = 256

/** An embedder without a model: texts that share words are near each other. Counts what it was asked for. */
export function createWordEmbedder(): Embedder & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    identity: { model: 'words', weights: 'none', scale: '1', dimensions },
    ...vectorsOnly(async (texts) => {
      asked.push(...texts)
      return texts.map(wordVector)
    }),
  }
}

/** Each word turns the vector its own way; function words weigh little, so that rephrasings stay close. */
function wordVector(text: string): Vector {
  const vector = new Float32Array(dimensions)
  const add = (word: string, weight: number) => {
    const hash = createHash('sha256').update(word).digest()
    for (let at = 0; at < 32; at++) {
      const place = (at * 8 + ((hash[at] ?? 0) & 7)) % dimensions
      vector[place] = (vector[place] ?? 0) + ((hash[31 - at] ?? 0) & 1 ? weight : -weight)
    }
  }
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) add(word, 0.1)
  for (const term of analyze(text)) add(`term ${term}`, 1)
  if (vector.every((value) => value === 0)) add('nothing', 1)
  return normalize(vector)
}

interface Pattern {
  readonly form: RegExp
  readonly relation: string
  readonly ended?: boolean
  readonly negated?: boolean
  readonly hypothetical?: boolean
}

const name = String.raw`([A-Z]\w+(?: [A-Z]\w+)*|I|You)`
const thing = String.raw`(?:a |the )?([\w][\w ]*?)`
const patterns: readonly Pattern[] = [
  { form: new RegExp(`^${name} no longer lives? in ${thing}$`), relation: 'lives_in', ended: true },
  { form: new RegExp(`^If ${name} lived in ${thing}$`), relation: 'lives_in', hypothetical: true },
  { form: new RegExp(`^${name} lives? in ${thing}$`), relation: 'lives_in' },
  { form: new RegExp(`^${name} works? at ${thing}$`), relation: 'works_at' },
  { form: new RegExp(`^${name} is located in ${thing}$`), relation: 'located_in' },
  { form: new RegExp(`^${name} (?:do|does) not likes? ${thing}$`), relation: 'likes', negated: true },
  { form: new RegExp(`^${name} likes? ${thing}$`), relation: 'likes' },
  { form: new RegExp(`^${name} knows? ${thing}$`), relation: 'knows' },
  { form: new RegExp(`^${name} has a sister called ${thing}$`), relation: 'has_sister' },
  { form: new RegExp(`^${name} have a sister called ${thing}$`), relation: 'has_sister' },
]

/** An extractor without a model, for sentences of a few forms: `I live in Lisbon`, `Ana works at Siemens`. */
export function createPatternExtractor(confidence = 0.9): Extractor & { calls: number } {
  const extractor = {
    calls: 0,
    extract: async (inputs: readonly ExtractionInput[]) => {
      extractor.calls++
      return inputs.map((input) => readSentences(input, confidence))
    },
  }
  return extractor
}

function readSentences({ text, source }: ExtractionInput, confidence: number): Extraction {
  const facts: ExtractedFact[] = []
  for (const match of text.matchAll(/[^.!?]+/g)) {
    const sentence = match[0].trim()
    const start = match.index + match[0].indexOf(sentence)
    const fact = readSentence(sentence, source === 'assistant' ? 'You' : 'I')
    if (fact !== null) facts.push({ ...fact, confidence, start, end: start + sentence.length })
  }
  const names = new Set(facts.flatMap(({ subject, object }) => [subject, object]))
  const entities = [...names].map(
    (value): ExtractedEntity => ({ name: value, type: typeOf(value), aliases: [] }),
  )
  return { facts, entities, notice: null }
}

type SentenceFact = Omit<ExtractedFact, 'confidence' | 'start' | 'end'>

function readSentence(sentence: string, self: string): SentenceFact | null {
  for (const { form, relation, ended = false, negated = false, hypothetical = false } of patterns) {
    const [, subject, object] = form.exec(sentence) ?? []
    if (subject === undefined || object === undefined) continue
    const who = subject === self ? 'user' : subject
    return { subject: who, relation, object, ended, negated, hypothetical, when: null }
  }
  return null
}

function typeOf(value: string): ExtractedEntity['type'] {
  return value === 'user' || /^[A-Z]/.test(value) ? 'person' : 'thing'
}

/** A judge without a model: another home or employer replaces, `no longer` with the same last word ends. */
export function createWordRelation(): StatementRelation & { readonly asked: StatementPair[] } {
  const asked: StatementPair[] = []
  return {
    asked,
    judge: async (pairs) => {
      asked.push(...pairs)
      return pairs.map(judgeWords)
    },
  }
}

/** A reader that says this of texts with a question, and of every pair that nothing is out of date. */
export function createReader(
  answers: AnswerReader['answers'],
  outdates: AnswerReader['outdates'] = async () => 0,
): AnswerReader {
  return {
    ...{ answers, outdates },
    answersUntil: async (surely, question, texts) => {
      const chances: number[] = []
      for (const text of texts) {
        if (chances.some((chance) => chance >= surely)) break
        chances.push(...(await answers(question, [text])))
      }
      return chances
    },
  }
}

function judgeWords({ older, newer }: StatementPair): RelationChances {
  const [before, after] = [wordsOf(older), wordsOf(newer)]
  const [was, is] = [before.at(-1), after.at(-1)]
  const isOver = after.join(' ').includes('no longer') && was === is
  const isOneAtATime = /^\w+ (?:lives?|works?) (?:in|at) /.test(after.join(' '))
  const isOther = isOneAtATime && was !== is && before.slice(0, 3).join(' ') === after.slice(0, 3).join(' ')
  const isSame = before.join(' ') === after.join(' ')
  const nothing = { same: 0, replaces: 0, ends: 0, beside: 0 }
  return { ...nothing, [isSame ? 'same' : isOver ? 'ends' : isOther ? 'replaces' : 'beside']: 1 }
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
