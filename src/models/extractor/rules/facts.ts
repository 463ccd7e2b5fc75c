import type { Clause } from '../grammar/clause.ts'
import { clausesOf } from '../grammar/clauses.ts'
import { isRolePhrase, membersOf, type Phrase, phraseAt } from '../grammar/phrase.ts'
import { childrenOf, label, type Tree, upos } from '../grammar/tree.ts'
import { copulaFacts } from './copula.ts'
import { consequenceFacts } from './derive.ts'
import type { Sink } from './description.ts'
import type { Discourse } from './discourse.ts'
import type { FactDraft } from './draft.ts'
import { type Naming, nameOf } from './entities.ts'
import { lifeFacts } from './lifespan.ts'
import { cleanName } from './names.ts'
import { labelledFact, templateFact } from './template.ts'
import { timeOf } from './time.ts'
import { settleTopic } from './topic.ts'
import { verbFacts } from './verb.ts'
import { negativeSubjects } from './vocabulary.ts'

export interface SentenceReading {
  readonly question: boolean
  readonly firstPerson: boolean
  readonly now: number
  /** What stands in brackets behind the subject of a document's sentence. */
  readonly bracket: string | null
}

/** The facts of one sentence, in the order of its clauses. */
export function factsOf(tree: Tree, discourse: Discourse, reading: SentenceReading): FactDraft[] {
  const drafts: FactDraft[] = []
  const naming: Naming = { tree, discourse, emit: (draft) => drafts.push(draft) }
  const clauses = clausesOf(tree, reading)
  if (discourse.sentence === 0 && discourse.topic !== null) settleTopic(clauses, discourse.topic, naming)
  for (const clause of clauses) {
    if (clause.silent) mentionOnly(clause, naming)
    else if (!isCarrier(clause)) clauseFacts(clause, naming, reading, drafts)
  }
  callMe(tree, naming, drafts)
  reachMe(tree, naming, drafts)
  if (reading.bracket !== null) bracketFacts(reading.bracket, clauses, naming, drafts)
  looseMentions(tree, clauses, naming)
  namedRoles(tree, naming)
  const read = drafts.some(
    ({ relation, support }) => !relation.startsWith('has_') || sureOf(tree, support) > 0.5,
  )
  const labelled = reading.question ? null : labelledFact(tree, naming)
  if (labelled && !drafts.some(({ relation }) => relation === labelled.relation))
    return [...drafts.filter(({ relation }) => !/^(?:has|got)$/.test(relation)), labelled]
  const told = read || reading.question ? null : templateFact(tree, naming)
  if (told) return [...drafts.filter(({ relation }) => relation !== told.relation), told]
  return drafts
}

const sureOf = (tree: Tree, support: readonly number[]) =>
  Math.min(1, ...support.map((i) => tree.certainty[i] ?? 1))

/** A verb that only leads to the next one says nothing itself. */
function isCarrier(clause: Clause): boolean {
  return (
    clause.absorbed &&
    (clause.objects.length === 0 ||
      /^(?:use|start|begin|keep|stop|quit|get|go|gon|have|want|ask|tell|help|let|make|encourage|need|expect|see|hear|watch|allow|teach|remind|invite)$/.test(
        clause.lemma,
      ))
  )
}

function clauseFacts(clause: Clause, naming: Naming, reading: SentenceReading, drafts: FactDraft[]): void {
  const when = timeOf(clause, reading.now)
  for (const subject of clause.subjects.flatMap(membersOf)) {
    const denied =
      negativeSubjects.has(subject.noun) || subject.determiner === 'no' || subject.determiner === 'none'
    const support = [clause.at, ...(subject.indices.length > 0 ? [subject.at] : [])]
    const sink: Sink = {
      naming,
      add(name, said, told, base, options = {}) {
        if (!told || name === told) return
        const object = reading.firstPerson ? `${told}${onlyThen(clause, said)}` : told
        const over = reading.firstPerson && isOver(clause, said)
        const aside = reading.firstPerson && /^works_a[st]$/.test(said) && isBeside(clause, naming.tree)
        const relation = aside ? `also_${said}` : over ? (pastNames[said] ?? said) : said
        if (ofPeople.test(relation)) naming.discourse.types.set(name, 'person')
        drafts.push({
          subject: name,
          relation,
          object,
          base:
            base * standingFactor[clause.standing] * subjectFactor(subject, reading) * clauseFactor(clause),
          negated: options.negated ?? (options.ended ? false : clause.negated || denied),
          ended: options.ended ?? (clause.ended || (over && endsWhenPast.test(said))),
          hypothetical: clause.hypothetical,
          when: options.when === undefined ? when : options.when,
          support: options.at === undefined ? support : [...support, options.at],
        })
      },
    }
    const about = denied ? groupOf(subject) : subject
    if (!about || about.kind === 'number') continue
    if (clause.predicate) copulaFacts(clause, about, clause.predicate, sink)
    else verbFacts(clause, about, sink)
    if (!clause.predicate) consequenceFacts(clause, about, sink)
  }
}

/** `I don't eat meat on Fridays`: it is denied of that time alone. Empty where it is denied for good. */
function onlyThen(clause: Clause, relation: string): string {
  if (
    !clause.negated ||
    clause.predicate !== null ||
    clause.tense !== 'present' ||
    /_(?:on|at|after|before)$/.test(relation)
  )
    return ''
  const time = clause.obliques.find(
    ({ preposition, phrase }) => phrase.isTime && /^(?:on|at|after|before|during)$/.test(preposition ?? ''),
  )
  return time ? ` ${time.preposition} ${cleanName(time.phrase.text)}` : ''
}

/** Done beside something else, so that it takes the place of nothing: `on weekends I work as a barber`. */
function isBeside(clause: Clause, tree: Tree): boolean {
  const times = clause.obliques.map(({ preposition, phrase }) => `${preposition ?? ''} ${phrase.text}`)
  const adverbs = childrenOf(tree, clause.at, 'advmod').map((child) => tree.words[child] ?? '')
  return [...times, ...adverbs].some((words) => beside.test(words.trim()))
}

const beside =
  /^(?:(?:on|at) (?:the )?(?:weekends?|side|saturdays|sundays)|at night|in (?:the )?evenings?|also|sometimes|occasionally|(?:every )?(?:saturday|sunday|weekend)s?)$/i

/** What `was` makes of relations that hold now: `I was a nurse` is history. */
const pastNames: Readonly<Record<string, string>> = {
  works_as: 'worked_as',
  is_a: 'was',
  is: 'was',
  is_in: 'was_in',
  located_in: 'was_in',
  is_on: 'was_on',
  is_at: 'was_at',
}
const endsWhenPast =
  /^(?:favourite_.*|married_to|works_at|has_(?:boss|manager|address|email|phone_number|girlfriend|boyfriend))$/

/** In talk, a copula in the past says what was. */
function isOver(clause: Clause, relation: string): boolean {
  if (clause.tense !== 'past' || clause.perfect || clause.ended) return false
  return clause.predicate !== null || (relation === 'married_to' && clause.passive && clause.helper === 'be')
}

/** In talk, what is said of things in general (`nature brings peace`) is worth less than what is said of somebody. */
function subjectFactor(subject: Phrase, reading: SentenceReading): number {
  // What `it` and `they` mean is often something else.
  if (reading.firstPerson && /^(?:it|they|this|that|these|those)$/i.test(subject.text)) return 0.75
  if (!reading.firstPerson || subject.kind !== 'noun' || subject.owner || subject.appositions.length > 0)
    return 1
  return /^(?:the|this|that|these|those)$/.test(subject.determiner ?? '') ? 0.9 : 0.65
}

/** What is still to come, or only possible, or only in somebody's head, is less of a fact. */
function clauseFactor(clause: Clause): number {
  const ahead = clause.tense === 'future' || clause.modal === 'can' ? 0.75 : 1
  return clause.predicate === null && clause.chain.length === 0 && inTheMind.test(clause.lemma)
    ? ahead * 0.75
    : ahead
}

const inTheMind =
  /^(?:think|know|mean|see|guess|hear|feel|look|say|tell|talk|let|imagine|wonder|believe|understand|realize|realise|notice|remind|hope|wish|figure|bet|agree|wait|guess|appreciate|thank|find|seem|sound|give|bring|make|help)$/

const standingFactor: Record<Clause['standing'], number> = { stated: 1, reported: 0.85, passing: 0.75 }

/** `Nobody in my family eats meat`: the family does not. */
function groupOf(subject: Phrase): Phrase | null {
  if (subject.kind === 'noun' && subject.determiner === 'no' && !negativeSubjects.has(subject.noun))
    return null
  return (
    subject.modifiers.find(({ preposition }) => /^(?:in|of|among|from)$/.test(preposition))?.phrase ?? null
  )
}

/** A question or a condition states nothing, but `my wife Laura` in it is still my wife. */
function mentionOnly(clause: Clause, naming: Naming): void {
  for (const phrase of [
    ...clause.subjects,
    ...clause.objects,
    ...clause.obliques.map((oblique) => oblique.phrase),
  ]) {
    if (phrase.appositions.length > 0 && phrase.owner) nameOf(phrase, 'object', naming)
  }
}

/** Relations that only people have. */
const ofPeople =
  /^(?:works_as|born_on|died_on|married_to|has_(?:wife|husband|son|daughter|brother|sister|father|mother))$/

/** `Pál Gábor (2 November 1932 – 21 October 1987) was …`. */
function bracketFacts(
  bracket: string,
  clauses: readonly Clause[],
  naming: Naming,
  drafts: FactDraft[],
): void {
  const subject = clauses.find(({ subjects }) => subjects[0]?.kind === 'name')?.subjects[0]
  const found = lifeFacts(bracket)
  const name = subject && found.length > 0 ? nameOf(subject, 'subject', naming) : null
  if (name === null || !subject) return
  naming.discourse.types.set(name, 'person')
  for (const { relation, object } of found) {
    drafts.push({ ...plainDraft, subject: name, relation, object, base: 0.92, support: [subject.at] })
  }
}

const plainDraft = { negated: false, ended: false, hypothetical: false, when: null }

/** `Please call me Al.` */
function callMe(tree: Tree, { discourse }: Naming, drafts: FactDraft[]): void {
  const match = /\b(?:[Cc]all me|I go by|[Pp]eople call me|\p{L}+ calls me)\s+(\p{Lu}[\p{L}'-]+)/u.exec(
    tree.words.join(' '),
  )
  if (
    !match?.[1] ||
    discourse.me === null ||
    /\b(?:nobody|no one|not|n't|never|stop)\b/i.test(tree.words.slice(0, 4).join(' '))
  )
    return
  if (drafts.some(({ object }) => object === match[1])) return
  drafts.push({
    subject: discourse.me,
    relation: 'has_name',
    object: match[1],
    base: 0.88,
    negated: false,
    ended: false,
    hypothetical: false,
    when: null,
    support: [],
  })
}

const reach =
  /\b(?:reach|contact|email|e-mail|write|call|text|phone)(?: to)? me (?:at|on) (\+?\d[\d ()-]{4,}\d|\S+?)[.,!]?(?=\s|$)/i

/** `You can reach me at kim@kim.io`. */
function reachMe(tree: Tree, { discourse }: Naming, drafts: FactDraft[]): void {
  const [first, last] = [tree.tokens[0], tree.tokens.at(-1)]
  const match = reach.exec(tree.text.slice(first?.start, last?.end))
  const value = match?.[1]
  if (!value || discourse.me === null || drafts.some(({ object }) => object === value)) return
  const relation = value.includes('@')
    ? 'has_email'
    : /^[+\d][\d() -]{5,}$/.test(value)
      ? 'has_phone_number'
      : null
  if (relation)
    drafts.push({ ...plainDraft, subject: discourse.me, relation, object: value, base: 0.88, support: [] })
}

/** `a flat with my boyfriend Callum`: wherever they stand, people with their names are told of. */
function namedRoles(tree: Tree, naming: Naming): void {
  for (const [i, name] of tree.labels.entries()) {
    const role = tree.heads[i] ?? -1
    if (name !== 'appos' || role < 0 || upos(tree, i) !== 'PROPN' || naming.discourse.named.has(role))
      continue
    const phrase = phraseAt(tree, role)
    if (phrase?.kind === 'noun' && phrase.owner && isRolePhrase(phrase)) nameOf(phrase, 'object', naming)
  }
}

/** Names outside any clause (`Thanks, Ana!`) and possessed people (`my wife Laura`) are still noticed. */
function looseMentions(tree: Tree, clauses: readonly Clause[], naming: Naming): void {
  if (clauses.some(({ silent }) => !silent)) return
  for (const [i] of tree.words.entries()) {
    if (
      !/^(?:NOUN|PROPN)$/.test(upos(tree, i)) ||
      !/^(?:root|obj|nsubj|appos|parataxis)$/.test(label(tree, i))
    )
      continue
    const phrase = phraseAt(tree, i)
    if (phrase?.owner && phrase.appositions.length > 0 && cleanName(phrase.text))
      nameOf(phrase, 'object', naming)
  }
}
