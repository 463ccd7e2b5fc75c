import { z } from 'zod'
import { analyze } from '../../core/analyze.ts'
import type { NewId } from '../../core/ids.ts'
import { speakerOf } from '../../core/speaker.ts'
import { userKey } from '../entities.ts'
import { dataRule, fencedText } from '../graph-qa/prompts.ts'
import { sentences, stripInstructions } from '../graph-qa/sanitize.ts'
import type { EntityType } from '../model.ts'
import type { ExtractedEntity, ExtractedFact, Extraction, ExtractionInput, Extractor, Llm } from '../ports.ts'

export interface LlmExtractorParts {
  readonly llm: Llm
  /** The default extractor: it reads what the model could not. */
  readonly fallback: Extractor
  /** Makes the mark around the data, new for each request. */
  readonly newId: NewId
}

/** What the caller is told when the default extractor read the text instead. */
export const fallbackNotice = 'The LLM extraction was not available; the default extractor was used.'

/** A model reads well and makes things up: less sure than a rule that matched. */
const modelConfidence = 0.8
const mostFacts = 64
const longestName = 120
const tokensPerText = 1_500

const types = [
  'person',
  'organization',
  'place',
  'date',
  'thing',
  'concept',
] as const satisfies readonly EntityType[]

const readingSchema = z.object({
  entities: z.array(z.object({ name: z.string(), type: z.enum(types).catch('concept') })).default([]),
  facts: z.array(
    z.object({
      subject: z.string(),
      relation: z.string(),
      object: z.string(),
      negated: z.boolean().catch(false).default(false),
      ended: z.boolean().catch(false).default(false),
      when: z.string().nullable().catch(null).default(null),
    }),
  ),
})

type Reading = z.infer<typeof readingSchema>

/** Relations that a model may use though the text has other words for them. */
const relationWords = new Set(
  analyze(`
    is has name age birthday live work job employer employed study born located from married wife husband spouse
    partner child son daughter parent mother father brother sister sibling friend colleague boss manager manage
    member own like love enjoy prefer favourite favorite dislike hate want plan need know speak language visit
    travel move play use drive eat drink read write watch buy sell make create build found lead join start end
    email phone allergic part type kind related
  `),
)

/**
 * Entities and facts read by a model. Whatever does not stand in the text is dropped; a text that the model cannot
 * read, or gets nothing but inventions from, goes to the default extractor, and the notice says so.
 */
export function createLlmExtractor({ llm, fallback, newId }: LlmExtractorParts): Extractor {
  const read = async (input: ExtractionInput, signal?: AbortSignal): Promise<Extraction | null> => {
    const text = stripInstructions(input.text)
    if (text.trim() === '') return null
    const nonce = newId()
    const prompt = fencedText(text, nonce)
    const request = { system: extractionInstructions(nonce), prompt, maxTokens: tokensPerText }
    const reading = await llm
      .object(readingSchema, signal ? { ...request, signal } : request)
      .catch(() => null)
    // Nobody waits any more: that is no failure of the model, and nothing is read in its place.
    signal?.throwIfAborted()
    if (reading === null) return null
    const extraction = keepWhatStandsThere(reading, input, text)
    return extraction.facts.length === 0 && reading.facts.length > 0 ? null : extraction
  }
  return {
    extract: async (inputs, signal) => {
      const readings = await Promise.all(inputs.map((input) => read(input, signal)))
      const left = inputs.filter((_, index) => readings[index] === null)
      const others = left.length === 0 ? [] : await fallback.extract(left, signal)
      const next = others.values()
      return readings.map((reading) => reading ?? { ...other(next.next().value), notice: fallbackNotice })
    },
  }
}

function other(extraction: Extraction | undefined): Extraction {
  if (extraction === undefined) throw new Error('the default extractor gave nothing for a text')
  return extraction
}

function extractionInstructions(nonce: string): string {
  return [
    'You read the entities and facts out of a text.',
    dataRule(nonce),
    `A fact is a subject, a relation and an object. Subjects and objects are names or short phrases exactly as the text has them; the person who speaks as "I" is "${userKey}".`,
    'A relation is a short verb phrase in snake_case, such as lives_in, works_at, likes. Leave out what is asked, wished or supposed.',
    'negated: the text denies it. ended: it held once and no longer does. when: the words of the text that say when, or null.',
  ].join('\n')
}

function keepWhatStandsThere(reading: Reading, input: ExtractionInput, text: string): Extraction {
  const place = createPlaces(input, text)
  const facts = reading.facts
    .slice(0, mostFacts)
    .map((fact) => readFact(fact, place))
    .filter((fact) => fact !== null)
  const typeOf = new Map(reading.entities.map(({ name, type }) => [name.trim(), type]))
  const named = reading.entities.map(({ name }) => place.name(name)).filter((name) => name !== null)
  const names = [...new Set([...facts.flatMap(({ subject, object }) => [subject, object]), ...named])]
  const entities = names.map(
    (name): ExtractedEntity => ({
      name,
      type: name === userKey ? 'person' : (typeOf.get(name) ?? 'concept'),
      aliases: [],
    }),
  )
  return { facts, entities, notice: null }
}

function readFact(fact: Reading['facts'][number], place: Places): ExtractedFact | null {
  const subject = place.name(fact.subject)
  const object = place.name(fact.object)
  const relation = place.relation(fact.relation)
  if (subject === null || object === null || relation === null || subject === object) return null
  const when = fact.when === null ? null : place.name(fact.when)
  const { negated, ended } = fact
  const span = place.sentence(subject === userKey ? object : subject, object)
  return {
    subject,
    relation,
    object,
    negated,
    ended,
    when,
    hypothetical: false,
    confidence: modelConfidence,
    ...span,
  }
}

/** What stands in a text, and where. */
interface Places {
  /** The name as the text has it; null when it does not, or is longer than a name. */
  name(name: string): string | null
  /** In snake_case; null when its words are neither in the text nor general ones. */
  relation(relation: string): string | null
  /** The sentence with both names, else with one, else the whole text; offsets into the input. */
  sentence(first: string, second: string): { readonly start: number; readonly end: number }
}

function createPlaces(input: ExtractionInput, shown: string): Places {
  const flat = (text: string) => text.normalize('NFKC').replace(/\s+/g, ' ').toLowerCase()
  const seen = ` ${flat(shown)} `
  const terms = new Set(analyze(shown))
  const spoken = /\b(?:i|me|my|mine|we|our|us)\b|\b(?:i|we)['’]/i.test(shown)
  const stands = (name: string) => {
    const at = seen.indexOf(flat(name))
    return at > 0 && !/[\p{L}\p{N}]/u.test(`${seen[at - 1]}${seen[at + flat(name).length]}`)
  }
  const speaker = selfOf(input)
  let offset = 0
  const spans = sentences(input.text).map((text) => {
    const start = offset
    offset += text.length
    return { start, end: start + text.trimEnd().length, text: flat(text) }
  })
  return {
    name: (raw) => {
      const name = raw.replace(/\s+/g, ' ').trim()
      if (name.toLowerCase() === userKey || /^(?:i|me)$/i.test(name)) return spoken ? speaker : null
      return name !== '' && name.length <= longestName && stands(name) ? name : null
    },
    relation: (raw) => {
      const relation = raw
        .trim()
        .toLowerCase()
        .replace(/[^a-z]+/g, '_')
        .replace(/^_+|_+$/g, '')
      const words = relation.split('_')
      const isKnown = analyze(words.join(' ')).every((term) => terms.has(term) || relationWords.has(term))
      return relation !== '' && words.length <= 5 && isKnown ? relation : null
    },
    sentence: (first, second) => {
      const has = (name: string) => (span: { readonly text: string }) => span.text.includes(flat(name))
      const both = spans.find((span) => has(first)(span) && has(second)(span))
      const { start, end } = both ?? spans.find(has(second)) ?? { start: 0, end: input.text.length }
      return { start, end }
    },
  }
}

/** Who "I" is: the speaker that the text or the caller names, else the user. */
function selfOf(input: ExtractionInput): string {
  const speaker = speakerOf(input.text) ?? input.speaker
  return speaker === null || /^(?:user|human)$/i.test(speaker) ? userKey : speaker
}
