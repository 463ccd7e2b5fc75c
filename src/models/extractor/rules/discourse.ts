import type { EntityType } from '../../../memory/model.ts'

/** Something that was spoken of, as pronouns may refer to it. */
export interface Mention {
  readonly name: string
  readonly kind: 'person' | 'animal' | 'other'
  readonly gender: 'female' | 'male' | null
  readonly plural: boolean
  readonly subject: boolean
  /** The sentence it was last named in. */
  readonly sentence: number
}

/** What is known so far about a text while its sentences are read in order. */
export interface Discourse {
  /** Who `I` is; null when nobody. */
  me: string | null
  you: string | null
  sentence: number
  /** What a document is about, by its title; null for talk. */
  topic: string | null
  readonly mentions: Mention[]
  /** Another name of the same: `user's sister` → `Maria`. */
  readonly aliases: Map<string, string>
  /** The last name of each class: `film` → `Vertigo`, so that `the film` is understood. */
  readonly classes: Map<string, string>
  readonly types: Map<string, EntityType>
  /** What the nouns of the sentence at hand were named, by position. */
  readonly named: Map<number, string>
  /** The attribute told last, for `actually, it's blue`. */
  lastAttribute: {
    readonly owner: string
    readonly relation: string
    readonly sentence: number
    readonly denied: boolean
  } | null
  /** Links such as has_sister that were already made. */
  readonly linked: Set<string>
}

export function createDiscourse(me: string | null, you: string | null, topic: string | null): Discourse {
  return {
    me,
    you,
    sentence: 0,
    topic,
    mentions: [],
    aliases: new Map(),
    classes: new Map(),
    types: new Map(),
    named: new Map(),
    lastAttribute: null,
    linked: new Set(),
  }
}

/** Pronouns look back this many sentences, and this many mentions. */
const memorySentences = 3
const memoryMentions = 20

/** Remembers that something was named just now. */
export function remember(discourse: Discourse, mention: Omit<Mention, 'sentence'>): void {
  const at = discourse.mentions.findIndex(({ name }) => name === mention.name)
  const before = at < 0 ? undefined : discourse.mentions.splice(at, 1)[0]
  const gender = mention.gender ?? before?.gender ?? null
  discourse.mentions.push({ ...mention, gender, sentence: discourse.sentence })
  if (discourse.mentions.length > memoryMentions) discourse.mentions.shift()
}

type Pronoun = 'he' | 'she' | 'they' | 'it'

const pronouns: Readonly<Record<string, Pronoun>> = {
  he: 'he',
  him: 'he',
  his: 'he',
  himself: 'he',
  she: 'she',
  her: 'she',
  hers: 'she',
  herself: 'she',
  they: 'they',
  them: 'they',
  their: 'they',
  theirs: 'they',
  themselves: 'they',
  it: 'it',
  its: 'it',
  itself: 'it',
}

const fits: Record<Pronoun, (mention: Mention) => boolean> = {
  he: (mention) => mention.kind !== 'other' && mention.gender !== 'female' && !mention.plural,
  she: (mention) => mention.kind !== 'other' && mention.gender !== 'male' && !mention.plural,
  they: (mention) => mention.plural,
  it: (mention) => mention.kind !== 'person' && !mention.plural,
}

/** Who or what a pronoun of the third person stands for; null when that is not clear enough. */
export function refer(discourse: Discourse, pronoun: string): Mention | null {
  const kind = pronouns[pronoun.toLowerCase()]
  if (!kind) return null
  const candidates = discourse.mentions
    .filter(({ name, sentence }) => name !== discourse.me && discourse.sentence - sentence < memorySentences)
    .filter(fits[kind])
    .reverse()
  const topic = topicFor(discourse, kind)
  const [latest] = candidates
  if (!latest) return topic
  if (topic && (kind === 'it' || candidates.every(({ gender }) => gender === null))) return topic
  if (kind === 'it' || kind === 'they') return clearlyMeant(candidates, discourse.sentence)
  const gender = kind === 'he' ? 'male' : 'female'
  const subjectBefore = candidates.find((mention) => mention.subject && mention.gender === gender)
  return (
    subjectBefore ??
    candidates.find((mention) => mention.gender === gender) ??
    candidates.find(({ subject }) => subject) ??
    latest
  )
}

/** `it` means the one thing there is, or what the sentence before was about. */
function clearlyMeant(candidates: readonly Mention[], sentence: number): Mention | null {
  if (candidates.length === 1) return candidates[0] ?? null
  const topics = candidates.filter((mention) => mention.subject && sentence - mention.sentence <= 1)
  return topics.length === 1 ? (topics[0] ?? null) : null
}

/** The topic of a document, where the pronoun can mean it: nobody is sure of a title's gender. */
function topicFor(discourse: Discourse, kind: Pronoun): Mention | null {
  const name = discourse.topic
  if (name === null || kind === 'they') return null
  const type = discourse.types.get(name)
  const isPerson = type === 'person'
  if ((kind === 'it') === isPerson) return null
  return {
    name,
    kind: isPerson ? 'person' : 'other',
    gender: null,
    plural: false,
    subject: true,
    sentence: discourse.sentence,
  }
}
