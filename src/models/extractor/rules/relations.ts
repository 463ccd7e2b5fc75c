import type { Clause } from '../grammar/clause.ts'
import { irregularPast } from '../text/irregular.ts'

/** A relation's name for what holds now and for what was. */
interface RelationName {
  readonly present: string
  readonly past: string
}

const same = (name: string): RelationName => ({ present: name, past: name })
const pair = (present: string, past: string): RelationName => ({ present, past })

/**
 * Verbs (lemma, particle, preposition) that say the same, to one name. Whatever is not listed keeps its own verb:
 * `plays`, `bought`, `went_to`.
 */
const canonical: Readonly<Record<string, RelationName>> = {
  live_in: pair('lives_in', 'lived_in'),
  live_at: pair('lives_in', 'lived_in'),
  live_on: pair('lives_in', 'lived_in'),
  live_over_in: pair('lives_in', 'lived_in'),
  live_out_in: pair('lives_in', 'lived_in'),
  live_down_in: pair('lives_in', 'lived_in'),
  live_up_in: pair('lives_in', 'lived_in'),
  live_back_in: pair('lives_in', 'lived_in'),
  reside_in: pair('lives_in', 'lived_in'),
  reside_at: pair('lives_in', 'lived_in'),
  dwell_in: pair('lives_in', 'lived_in'),
  based_in: pair('lives_in', 'lived_in'),
  based_out_of: pair('lives_in', 'lived_in'),
  settle_in: same('lives_in'),
  settle_down_in: same('lives_in'),
  settled_in: same('lives_in'),
  move_to: same('moved_to'),
  move_into: same('moved_to'),
  move_back_to: same('moved_to'),
  move_over_to: same('moved_to'),
  move_out_to: same('moved_to'),
  move_up_to: same('moved_to'),
  move_down_to: same('moved_to'),
  relocate_to: same('moved_to'),
  renamed_to: same('has_name'),
  rebranded_as: same('has_name'),
  rebranded_to: same('has_name'),
  relocated_to: same('moved_to'),
  emigrate_to: same('moved_to'),
  immigrate_to: same('moved_to'),
  transfer_to: pair('transfers_to', 'transferred_to'),
  move_from: same('moved_from'),
  move_out_of: same('moved_from'),
  move_away_from: same('moved_from'),
  relocate_from: same('moved_from'),
  emigrate_from: same('moved_from'),
  work_at: pair('works_at', 'worked_at'),
  work_for: pair('works_at', 'worked_at'),
  work_over_at: pair('works_at', 'worked_at'),
  employed_by: pair('works_at', 'worked_at'),
  employed_at: pair('works_at', 'worked_at'),
  employed_with: pair('works_at', 'worked_at'),
  work_as: pair('works_as', 'worked_as'),
  employed_as: pair('works_as', 'worked_as'),
  hired_by: same('hired_by'),
  hired_at: same('hired_by'),
  teach_at: pair('teaches_at', 'taught_at'),
  bear_in: same('born_in'),
  born_in: same('born_in'),
  born_at: same('born_in'),
  born_on: same('born_on'),
  raised_in: same('grew_up_in'),
  grow_up_in: same('grew_up_in'),
  grow_up_on: same('grew_up_on'),
  come_from: same('from'),
  hail_from: same('from'),
  come_originally_from: same('from'),
  be_from: same('from'),
  adore: pair('loves', 'loved'),
  detest: pair('hates', 'hated'),
  despise: pair('hates', 'hated'),
  loathe: pair('hates', 'hated'),
  study_at: pair('studies_at', 'studied_at'),
  enrolled_at: pair('studies_at', 'studied_at'),
  enrolled_in: pair('enrolled_in', 'enrolled_in'),
  graduate_from: same('graduated_from'),
  graduate_with: same('graduated_with'),
  major_in: pair('majors_in', 'majored_in'),
  marry: same('married_to'),
  marry_to: same('married_to'),
  married_to: same('married_to'),
  married_with: same('married_to'),
  get_married_to: same('married_to'),
  wed: same('married_to'),
  engaged_to: same('engaged_to'),
  get_engaged_to: same('engaged_to'),
  propose_to: same('proposed_to'),
  date: pair('dates', 'dated'),
  divorced_from: same('divorced'),
  get_divorced_from: same('divorced'),
  separated_from: same('separated_from'),
  break_up_with: same('broke_up_with'),
  split_up_with: same('broke_up_with'),
  go_out_with: pair('dates', 'dated'),
  engaged_with: same('engaged_to'),
  divorce: same('divorced'),
  located_in: same('located_in'),
  situated_in: same('located_in'),
  located_at: same('located_in'),
  lie_in: same('located_in'),
  headquartered_in: same('headquartered_in'),
  named: same('has_name'),
  called: same('has_name'),
  go_by: same('has_nickname'),
  nicknamed: same('has_nickname'),
  own: pair('owns', 'owned'),
  possess: pair('owns', 'owned'),
  have: pair('has', 'had'),
  suffer_from: pair('suffers_from', 'suffered_from'),
  diagnosed_with: same('diagnosed_with'),
  bring_up_in: same('grew_up_in'),
  brought_up_in: same('grew_up_in'),
  found: pair('founds', 'founded'),
  cofound: pair('cofounds', 'cofounded'),
}

const canonicalNames = new Set(Object.values(canonical).flatMap(({ present, past }) => [present, past]))

/** Whether other verbs have the same relation, so that it must keep its name. */
export const isCanonical = (relation: string): boolean => canonicalNames.has(relation)

/** Particles that change nothing: `live together in`. */
const idle = /^(?:together|alone|abroad|here|there)$/
/** Verbs that `together` makes another verb of: `put together`. */
const joining = /^(?:put|pull|bring|get|come|throw|piece)$/

/** The relation of a clause with an object (`preposition` null) or an oblique. */
export function relationOf(clause: Clause, preposition: string | null): string {
  const without = idle.test(clause.particle ?? '') && !joining.test(clause.lemma)
  const particle = without ? null : clause.particle
  const tail = [particle, preposition].filter(Boolean).join('_')
  if (clause.perfect && clause.verb === 'got' && !tail) return 'has'
  const key = [clause.passive ? clause.verb : clause.lemma, tail].filter(Boolean).join('_')
  const known = clause.chain.length === 0 ? canonical[key] : undefined
  const past = clause.tense === 'past' || (clause.perfect && clause.tag !== 'VBG' && !stillHolds(clause, key))
  if (clause.passive && clause.progressive) return joined(`getting_${clause.verb}`, tail)
  if (known) {
    const ahead = clause.tense === 'future' || (clause.progressive && clause.tense === 'present')
    if (ahead && /^moved_/.test(known.present)) return known.present.replace('moved', 'moving')
    if (clause.tense === 'future' && known.present === known.past)
      return joined(thirdPerson(clause.lemma), tail)
    return (past && !clause.perfect && !clause.ended) ||
      (clause.perfect && known.present !== known.past && !holdsOn(clause))
      ? known.past
      : known.present
  }
  return joined(verbForm(clause, past), tail)
}

const states = /^(?:live|work|be|have|study|know|own|love|like|play|teach|date)(?:_|$)/
const lasting = /^(?:be|have|know|own|love|like)(?:_|$)/

/** `I've known her`, `I've taught for years`; but `I've played chess before` is past. */
function stillHolds(clause: Clause, key: string): boolean {
  return states.test(key) && (lasting.test(key) || holdsOn(clause))
}

/** `have lived there for years`, `since 2019`: still so. */
function holdsOn(clause: Clause): boolean {
  return (
    clause.obliques.some(({ preposition }) => preposition === 'since' || preposition === 'for') ||
    clause.tag === 'VBG'
  )
}

function joined(verb: string, tail: string): string {
  return tail ? `${verb}_${tail}` : verb
}

function verbForm(clause: Clause, past: boolean): string {
  if (clause.chain.length > 0) return chained(clause)
  if (clause.passive) return clause.verb
  if (clause.modal === 'can' && clause.lemma !== 'stand') return thirdPerson(clause.lemma)
  if (clause.tag === 'VBP' && irregularPast.get(clause.lemma) === clause.lemma) return clause.lemma
  return past && !clause.ended ? pastForm(clause) : thirdPerson(clause.lemma)
}

/** `wants_to_visit`, `loves_playing`, `tried_to_fix`. */
function chained(clause: Clause): string {
  return chainedRelation(clause, clause.tag === 'VBG' ? clause.verb : clause.lemma)
}

/** `dying to`, `stoked to`: said with feeling, it is a wish. */
const eager = /^(?:die|buzz|stoke|psych|itch|pump|ache|long|yearn)_to$/

/** The verbs above a clause and what ends it: `wants_to_be`. */
export function chainedRelation(clause: Clause, last: string): string {
  const [said = '', ...rest] = clause.chain
  const first = said.replace(eager, 'want_to')
  const [verb = '', ...particles] = first.split('_')
  const opening = [clause.tense === 'past' ? pastOf(verb) : thirdPerson(verb), ...particles].join('_')
  return [opening, ...rest, last].join('_')
}

function pastForm(clause: Clause): string {
  const participle = clause.tag === 'VBN' && irregularPast.has(clause.lemma)
  return /^VB[DN]$/.test(clause.tag) && !participle ? clause.verb : pastOf(clause.lemma)
}

/** The simple past of a lemma. */
function pastOf(lemma: string): string {
  const special = irregularPast.get(lemma)
  if (special) return special
  if (/e$/.test(lemma)) return `${lemma}d`
  // `planned`, `chatted`.
  if (/^[^aeiou]*[aeiou][^aeiouwxy]$/.test(lemma)) return `${lemma}${lemma.at(-1)}ed`
  return /[^aeiou]y$/.test(lemma) ? `${lemma.slice(0, -1)}ied` : `${lemma}ed`
}

/** The third person of a lemma: `watch` → `watches`. */
export function thirdPerson(lemma: string): string {
  if (lemma === 'have') return 'has'
  if (lemma === 'be') return 'is'
  if (/(?:s|x|z|ch|sh|o)$/.test(lemma)) return `${lemma}es`
  return /[^aeiou]y$/.test(lemma) ? `${lemma.slice(0, -1)}ies` : `${lemma}s`
}
