import { analyze } from '../../core/analyze.ts'
import { standBehind } from './behind.ts'
import type { Candidate } from './candidate.ts'
import type { QuestionFacts } from './question.ts'

/** Words by which a text says of itself that something is not as it was. */
const changed =
  /\b(?:now|instead|no longer|any ?more|actually|update|correction|change of plan|changed|moved|switched|replaced|renamed|rescheduled|postponed|new|these days|nowadays|from now on|bumped|raised|lowered|turns out)\b/i
/** Words by which a text says that it tells of the past. */
const past =
  /\b(?:used to|formerly|previously|back then|back when|in the past|once upon|at the time|former|until (?:last|recently))\b|^\W*(?:many |some )?years ago\b/i
/** A question for the past wants it. */
const asksForPast =
  /\b(?:did|was|were|used|ago|before|previous(?:ly)?|former(?:ly)?|last|first|old|original(?:ly)?|history|ever|been)\b/i

/** Only the best texts are compared with each other: the others are far from the top anyway. */
const compared = 12
/** So much of the older text stands in the newer one too: they speak of the same thing. */
const samePart = 0.6
/** A newer text that fits the question much worse is about something else. */
const closeEnough = 0.6

interface Text {
  readonly candidate: Candidate
  readonly text: string
  readonly speaker: string
  readonly terms: ReadonlySet<string>
  /** Words of the question that it has. */
  readonly asked: ReadonlySet<string>
}

/**
 * Not every change is understood as one of facts. A text that says of itself that something changed stands before an older one
 * that says mostly the same words, and a text that tells of the past behind one that has the same words of the question
 * and does not. Only the order changes.
 */
export function updatesFirst(ranked: readonly Candidate[], question: QuestionFacts): readonly Candidate[] {
  if (asksForPast.test(question.text)) return ranked
  const asked = new Set(question.terms)
  const texts = ranked
    .filter(({ chunk }) => chunk !== null)
    .slice(0, compared)
    .map((candidate) => textOf(candidate, asked))
  const ahead = new Map<string, number>()
  for (const older of texts) {
    for (const newer of texts) {
      const [low, high] = [older.candidate.score, newer.candidate.score]
      if (older === newer || high >= low || high < low * closeEnough) continue
      if (older.speaker !== newer.speaker || !older.asked.isSubsetOf(newer.asked)) continue
      if (isUpdated(older, newer) || isOver(older, newer)) {
        ahead.set(older.candidate.id, Math.min(ahead.get(older.candidate.id) ?? 1, high))
      }
    }
  }
  return standBehind(ranked, ahead)
}

function textOf(candidate: Candidate, asked: ReadonlySet<string>): Text {
  const { text = '', speaker = null, source = 'user' } = candidate.chunk ?? {}
  const terms = new Set(analyze(text))
  return { candidate, text, speaker: speaker ?? source, terms, asked: terms.intersection(asked) }
}

function isUpdated(older: Text, newer: Text): boolean {
  if (newer.candidate.createdAt <= older.candidate.createdAt || !changed.test(newer.text)) return false
  return older.terms.intersection(newer.terms).size >= samePart * older.terms.size
}

/** Something of the question stands in both, and only one tells of the past. */
function isOver(older: Text, newer: Text): boolean {
  return older.asked.size > 0 && past.test(older.text) && !past.test(newer.text)
}
