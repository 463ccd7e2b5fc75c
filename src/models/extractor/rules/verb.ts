import type { Clause, Oblique } from '../grammar/clause.ts'
import { isRolePhrase, membersOf, type Phrase } from '../grammar/phrase.ts'
import { singular } from '../text/lemmas.ts'
import { attributeRelation, named } from './attribute.ts'
import { changedAttribute, changedThing, changing } from './changed.ts'
import type { Sink } from './description.ts'
import { nameOf, roleRelation } from './entities.ts'
import { foldedRelation, isCarried, light } from './folded.ts'
import { isGivenName } from './given-names.ts'
import { habitFact, stoppedActivity } from './habit.ts'
import { fillers, idiomFact, isBareAdjective } from './idioms.ts'
import { cleanName, snakeCase } from './names.ts'
import { relationOf } from './relations.ts'
import { breeds, emptyNouns, isRole, pets } from './vocabulary.ts'

/** Verbs whose time is the fact itself, even beside other things. */
const dated = new Set(
  `found establish bear complete build open release publish die marry create launch form incorporate elect
  premiere construct retire graduate introduce`.split(/\s+/),
)
/** Verbs that take a way of living: `I keep kosher`, `we eat halal`. */
const ways = /^(?:keep|eat|follow|observe|cook)$/
const keeping = new Set(['have', 'adopt', 'get', 'own', 'rescue', 'raise', 'bring'])
const empty = new Set([
  'time',
  'way',
  'lot',
  'bit',
  'thing',
  'order',
  'case',
  'addition',
  'fact',
  'general',
  'course',
  'moment',
])

/** Facts of a full verb. */
export function verbFacts(clause: Clause, subject: Phrase, sink: Sink): void {
  if (changedThing(clause, sink)) return
  const name = nameOf(subject, 'subject', sink.naming)
  if (name === null) return
  if (
    clause.chain.includes('feel') ||
    (clause.progressive && clause.objects.length === 0 && /^(?:it|that|this)$/i.test(subject.text))
  )
    return
  if (isAim(clause, subject) || isLoose(clause)) return
  if (specialFacts(clause, subject, name, sink) || habitFact(clause, name, sink)) return
  for (const object of clause.objects) {
    for (const member of membersOf(object)) objectFact(clause, name, member, sink)
  }
  for (const oblique of changesJob(clause) ? [] : clause.obliques) obliqueFacts(clause, name, oblique, sink)
  if (clause.objects.length === 0 && clause.obliques.length === 0 && clause.particle)
    stateFact(clause, name, sink)
}

/** `My plan is to expand and grow`: the plan does not grow. */
const isAim = (clause: Clause, subject: Phrase) =>
  clause.tag === 'VB' &&
  clause.modal === null &&
  /^(?:plan|goal|dream|aim|hope|idea|job|task|mission|purpose|intention|wish|hobby)$/.test(subject.noun)

/** `trying to juggle work, and growing`: the second is no part of the first. */
const isLoose = (clause: Clause) => clause.tag === 'VBG' && /_to$/.test(clause.chain.at(-1) ?? '')

/** `quit my job at Amazon`: the place is the job's, and derive.ts tells it. */
function changesJob(clause: Clause): boolean {
  return (
    /^(?:quit|leave|lose|get|start|land|accept|find|begin)$/.test(clause.lemma) &&
    clause.objects.some(({ noun }) => /^(?:job|position|role|post)$/.test(noun))
  )
}

/** Verbs whose shape says something of its own. True: nothing else is to be read from the clause. */
function specialFacts(clause: Clause, subject: Phrase, name: string, sink: Sink): boolean {
  const [object] = clause.objects
  if (clause.modal === 'can' && clause.negated && clause.lemma === 'stand') {
    for (const member of clause.objects.flatMap(membersOf)) {
      const disliked = nameOf(member, 'object', sink.naming)
      if (disliked !== null) sink.add(name, 'dislikes', disliked, 0.9, { negated: false })
    }
    return true
  }
  if (/^(?:stop|quit)$/.test(clause.lemma) || (clause.lemma === 'give' && clause.particle === 'up')) {
    return stoppedActivity(clause, name, sink)
  }
  if (changing.test(clause.lemma) && subject.owner && changedAttribute(clause, subject, sink)) return true
  if (clause.lemma === 'turn' && object && (object.kind === 'number' || /^\d{1,3}$/.test(object.text))) {
    sink.add(name, 'has_age', object.text, 0.9)
    return true
  }
  if (
    (clause.lemma === 'name' || clause.lemma === 'call') &&
    object &&
    clause.objects.length === 2 &&
    !clause.passive
  ) {
    const given = clause.objects[1]
    const thing = nameOf(object, 'object', sink.naming)
    if (given && thing !== null) sink.add(thing, 'has_name', cleanName(given.text), 0.85)
    const kind = thing?.split(' ').at(-1) ?? ''
    if (given && pets.has(kind))
      sink.add(name, `has_${breeds.get(kind) ?? kind}`, cleanName(given.text), 0.85)
    return true
  }
  const called = clause.lemma === 'call' ? object?.appositions.find(({ kind }) => kind === 'name') : undefined
  if (object?.owner && called) {
    // `we call our dog Rocky now`.
    const owner = nameOf(object.owner, 'owner', sink.naming)
    if (owner !== null) sink.add(`${owner}'s ${object.noun}`, 'has_name', cleanName(called.text), 0.85)
  }
  if (/^(?:name|call)$/.test(clause.lemma) && clause.passive && object?.kind === 'name' && subject.owner) {
    named(subject, name, cleanName(object.text), sink)
    return false
  }
  return false
}

function objectFact(clause: Clause, name: string, object: Phrase, sink: Sink): void {
  const relation = relationOf(clause, null)
  if (object.isTime) {
    if (!emptyNouns.has(object.noun) && clause.obliques.length === 0)
      sink.add(name, relation, cleanName(object.text), 0.55)
    return
  }
  const negated = object.determiner === 'no' ? { negated: true } : undefined
  const explained = isRolePhrase(object) ? object.appositions.filter(({ kind }) => kind === 'name') : []
  if (object.givenNames.length > 0 || (clause.lemma === 'have' && explained.length > 0)) {
    const givenNames = object.givenNames.length > 0 ? object.givenNames : explained
    namedObject(clause, name, { ...object, givenNames, appositions: [] }, relation, sink)
    return
  }
  if (idiomFact(clause, name, object, sink) || fillers.has(object.noun)) return
  if (
    /^(?:part|full)-time$/i.test(object.text) ||
    (isBareAdjective(object, sink) && !ways.test(clause.lemma))
  )
    return
  if (object.kind === 'pronoun' && /^(?:do|make|get|take|have|give)$/.test(clause.lemma)) return
  const counted = /^(?:only )?(?:one|1) /i.test(object.text)
  const role = clause.lemma === 'have' && isRolePhrase(object) && !object.plural && !object.owner && !counted
  const vagueIt =
    object.kind === 'pronoun' &&
    /^(?:love|like|enjoy|hate|make|miss|adore|appreciate|see)$/.test(clause.lemma)
  const gone = role && clause.tense === 'past' && pets.has(object.noun) && !clause.ended
  if (role) sink.naming.discourse.named.set(object.at, `${name}'s ${cleanName(object.text).toLowerCase()}`)
  const spoken =
    clause.lemma === 'speak'
      ? object.text.replace(
          /^(?:(?:fluent|a|little|some|basic|native|conversational|good|broken|perfect|decent|bit|of) )+/i,
          '',
        )
      : null
  const value = spoken ?? nameOf(object, 'object', sink.naming)
  if (value === null) return
  sink.add(
    name,
    role ? `has_${roleRelation(object)}` : relation,
    withModifier(object, value),
    baseOf(clause) * (vagueIt || isCarried(clause, object) ? 0.7 : 1),
    { ...negated, ...(gone ? { ended: true } : {}), at: object.at },
  )
  if (clause.hypothetical) return
  if (clause.lemma === 'become') officeFact(name, object, sink)
  innerNames(clause, name, object, relation, sink)
}

/** `I have two cats named Milo and Luna`: the cats, and each by its name. */
function namedObject(clause: Clause, name: string, object: Phrase, relation: string, sink: Sink): void {
  const text = cleanName(object.text)
  if (text) sink.add(name, relation, text, 0.85)
  const owned = keeping.has(clause.lemma) || isRole(object.noun)
  for (const given of object.givenNames) {
    const called = cleanName(given.text)
    sink.add(name, owned ? `has_${roleRelation(object)}` : relation, called, 0.9)
    sink.naming.discourse.aliases.set(`${name}'s ${object.noun}`, called)
  }
  nameOf({ ...object, owner: null }, 'object', sink.naming)
}

/** `trip to Tokyo`: a short modifier makes the object worth remembering. */
function withModifier(object: Phrase, value: string): string {
  const [first] = object.modifiers
  if (
    !first ||
    object.modifiers.length > 2 ||
    /^(?:of|over|than)$/.test(first.preposition) ||
    first.phrase.isTime ||
    /^(?:all|now|long)$/i.test(first.phrase.text) ||
    (object.kind === 'name' && first.preposition === 'as') ||
    object.owner
  )
    return value
  if (object.kind === 'noun' && first.preposition === 'to' && object.plural) return value
  if (first.phrase.owner || first.phrase.kind === 'pronoun' || first.phrase.indices.length > 3) return value
  const last = Math.max(...object.indices)
  const gap = Math.min(...first.phrase.indices) - last
  if (gap !== 2) return value
  return `${value} ${first.preposition} ${cleanName(first.phrase.text)}`
}

/** Named things inside the object get an edge of their own, so that they can be reached. */
function innerNames(clause: Clause, name: string, object: Phrase, relation: string, sink: Sink): void {
  for (const { preposition, phrase } of object.modifiers) {
    // `stars Geena Davis as Thelma`: the role is hers, not the film's.
    if ((clause.lemma === 'star' && preposition === 'as') || vagueTies.test(preposition)) continue
    for (const part of membersOf(phrase)) {
      if (part.isTime || (part.kind !== 'name' && !(part.owner && isRolePhrase(part)))) continue
      const inner = nameOf(part, 'object', sink.naming)
      if (inner === null || inner === name) continue
      const noun = snakeCase(singular(object.noun))
      const useful = light.has(clause.lemma) || preposition !== 'of'
      if (useful)
        sink.add(
          name,
          light.has(clause.lemma) || sink.naming.discourse.me !== null
            ? `${relation}_${noun}_${preposition}`
            : `${relation}_${preposition}`,
          inner,
          object.kind === 'name' && preposition === 'by' ? 0.6 : 0.72,
        )
    }
  }
}

function baseOf(clause: Clause): number {
  return clause.objects.length > 1 ? 0.6 : 0.85
}

function obliqueFacts(clause: Clause, name: string, { preposition, phrase }: Oblique, sink: Sink): void {
  const others =
    clause.objects.length > 0 ||
    clause.obliques.some(
      ({ preposition: tie, phrase: other }) => tie !== null && !other.isTime && other.noun !== 'now',
    )
  for (const member of membersOf(phrase)) {
    if (member.isTime) {
      if (!preposition && !others && clause.obliques.length === 1)
        sink.add(name, relationOf(clause, null), cleanName(member.text), 0.6, { when: null })
      if (preposition && (!others || (dated.has(clause.lemma) && clause.passive)))
        timeFact(clause, name, preposition, member, sink)
      continue
    }
    const isNothing = empty.has(member.noun) && !/^\d/.test(member.text)
    if (!preposition || vagueTies.test(preposition) || isNothing) continue
    const value = nameOf(member, 'object', sink.naming)
    if (value === null) continue
    const folded = foldedRelation(clause, preposition, member, sink.naming.discourse.me !== null)
    const relation = homeRelation(folded.relation, clause, name, sink)
    // `I no longer play golf with Ben`: with Ben, other things may go on.
    if ((clause.ended || clause.negated) && leavesObjectOut(clause, relation)) continue
    const town = relation === 'lives_in' && member.kind === 'noun' ? townOf(member, sink) : null
    const whole = /_as$/.test(relation) ? value : withModifier(member, value)
    const street = relation === 'lives_in' && /^\d+\p{L}? \p{Lu}/u.test(whole)
    sink.add(name, street ? 'has_address' : relation, town ?? whole, folded.whole ? 0.8 : 0.6, {
      at: member.at,
    })
    const home = clause.lemma === 'live' && preposition === 'with' ? townOf(member, sink) : null
    if (home !== null) sink.add(name, 'lives_in', home, 0.8, { at: member.at })
    workPlace(clause, name, preposition, member, sink)
    if (preposition === 'as' && /^(?:serve|act|work|appoint|elect|reign)$/.test(clause.lemma))
      officeFact(name, member, sink)
  }
}

function leavesObjectOut(clause: Clause, relation: string): boolean {
  const [object] = clause.objects
  return object !== undefined && !object.isTime && !relation.includes(snakeCase(singular(object.noun)))
}

/** Before things and people these tell how, not what. */
const vagueTies = /^(?:like|unlike|since|except|than)$/

/** People live in places; companies are based there. A single name that nobody is known to have may be a company's. */
function homeRelation(relation: string, clause: Clause, name: string, sink: Sink): string {
  if (relation !== 'lives_in' || clause.lemma !== 'base') return relation
  const { me, types, aliases } = sink.naming.discourse
  const known = /[\s']/.test(name) || isGivenName(name) || [...aliases.values()].includes(name)
  const person = types.get(name) === 'person' && known
  return name === me || person ? relation : 'based_in'
}

/** `a flat in Glasgow`: one lives in Glasgow. */
function townOf(home: Phrase, sink: Sink): string | null {
  const inside = home.modifiers.find(
    ({ preposition, phrase }) => preposition === 'in' && phrase.kind === 'name',
  )
  return inside ? nameOf(inside.phrase, 'object', sink.naming) : null
}

/** `became CEO of Microsoft`: the office joins both. */
function officeFact(name: string, office: Phrase, sink: Sink): void {
  // `Mate has become my favourite drink`.
  const favourite = office.owner ? attributeRelation(office) : null
  const owner =
    office.owner && favourite?.startsWith('favourite_') ? nameOf(office.owner, 'owner', sink.naming) : null
  if (owner !== null && favourite !== null) sink.add(owner, favourite, name, 0.88)
  const of = office.modifiers.find(
    ({ preposition, phrase }) => preposition === 'of' && phrase.kind === 'name',
  )
  const whole = of ? nameOf(of.phrase, 'object', sink.naming) : null
  const role = cleanName(office.text).replace(/ of .*$/i, '')
  if (whole !== null && role) sink.add(name, `${snakeCase(role)}_of`, whole, 0.8, { at: office.at })
}

function timeFact(clause: Clause, name: string, preposition: string, time: Phrase, sink: Sink): void {
  const birth = clause.lemma === 'bear'
  sink.add(
    name,
    birth ? 'born_on' : relationOf(clause, preposition),
    cleanName(time.text),
    birth
      ? 0.92
      : sink.naming.discourse.me !== null && /^(?:for|after|before|during)$/.test(preposition)
        ? 0.6
        : 0.72,
    { when: null },
  )
}

/** `works as an engineer at Google`: the place hangs below the occupation. */
function workPlace(clause: Clause, name: string, preposition: string, occupation: Phrase, sink: Sink): void {
  if (!(clause.lemma === 'work' && preposition === 'as')) return
  for (const { preposition: inner, phrase } of occupation.modifiers) {
    if (!/^(?:at|for|with)$/.test(inner)) continue
    const place = nameOf(phrase, 'object', sink.naming)
    if (place !== null)
      sink.add(name, clause.tense === 'past' && !clause.ended ? 'worked_at' : 'works_at', place, 0.88)
  }
}

/** `got married`, `got sick`: a state without an object. */
function stateFact(clause: Clause, name: string, sink: Sink): void {
  const state = clause.particle ?? ''
  if (
    /^(?:get|become|feel|look|seem|stay|remain|turn|go)$/.test(clause.lemma) &&
    /^(?:married|engaged|divorced|pregnant|promoted|hired|fired|sick|vegetarian|vegan|retired)$/.test(state)
  ) {
    sink.add(name, clause.progressive ? 'is_getting' : 'is', state, 0.75)
  }
}
