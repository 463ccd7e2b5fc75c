import type { Clause } from '../grammar/clause.ts'
import { type Naming, nameOf } from './entities.ts'

/** A document's first subject is what its title names, when they share a word: both names are kept. */
export function settleTopic(clauses: readonly Clause[], title: string, naming: Naming): void {
  const subject = clauses.find(({ subjects, silent }) => !silent && subjects[0]?.kind === 'name')?.subjects[0]
  const name = subject ? nameOf({ ...subject, appositions: [] }, 'subject', naming) : null
  const words = new Set(title.toLowerCase().split(/[\s,]+/))
  const shared = name
    ?.toLowerCase()
    .split(/\s+/)
    .some((word) => word.length > 2 && words.has(word))
  if (name === null || !shared || name.toLowerCase() === title.toLowerCase()) {
    otherForms(title, title, naming)
    return
  }
  naming.discourse.aliases.set(title, name)
  naming.discourse.topic = name
  otherForms(title, name, naming)
}

/** `Thelma & Louise` is also written with `and`; `Portland, Oregon` lies in Oregon. */
function otherForms(title: string, topic: string, { discourse, emit }: Naming): void {
  const { aliases, types } = discourse
  if (title.includes(' & ')) aliases.set(title.replace(' & ', ' and '), topic)
  const place = /^(\p{Lu}[^,\d]+), (\p{Lu}[\p{L}.-]+(?: \p{Lu}[\p{L}.-]+){0,2})$/u.exec(title)
  const [, inner, outer] = place ?? []
  if (!inner || !outer || types.get(topic) === 'person' || rank.test(outer)) return
  if (topic === title) aliases.set(inner, topic)
  const plain = { negated: false, ended: false, hypothetical: false, when: null }
  emit({ ...plain, subject: topic, relation: 'located_in', object: outer, base: 0.8, support: [] })
}

const rank =
  /^(?:Jr|Sr|II|III|IV|Duke|Duchess|Earl|Count|Countess|Baron|Baroness|Lord|Lady|Prince|Princess|King|Queen|Viscount|Marquess|Marquis|Bishop|Esq|MD|PhD|Inc|Ltd)\b/
