import type { Random } from '../faults/support/random.ts'

/** A text to be remembered, and what must be found of it. */
export interface Item {
  /** Travels as metadata, so that every piece in the store says where it came from. */
  readonly name: string
  readonly text: string
  readonly sentences: readonly string[]
  /** The facts as `subject relation object`, in lower case. Null: only the extractor knows. */
  readonly facts: readonly string[] | null
}

const words =
  'amber basket copper dune ember fjord garnet harbor indigo juniper kettle lantern meadow nectar orchard pepper quartz ribbon saffron timber umber velvet willow yarrow zephyr anchor bramble cinder drizzle echo'.split(
    ' ',
  )
const relations = ['likes', 'knows', 'visits', 'paints'] as const

/** A text that the small models of the test read exactly; one of ten is long enough for several chunks. */
export function smallItem(name: string, random: Random): Item {
  const count = random.chance(0.1) ? 24 : 1 + random.below(3)
  const own = name.replace(/\W/g, 'x')
  const facts: string[] = []
  const sentences = Array.from({ length: count }, (_, at) => {
    const [subject, object] = [`P${own}n${at}`, `Q${own}n${at}`]
    const relation = random.pick(relations)
    facts.push(`${subject} ${relation} ${object}`.toLowerCase())
    const filler = Array.from({ length: 4 + random.below(5) }, () => random.pick(words)).join(' ')
    return `${subject} ${relation} ${object}. The ${filler} belong to ${own}n${at}.`
  })
  return { name, text: sentences.join(' '), sentences, facts }
}

const syllables = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ')

/** A word that no other item has, so that no item confirms or replaces another's facts. */
function newWord(random: Random): string {
  const word = Array.from({ length: 4 }, () => random.pick(syllables)).join('')
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}

/** A text for the real models. */
export function realItem(name: string, random: Random): Item {
  const person = `${newWord(random)} ${newWord(random)}`
  const text = `${person} lives in ${newWord(random)} and works at ${newWord(random)}. She is ${20 + random.below(60)} years old.`
  return { name, text, sentences: [text], facts: null }
}

/** A memory as `GET /brain/memories` shows it. */
export interface Listed {
  readonly id: string
  readonly type: 'episodic' | 'semantic'
  readonly fact: string
  readonly metadata: { readonly item?: unknown } | null
  readonly triple: { readonly subject: string; readonly relation: string; readonly object: string } | null
}

export type Presence = 'absent' | 'whole' | 'partial' | 'doubled'

/** How much of an item a namespace holds. `factCount` stands in where the facts themselves are not known. */
export function presenceOf(item: Item, memories: readonly Listed[], factCount: number | null): Presence {
  const own = memories.filter(({ metadata }) => metadata?.item === item.name)
  if (own.length === 0) return 'absent'
  const texts = own.filter(({ type }) => type === 'episodic').map(({ fact }) => fact)
  const found = own.flatMap(({ triple }) =>
    triple === null ? [] : `${triple.subject} ${triple.relation} ${triple.object}`.toLowerCase(),
  )
  const times = item.sentences.map((sentence) => texts.filter((text) => text.includes(sentence)).length)
  const wanted = item.facts?.length ?? factCount ?? found.length
  if (times.some((count) => count > 1) || new Set(found).size < found.length || found.length > wanted) {
    return 'doubled'
  }
  const hasFacts =
    item.facts === null ? found.length === wanted : item.facts.every((fact) => found.includes(fact))
  return hasFacts && times.every((count) => count === 1) ? 'whole' : 'partial'
}
