import type { Source } from '../../memory/model.ts'
import type { ExtractedChange, ExtractedFact, Extraction, ExtractionInput } from '../../memory/ports.ts'
import { changesOf } from './changes/changes.ts'
import { repairTree } from './grammar/repairs.ts'
import { createTree, type Tree } from './grammar/tree.ts'
import { createParser, maxWords, type Parse, type Parser } from './parser/parser.ts'
import { confidenceOf } from './rules/confidence.ts'
import { createDiscourse, type Discourse } from './rules/discourse.ts'
import type { FactDraft } from './rules/draft.ts'
import { collectEntities } from './rules/entity-list.ts'
import { factsOf } from './rules/facts.ts'
import { acronymsIn, unlinkedNames } from './rules/mentions.ts'
import { withoutContrast } from './text/contrast.ts'
import { splitCoordinated } from './text/coordination.ts'
import { disguised } from './text/disguise.ts'
import { isEnglish } from './text/language.ts'
import { parseAround, roleNames } from './text/role-names.ts'
import { type SentenceSpan, splitSentences } from './text/sentences.ts'
import { joinHyphens, joinTitles, withoutBrackets, withoutOpening } from './text/spans.ts'
import { bareTitle, titleOf } from './text/title.ts'
import { type Token, tokenize } from './text/tokens.ts'

/** At most this many facts a text: more is a list or an attack. */
const maxFacts = 64
/** Names that a document leads to beside those in its facts. */
const maxMentions = 24
/** Words of a text that are parsed, a sentence costing as much as some words more; bounds the time of one text. */
const maxWork = 1000
const workPerSentence = 6

export const emptyExtraction: Extraction = { facts: [], entities: [], notice: null }

/** Reads one text in this thread. */
export interface Reader {
  extract(input: ExtractionInput): Extraction
}

/** Loads the parser and warms it up (about 0.3 s) and gives a reader. Throws when the weights are damaged. */
export function loadExtractor(): Reader {
  const parser = createParser()
  const read = (input: ExtractionInput) => extract(input, parser)
  for (let round = 0; round < warmUpRounds; round++) read({ ...warmUp, now: round })
  return { extract: read }
}

/** The first texts would otherwise pay for compiling the code that reads them. */
const warmUp: Omit<ExtractionInput, 'now'> = {
  text: 'My sister Maria, who is a nurse, moved from Rome to Oslo last year and she no longer works at Siemens.',
  source: 'user',
  speaker: null,
}
const warmUpRounds = 5

function extract(input: ExtractionInput, parser: Parser): Extraction {
  const text = input.text
  const isKnown = (word: string) => parser.frequencyRank(word) !== null
  if (!isEnglish(text, isKnown)) return emptyExtraction
  const facts: ExtractedFact[] = []
  const changes: ExtractedChange[] = []
  const trees: Tree[] = []
  const spans: SentenceSpan[] = []
  let work = 0
  let shared: Discourse | null = null
  const title = input.source === 'document' ? titleOf(text) : null
  const titleWords = title
    ? tokenize(bareTitle(title.name), 0, title.name.length, maxWords).map(({ form }) => form)
    : []
  const parseOnce = parseEach(text, parser)
  for (const [index, span] of splitSentences(text, title?.length ?? 0).entries()) {
    if (work >= maxWork || facts.length >= maxFacts) break
    const tokens = wordsOf(text, span, input.source, titleWords)
    if (!looksWritten(tokens)) continue
    const roles = rolesOf(input.source, span.speaker ?? input.speaker)
    shared ??= createDiscourse(roles.me, roles.you, title ? bareTitle(title.name) : null)
    shared.me = roles.me
    shared.you = roles.you
    shared.sentence = index
    if (roles.me !== null && !title) shared.types.set(roles.me, 'person')
    const reading = {
      question: span.question,
      firstPerson: roles.me !== null && input.source !== 'document',
      now: input.now,
      bracket: input.source === 'document' ? firstBracket(text.slice(span.start, span.end)) : null,
    }
    for (const [at, part] of splitCoordinated(tokens, {
      question: span.question,
      talk: input.source !== 'document',
    }).entries()) {
      const tree = parseOnce(part)
      work += workPerSentence + tree.words.length + tree.words.length ** 2 / 200
      trees.push(tree)
      spans.push(span)
      shared.named.clear()
      if (input.source === 'document')
        for (const [short, name] of acronymsIn(text.slice(span.start, span.end)))
          shared.aliases.set(short, name)
      const drafts = factsOf(tree, shared, reading)
      for (const draft of drafts) addFact(facts, draft, tree, span, input.source)
      if (input.source !== 'document')
        changes.push(
          ...changesOf(
            { tree, ...placeOf(part, span), whole: span, isFirst: at === 0, question: span.question, drafts },
            shared,
          ),
        )
    }
  }
  if (shared?.topic) addMentions(facts, shared.topic, text, trees, spans)
  const kept = facts.slice(0, maxFacts)
  const entities = shared ? collectEntities(kept, shared, trees) : []
  const changed = changes.length > 0 ? { changes: changes.slice(0, maxFacts) } : {}
  return { facts: kept, ...changed, entities, notice: null }
}

/** Where the words of a part of a sentence stand; a subject that it shares with the first part stands outside. */
function placeOf(part: readonly Token[], span: SentenceSpan): { start: number; end: number } {
  const own = part.findIndex(({ start }, at) => at === 0 || start > (part[at - 1]?.end ?? 0) + 1)
  return {
    start: part[own]?.start ?? span.start,
    end: Math.min(span.end, (part.at(-1)?.end ?? span.end) + 1),
  }
}

/** A document leads to the names in it, surely but weakly. */
function addMentions(
  facts: ExtractedFact[],
  topic: string,
  text: string,
  trees: readonly Tree[],
  spans: readonly SentenceSpan[],
): void {
  const sentences = trees.map((tree, i) => ({ tree, text: text.slice(spans[i]?.start, spans[i]?.end) }))
  for (const { name, sentence } of unlinkedNames(topic, facts, sentences).slice(0, maxMentions)) {
    const { start = 0, end = 0 } = spans[sentence] ?? {}
    facts.push({
      ...plainFact,
      subject: topic,
      relation: 'mentions',
      object: name,
      confidence: 0.4,
      start,
      end,
    })
  }
}

const plainFact = { negated: false, ended: false, hypothetical: false, when: null }

/** The words of a sentence, titles joined; of a document without what stands in brackets. */
function wordsOf(text: string, span: SentenceSpan, source: Source, titleWords: readonly string[]): Token[] {
  const words = tokenize(text, span.start, span.end, maxWords)
  const kept = source === 'document' ? joinHyphens(withoutBrackets(words)) : words
  return joinTitles(withoutContrast(withoutOpening(kept, text)), text, titleWords)
}

/** Whether most of it is words: rows of marks and digits say nothing and are not parsed. */
function looksWritten(tokens: readonly Token[]): boolean {
  const spoken = tokens.filter(({ form }) => /[\p{L}\p{N}]/u.test(form))
  const written = spoken.filter(({ form }) => /\p{L}/u.test(form)).length * 2
  // A short note may be half a number: `New mobile: 07700 900982.`
  return written >= (spoken.length <= shortNote ? spoken.length : tokens.length)
}

const shortNote = 6

/** Parses sentences of one text; one that comes again is looked up. */
function parseEach(text: string, parser: Parser): (tokens: readonly Token[]) => Tree {
  const known = new Map<string, Parse>()
  return (tokens) => {
    const words = disguised(tokens.map(({ form }) => form))
    const key = words.join(' ')
    const parse = known.get(key) ?? parseAround(words, roleNames(words), parser.parse)
    known.set(key, parse)
    return createTree(text, tokens, parse, parser.frequencyRank, repairTree)
  }
}

/** What stands in the brackets behind the first words of a sentence. */
function firstBracket(sentence: string): string | null {
  return /^[^()]{1,120}\(([^()]{4,160})\)/.exec(sentence)?.[1] ?? null
}

/** Who `I` and `you` are. What an assistant says about itself is not remembered. */
function rolesOf(source: Source, speaker: string | null): { me: string | null; you: string | null } {
  const name = speaker?.trim() ?? ''
  const lower = name.toLowerCase()
  if (name && !/^(?:user|human|assistant|ai)$/.test(lower)) return { me: name, you: null }
  const speaks = /^(?:user|human)$/.test(lower)
    ? 'user'
    : /^(?:assistant|ai)$/.test(lower)
      ? 'assistant'
      : source
  if (speaks === 'user') return { me: 'user', you: null }
  return speaks === 'assistant' ? { me: null, you: 'user' } : { me: null, you: null }
}

function addFact(
  facts: ExtractedFact[],
  draft: FactDraft,
  tree: Tree,
  span: SentenceSpan,
  source: Source,
): void {
  const same = facts.findIndex(
    (fact) =>
      fact.subject === draft.subject &&
      fact.relation === draft.relation &&
      fact.object.toLowerCase() === draft.object.toLowerCase() &&
      fact.negated === draft.negated &&
      fact.ended === draft.ended,
  )
  const confidence = confidenceOf(draft, tree, source)
  const before = facts[same]
  if (before && before.confidence >= confidence) return
  const { subject, object, negated, ended, hypothetical, when } = draft
  const fact = {
    subject,
    relation: draft.relation.replace(/[-\s]+/g, '_'),
    object,
    confidence,
    negated,
    ended,
    hypothetical,
    when,
    start: span.start,
    end: span.end,
  }
  if (before) facts[same] = fact
  else facts.push(fact)
}
