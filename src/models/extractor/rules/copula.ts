import type { Clause, Predicate } from '../grammar/clause.ts'
import { isRolePhrase, membersOf, type Phrase } from '../grammar/phrase.ts'
import { childrenOf, runAround, sliceOf, subtree, type Tree, word } from '../grammar/tree.ts'
import { attributeFact, attributeRelation, correctionFact } from './attribute.ts'
import { describeWith, type Sink } from './description.ts'
import { remember } from './discourse.ts'
import { nameOf, roleRelation } from './entities.ts'
import { nameGender } from './given-names.ts'
import { cleanName, snakeCase } from './names.ts'
import { chainedRelation } from './relations.ts'
import { isOccupation, passingAdjectives, people, pets, roleGender } from './vocabulary.ts'

/** Facts of `subject is …`. */
export function copulaFacts(clause: Clause, subject: Phrase, predicate: Predicate, sink: Sink): void {
  if (clause.standing === 'passing' && predicate.kind !== 'age') return
  if (/^(?:here|there)$/i.test(clause.verb)) return
  if (clause.chain.length > 0) {
    wishedFact(clause, subject, predicate, sink)
    return
  }
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
      homeFact(clause, subject, predicate, sink)
      for (const value of sharingOf(membersOf(predicate.phrase)))
        phraseFact(clause, name, subject, value, predicate.preposition, sink)
      return
  }
}

/** `I want to be a nurse`: a wish, no job. */
function wishedFact(clause: Clause, subject: Phrase, predicate: Predicate, sink: Sink): void {
  const name = nameOf(subject, 'subject', sink.naming)
  if (name === null || predicate.kind !== 'phrase' || predicate.phrase.kind === 'pronoun') return
  const tail = predicate.preposition ? `be_${predicate.preposition}` : 'be'
  const object = cleanName(predicate.phrase.text)
  if (object) sink.add(name, chainedRelation(clause, tail), object, 0.8)
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

/** `Tesla's CEO is Elon Musk`. */
function officeHolder(subject: Phrase, holder: Phrase, sink: Sink): boolean {
  if (
    !subject.owner ||
    subject.owner.kind === 'noun' ||
    !isOccupation(subject.noun) ||
    isRolePhrase(subject) ||
    holder.kind !== 'name'
  )
    return false
  const whole = nameOf(subject.owner, 'owner', sink.naming)
  const person = nameOf(holder, 'object', sink.naming)
  if (whole === null || person === null) return false
  if (subject.owner.kind === 'pronoun') sink.add(whole, `has_${snakeCase(subject.noun)}`, person, 0.88)
  else sink.add(person, `${snakeCase(cleanName(subject.text))}_of`, whole, 0.88)
  return true
}

/** `my sister is Maria`, `Maria is my sister`. */
function roleFact(subject: Phrase, predicate: Predicate, sink: Sink): boolean {
  if (predicate.kind !== 'phrase' || predicate.preposition !== null) return false
  if (officeHolder(subject, predicate.phrase, sink)) return true
  if (
    subject.owner &&
    isRolePhrase(subject) &&
    subject.appositions.length === 0 &&
    (predicate.phrase.kind === 'name' || predicate.phrase.givenNames.length > 0)
  ) {
    const owner = nameOf(subject.owner, 'owner', sink.naming)
    if (owner === null) return false
    // `my landlord is a company called Nestwell`.
    const { givenNames } = predicate.phrase
    for (const value of givenNames.length > 0 ? givenNames : membersOf(predicate.phrase)) {
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
  // `the goal is to empower people`.
  if (sink.naming.tree.xpos[clause.at] === 'VB') return
  let told = false
  for (const { preposition, phrase } of clause.obliques) {
    if (!preposition || preposition === 'than') continue
    if (phrase.isTime && !/^(?:for|since)$/.test(preposition) && word !== 'due') continue
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
  /^(?:afraid_of|good_at|bad_at|better_at|great_at|interested_in|proud_of|new_to|sure_of|due_(?:on|in|at|by)|free_on|available_(?:on|at)|busy_(?:on|with)|best_at|worth_of|close_to|aware_of)$/

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
  const key = `${adjective === 'due' ? 'is_' : ''}${snakeCase(adjective)}_${preposition}`
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
  if (value.owner?.kind === 'pronoun' && subject.kind === 'name' && isOccupation(value.noun)) {
    // `Tomasz Kruk is our CFO`.
    const owner = nameOf(value.owner, 'owner', sink.naming)
    if (owner !== null && owner !== name) sink.add(owner, `has_${snakeCase(value.noun)}`, name, 0.88)
    return
  }
  describeWith(clause, name, subject, value, sink)
}

/** `is from Brazil`, `is in Paris`, `is into ballet`. */
function placeFact(clause: Clause, name: string, value: Phrase, preposition: string, sink: Sink): void {
  const object = value.isTime ? cleanName(value.text) : nameOf(value, 'object', sink.naming)
  if (object === null) return
  // `in a relationship with Kenji`.
  const partner =
    value.noun === 'relationship' ? value.modifiers.find((one) => one.preposition === 'with') : null
  if (partner?.phrase.kind === 'name') {
    const dated = nameOf(partner.phrase, 'object', sink.naming)
    if (dated !== null) sink.add(name, 'dates', dated, 0.85)
  }
  const me = name === sink.naming.discourse.me
  const perfectTo = preposition === 'to' && clause.perfect
  if (/^(?:like|as|than|about)$/.test(preposition) || (preposition === 'to' && !perfectTo)) return
  if (value.noun === 'moon') return
  if (
    preposition === 'at' &&
    me &&
    value.kind === 'name' &&
    clause.tense === 'present' &&
    ofWork.test(sink.naming.tree.text)
  ) {
    sink.add(name, 'works_at', object, 0.8)
    return
  }
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

/** `my flat is in Ghent`, `home is Ghent`: one lives there. */
function homeFact(clause: Clause, subject: Phrase, predicate: Predicate, sink: Sink): void {
  const { me } = sink.naming.discourse
  if (predicate.kind !== 'phrase' || predicate.phrase.kind !== 'name' || clause.tense !== 'present') return
  const mine = subject.owner !== null && /^(?:my|our)$/i.test(subject.owner.text)
  const isHome =
    /^home(?: for (?:me|us))?$/i.test(subject.text) ||
    (mine && /^(?:new )?(?:home|flat|apartment|place|house)$/i.test(subject.text))
  const there = predicate.preposition === null ? /^home/i.test(subject.text) : predicate.preposition === 'in'
  const town = isHome && there ? nameOf(predicate.phrase, 'object', sink.naming) : null
  if (me !== null && town !== null) sink.add(me, 'lives_in', town, 0.8)
}

/** `I got a new job! I'm at Bosch now.` */
const ofWork =
  /\b(?:new job|new role|new position|changed jobs|switched jobs|got hired|job offer|new employer)\b/i

const places: Readonly<Record<string, string>> = {
  in: 'located_in',
  from: 'from',
  originally_from: 'from',
  into: 'into',
}
