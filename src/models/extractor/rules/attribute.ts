import type { Clause, Predicate } from '../grammar/clause.ts'
import { isRolePhrase, membersOf, type Phrase } from '../grammar/phrase.ts'
import { childrenOf, label, runAround, sliceOf, subtree, type Tree, word } from '../grammar/tree.ts'
import { singular } from '../text/lemmas.ts'
import type { Sink } from './description.ts'
import { remember } from './discourse.ts'
import { nameOf, roleRelation } from './entities.ts'
import { nameGender } from './given-names.ts'
import { cleanName, snakeCase } from './names.ts'
import { attributes, people, roleGender } from './vocabulary.ts'

/** `my favourite colour is green`, `her phone number is …`, `the capital of France is Paris`. */
export function attributeFact(clause: Clause, subject: Phrase, predicate: Predicate, sink: Sink): boolean {
  if (subject.kind !== 'noun') return false
  const relation = qualified(jobPlace(attributeRelation(subject), predicate), subject)
  if (topicFact(clause, subject, predicate, sink)) return true
  const holder = relation ? attributeHolder(subject) : null
  if (!relation || !holder) return false
  if (
    predicate.kind === 'phrase' &&
    (predicate.phrase.kind === 'pronoun' || isVerbalPlace(predicate.preposition))
  )
    return false
  const owner = holder === 'me' ? sink.naming.discourse.me : nameOf(holder, 'subject', sink.naming)
  if (owner === null) return false
  const values =
    predicate.kind === 'phrase' && predicate.phrase.others.length > 0
      ? membersOf(predicate.phrase).map(({ text }) => cleanName(text))
      : [valueText(clause, predicate, sink.naming.tree)]
  for (const value of values) {
    if (relation === 'has_name' && holder !== 'me') named(holder, owner, value, sink)
    sink.add(owner, relation, value, 0.95)
    // Told without an owner, it may be asked for by its own name.
    const bare = cleanName(subject.text)
    if (!subject.owner && household.test(bare) && bare.includes(' ')) sink.add(bare, 'is', value, 0.8)
  }
  const { sentence } = sink.naming.discourse
  sink.naming.discourse.lastAttribute = { owner, relation, sentence, denied: clause.negated }
  return true
}

/** Values of a household that are told without saying whose: `the wifi password is …`, `the door code is …`. */
const household =
  /^(?:(?:wi-?fi|wlan|internet|guest|router|network) (?:password|code|key|name)|(?:\p{L}+ )?(?:door|gate|alarm|lock|garage|entry|key ?pad|key ?box|safe|bike lock|front door) (?:code|pin|combination|password)|rent)$/iu

/** Whose value it is: the owner, what stands behind `of`, `at`, `for`; the speaker's for what every household has. */
export function attributeHolder(thing: Phrase): Phrase | 'me' | null {
  if (thing.owner) return thing.owner
  const of = thing.modifiers.find(({ preposition }) => preposition === 'of')
  if (of) return of.phrase
  if (!household.test(cleanName(thing.text)) || thing.determiner !== 'the') return null
  return thing.modifiers.find(({ preposition }) => /^(?:at|for|in|to)$/.test(preposition))?.phrase ?? 'me'
}

const ofTopic =
  /^(?:population|capital|seat|area|elevation|director|author|founder|owner|headquarters|mayor|chairman|president|language|currency|editor|producer|composer|publisher|headmaster|principal|coach|captain|architect|designer)$/

/** `The population was 823`, in a document about a place. */
function topicFact(clause: Clause, subject: Phrase, predicate: Predicate, sink: Sink): boolean {
  const { topic } = sink.naming.discourse
  if (topic === null || subject.determiner !== 'the' || subject.owner || subject.modifiers.length > 0)
    return false
  if (!ofTopic.test(subject.noun) || predicate.kind === 'adjective' || clause.negated) return false
  const value = valueText(clause, predicate, sink.naming.tree)
  if (value) sink.add(topic, `has_${snakeCase(cleanName(subject.text))}`, value, 0.8)
  return value !== ''
}

/** `My name is Jon. Actually, it's John.` */
export function correctionFact(clause: Clause, subject: Phrase, predicate: Predicate, sink: Sink): boolean {
  const { discourse, tree } = sink.naming
  const last = discourse.lastAttribute
  if (
    !last ||
    !/^it$/i.test(subject.text) ||
    discourse.sentence - last.sentence > 1 ||
    predicate.kind === 'age'
  )
    return false
  const adverbs = childrenOf(tree, clause.at, 'advmod', 'discourse').map((child) => word(tree, child))
  const corrects =
    (last.denied && !clause.negated) ||
    adverbs.some((adverb) => /^(?:actually|now|no|sorry|rather|really|instead|currently)$/.test(adverb)) ||
    /^(?:actually|no|sorry|wait|oops)$/.test(word(tree, 0))
  if (!corrects) return false
  sink.add(last.owner, last.relation, valueText(clause, predicate, tree), 0.85)
  return true
}

/** `in town`, `at the moment`: they tell it from nothing. */
const everywhere = /^(?:town|world|earth|moment|life|general|history|time|year|area|city|neighbou?rhood|now)$/

/** `my password for Spotify`, `my favourite café in Rome`: it is another value than the one for another thing. */
function qualified(relation: string | null, { owner, modifiers }: Phrase): string | null {
  const by = modifiers.find(({ preposition }) => /^(?:at|for|in|on|with)$/.test(preposition))
  if (relation === null || !owner || by === undefined || relation.startsWith('works_')) return relation
  if (everywhere.test(by.phrase.noun)) return relation
  return `${relation}_${by.preposition}_${snakeCase(cleanName(by.phrase.text))}`
}

/** `my new job is at Stripe`. */
function jobPlace(relation: string | null, predicate: Predicate): string | null {
  if (relation !== 'works_as' || predicate.kind !== 'phrase' || predicate.preposition === null)
    return relation
  return /^(?:at|with|for)$/.test(predicate.preposition) ? 'works_at' : `works_${predicate.preposition}`
}

/** Numbers and codes are copied whole, whatever the grammar makes of them: `B-AB 1234`, `LH 1234`, `hunter2-blue`. */
const code =
  /^(?=[^.,;!?]*\d)(?:[\p{Lu}\d][\p{L}\d]*(?:[-/.][\p{L}\d]+)*(?: [\p{Lu}\d]{2,}(?:[-/.][\p{L}\d]+)*)*|[\p{L}\d]+(?:[-_][\p{L}\d]+)+)(?=[.,;!?]*(?:$|\s+(?:and|but)\b)|[.,;!?]\s)/u

function codeAfterCopula(clause: Clause, tree: Tree): string | null {
  const copula = childrenOf(tree, clause.at, 'cop').at(-1)
  const from = copula === undefined ? undefined : tree.tokens[copula]?.end
  const to = tree.tokens.at(-1)?.end
  return from === undefined ? null : codeIn(tree.text.slice(from, to))
}

/** The code that a text begins with; null when it begins with none. */
export const codeIn = (text: string): string | null =>
  code.exec(text.trim().replace(/^now /i, ''))?.[0] ?? null

/** Everything after the copula, for values that are no proper phrase: `O negative`, `555 1234`. */
function valueText(clause: Clause, predicate: Predicate, tree: Tree): string {
  if (predicate.kind === 'age') return predicate.value
  const copied = codeAfterCopula(clause, tree)
  if (copied !== null) return copied
  if (predicate.kind === 'phrase' && predicate.phrase.kind === 'name' && predicate.preposition === null)
    return cleanName(predicate.phrase.text)
  const outer = new Set([
    'nsubj',
    'cop',
    'punct',
    'cc',
    'conj',
    'advcl',
    'parataxis',
    'mark',
    'advmod',
    'acl:relcl',
    'discourse',
    'nsubj:outer',
    'aux',
    'vocative',
    'appos',
    'ccomp',
    'obl',
  ])
  const below = (tree.children[clause.at] ?? []).filter(
    (child) =>
      !outer.has(label(tree, child)) &&
      !(label(tree, child) === 'case' && /^(?:on|in|at|the)$/.test(word(tree, child))),
  )
  const inside = (child: number) =>
    !/^(?:cop|punct)$/.test(label(tree, child)) || /^[-/.]$/.test(tree.words[child] ?? '')
  const words = [clause.at, ...below.flatMap((child) => subtree(tree, child, inside))].filter(
    (i) => i > (childrenOf(tree, clause.at, 'cop', 'nsubj').at(-1) ?? -1),
  )
  const text = cleanName(sliceOf(tree, runAround(words, clause.at)))
  return text
}

const isVerbalPlace = (preposition: string | null) =>
  preposition !== null && !/^(?:on|in|at|to|o|with|for)$/.test(preposition)

/** The relation that an attribute noun stands for; null when the noun is not one. */
export function attributeRelation(subject: Phrase): string | null {
  const of = subject.modifiers.find(({ preposition }) => preposition === 'of')
  const whole = cleanName(subject.text).toLowerCase()
  const timeless = whole.replace(/ of (?:all time|the year|the moment)$/, '')
  const text = of && !subject.owner ? whole.slice(0, whole.indexOf(' of ')) || subject.noun : timeless
  const favourite =
    /^(?:(?:all[- ]time|absolute|current|new|old|other|personal) )?(?:favou?rite|go-to|preferred) (.+)$/.exec(
      text,
    )?.[1]
  if (favourite) return `favourite_${snakeCase(favourite).replace(/^color$/, 'colour')}`
  if (isRolePhrase(subject)) return null
  if (text === 'name of the' || text === '') return null
  const known =
    lookUp(text) ??
    lookUp(singular(text)) ??
    lookUp(text.replace(/^(?:current|new|old|own|full|real|preferred) /, ''))
  if (known) return known
  if (of && !subject.owner && of.phrase.kind === 'name') return `has_${snakeCase(text)}`
  const tail = attributes.get(subject.noun)
  const bare = text.replace(/^(?:current|new|old|own) /, '')
  if (!subject.owner && household.test(bare)) return `has_${snakeCase(bare)}`
  return subject.owner && tail ? snakeCase(bare) : null
}

const lookUp = (text: string) => attributes.get(text) ?? attributes.get(text.replaceAll(' ', '-'))

/** `my dog's name is Rex`: from now on the dog is Rex. */
export function named(holder: Phrase, owner: string, value: string, { naming, add }: Sink): void {
  const { discourse } = naming
  if (owner === discourse.me || owner === 'user') return
  discourse.aliases.set(owner, value)
  const isPerson = people.has(holder.noun)
  if (isPerson) discourse.types.set(value, 'person')
  remember(discourse, {
    name: value,
    kind: isPerson ? 'person' : 'animal',
    gender: roleGender(holder.noun) ?? nameGender(value),
    plural: false,
    subject: true,
  })
  const keeper = holder.owner ? nameOf(holder.owner, 'owner', naming) : null
  if (keeper !== null && isRolePhrase(holder)) add(keeper, `has_${roleRelation(holder)}`, value, 0.9)
}
