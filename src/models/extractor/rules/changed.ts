import type { Clause, Oblique } from '../grammar/clause.ts'
import type { Phrase } from '../grammar/phrase.ts'
import { attributeHolder, attributeRelation, codeIn } from './attribute.ts'
import type { Sink } from './description.ts'
import { nameOf } from './entities.ts'
import { cleanName } from './names.ts'

/** Verbs that say that a value is another one now. */
export const changing =
  /^(?:change|update|switch|increase|decrease|rise|grow|drop|fall|go|move|raise|reduce|lower|set|bump|cut|put|extend|push|rename)$/

/** `my budget went up to 450 dollars`. True when that is what the clause says. */
export function changedAttribute(clause: Clause, thing: Phrase, sink: Sink): boolean {
  const relation = attributeRelation(thing)
  const value = clause.obliques.find(({ preposition }) => preposition === 'to')
  const holder = relation ? attributeHolder(thing) : null
  const owner = holder === 'me' ? sink.naming.discourse.me : holder && nameOf(holder, 'owner', sink.naming)
  if (!relation || owner === null) return false
  if (!value) {
    // `My email has changed, it's …`
    const { sentence } = sink.naming.discourse
    sink.naming.discourse.lastAttribute = { owner, relation, sentence, denied: true }
    return false
  }
  sink.add(owner, relation, valueAfterTo(value, sink) ?? cleanName(value.phrase.text), 0.9)
  return true
}

/** A code that the parser cut: `rainy-day-6`. */
function valueAfterTo({ phrase }: Oblique, { naming: { tree } }: Sink): string | null {
  const from = tree.tokens[Math.min(...phrase.indices)]?.start
  return from === undefined ? null : codeIn(tree.text.slice(from, tree.tokens.at(-1)?.end))
}

/** Verbs that put an event on another day. */
const moving =
  /^(?:move|reschedule|postpone|shift|push|delay|bump|bring|extend|defer|change|put|rebook|rearrange|book|schedule)$/

/** `they raised my rent to 780`, `they moved the exam to Friday`: whoever did it, it is so now. */
export function changedThing(clause: Clause, sink: Sink): boolean {
  const [object] = clause.objects
  if (putElsewhere(clause, object, sink)) return true
  if (!object || clause.passive || clause.negated || clause.hypothetical) return false
  if (renamed(clause, object, sink)) return true
  if (object.kind !== 'noun') return false
  const had = clause.chain.join() === 'have_to' && clause.tense === 'past'
  if (clause.tense === 'future' || (clause.chain.length > 0 && !had) || clause.modal) return false
  if (changing.test(clause.lemma) && changedAttribute(clause, object, sink)) return true
  const times = moving.test(clause.lemma) ? clause.obliques.filter(isNewTime) : []
  const event = times.length > 0 ? nameOf(object, 'object', sink.naming) : null
  if (event === null) return changedLook(clause, object, sink)
  const isNew = /^(?:book|schedule)$/.test(clause.lemma)
  const relation = isNew ? 'scheduled_for' : 'moved_to'
  for (const { phrase } of times) sink.add(event, relation, cleanName(phrase.text), 0.8, { when: null })
  const due = / deadline$/i.test(event) ? event.replace(/ deadline$/i, '') : null
  if (due !== null)
    for (const { phrase } of times) sink.add(due, 'is_due_on', cleanName(phrase.text), 0.8, { when: null })
  // Who books something has it: that is told, too.
  return !isNew
}

/** `renamed our wifi to StarNet`, `renamed the boat Sirocco`. */
function renamed(clause: Clause, object: Phrase, sink: Sink): boolean {
  const [, bare = '', given = ''] =
    /^(?:the |my |our )?(\p{Ll}+) (\p{Lu}\p{L}+)$/u.exec(cleanName(object.text)) ?? []
  if (clause.lemma === 'rename' && given !== '') {
    sink.add(bare, 'has_name', given, 0.85)
    return true
  }
  const to =
    clause.lemma === 'rename' ? clause.obliques.find(({ preposition }) => preposition === 'to') : null
  const thing = to ? nameOf(object, 'object', sink.naming) : null
  if (!to || thing === null) return false
  sink.add(thing, 'has_name', cleanName(to.phrase.text), 0.85)
  return true
}

/** `they put me on the day shift`, `she moved us to the sales team`. */
function putElsewhere(clause: Clause, object: Phrase | undefined, sink: Sink): boolean {
  const { me } = sink.naming.discourse
  if (me === null || !/^(?:me|us)$/i.test(object?.text ?? '') || clause.negated || clause.hypothetical)
    return false
  if (!placing.test(clause.lemma)) return false
  const places = clause.obliques.filter(
    ({ preposition, phrase }) => /^(?:on|to|onto|in)$/.test(preposition ?? '') && group.test(phrase.noun),
  )
  for (const { phrase } of places) sink.add(me, 'is_on', cleanName(phrase.text), 0.8)
  const homes = clause.obliques.filter(
    ({ preposition, phrase }) => preposition === 'to' && phrase.kind === 'name',
  )
  for (const { phrase } of homes) {
    const home = nameOf(phrase, 'object', sink.naming)
    if (home !== null) sink.add(me, 'lives_in', home, 0.8)
  }
  return places.length + homes.length > 0
}

/** Verbs of those who say where others are to be. */
export const placing = /^(?:put|move|assign|switch|reassign|relocate|transfer|post)$/
const group =
  /^(?:team|shift|project|squad|department|ward|account|desk|list|rota|floor|unit|crew|plan|tariff)$/

/** `changed my wallpaper to a heron`, `dyed my hair red`: what is mine is so now. */
function changedLook(clause: Clause, object: Phrase, sink: Sink): boolean {
  const to = clause.obliques.find(({ preposition, phrase }) => preposition === 'to' && !phrase.isTime)
  const colour = /^(?:dye|paint|colou?r)$/.test(clause.lemma) ? colourBehind(object, sink) : null
  const value = /^(?:change|switch)$/.test(clause.lemma) && to ? cleanName(to.phrase.text) : colour
  const thing = object.owner && value ? nameOf(object, 'object', sink.naming) : null
  if (thing === null || !value) return false
  sink.add(thing, 'is', value, 0.75)
  return true
}

const colours =
  /^(?:red|blue|green|black|white|brown|blonde?|pink|purple|orange|yellow|gr[ea]y|silver|gold|beige|teal)$/i

function colourBehind(object: Phrase, { naming: { tree } }: Sink): string | null {
  const next = tree.words[Math.max(...object.indices) + 1] ?? ''
  return colours.test(next) ? next : null
}

const newTie = /^(?:to|until|till|for|at|on|forward_to|back_to)$/

const isNewTime = ({ preposition, phrase }: Oblique) =>
  (phrase.isTime || /^\d{1,2}(?:st|nd|rd|th)$/.test(cleanName(phrase.text))) && newTie.test(preposition ?? '')
