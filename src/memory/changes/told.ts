import { canonicalKey } from '../entities.ts'
import type { ExtractedChange } from '../ports.ts'

/** A current fact that a change may mean. */
export interface ToldFact {
  readonly subject: string
  readonly relation: string
  readonly object: string
  readonly negated: boolean
  /** Told by the newest text: what a correction without a subject corrects. */
  readonly latest: boolean
}

/** Of somebody, or of something of theirs: `user's car`. */
export function isAbout(change: ExtractedChange, { subject }: ToldFact): boolean {
  const [whose, one] = [canonicalKey(change.subject), canonicalKey(subject)]
  return one === whose || one.startsWith(`${whose}'s `)
}

/** Ties that outlast everything, and facts that no later event undoes. */
export const lasting =
  /^(?:from|born_.*|speaks|has_(?:name|nickname|birthday|age|nationality|degree.*|allergy|mother|mom|mum|father|dad|parent|sister|brother|sibling|son|daughter|child|kid|cousin|uncle|aunt|niece|nephew|grand\w+|twin|friend|best_friend|family|stepson|stepdaughter|stepmother|stepfather|half_\w+))$/

/** States that end, told in the present: `owns`, `works_at`, `is_on`. What happened once cannot be over. */
export const state =
  /^(?:(?!was(?:_|$))\p{L}+s(?:_.*)?|favourite_.*|married_to|engaged_to|dates|enrolled_in|subscribed_to|interested_in|member_of|moving_to|(?:allergic|afraid|scared|terrified|addicted|obsessed|intolerant|sensitive|fond|keen|good|bad)_\p{L}+|\p{L}+ing_.*|(?!\p{L}+ed_)[\p{L}_]+_(?:of|member))$/u
