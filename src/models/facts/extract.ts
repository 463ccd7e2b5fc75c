import type { Seconds } from '../../core/clock.ts'
import type { EntityType } from '../../memory/model.ts'
import type { ExtractedEntity, ExtractedFact, Extraction, ExtractionInput } from '../../memory/ports.ts'
import type { FactsModel } from '../reader/facts-model.ts'
import { formOf, type ReadFact, readFacts } from './decode.ts'
import { createNaming, isAboutOther, type NameOf } from './names.ts'
import { type Span, sentenceAt, sentencesOf } from './sentences.ts'
import { type Passage, passagesOf } from './turns.ts'
import { datedTime } from './when.ts'

/** At most this many facts a text, the surest: more is a list or an attack. */
const MOST_FACTS = 64

/**
 * Entities and facts of one text: passage by passage, named, dated, each fact once. `between` is awaited after each passage;
 * what it throws ends the reading.
 */
export async function extractFacts(
  model: FactsModel,
  input: ExtractionInput,
  between: () => Promise<void> = async () => {},
): Promise<Extraction> {
  const facts = new Map<string, NamedFact>()
  const nameOf = createNaming()
  const sentences = sentencesOf(input.text)
  for (const passage of passagesOf(input, model.tokenizer)) {
    const read = await readFacts(model, passage.pieces, passage.source)
    await between()
    for (const fact of namedFacts(read, { passage, sentences, nameOf, input })) {
      const { subject, relation, object, negated, ended, hypothetical } = fact
      const key = [subject, relation, object.toLowerCase(), negated, ended, hypothetical].join('\u0000')
      const known = facts.get(key)
      if (known === undefined || known.confidence < fact.confidence) facts.set(key, fact)
    }
  }
  const surest = [...facts.values()].sort((a, b) => b.confidence - a.confidence).slice(0, MOST_FACTS)
  const kept = surest.sort((a, b) => a.start - b.start)
  return {
    facts: kept.map(({ subjectKind: _, objectKind: __, role: ___, ...fact }) => fact),
    entities: entitiesOf(kept),
    notice: null,
  }
}

interface NamedFact extends ExtractedFact {
  readonly subjectKind: EntityType
  readonly objectKind: EntityType
  /** What the object is to the subject, in words of the text: `sister`. Null: it is nothing by name. */
  readonly role: string | null
}

interface Reading {
  readonly passage: Passage
  /** Of the whole text. */
  readonly sentences: readonly Span[]
  readonly nameOf: NameOf
  readonly input: ExtractionInput
}

function namedFacts(
  read: readonly ReadFact[],
  { passage, sentences, nameOf, input: { text, now } }: Reading,
): readonly NamedFact[] {
  // In the order of the text, so that a pronoun finds what was named before it.
  const inOrder = [...read].sort((a, b) => placeOf(a, passage) - placeOf(b, passage))
  /** Names that the other side gives itself. */
  const others = new Set<string>()
  return inOrder.flatMap((fact) => {
    const subject = nameOf(fact.subject, fact.subjectKind, passage)
    const object = nameOf(fact.object, fact.objectKind, passage)
    const place = placeOf(fact, passage)
    // What was told before the text is there for its names alone.
    if (place < passage.start + passage.lead) return []
    if (subject === null || object === null || subject === object) return []
    const sentence = sentenceAt(sentences, place)
    const isOfSpeaker = fact.subject === null || fact.object === null
    if (isOfSpeaker && isAboutOther(text.slice(sentence.start, sentence.end), passage.source)) {
      if (fact.relation === 'has_name') others.add(object)
      return []
    }
    if (others.has(subject)) return []
    return [
      {
        ...{ subject, object, relation: relationOf(fact), confidence: fact.chance },
        ...{ negated: fact.flags.neg, ended: fact.flags.ended, hypothetical: fact.flags.hyp },
        ...(fact.flags.future ? { future: true } : {}),
        ...{ when: whenOf(fact, read, passage, now), start: sentence.start, end: sentence.end },
        ...{ subjectKind: fact.subjectKind, objectKind: fact.objectKind },
        role: roleOf(fact, passage),
      },
    ]
  })
}

/** Relations of the past by those of the present: what ended is told as what it was, so that both are one matter. */
const present: Readonly<Record<string, string>> = {
  worked_at: 'works_at',
  worked_as: 'works_as',
  worked_for: 'works_at',
  lived_in: 'lives_in',
}

const relationOf = ({ relation, flags }: ReadFact): string =>
  (flags.ended ? present[relation] : undefined) ?? relation

/** Where a fact stands in the text: at its object, or where that is who speaks, at its subject. */
function placeOf({ object, subject }: ReadFact, { pieces, start }: Passage): number {
  return start + (pieces.words[(object ?? subject)?.first ?? 0]?.start ?? 0)
}

/** `has_sister` by the word `sister`: who is Maria is also this one's sister. */
function roleOf({ relation, predicate }: ReadFact, { pieces }: Passage): string | null {
  const role = relation.startsWith('has_') ? relation.slice('has_'.length) : ''
  return role !== '' && predicate.some((word) => formOf(pieces, word).toLowerCase() === role) ? role : null
}

/** When it holds: what another fact of the same words tells as a date. */
function whenOf(fact: ReadFact, read: readonly ReadFact[], { pieces }: Passage, now: Seconds): string | null {
  if (fact.objectKind === 'date') return null
  const told = read.find(
    (other) =>
      other.objectKind === 'date' &&
      other.object !== null &&
      other.subject?.last === fact.subject?.last &&
      other.predicate.some((word) => fact.predicate.includes(word)),
  )
  if (told === undefined || told.object === null) return null
  const { first, last } = told.object
  const before = told.predicate.includes(first - 1) ? first - 1 : first
  const said = pieces.text.slice(pieces.words[before]?.start, pieces.words[last]?.end)
  return datedTime(said, { now, future: fact.flags.future })
}

/** Every subject and object once, of the kind that most facts say, with the roles it goes by. */
function entitiesOf(facts: readonly NamedFact[]): readonly ExtractedEntity[] {
  const entities = new Map<string, { kinds: EntityType[]; aliases: Set<string> }>()
  const noted = (name: string, kind: EntityType) => {
    const known = entities.get(name) ?? { kinds: [], aliases: new Set<string>() }
    known.kinds.push(name === 'user' ? 'person' : kind)
    entities.set(name, known)
    return known
  }
  for (const { subject, object, subjectKind, objectKind, role, negated, ended } of facts) {
    noted(subject, subjectKind)
    const { aliases } = noted(object, objectKind)
    if (role !== null && !negated && !ended && objectKind === 'person') aliases.add(`${subject}'s ${role}`)
  }
  return [...entities].map(([name, { kinds, aliases }]) => ({
    name,
    type: mostFrequent(kinds),
    aliases: [...aliases].filter((alias) => alias !== name),
  }))
}

function mostFrequent(kinds: readonly EntityType[]): EntityType {
  const count = (kind: EntityType) => kinds.filter((one) => one === kind).length
  return kinds.reduce((best, kind) => (count(kind) > count(best) ? kind : best), kinds[0] ?? 'concept')
}
