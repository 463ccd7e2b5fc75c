import type { Clause } from '../grammar/clause.ts'
import { isRolePhrase, membersOf, type Phrase } from '../grammar/phrase.ts'
import { placing } from './changed.ts'
import type { Sink } from './description.ts'
import { nameOf, roleRelation } from './entities.ts'
import { cleanName } from './names.ts'
import { isOccupation, pets } from './vocabulary.ts'

/** What follows from an event: moving ends a home and begins one, quitting ends a job. */
interface Consequence {
  readonly verbs: RegExp
  /** Null: the object itself. */
  readonly preposition: RegExp | null
  readonly relation: string
  readonly ended: boolean
  /** Only for names: `left Google`, not `left home`. */
  readonly namesOnly: boolean
}

const consequences: readonly Consequence[] = [
  {
    verbs: /^(?:move|relocate|emigrate|immigrate|retire|return|settle)$/,
    preposition: /^(?:to|into|back_to|over_to|out_to|down_to|up_to|back_into)$/,
    relation: 'lives_in',
    ended: false,
    namesOnly: true,
  },
  {
    verbs: /^(?:move|relocate|emigrate)$/,
    preposition: /^(?:from|out_of|away_from)$/,
    relation: 'lives_in',
    ended: true,
    namesOnly: true,
  },
  { verbs: /^leave$/, preposition: null, relation: 'works_at', ended: true, namesOnly: true },
  { verbs: /^(?:quit|resign)$/, preposition: null, relation: 'works_at', ended: true, namesOnly: true },
  {
    verbs: /^(?:resign|retire|depart|fire|lay)$/,
    preposition: /^(?:off_)?from$/,
    relation: 'works_at',
    ended: true,
    namesOnly: true,
  },
  {
    verbs: /^(?:fire|lay)$/,
    preposition: /^(?:off_)?by$/,
    relation: 'works_at',
    ended: true,
    namesOnly: true,
  },
  { verbs: /^hire$/, preposition: /^(?:by|at)$/, relation: 'works_at', ended: false, namesOnly: true },
  { verbs: /^divorce$/, preposition: null, relation: 'married_to', ended: true, namesOnly: false },
  {
    verbs: /^(?:get|divorce|separate)$/,
    preposition: /^(?:divorced_)?from$/,
    relation: 'married_to',
    ended: true,
    namesOnly: true,
  },
  { verbs: /^(?:break|split)$/, preposition: /^up_with$/, relation: 'dates', ended: true, namesOnly: true },
]

/** Adds what follows from the clause, when it really happened. */
export function consequenceFacts(clause: Clause, subject: Phrase, sink: Sink): void {
  if (clause.negated || clause.hypothetical || clause.ended || clause.tense === 'future') return
  // `my firm moved me to Osaka`: it did not move itself.
  if (clause.objects.some(({ text }) => /^(?:me|us)$/i.test(text)) && placing.test(clause.lemma)) return
  if (clause.chain.length > 0 || clause.progressive || (clause.modal && clause.modal !== 'did')) return
  const name = nameOf(subject, 'subject', sink.naming)
  if (name === null) return
  for (const rule of consequences) {
    if (!rule.verbs.test(clause.lemma)) continue
    if (rule.relation === 'lives_in' && rule.ended && hasDestination(clause)) continue
    for (const phrase of targets(clause, rule)) {
      const object = nameOf(phrase, 'object', sink.naming)
      if (object === null || !fitsPlace(rule, phrase, sink)) continue
      const sits = rule.relation === 'lives_in' && !isSomebody(subject, name, sink)
      sink.add(name, sits ? 'located_in' : rule.relation, object, 0.85, { ended: rule.ended })
    }
  }
  jobFacts(clause, name, sink)
  newHomeFact(clause, name, sink)
  tieFacts(clause, name, sink)
  newOfficeFact(clause, name, sink)
  joinFacts(clause, name, sink)
  lostPetFact(clause, subject, name, sink)
}

/** People live somewhere; an office that moved is there now. */
function isSomebody(subject: Phrase, name: string, { naming }: Sink): boolean {
  const { me, types } = naming.discourse
  return subject.kind !== 'noun' || name === me || isRolePhrase(subject) || types.get(name) === 'person'
}

const homes = /^(?:home|flat|apartment|house|place|studio|condo|bungalow|cottage|room|pad)$/

/** `moved into a flat in Ghent`, `got the keys to my new flat in Ghent`. */
function newHomeFact(clause: Clause, name: string, sink: Sink): void {
  const around = [...clause.obliques, ...clause.objects.map((phrase) => ({ preposition: null, phrase }))]
  const tell = (who: string, phrase: Phrase) => {
    const object = phrase.kind === 'name' ? nameOf(phrase, 'object', sink.naming) : null
    if (object !== null) sink.add(who, 'lives_in', object, 0.8)
  }
  const into = clause.lemma === 'move' && clause.obliques.some(({ preposition }) => preposition === 'into')
  for (const { preposition, phrase } of clause.obliques) if (into && preposition === 'in') tell(name, phrase)
  for (const { phrase } of around) {
    const mine =
      phrase.owner !== null && /^(?:my|our)$/i.test(phrase.owner.text) && /^new\b/i.test(phrase.text)
    const inside = phrase.modifiers.find(({ preposition }) => preposition === 'in' || preposition === 'on')
    if (inside && homes.test(phrase.noun) && (mine || clause.lemma === 'move')) tell(name, inside.phrase)
  }
}

/** What somebody who does this to a person is to them. */
const helpers: Readonly<Record<string, string>> = {
  coach: 'coach',
  manage: 'manager',
  tutor: 'tutor',
  mentor: 'mentor',
  train: 'trainer',
  supervise: 'supervisor',
}

/** `Petra coaches me`, `Sofia and I tied the knot`. */
function tieFacts(clause: Clause, name: string, sink: Sink): void {
  const { me } = sink.naming.discourse
  if (me === null || name === me) return
  const role = helpers[clause.lemma]
  const helps = clause.tense === 'present' && clause.objects.some(({ text }) => /^(?:me|us)$/i.test(text))
  if (role && helps) sink.add(me, `has_${role}`, name, 0.85)
  const together = clause.subjects.flatMap(membersOf).some(({ text }) => /^I$/i.test(text))
  const knot = clause.lemma === 'tie' && clause.objects.some(({ noun }) => noun === 'knot')
  if (together && (knot || (clause.lemma === 'marry' && clause.objects.length === 0)))
    sink.add(me, 'married_to', name, 0.85)
}

/** `became a nurse`, `was promoted to head chef`, `qualified as a vet`. */
function newOfficeFact(clause: Clause, name: string, sink: Sink): void {
  const as =
    /^(?:promote|qualify|train|retrain|hire|employ|appoint|elect|start|graduate|replace|succeed)$/.test(
      clause.lemma,
    )
  const offices = as
    ? [...clause.obliques, ...clause.objects.flatMap(({ modifiers }) => modifiers)].filter(
        ({ preposition }) => preposition === 'to' || preposition === 'as',
      )
    : clause.objects.map((phrase) => ({ phrase }))
  if (!as && clause.lemma !== 'become') return
  for (const { phrase } of offices) {
    const of = phrase.modifiers.some((one) => one.preposition === 'of' && one.phrase.kind === 'name')
    const isOffice = /^(?:noun|name)$/.test(phrase.kind) && isOccupation(phrase.noun.toLowerCase())
    if (isOffice && !of && !phrase.owner)
      sink.add(name, 'works_as', cleanName(phrase.text).replace(/ (?:of|at|for) .*$/i, ''), 0.85)
  }
}

/** `our dog Rex died`: it is nobody's any more. */
function lostPetFact(clause: Clause, subject: Phrase, name: string, sink: Sink): void {
  const gone = clause.lemma === 'die' || (clause.lemma === 'pass' && clause.particle === 'away')
  if (!gone || !subject.owner || !pets.has(subject.noun)) return
  const owner = nameOf(subject.owner, 'owner', sink.naming)
  if (owner !== null) sink.add(owner, `has_${roleRelation(subject)}`, name, 0.9, { ended: true })
}

/** `joined Netflix as a product manager`. */
function joinFacts(clause: Clause, name: string, sink: Sink): void {
  if (clause.lemma !== 'join') return
  const around = [...clause.obliques, ...clause.objects.flatMap(({ modifiers }) => modifiers)]
  const role = around.find(({ preposition }) => preposition === 'as')
  for (const place of clause.objects.filter(({ kind }) => kind === 'name')) {
    if (!role && sink.naming.tree.names[place.at] !== 'organization') continue
    const object = nameOf(place, 'object', sink.naming)
    if (object !== null) sink.add(name, 'works_at', object, 0.75)
  }
  if (role) sink.add(name, 'works_as', cleanName(role.phrase.text), 0.8)
}

/** One leaves a company and quits a place of work, but `left Paris` ends no job. */
function fitsPlace(rule: Consequence, phrase: Phrase, sink: Sink): boolean {
  return (
    rule.relation !== 'works_at' || rule.preposition !== null || sink.naming.tree.names[phrase.at] !== 'place'
  )
}

/** `moved from Lisbon to Berlin`: the new home already takes the place of the old one. */
const hasDestination = (clause: Clause) =>
  clause.obliques.some(({ preposition }) => preposition === 'to' || preposition === 'into')

function targets(clause: Clause, rule: Consequence): Phrase[] {
  const particle = clause.particle ? `${clause.particle}_` : ''
  const phrases = rule.preposition
    ? clause.obliques
        .filter(
          ({ preposition }) =>
            preposition !== null &&
            (rule.preposition?.test(preposition) || rule.preposition?.test(particle + preposition)),
        )
        .map(({ phrase }) => phrase)
    : clause.objects
  return phrases
    .flatMap(membersOf)
    .filter((phrase) => !phrase.isTime && (!rule.namesOnly || phrase.kind === 'name'))
}

const jobNouns = /^(?:job|position|role|internship|career|post|gig|work)$/

/** `quit my job at Amazon`, `got a job at Google`, `started a new job as a nurse`. */
function jobFacts(clause: Clause, name: string, sink: Sink): void {
  const ends = /^(?:quit|leave|lose|resign)$/.test(clause.lemma)
  const begins = /^(?:get|start|land|accept|take|find|have|begin)$/.test(clause.lemma)
  if (!ends && !begins) return
  for (const object of clause.objects.filter(({ noun }) => jobNouns.test(noun))) {
    const around = [...object.modifiers, ...clause.obliques]
    for (const { preposition, phrase } of around) {
      if (phrase.isTime || preposition === null) continue
      const isNamed = /^(?:at|with|for)$/.test(preposition) && phrase.kind === 'name'
      const place = isNamed || (begins && preposition === 'at' && phrase.determiner !== null)
      if (!place && !(preposition === 'as' && begins)) continue
      const value = place ? nameOf(phrase, 'object', sink.naming) : cleanName(phrase.text)
      if (value) sink.add(name, place ? 'works_at' : 'works_as', value, 0.85, { ended: ends })
    }
  }
}
