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

/**
 * The sentences of a model's text whose words come from the sources; null when that leaves nothing of substance.
 * This is what stops a model that did as a stored text told it: what it was made to say is in no source.
 */
export function groundedPart(text: string, facts: readonly string[], question: string): string[] | null {
  const known = termsOf(facts)
  const sources = new Set([...known, ...analyze(question)])
  const all = sentences(text).map((sentence) => sentence.replace(/\s+/g, ' ').trim())
  const kept = all.filter((sentence) => sentence !== '' && isGrounded(withoutCitations(sentence), sources))
  const isWhole = kept.length === all.length
  const hasSubstance = kept.some((sentence) =>
    analyze(withoutCitations(sentence)).some((term) => known.has(term)),
  )
  return kept.length > 0 && (isWhole || hasSubstance) ? kept : null
}

function withoutCitations(sentence: string): string {
  return sentence.replace(/\[\d+\]/g, ' ')
}
