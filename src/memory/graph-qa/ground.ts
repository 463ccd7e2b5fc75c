import { analyze } from '../../core/analyze.ts'
import { sentences } from './sanitize.ts'

/**
 * Words an answer may use though no fact has them: they speak about the facts, or say the same in general words.
 * None of them names anything.
 */
const connecting = new Set(
  analyze(`
    according based fact facts list listed note noted memory memories information detail details context record
    records question answer answers say says state states stated mention mentions mentioned tell told show shows
    shown indicate indicates suggest suggests appear appears seem seems contain contains include includes including
    given provide provided know known unknown unclear unsure certain sure find found available relevant specify
    specified following follow also both either neither each every other others another same different first second
    third last one two three several many few more most some any all only still already now currently current
    previously previous formerly former once before after since until during while when where whether however
    therefore thus because hence moreover additionally furthermore instead otherwise yes no not none nothing nobody
    person people someone name named call called thing things place time times year years month months day days
    live lives living reside resides located location work works working employ employed employer job role own owns
    use uses used make makes made do does go goes get gets take takes come comes related relation relationship
    home city town company connect connected connection associated involve involved part member group summary overall together between
    among directly indirectly specifically particular example like likely probably possibly maybe perhaps
    explicitly direct further additional about regarding concerning as well such however although though even
    here there this that these those what which who whom whose why how hello please sorry cannot could would
  `),
)

/** True when every word that carries meaning stands in one of the sources, or only connects. */
export function isGrounded(sentence: string, sources: ReadonlySet<string>): boolean {
  return analyze(sentence).every((term) => sources.has(term) || connecting.has(term))
}

/** The terms of texts, as `isGrounded` takes them. */
export function termsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => analyze(text)))
}

/** Words of a sentence's own beside each that it shares with its facts: a translation, or what everybody knows. */
const ownWordsPerShared = 3

/**
 * True when the sentence gives what a fact ends in, of those that it cites or of any when it cites none, and what it adds
 * are plain words. Numbers, codes, capitals and addresses cannot be added: those are what an attacker wants to be said.
 */
function isAboutFacts(sentence: string, facts: readonly string[]): boolean {
  const cited = [...sentence.matchAll(/\[(\d+)\]/g)].flatMap(([, number]) => facts[Number(number) - 1] ?? [])
  const sources = cited.length > 0 ? cited : facts
  const known = termsOf(sources)
  const bare = withoutCitations(sentence)
  const said = new Set(analyze(bare))
  const words = bare.match(/[^\s,;:!?()"“”]+/g) ?? []
  const told = words.filter((word) => analyze(word).some((term) => known.has(term)))
  const own = words.filter((word) => !isGrounded(word, known))
  return (
    sources.some((fact) => said.has(analyze(fact).at(-1) ?? '')) &&
    own.length <= ownWordsPerShared * told.length &&
    own.every((word) => /^\p{L}\p{Ll}+[.]?$/u.test(word))
  )
}

/**
 * The sentences of a model's text whose words stand in the sources; null when that leaves nothing of substance. This is
 * what stops a model that did as a stored text told it: what it was made to say is in no source.
 */
export function groundedPart(text: string, facts: readonly string[]): string[] | null {
  return partOf(text, facts, (sentence) => isGrounded(withoutCitations(sentence), termsOf(facts)))
}

/** The same for an answer, which may take up the question and say what the facts say in other plain words. */
export function answeringPart(text: string, facts: readonly string[], question: string): string[] | null {
  const sources = termsOf([...facts, question])
  return partOf(
    text,
    facts,
    (sentence) => isGrounded(withoutCitations(sentence), sources) || isAboutFacts(sentence, facts),
  )
}

function partOf(
  text: string,
  facts: readonly string[],
  isCarried: (sentence: string) => boolean,
): string[] | null {
  const known = termsOf(facts)
  const all = sentences(text).map((sentence) => sentence.replace(/\s+/g, ' ').trim())
  const kept = all.filter((sentence) => sentence !== '' && isCarried(sentence))
  const isWhole = kept.length === all.length
  const hasSubstance = kept.some((sentence) =>
    analyze(withoutCitations(sentence)).some((term) => known.has(term)),
  )
  return kept.length > 0 && (isWhole || hasSubstance) ? kept : null
}

function withoutCitations(sentence: string): string {
  return sentence.replace(/\[\d+\]/g, ' ')
}
