import type { EntityType, Source } from '../../memory/model.ts'
import type { Mention } from './decode.ts'
import type { Passage } from './turns.ts'

/** Somebody or something that the text named before: a pronoun may stand for it. */
interface Named {
  readonly name: string
  readonly kind: EntityType
  /** Where in the text. */
  readonly at: number
}

const first = /\b(?:i|me|my|mine|myself|we|us|our|ours)\b/i
const second = /\b(?:you|your|yours|yourself)\b/i
const person = /^(?:he|she|him|her|they|them|who)$/i
const thing = /^(?:it|this|that|these|those|which|one|there)$/i
const owned = /^(my|our|your|his|her|their|its)\s+(.+)$/is
const article = /^(?:the|a|an)\s+(?=\S)/i

/** Whom the model means by who speaks is `you` in an assistant's text, and `I` in every other. */
const ownWords = (source: Source) =>
  source === 'assistant' ? { own: second, other: first } : { own: first, other: second }

/** Whether a sentence speaks of the other side alone: what an assistant says of itself, or somebody of the assistant. */
export function isAboutOther(sentence: string, source: Source): boolean {
  const { own, other } = ownWords(source)
  return other.test(sentence) && !own.test(sentence)
}

/** The name of what is mentioned; null when it has none, and nothing before tells it. */
export type NameOf = (mention: Mention, kind: EntityType, passage: Passage) => string | null

/**
 * Gives the people and things of one text their names: `my sister` is the speaker's sister, `she` is who was named last.
 * Mentions are to come in the order of the text.
 */
export function createNaming(): NameOf {
  const named: Named[] = []
  /** What was named last before a place, of this kind. */
  const before = (at: number, kind: EntityType): string | null =>
    named
      .filter((one) => one.at < at && one.kind === kind)
      .sort((a, b) => a.at - b.at)
      .at(-1)?.name ?? null
  const ownerOf = (whose: string, at: number, { source, speaker }: Passage): string | null => {
    const { own, other } = ownWords(source)
    if (own.test(whose)) return speaker
    return other.test(whose) ? null : before(at, 'person')
  }
  const nameOf = (said: string, kind: EntityType, at: number, passage: Passage): string | null => {
    // Pets and ships are she and he, too.
    if (person.test(said)) return before(at, 'person') ?? before(at, 'thing')
    if (thing.test(said)) return before(at, kind)
    if (/^(?:i|me|we|us|you)$/i.test(said)) return ownerOf(said, at, passage)
    const [, whose = '', what = ''] = owned.exec(said) ?? []
    if (what === '') return said.replace(article, '')
    // What is the document's own, or nobody's that is known, goes by what it is; the other side's is not remembered.
    const isOther = passage.speaker !== null && ownWords(passage.source).other.test(whose)
    const owner = ownerOf(whose, at, passage)
    if (owner === null) return isOther ? null : what
    return `${owner}'s ${what}`
  }
  return (mention, kind, passage) => {
    if (mention === null) return passage.speaker
    const { text, words } = passage.pieces
    const [from, to] = [words[mention.first]?.start ?? 0, words[mention.last]?.end ?? 0]
    const said = text.slice(from, to).replace(/\s+/g, ' ')
    const at = passage.start + from
    const name = nameOf(said, kind, at, passage)
    if (name !== null && name !== passage.speaker) named.push({ name, kind, at })
    return name
  }
}
