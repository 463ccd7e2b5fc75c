import type { Clause, Predicate } from '../grammar/clause.ts'
import { isRolePhrase, membersOf, type Phrase } from '../grammar/phrase.ts'
import { childrenOf, label, runAround, sliceOf, subtree, type Tree, word } from '../grammar/tree.ts'
import { singular } from '../text/lemmas.ts'
import { describeWith, type Sink } from './description.ts'
import { remember } from './discourse.ts'
import { nameOf, roleRelation } from './entities.ts'
import { nameGender } from './given-names.ts'
import { cleanName, snakeCase } from './names.ts'
import { attributes, isOccupation, passingAdjectives, people, pets, roleGender } from './vocabulary.ts'

/** Facts of `subject is …`. */
export function copulaFacts(clause: Clause, subject: Phrase, predicate: Predicate, sink: Sink): void {
  if (clause.standing === 'passing' && predicate.kind !== 'age') return
  if (/^(?:here|there)$/i.test(clause.verb)) return
  if (correctionFact(clause, subject, predicate, sink)) return
  if (attributeFact(clause, subject, predicate, sink) || roleFact(subject, predicate, sink)) return
  const name = nameOf(subject, 'subject', sink.naming)
  if (name === null) return
  switch (predicate.kind) {
    case 'age':
      if (clause.tense === 'past') return
      sink.add(name, 'has_age', predicate.value, 0.95)
      return
    case 'adjective':
      adjectiveFacts(clause, subject, name, predicate.text, sink)
      return
    case 'phrase':
      for (const value of sharingOf(membersOf(predicate.phrase)))
        phraseFact(clause, name, subject, value, predicate.preposition, sink)
      return
  }
}

/** `the co-founder and chairman of X`: both are of X. */
function sharingOf(members: readonly Phrase[]): readonly Phrase[] {
  const last = members.at(-1)
  const of = last?.modifiers.find(({ preposition }) => preposition === 'of')
  if (!of || !last || last.determiner !== null || members.length < 2) return members
  return members.map((member) =>
    member.modifiers.length === 0 && isOccupation(member.noun) ? { ...member, modifiers: [of] } : member,
  )
}

/** `my favourite colour is green`, `her phone number is …`, `the capital of France is Paris`. */
function attributeFact(clause: Clause, subject: Phrase, predicate: Predicate, sink: Sink): boolean {
  if (subject.kind !== 'noun') return false
  const relation = attributeRelation(subject)
  const holder = subject.owner ?? subject.modifiers.find(({ preposition }) => preposition === 'of')?.phrase
  if (!relation || !holder) return false
  if (
    predicate.kind === 'phrase' &&
    (predicate.phrase.kind === 'pronoun' || isVerbalPlace(predicate.preposition))
  )
    return false
  const owner = nameOf(holder, 'subject', sink.naming)
  if (owner === null) return false
  const values =
    predicate.kind === 'phrase' && predicate.phrase.others.length > 0
      ? membersOf(predicate.phrase).map(({ text }) => cleanName(text))
      : [valueText(clause, predicate, sink.naming.tree)]
  for (const value of values) {
    if (relation === 'has_name') named(holder, owner, value, sink)
    sink.add(owner, relation, value, 0.95)
  }
  sink.naming.discourse.lastAttribute = { owner, relation, sentence: sink.naming.discourse.sentence }
  return true
}

/** `My name is Jon. Actually, it's John.` */
function correctionFact(clause: Clause, subject: Phrase, predicate: Predicate, sink: Sink): boolean {
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
    adverbs.some((adverb) => /^(?:actually|now|no|sorry|rather|really|instead|currently)$/.test(adverb)) ||
    /^(?:actually|no|sorry|wait|oops)$/.test(word(tree, 0))
  if (!corrects) return false
  sink.add(last.owner, last.relation, valueText(clause, predicate, tree), 0.85)
  return true
}

/** Everything after the copula, for values that are no proper phrase: `O negative`, `555 1234`. */
function valueText(clause: Clause, predicate: Predicate, tree: Tree): string {
  if (predicate.kind === 'age') return predicate.value
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
  preposition !== null && !/^(?:on|in|at|to|o)$/.test(preposition)

/** The relation that an attribute noun stands for; null when the noun is not one. */
export function attributeRelation(subject: Phrase): string | null {
  const of = subject.modifiers.find(({ preposition }) => preposition === 'of')
  const whole = cleanName(subject.text).toLowerCase()
  const timeless = whole.replace(/ of (?:all time|the year|the moment)$/, '')
  const text = of && !subject.owner ? whole.slice(0, whole.indexOf(' of ')) || subject.noun : timeless
  const favourite = /^(?:(?:all[- ]time|absolute|current|new|old|other|personal) )?favou?rite (.+)$/.exec(
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
  return subject.owner && tail ? snakeCase(text) : null
}

const lookUp = (text: string) => attributes.get(text) ?? attributes.get(text.replaceAll(' ', '-'))

/** `my dog's name is Rex`: from now on the dog is Rex. */
function named(holder: Phrase, owner: string, value: string, { naming, add }: Sink): void {
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

/** `my sister is Maria`, `Maria is my sister`. */
function roleFact(subject: Phrase, predicate: Predicate, sink: Sink): boolean {
  if (predicate.kind !== 'phrase' || predicate.preposition !== null) return false
  if (
    subject.owner &&
    isRolePhrase(subject) &&
    subject.appositions.length === 0 &&
    predicate.phrase.kind === 'name'
  ) {
    const owner = nameOf(subject.owner, 'owner', sink.naming)
    if (owner === null) return false
    for (const value of membersOf(predicate.phrase)) {
      const name = cleanName(value.text)
      sink.naming.discourse.aliases.set(`${owner}'s ${subject.noun}`, name)
      if (!pets.has(subject.noun)) sink.naming.discourse.types.set(name, 'person')
      remember(sink.naming.discourse, {
        name,
        kind: pets.has(subject.noun) ? 'animal' : 'person',
        gender: roleGender(subject.noun) ?? nameGender(name),
        plural: false,
        subject: true,
      })
      sink.add(owner, `has_${roleRelation(subject)}`, name, 0.92)
    }
    return true
  }
  return false
}

/** States of people that are worth a fact by themselves. */
const lastingStates =
  /^(?:vegetarian|vegan|pescatarian|married|single|divorced|widowed|separated|engaged|pregnant|retired|unemployed|employed|self-employed|diabetic|asthmatic|epileptic|dyslexic|autistic|deaf|blind|color-?blind|colou?rblind|left-handed|right-handed|lactose-intolerant|gluten-free|celiac|coeliac|gay|lesbian|bisexual|straight|transgender|trans|nonbinary|non-binary|queer|adopted|bilingual|trilingual|religious|atheist|agnostic|catholic|christian|protestant|muslim|jewish|buddhist|hindu|intolerant|anemic|insomniac|sober|introverted|extroverted|tall|short|blond|blonde|bald|dead|alive|deceased|bankrupt|homeless|disabled|handicapped|colorblind|dead|nocturnal|sterilized|vaccinated|bedridden)$/

function adjectiveFacts(clause: Clause, subject: Phrase, name: string, adjective: string, sink: Sink): void {
  const word = adjective.toLowerCase()
  let told = false
  for (const { preposition, phrase } of clause.obliques) {
    if (!preposition || (phrase.isTime && !/^(?:for|since)$/.test(preposition))) continue
    for (const value of membersOf(phrase)) {
      const object = value.isTime ? cleanName(value.text) : nameOf(value, 'object', sink.naming)
      if (object === null) continue
      sink.add(
        name,
        adjectiveRelation(word, preposition),
        object,
        passingAdjectives.has(word) && !attitude.test(`${word}_${preposition}`) ? 0.55 : 0.9,
      )
      told = true
    }
  }
  const onlySince = clause.obliques.every(({ phrase }) => phrase.isTime)
  if ((told && !(onlySince && lastingStates.test(word))) || passingAdjectives.has(word)) return
  if (subject.kind === 'pronoun' && /^(?:it|that|this|there|what)$/i.test(subject.text)) return
  const capital = /^\p{Lu}/u.test(adjective)
  sink.add(
    name,
    'is',
    withDegree(clause, capital ? adjective : word, sink.naming.tree),
    lastingStates.test(word) || capital ? 0.9 : 0.55,
  )
}

/** `lactose intolerant`, `180 cm tall`. */
function withDegree(clause: Clause, adjective: string, tree: Tree): string {
  const measure = /^(?:tall|high|long|wide|deep|heavy|thick)$/.test(adjective)
    ? childrenOf(tree, clause.at, 'obl:unmarked', 'nmod:unmarked', 'obl', 'nummod').find(
        (child) => child < clause.at && child >= clause.at - 2,
      )
    : undefined
  if (measure !== undefined)
    return sliceOf(tree, runAround([...subtree(tree, measure), clause.at], clause.at))
  const before = word(tree, clause.at - 1)
  return /^(?:lactose|gluten|color|colour|legally|clinically)$/.test(before)
    ? `${before} ${adjective}`
    : adjective
}

/** Passing adjectives that say something lasting with a preposition. */
const attitude =
  /^(?:afraid_of|good_at|bad_at|better_at|great_at|interested_in|proud_of|new_to|sure_of|due_(?:on|in|at)|free_on|available_(?:on|at)|busy_(?:on|with)|best_at|worth_of|close_to|aware_of)$/

const adjectiveRelations: Readonly<Record<string, string>> = {
  based_in: 'lives_in',
  located_in: 'located_in',
  situated_in: 'located_in',
  married_to: 'married_to',
  born_in: 'born_in',
  born_on: 'born_on',
  employed_by: 'works_at',
  employed_at: 'works_at',
}

function adjectiveRelation(adjective: string, preposition: string): string {
  const key = `${snakeCase(adjective)}_${preposition}`
  return adjectiveRelations[key] ?? key
}

function phraseFact(
  clause: Clause,
  name: string,
  subject: Phrase,
  value: Phrase,
  preposition: string | null,
  sink: Sink,
): void {
  if (value.kind === 'pronoun') return
  if (preposition !== null) {
    placeFact(clause, name, value, preposition, sink)
    return
  }
  const favourite = value.owner && value.kind === 'noun' ? attributeRelation(value) : null
  if (value.owner && favourite?.startsWith('favourite_')) {
    const owner = nameOf(value.owner, 'owner', sink.naming)
    if (owner !== null) sink.add(owner, favourite, name, 0.92)
    return
  }
  if (value.owner && isRolePhrase(value)) {
    const owner = nameOf(value.owner, 'owner', sink.naming)
    if (owner === null || owner === name) return
    sink.naming.discourse.aliases.set(`${owner}'s ${value.noun}`, name)
    if (people.has(value.noun)) sink.naming.discourse.types.set(name, 'person')
    sink.add(owner, `has_${roleRelation(value)}`, name, 0.92)
    return
  }
  describeWith(clause, name, subject, value, sink)
}

/** `is from Brazil`, `is in Paris`, `is into ballet`. */
function placeFact(clause: Clause, name: string, value: Phrase, preposition: string, sink: Sink): void {
  const object = value.isTime ? cleanName(value.text) : nameOf(value, 'object', sink.naming)
  if (object === null) return
  const me = name === sink.naming.discourse.me
  if (/^(?:like|as|than|about)$/.test(preposition)) return
  const perfectTo = preposition === 'to' && clause.perfect
  const relation = perfectTo ? 'visited' : (places[preposition] ?? `is_${preposition}`)
  if (relation !== 'located_in') sink.add(name, relation, object, 0.85)
  else if (value.isTime) sink.add(name, 'is_in', object, 0.85)
  else if (value.kind !== 'name') sink.add(name, 'is_in', object, me ? 0.55 : 0.6)
  else if (me)
    sink.add(
      name,
      clause.tense === 'present' && clause.obliques.length === 0 ? 'lives_in' : 'is_in',
      object,
      0.6,
    )
  else sink.add(name, 'located_in', object, 0.8)
}

const places: Readonly<Record<string, string>> = {
  in: 'located_in',
  from: 'from',
  originally_from: 'from',
  to: 'been_to',
  into: 'into',
}
