import type { Seconds } from '../core/clock.ts'
import type { Source } from './model.ts'

/** Trust of a source, higher wins: decides which of two contradicting facts is current. */
export const trust: Record<Source, number> = { user: 1, document: 0.8, assistant: 0.6 }

/**
 * Relations that hold one value at a time; a newer value closes the older one. The value is the slot's name, so
 * that relations which mean the same compete. When in doubt a relation is left out: side by side loses nothing.
 */
const functional: Readonly<Record<string, string>> = {
  has_name: 'has_name',
  has_first_name: 'has_first_name',
  has_last_name: 'has_last_name',
  has_surname: 'has_last_name',
  lives_in: 'lives_in',
  works_at: 'works_at',
  works_as: 'works_as',
  born_in: 'born_in',
  born_on: 'born_on',
  has_birthday: 'born_on',
  has_birthdate: 'born_on',
  died_on: 'died_on',
  has_age: 'has_age',
  has_email: 'has_email',
  has_phone: 'has_phone',
  has_phone_number: 'has_phone_number',
  has_address: 'has_address',
  has_hometown: 'has_hometown',
  has_height: 'has_height',
  has_weight: 'has_weight',
  has_budget: 'has_budget',
  has_salary: 'has_salary',
  has_rent: 'has_rent',
  has_size: 'has_size',
  has_shoe_size: 'has_shoe_size',
  has_blood_type: 'has_blood_type',
  has_license_plate: 'has_license_plate',
  has_passport_number: 'has_passport_number',
  has_username: 'has_username',
  has_password: 'has_password',
  has_wifi_password: 'has_wifi_password',
  has_pin: 'has_pin',
  has_code: 'has_code',
  has_timezone: 'has_timezone',
  has_anniversary: 'has_anniversary',
  has_deadline: 'has_deadline',
  has_native_language: 'has_native_language',
  has_gender: 'has_gender',
  has_religion: 'has_religion',
  has_major: 'has_major',
  married_to: 'spouse',
  has_wife: 'spouse',
  has_husband: 'spouse',
  has_spouse: 'spouse',
  has_girlfriend: 'partner',
  has_boyfriend: 'partner',
  dates: 'partner',
  engaged_to: 'fiance',
  has_fiancé: 'fiance',
  has_fiancée: 'fiance',
  has_fiance: 'fiance',
  has_fiancee: 'fiance',
  has_boss: 'boss',
  has_manager: 'manager',
  has_supervisor: 'supervisor',
  has_best_friend: 'best_friend',
  has_landlord: 'landlord',
  reports_to: 'reports_to',
  weighs: 'has_weight',
  has_roommate: 'roommate',
  located_in: 'located_in',
  headquartered_in: 'headquartered_in',
}

/** States that no marriage goes with. */
const unmarried = new Set(['single', 'divorced', 'unmarried', 'widowed', 'widower', 'widow'])

/** Nouns of values that a thing has one of: `has_door_code`, `ring_size`. The last word of a relation decides. */
const valueNouns =
  /(?:^|_)(?:size|number|password|passcode|pin|code|email|address|rate|price|fee|salary|wage|rent|weight|height|age|deadline|due_date|birthday|anniversary|budget|username|plate|timezone|pace|temperature|surname|ssid|extension|postcode|combination|allowance|quota|handle|major|bedtime|type)$/

/** People whom one has one of at a time; `my teacher` and `my colleague` may be several. */
const singleRoles =
  /^has_(?:(?:team_)?lead|coach|trainer|tutor|advisor|adviser|mentor|doctor|gp|physician|therapist|psychiatrist|psychologist|physiotherapist|lawyer|solicitor|accountant|cleaner|nanny|babysitter|gardener|hairdresser|barber|dentist|vet|landlady|flatmate|pediatrician|optician|midwife|agent)$/

/** `is 180 cm tall`, `weighs 80 kg`: measured things have one measure of a kind. */
const measured = /^(?:is|weighs|costs|charges|pays|earns|measures|lasts|takes)$/
const measure =
  /^(?:about |around )?[$€£]?\d[\d.,]*\s?(?:kg|kilos?|kilograms?|pounds?|lbs?|stone|grams?|cm|m|km|metres?|meters?|inch(?:es)?|feet|foot|minutes?|mins?|hours?|days?|euros?|dollars?|%|percent|square)\b.*|^[$€£]\d.*/

function measureSlot(relation: string, objectKey: string): string | null {
  if (!measured.test(relation) || !measure.test(objectKey)) return null
  if (relation === 'is' && /[$€£]|euro|dollar|pound/.test(objectKey)) return null
  return `${relation}|${objectKey.replace(/[\d.,]+/g, '#')}`
}

/** Relations that say when something is to be: a thing has one day and one time of day. */
const timed =
  /^(?:is|is_(?:on|at|in|due|due_on|due_at|due_by|due_in|scheduled_for|now_on|now_at|set_for|planned_for)|due_(?:on|at|by|in)|(?:moved|rescheduled|postponed|shifted|pushed|bumped|delayed|extended|changed|brought_forward|pushed_back|pushed_out|moved_up|moved_back|moved_forward|put_off|deferred|booked|scheduled|set|planned)(?:_(?:to|for|until|till|on|at))?|starts_(?:at|on)|begins_(?:at|on)|takes_place_(?:on|at)|happens_(?:on|at))$/
const clockTime =
  /^(?:at )?(?:\d{1,2}(?::\d\d)?\s?(?:am|pm|a\.m|p\.m|o'clock)|\d{1,2}:\d\d|noon|midnight|half past .*|quarter (?:to|past) .*)/
const dayTime =
  /^(?:(?:on|next|this|the|early|late|mid) )*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day(?! ?s)\b|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|\d{1,2}(?:st|nd|rd|th)\b|\d{1,2} (?:january|february|march|april|may|june|july|august|september|october|november|december)|tomorrow|today|tonight|week|month|weekend)/

/** `moved_to thursday` and `is_on tuesday` say when one thing is; null for what says no time. */
function timeSlot(relation: string, objectKey: string): string | null {
  if (!timed.test(relation)) return null
  if (clockTime.test(objectKey)) return 'when: time of day'
  return dayTime.test(objectKey) ? 'when: day' : null
}

/** Relations of taste, by what they say: liking and disliking the same thing cannot both hold. */
const taste: Readonly<Record<string, 'for' | 'against'>> = {
  likes: 'for',
  loves: 'for',
  enjoys: 'for',
  prefers: 'for',
  fan_of: 'for',
  into: 'for',
  dislikes: 'against',
  hates: 'against',
}

/** `loves_playing` is a taste for playing: the verb in front decides, the rest belongs to what is liked. */
function tasteOf(relation: string): { readonly side: 'for' | 'against'; readonly rest: string } | null {
  const whole = taste[relation]
  if (whole) return { side: whole, rest: '' }
  const [verb = '', ...rest] = relation.split('_')
  const side = taste[verb]
  return side && rest[0]?.endsWith('ing') ? { side, rest: rest.join('_') } : null
}

/** `user's wife`: nobody is named, so it takes nobody's place. */
const unnamed = /.['’]s \p{L}/u

const qualifier = /_(?:at|for|in|on|with)_.+$/

function slotNameOf(relation: string): string | undefined {
  const known = functional[relation]
  if (known !== undefined) return known
  // `has_password_for_spotify` is one value as `has_password` is, and another one.
  if (functional[relation.replace(qualifier, '')] !== undefined) return relation
  if (singleRoles.test(relation)) return relation
  const single = relation.startsWith('favourite_') ? !/[^s]s$/.test(relation) : valueNouns.test(relation)
  return single ? relation : undefined
}

/** `lives_in a flat` tells how, not where: it stands beside the town. */
const dwelling =
  /(?:^|[ -])(?:house|home|apartment|flat|farm|ranch|suburbs?|country|countryside|city|town|village|basement|dorm|condo|studio|trailer|cabin|mansion|loft|own)$/

/** The slot of a fact: facts of one subject and persona with the same slot compete. */
export function slotOf(relation: string, objectKey: string): string {
  const one = relation === 'lives_in' && dwelling.test(objectKey) ? undefined : slotNameOf(relation)
  if (one !== undefined && !(relation.startsWith('has_') && unnamed.test(objectKey))) return one
  const value = timeSlot(relation, objectKey) ?? measureSlot(relation, objectKey)
  if (value !== null) return value
  if ((relation === 'is' || relation === 'is_a') && unmarried.has(objectKey)) return 'spouse'
  const liking = tasteOf(relation)
  return liking ? `taste ${liking.rest}|${objectKey}` : `${relation}|${objectKey}`
}

/** The slot of a fact that takes nobody's place: it stands beside those of the slot that it would have. */
export function besideSlot({
  slot,
  objectKey,
}: {
  readonly slot: string
  readonly objectKey: string
}): string {
  return `${slot}|${objectKey}`
}

/** A fact as far as its slot is concerned. */
export interface SlotFact {
  readonly id: string
  readonly relation: string
  readonly objectKey: string
  readonly negated: boolean
  readonly source: Source
}

export interface IncomingFact extends SlotFact {
  /** It says that this no longer holds. */
  readonly ended: boolean
}

export type Settlement =
  /** It becomes current; those named are closed by it. */
  | { readonly kind: 'store'; readonly closes: readonly string[] }
  /** The same fact is current already: its clock is reset, and its trust raised if the new source is more trusted. */
  | { readonly kind: 'confirm'; readonly id: string }
  /** It is kept as history only: a more trusted fact holds the slot (`closedBy`), or it states an end. */
  | { readonly kind: 'history'; readonly closes: readonly string[]; readonly closedBy: string | null }

/** What a new fact does to the current facts of its slot. A less trusted source never closes a more trusted fact. */
export function settle(current: readonly SlotFact[], incoming: IncomingFact): Settlement {
  const mayClose = (fact: SlotFact) => trust[incoming.source] >= trust[fact.source]
  if (incoming.ended) {
    const ended = current.filter((fact) => fact.objectKey === incoming.objectKey && !fact.negated)
    return { kind: 'history', closes: ended.filter(mayClose).map(({ id }) => id), closedBy: null }
  }
  const same = current.find((fact) => isSame(fact, incoming))
  if (same) return { kind: 'confirm', id: same.id }
  const rivals = current.filter((fact) => contradicts(fact, incoming))
  const stronger = rivals.find((fact) => !mayClose(fact))
  if (stronger) return { kind: 'history', closes: [], closedBy: stronger.id }
  return { kind: 'store', closes: rivals.map(({ id }) => id) }
}

/** When an item was told; infinite for one that is told now: it comes after all that is stored, whatever the clocks say. */
export function toldTime({
  createdAt,
  storedAt,
}: {
  readonly createdAt: Seconds
  readonly storedAt?: Seconds
}): Seconds {
  return storedAt === undefined || storedAt <= createdAt ? Number.POSITIVE_INFINITY : createdAt
}

/** A fact of a slot with its times. */
export interface TimedFact extends SlotFact {
  readonly createdAt: Seconds
  /** When it was told last. */
  readonly toldAt: Seconds
  /** It was told as an end and never held. */
  readonly ended: boolean
}

/** A fact that is closed by the incoming one, and from when on. */
export interface TimedClosing {
  readonly id: string
  readonly at: Seconds
}

export type TimedSettlement =
  /** The same fact is known; it holds at least from the time of the incoming one. */
  | { readonly kind: 'confirm'; readonly id: string; readonly closes: readonly TimedClosing[] }
  | {
      readonly kind: 'store'
      readonly closes: readonly TimedClosing[]
      /** Null while it is current. `by` is the fact that holds in its place; null where none does. */
      readonly closed: {
        readonly at: Seconds
        readonly by: string | null
        readonly closer: string | null
      } | null
    }

/**
 * `settle` for a fact that was told at a time, whatever was stored since: `known` are the facts of its slot that are
 * current or were closed after that time. What was told before it is settled as if it came last; of what was told later
 * the first that replaces it closes it. `told` is infinite for what is told now.
 */
export function settleAt(
  known: readonly TimedFact[],
  incoming: IncomingFact,
  { told, at }: { readonly told: Seconds; readonly at: Seconds },
): TimedSettlement {
  const held = known.filter(({ createdAt, ended }) => createdAt <= told && !ended)
  const settlement = settle(held, incoming)
  if (settlement.kind === 'confirm') return { kind: 'confirm', id: settlement.id, closes: [] }
  const isAgain = new Set(held.filter(({ toldAt }) => toldAt > told).map(({ id }) => id))
  const closes = settlement.closes.filter((id) => !isAgain.has(id)).map((id) => ({ id, at }))
  if (settlement.kind === 'history') {
    const by = settlement.closedBy
    return { kind: 'store', closes, closed: { at, by, closer: by } }
  }
  const [next] = [
    ...held.filter((fact) => isAgain.has(fact.id)).map((fact) => ({ fact, since: fact.toldAt })),
    ...known.filter(({ createdAt }) => createdAt > told).map((fact) => ({ fact, since: fact.createdAt })),
  ]
    .filter(({ fact }) => (!fact.ended && isSame(fact, incoming)) || overtakes(fact, incoming))
    .toSorted((a, b) => a.since - b.since)
  const weaker = known
    .filter(({ createdAt, ended }) => createdAt > told && !ended && createdAt < (next?.since ?? Infinity))
    .filter((fact) => trust[fact.source] < trust[incoming.source] && contradicts(fact, incoming))
    .map(({ id, createdAt }) => ({ id, at: createdAt }))
  const all = [...closes, ...weaker]
  if (next === undefined) return { kind: 'store', closes: all, closed: null }
  const { fact, since } = next
  if (isSame(fact, incoming) && !fact.ended) return { kind: 'confirm', id: fact.id, closes: all }
  return {
    kind: 'store',
    closes: all,
    closed: { at: since, by: fact.ended ? null : fact.id, closer: fact.id },
  }
}

/** Whether a fact that was told later takes the place of an earlier one, or says that it ended. */
function overtakes(later: TimedFact, earlier: SlotFact): boolean {
  if (trust[later.source] < trust[earlier.source]) return false
  return later.ended ? later.objectKey === earlier.objectKey && !earlier.negated : contradicts(later, earlier)
}

function isSame(a: SlotFact, b: SlotFact): boolean {
  return a.relation === b.relation && a.objectKey === b.objectKey && a.negated === b.negated
}

/** Two values of one slot exclude each other; a denial excludes only the value that it denies. */
export function contradicts(a: SlotFact, b: SlotFact): boolean {
  const [left, right] = [tasteOf(a.relation), tasteOf(b.relation)]
  if (left && right) return (left.side === right.side) === (a.negated !== b.negated)
  if (a.negated && b.negated) return false
  if (a.negated !== b.negated) return a.objectKey === b.objectKey
  return true
}
