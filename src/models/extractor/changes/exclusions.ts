import type { FactDraft } from '../rules/draft.ts'

/** What a new fact rules out: a state by its name, or a tie to the same person by its relation. */
export interface Excluded {
  readonly subject: string
  /** Empty: of any relation. */
  readonly relation: string
  readonly words: string
}

/** States that cannot hold beside a new fact: who eats meat is no vegetarian. */
const states: readonly {
  readonly relation: RegExp
  readonly object: RegExp
  readonly over: readonly string[]
}[] = [
  {
    relation: /^eats$/,
    object: /^(?:meat|beef|chicken|pork|steak|bacon|burgers)$/i,
    over: ['vegetarian', 'vegan', 'pescatarian'],
  },
  { relation: /^eats$/, object: /^(?:dairy|eggs|cheese|honey|butter)$/i, over: ['vegan'] },
  { relation: /^is(?:_a)?$/, object: /^vegan$/i, over: ['vegetarian', 'pescatarian'] },
  { relation: /^is(?:_a)?$/, object: /^vegetarian$/i, over: ['vegan', 'pescatarian'] },
  { relation: /^is(?:_a)?$/, object: /^pescatarian$/i, over: ['vegan', 'vegetarian'] },
  {
    relation:
      /^(?:has_(?:boyfriend|girlfriend|wife|husband|fianc[ée]e?|partner)|dates|married_to|engaged_to)$/,
    object: /./,
    over: ['single'],
  },
  { relation: /^(?:married|married_to)$/, object: /./, over: ['single', 'engaged'] },
  { relation: /^is_in$/, object: /^(?:(?:serious|new|happy) )?relationship/i, over: ['single'] },
  { relation: /^works_at$/, object: /./, over: ['self-employed'] },
  { relation: /^works_a[st]$/, object: /./, over: ['unemployed', 'retired', 'jobless'] },
  { relation: /^is$/, object: /^retired$/i, over: ['job'] },
]

/** Ties that a closer one takes the place of. */
const ties: readonly { readonly relation: RegExp; readonly over: readonly string[] }[] = [
  {
    relation: /^(?:married_to|has_(?:wife|husband|spouse))$/,
    over: ['engaged_to', 'dates', 'has_girlfriend', 'has_boyfriend', 'has_fiancé', 'has_fiancée'],
  },
  {
    relation: /^has_ex(?:_\w+)?$/,
    over: [
      ...['married_to', 'has_wife', 'has_husband', 'engaged_to'],
      ...['dates', 'has_girlfriend', 'has_boyfriend', 'has_partner'],
    ],
  },
  { relation: /^(?:engaged_to|has_fianc[ée]e?)$/, over: ['dates', 'has_girlfriend', 'has_boyfriend'] },
]

/** What the facts of a sentence rule out; those that deny or only suppose rule out nothing. */
export function excludedBy(drafts: readonly FactDraft[]): readonly Excluded[] {
  const held = drafts.filter(({ negated, ended, hypothetical }) => !negated && !ended && !hypothetical)
  return held.flatMap(({ subject, relation, object }) => [
    ...states
      .filter((rule) => rule.relation.test(relation) && rule.object.test(object))
      .flatMap(({ over }) => over)
      .flatMap((words) =>
        (words === 'job' ? [''] : ['is', 'is_a']).map((only) => ({ subject, relation: only, words })),
      ),
    ...ties
      // `user's wife` names nobody.
      .filter((rule) => rule.relation.test(relation) && !object.startsWith(`${subject}'s `))
      .flatMap(({ over }) => over.map((tie) => ({ subject, relation: tie, words: object }))),
  ])
}
