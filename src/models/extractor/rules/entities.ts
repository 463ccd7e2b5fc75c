import type { EntityType } from '../../../memory/model.ts'
import { isRolePhrase, type Phrase } from '../grammar/phrase.ts'
import type { Tree } from '../grammar/tree.ts'
import { singular } from '../text/lemmas.ts'
import { type Discourse, refer, remember } from './discourse.ts'
import type { FactDraft } from './draft.ts'
import { isGivenName, nameGender } from './given-names.ts'
import { cleanName, snakeCase } from './names.ts'
import {
  breeds,
  emptyNouns,
  groups,
  isOccupation,
  people,
  personNouns,
  pets,
  roleGender,
} from './vocabulary.ts'
import { withWhich } from './which.ts'

/** What naming needs: the sentence, what was said before, and where links go. */
export interface Naming {
  readonly tree: Tree
  readonly discourse: Discourse
  readonly emit: (draft: FactDraft) => void
}

export type Part = 'subject' | 'object' | 'owner'

const firstPerson = /^(?:i|me|my|mine|myself|we|us|our|ours|ourselves)$/i
const secondPerson = /^(?:you|your|yours|yourself|yourselves|u|ur|ya)$/i

/** The name of what a phrase stands for; null when it stands for nothing that can be remembered. */
export function nameOf(phrase: Phrase, part: Part, naming: Naming): string | null {
  if (phrase.kind === 'pronoun') return pronounName(phrase, part, naming)
  if (phrase.kind === 'activity') return cleanName(phrase.text) || null
  const known = naming.discourse.named.get(phrase.at)
  if (known !== undefined && phrase.kind === 'noun') {
    noteNamed(phrase, known, phrase, part, naming)
    return known
  }
  const text = cleanName(phrase.text)
  if (interjection.test(text)) return null
  if (!text || (phrase.kind !== 'name' && saysNothing(phrase, text))) return null
  const generic =
    phrase.owner !== null && phrase.owner.kind === 'noun' && phrase.owner.plural && !phrase.owner.owner
  const owner = phrase.owner && !generic ? nameOf(phrase.owner, 'owner', naming) : null
  if (phrase.owner && owner === null && phrase.kind !== 'name') return null
  // `my horse painting`, where the parser lost whose it is.
  const mine = /^(?:my|our) (.+)$/i.exec(text)?.[1]
  if (mine && phrase.kind !== 'name')
    return naming.discourse.me === null ? null : `${naming.discourse.me}'s ${mine}`
  const given = nameGiven(phrase)
  if (given.length > 0) return namedRole(phrase, owner, given, part, naming)
  const plain =
    owner !== null && phrase.kind !== 'name'
      ? ownedName(phrase, text, owner, naming)
      : unowned(phrase, text, naming)
  const name = part === 'subject' ? withWhich(phrase, plain) : plain
  if (phrase.kind === 'noun') naming.discourse.named.set(phrase.at, name)
  note(phrase, name, part, naming)
  describe(phrase, name, naming)
  return name
}

const interjection =
  /^(?:oo+f|ouch|wow+|ya+y|ugh+|(?:ha)+h?|lol|hm+|aw+|yikes|whoa|phew|gosh|omg|oops|hey|oh|ah+|um+|yeah|yep|nope|thanks|congrats|bye)$/i

function pronounName(phrase: Phrase, part: Part, { discourse, tree }: Naming): string | null {
  const quoted = phrase.indices.some((i) => isQuoted(tree, i))
  if (firstPerson.test(phrase.text)) return quoted ? null : discourse.me
  if (secondPerson.test(phrase.text)) return quoted ? null : discourse.you
  const meant = refer(discourse, phrase.text)
  // `their comfort`: whose it is, is clear only of people and animals.
  if (part === 'owner' && meant?.kind === 'other' && /^their$/i.test(phrase.text)) return null
  if (meant && part !== 'owner') remember(discourse, { ...meant, subject: part === 'subject' })
  return meant?.name ?? null
}

/** `stuff`, `each other`, `care of them`. */
function saysNothing(phrase: Phrase, text: string): boolean {
  if (emptyNouns.has(text.toLowerCase()) || /\b(?:each other|one another)$/i.test(text)) return true
  if (/\bof (?:it|them|him|her|us|me|you|this|that|these|those|all|course)\b/i.test(text)) return true
  return (
    emptyNouns.has(phrase.noun) &&
    phrase.indices.length === 1 &&
    phrase.modifiers.length === 0 &&
    !phrase.owner
  )
}

/** Inside quotation marks that do not span the whole sentence: somebody else's words. */
function isQuoted(tree: Tree, i: number): boolean {
  const marks = tree.words.flatMap((word, at) => (word === '"' || word === '``' || word === "''" ? [at] : []))
  const before = marks.filter((at) => at < i).length
  const after = marks.some((at) => at > i)
  const whole = marks.length === 2 && marks[0] === 0 && (marks[1] ?? 0) >= tree.words.length - 2
  return before % 2 === 1 && after && !whole
}

/** `my wife Laura`, `my boss, Karen`, `two cats named Milo and Luna`. */
function nameGiven(phrase: Phrase): readonly Phrase[] {
  if (phrase.kind !== 'noun') return []
  if (phrase.givenNames.length > 0) return phrase.givenNames
  const named = phrase.appositions.find(({ kind }) => kind === 'name')
  const titled =
    named &&
    (isOccupation(phrase.noun) || personNouns.has(phrase.noun)) &&
    named.at === Math.max(...phrase.indices) + 1
  return named && (phrase.owner || isRolePhrase(phrase) || titled || phrase.determiner === 'the')
    ? [named, ...named.others]
    : []
}

function namedRole(
  phrase: Phrase,
  owner: string | null,
  given: readonly Phrase[],
  part: Part,
  naming: Naming,
): string {
  const names = given.map(({ text }) => cleanName(text)).filter(Boolean)
  for (const [index, name] of names.entries()) {
    if (owner !== null)
      link(naming, {
        subject: owner,
        relation: `has_${roleRelation(phrase)}`,
        object: name,
        base: 0.92,
        support: phrase.indices,
      })
    else if (phrase.determiner !== null && !isRolePhrase(phrase))
      naming.discourse.classes.set(phrase.noun, name)
    noteNamed(phrase, name, given[index], part, naming)
  }
  const [first = phrase.text] = names
  naming.discourse.named.set(phrase.at, first)
  if (owner !== null) naming.discourse.aliases.set(`${owner}'s ${phrase.noun}`, first)
  return first
}

function noteNamed(
  role: Phrase,
  name: string,
  given: Phrase | undefined,
  part: Part,
  { discourse }: Naming,
): void {
  const isPerson = people.has(role.noun) || personNouns.has(role.noun) || isOccupation(role.noun)
  if (isPerson) discourse.types.set(name, 'person')
  remember(discourse, {
    name,
    kind: isPerson ? 'person' : pets.has(role.noun) ? 'animal' : 'other',
    gender: roleGender(role.noun) ?? nameGender(name),
    plural: given?.plural ?? false,
    subject: part === 'subject',
  })
}

function ownedName(phrase: Phrase, text: string, owner: string, naming: Naming): string {
  const lower = text.toLowerCase()
  const key = `${owner}${/s's$|s$/.test(owner) && owner.includes("'s ") ? "'" : "'s"} ${isRolePhrase(phrase) ? lower : text}`
  const alias = naming.discourse.aliases.get(key) ?? naming.discourse.aliases.get(`${owner}'s ${phrase.noun}`)
  if (alias && !phrase.plural) return alias
  const generic = phrase.owner?.kind === 'noun' && !phrase.owner.owner && !isRolePhrase(phrase.owner)
  // `its dog friendly` is no dog; who wants a family of their own has none yet.
  if (
    /^its$/i.test(phrase.owner?.text ?? '') ||
    (groups.has(phrase.noun) && (phrase.plural || /^own /.test(lower)))
  )
    return key
  if (isRolePhrase(phrase) || (groups.has(phrase.noun) && !generic)) {
    link(naming, {
      subject: owner,
      relation: `has_${roleRelation(phrase)}`,
      object: key,
      base: 0.75,
      support: phrase.indices,
    })
  }
  return key
}

function unowned(phrase: Phrase, text: string, { discourse }: Naming): string {
  if (phrase.kind === 'name') return fullName(text, discourse)
  if (discourse.topic !== null && singular(text.toLowerCase()) === discourse.topic.toLowerCase())
    return discourse.topic
  if ((phrase.determiner === 'the' || phrase.determiner === 'this') && phrase.indices.length === 1) {
    const known = discourse.classes.get(phrase.noun)
    if (known) return known
    const topic = discourse.topic
    if (topic !== null && topicNouns.test(phrase.noun) && discourse.types.get(topic) !== 'person')
      return topic
  }
  return text
}

/** What documents call their topic: `The film stars …`. */
const topicNouns =
  /^(?:film|movie|album|song|single|series|show|book|novel|game|company|band|group|organization|organisation|team|club|school|university|college|city|town|village|station|magazine|newspaper|journal|church|building|museum|river|lake|mountain|island|county|district|municipality|play|opera|episode|story|poem|ship|aircraft|species|genus|festival|award|program|programme|project|airline|airport|bridge|park|hotel|hospital|institution|agency|party|network|channel|label|record|video|comic|manga|anime)$/

/** A first or last name alone means the only full name in the text that has it. */
function fullName(text: string, discourse: Discourse): string {
  if (/\s/.test(text)) return text
  const { topic } = discourse
  if (topic !== null && discourse.types.get(topic) === 'person' && topic.split(' ').includes(text))
    return topic
  const known = [...discourse.types.keys()].filter((name) => {
    const parts = name.split(' ')
    return (
      parts.length > 1 &&
      parts.length < 5 &&
      discourse.types.get(name) === 'person' &&
      (parts[0] === text || parts.at(-1) === text)
    )
  })
  return known.length === 1 ? (known[0] ?? text) : text
}

function note(phrase: Phrase, name: string, part: Part, { discourse, tree }: Naming): void {
  const type = typeOf(phrase, name, tree)
  if (type && !discourse.types.has(name)) discourse.types.set(name, type)
  if (phrase.isTime || (part === 'owner' && phrase.kind !== 'name')) return
  remember(discourse, {
    name,
    kind: discourse.types.get(name) === 'person' ? 'person' : pets.has(phrase.noun) ? 'animal' : 'other',
    gender: roleGender(phrase.noun) ?? (phrase.kind === 'name' ? nameGender(name) : null),
    plural: phrase.plural && phrase.kind !== 'name',
    subject: part === 'subject',
  })
}

/** First names that are towns or regions as often. */
const alsoPlaces =
  /^(?:florence|victoria|virginia|madison|charlotte|sofia|austin|jackson|lincoln|sydney|paris|carolina|georgia|israel|jordan|kent|chester|dallas|houston|santiago|sara|carmen|valencia|milan|roman)$/i

/** What kind of thing a phrase names, from tags, nouns and first names; null when nothing tells. */
function typeOf(phrase: Phrase, name: string, tree: Tree): EntityType | null {
  if (phrase.isTime) return 'date'
  if (phrase.kind === 'name') {
    const tagged = phrase.indices
      .map((i) => tree.names[i])
      .find((kind) => kind !== null && kind !== undefined)
    if (tagged === 'place' && isGivenName(name) && !alsoPlaces.test(name)) return 'person'
    return tagged ?? (isGivenName(name.split(' ')[0] ?? '') ? 'person' : 'thing')
  }
  if (people.has(phrase.noun) || personNouns.has(phrase.noun)) return 'person'
  if (isOccupation(phrase.noun)) return phrase.owner || phrase.determiner === 'the' ? 'person' : 'concept'
  if (pets.has(phrase.noun) || phrase.kind === 'number') return 'thing'
  return 'concept'
}

/** `Marie Curie, a Polish physicist,` and `Ana, my boss,`. */
function describe(phrase: Phrase, name: string, naming: Naming): void {
  if (phrase.kind !== 'name') return
  for (const apposition of phrase.appositions) {
    locate(apposition, name, naming)
    if (apposition.kind !== 'noun' || apposition.isTime) continue
    // `Dave, that car is nice`: he is spoken to.
    if (/^(?:this|that|these|those)$/.test(apposition.determiner ?? '')) continue
    const owner = apposition.owner ? nameOf(apposition.owner, 'owner', naming) : null
    const text = cleanName(apposition.text)
    if (owner !== null && isRolePhrase(apposition)) {
      link(naming, {
        subject: owner,
        relation: `has_${roleRelation(apposition)}`,
        object: name,
        base: 0.88,
        support: apposition.indices,
      })
      naming.discourse.aliases.set(`${owner}'s ${apposition.noun}`, name)
    } else if (owner === null && text) describeAs(apposition, text, name, naming)
  }
}

/** `Toronto, Canada`. */
function locate(apposition: Phrase, name: string, naming: Naming): void {
  const isPlace = (kind: unknown) => kind === 'place'
  if (
    apposition.kind !== 'name' ||
    !isPlace(naming.tree.names[apposition.at]) ||
    !isPlace(naming.discourse.types.get(name))
  )
    return
  const whole = nameOf(apposition, 'object', naming)
  if (whole !== null)
    link(naming, {
      subject: name,
      relation: 'located_in',
      object: whole,
      base: 0.8,
      support: [apposition.at],
    })
}

function describeAs(apposition: Phrase, text: string, name: string, naming: Naming): void {
  const of = apposition.modifiers.find(({ preposition }) => preposition === 'of')
  const whole = of && of.phrase.kind === 'name' ? nameOf(of.phrase, 'object', naming) : null
  if (of && whole !== null) {
    const role = text.slice(0, text.toLowerCase().lastIndexOf(' of '))
    link(naming, {
      subject: name,
      relation: `${snakeCase(role || apposition.noun)}_of`,
      object: whole,
      base: 0.8,
      support: apposition.indices,
    })
    return
  }
  naming.discourse.classes.set(apposition.noun, name)
  link(naming, { subject: name, relation: 'is_a', object: text, base: 0.8, support: apposition.indices })
}

/** Makes a fact about a tie once a text. */
function link(
  { emit, discourse }: Naming,
  draft: Pick<FactDraft, 'subject' | 'relation' | 'object' | 'base' | 'support'>,
): void {
  const key = `${draft.subject}|${draft.relation}|${draft.object}`
  if (discourse.linked.has(key) || draft.subject === draft.object) return
  discourse.linked.add(key)
  emit({ ...draft, negated: false, ended: false, hypothetical: false, when: null })
}

const plainAdjective =
  /^(?:younger|older|elder|little|big|old|new|late|eldest|oldest|youngest|dear|dearest|whole|entire|other|own|only|current|lovely|beautiful|two|three|four|first|second|twin|baby) /

/** `older sister` → `sister`, `best friend` → `best_friend`, `dogs` → `dog`. */
export function roleRelation(phrase: Phrase): string {
  let text = cleanName(phrase.text).toLowerCase()
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(plainAdjective, '')
  }
  if (/^best friends?$/.test(text)) return 'best_friend'
  if (/^fur(?:ry)?[ -](?:bab|kid|friend)/.test(text.replace(/^\w+ (?=fur)/, ''))) return 'pet'
  if (/in[ -]law$/.test(text) || groups.has(phrase.noun)) return snakeCase(text)
  const breed = breeds.get(singular(phrase.noun))
  if (breed) return breed
  return isRolePhrase(phrase) ? snakeCase(singular(phrase.noun)) : snakeCase(singular(text))
}
