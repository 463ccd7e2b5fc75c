import type { ExtractedChange } from '../../../memory/ports.ts'
import { clausesOf } from '../grammar/clauses.ts'
import { isRolePhrase, membersOf, type Phrase } from '../grammar/phrase.ts'
import type { Tree } from '../grammar/tree.ts'
import type { Discourse } from '../rules/discourse.ts'
import type { FactDraft } from '../rules/draft.ts'
import { nameOf } from '../rules/entities.ts'
import { straightQuotes } from '../text/tokens.ts'
import { correctedValue, isCorrection } from './corrections.ts'
import { endings } from './endings.ts'
import { excludedBy } from './exclusions.ts'

/** A sentence whose facts are read already. */
export interface ReadSentence {
  readonly tree: Tree
  readonly start: number
  readonly end: number
  /** The whole sentence that it is a part of. */
  readonly whole: { readonly start: number; readonly end: number }
  readonly isFirst: boolean
  readonly question: boolean
  readonly drafts: readonly FactDraft[]
}

/** What a sentence says of what was told before; empty for questions and where nobody speaks. */
export function changesOf(sentence: ReadSentence, discourse: Discourse): ExtractedChange[] {
  const { tree, start, end, whole, isFirst, question, drafts } = sentence
  if (question || discourse.me === null) return []
  const text = straightQuotes(tree.text.slice(start, end))
  const plain = { relation: '', around: '', start, end }
  const all = straightQuotes(tree.text.slice(whole.start, whole.end))
  const corrected = isFirst ? correctedValue(all) : null
  const isTold = drafts.some(
    ({ relation, object }) => corrected?.includes(object) && !/^(?:meant|is|is_a)$/.test(relation),
  )
  if (corrected !== null && !isTold)
    return [{ ...plain, kind: 'corrected', subject: discourse.me, words: corrected }]
  const found: readonly ExtractedChange[] = [
    ...endingsIn(text, sentence, discourse),
    ...drafts.filter(isOver).map((draft) => ended(sentence, draft)),
    ...successionIn(text, sentence, discourse.me),
    ...excludedBy(drafts).map((one) => ({ ...one, kind: 'ended' as const, around: one.words, start, end })),
    ...replacementsIn(all, sentence),
  ]
  return [...new Map(found.map((change) => [JSON.stringify(change), change])).values()]
}

/** Whom something is done with may be met elsewhere. */
const isOver = ({ ended, hypothetical, relation }: FactDraft) =>
  ended && !hypothetical && !relation.endsWith('_with')

/** What a fact says to be over may have been told with another verb: `plays_in` a band, and `is_in` it no longer. */
function ended({ start, end }: ReadSentence, { subject, relation, object }: FactDraft): ExtractedChange {
  const words = relation === 'does' ? `${object}` : object
  return { kind: 'ended', subject, relation: '', words, around: words, start, end }
}

/** Before an ending: it is only thought of, asked for, or denied. */
const notYet =
  /\b(?:might|may|could|would|should|will|'ll|'d|if|unless|want|wants|going to|gonna|plan(?:ning)?|thinking|consider(?:ing)?|hope|hoping|wish|about to|never|not|didn't|don't|doesn't|haven't|hasn't|won't|can't|almost|nearly|before|until|cannot|refuse|nobody|try(?:ing)?|need to|have to)\b(?:\s+\S+){0,3}\s*$/i
const clauseEnd =
  /[,.;:!?()](?=\s|$)|\s(?:and|but|so|because|since|when|while|which|who|after|before|until|if|then|though|although|as|any ?more|any longer|last|this|next|yesterday|today|ago|lapse|expire|completely|entirely|altogether|years|months|weeks)(?=[\s,.;!?]|$)|\s[—–-]\s/i
const tie = /\s(?:to|for|with|in|at|on|by|from|into|of|over|via|through|off|thanks|due|out)(?=\s|$)/i

function endingsIn(text: string, sentence: ReadSentence, discourse: Discourse): ExtractedChange[] {
  const { start, end } = sentence
  const found: ExtractedChange[] = []
  for (const { said, side, kind: plain, toMe, denies, words: fixed } of endings) {
    for (const match of text.matchAll(said)) {
      const lead = text.slice(0, match.index)
      const starts = denies || /^(?:not|no|used)/i.test(match[0])
      if (!starts && notYet.test(lastClause(lead))) continue
      const kind = denies && /\b(?:like|love|enjoy)\b/i.test(match[0]) ? 'soured' : plain
      const around = (
        side === 'after' ? firstClause(text.slice(match.index + match[0].length)) : lastClause(lead)
      ).trim()
      const words = fixed ?? (side === 'after' ? (around.split(tie)[0] ?? '').trim() : around)
      if (words === '' || (indefinite.test(words) && !denies && !/^(?:no|used|last)/i.test(match[0])))
        continue
      if (fixed && !/^(?:i|we|my|our|the|$)/i.test(lead.trim().split(/\s+/)[0] ?? '')) continue
      // `Tara broke off our engagement`: what is mine is my affair, whoever does it.
      const isMine = side === 'before' || toMe || /^(?:my|our) /i.test(words)
      const subject = isMine ? discourse.me : whoseEnding(sentence, start + match.index, match[0], discourse)
      if (subject !== null) found.push({ kind, subject, relation: '', words, around, start, end })
    }
  }
  return found
}

const succession =
  /(?:replaced|succeeded|took over from|taken over from|is replacing) (\p{Lu}[\p{L}.-]*(?: \p{Lu}[\p{L}.-]*)*)(?!['’\p{L}])(?: as (?:the |our |an? )?(\p{L}[\p{L} -]*\p{L}))?/u

/** `Jane replaced John as CEO`: he is the speaker's no more, nor CEO. */
function successionIn(text: string, { start, end }: ReadSentence, me: string): ExtractedChange[] {
  const [, before, office] = succession.exec(text) ?? []
  if (!before) return []
  const plain = { kind: 'ended', relation: '', start, end } as const
  const ours: ExtractedChange = { ...plain, subject: me, words: before, around: before }
  return office ? [ours, { ...plain, subject: before, words: office, around: office }] : [ours]
}

/** `sold a stamp`: one of those that there are, and nobody knows which. */
const indefinite = /^(?:an?|one|some|another|any|two|three|few|several) /i

const firstClause = (text: string) => text.split(clauseEnd)[0] ?? ''

function lastClause(text: string): string {
  const parts = text.split(/[,.;:!?](?=\s)|\s(?:but|so|because|when|while)\s|\s[—–]\s/i)
  return parts.at(-1) ?? ''
}

/** Whoever it is told of; what others do to things (`they closed the gym`) concerns the speaker. */
function whoseEnding(
  { tree, question }: ReadSentence,
  from: number,
  said: string,
  discourse: Discourse,
): string | null {
  const to = from + said.length
  const inside = (at: number) => (tree.tokens[at]?.start ?? -1) >= from && (tree.tokens[at]?.start ?? to) < to
  const clause = clausesOf(tree, { question, firstPerson: true }).find(({ at }) => inside(at))
  // `My sister is no longer …`: the verb stands elsewhere, and somebody else in front.
  if (
    clause === undefined &&
    /^(?:my|our|his|her|their) \p{L}+ (?:is|was|has)\b/iu.test(lastClause(tree.text.slice(0, from)).trim())
  )
    return null
  const subjects = clause?.subjects.flatMap(membersOf) ?? []
  const [subject] = subjects
  // `Hannah and I called off the wedding`.
  if (subjects.some(({ text }) => /^(?:i|me|we)$/i.test(text))) return discourse.me
  if (subject?.kind === 'pronoun' && /^you$/i.test(subject.text)) return null
  if (!subject || !isSomebody(subject)) return discourse.me
  return nameOf(subject, 'subject', { tree, discourse, emit: () => undefined })
}

function isSomebody(subject: Phrase): boolean {
  if (subject.kind === 'pronoun') return /^(?:i|we|he|she|my|our)$/i.test(subject.text)
  return subject.kind === 'name' || (isRolePhrase(subject) && subject.owner !== null)
}

/** Words that say that something took the place of something. */
const marker =
  /\b(?:now|these days|nowadays|instead|from now on|as of|starting|switched|changed|renamed|rebranded|moved|(?-i:new)|since the|anymore|no longer|actually|replaced|currently|from today|took over|reassigned|rescheduled|transferred|joined|signed|promoted|upgraded|downgraded|put me on|moved me|jumped ship|relocated|dyed|became)\b/i
const strongMarker =
  /\b(?:instead|switched|replaced|swapped|changed|no longer|anymore|correction|actually)\b/i
/** Words that say that it stands beside it. */
const beside =
  /\b(?:also|too|as well|another|still|sometimes|either|on weekends|on the side|both|besides|in addition|additionally|as always|second|extra)\b/i

function replacementsIn(text: string, { drafts, start, end }: ReadSentence): ExtractedChange[] {
  const said = marker.exec(text)?.[0] ?? (isCorrection(text) ? 'actually' : null)
  if (said === null || beside.test(text)) return []
  const around = strongMarker.exec(text)?.[0] ?? said
  return drafts
    .filter(({ negated, ended, hypothetical }) => !negated && !ended && !hypothetical)
    .map(({ subject, relation, object }) => {
      return { kind: 'replaced', subject, relation, words: object, around: around.toLowerCase(), start, end }
    })
}
