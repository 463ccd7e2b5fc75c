import type { ExtractedChange, ExtractedFact } from '../ports.ts'
import { correctedBy } from './corrected.ts'
import { endedBy, relationsOfKind } from './ended.ts'
import { isToldElsewhere, relationsLeft, replacedBy } from './replaced.ts'
import type { ToldFact } from './told.ts'

/**
 * The facts that the changes of a text stand for: what was told and is over, and the values that corrections put in its
 * place. A change that fits nothing, or more than one thing loosely, gives none: side by side loses nothing.
 */
export function factsOfChanges(
  changes: readonly ExtractedChange[],
  told: readonly ToldFact[],
): readonly ExtractedFact[] {
  const positive = told.filter(({ negated }) => !negated)
  return changes.flatMap((change) => {
    if (change.kind === 'corrected') {
      return correctedBy(change, positive).flatMap((wrong) => [
        factOf(change, wrong, true),
        factOf(change, { ...wrong, object: change.words }, false),
      ])
    }
    const over = change.kind === 'replaced' ? replacedBy(change, positive) : endedBy(change, positive)
    return over.map((fact) => factOf(change, fact, true))
  })
}

function factOf(
  { start, end }: ExtractedChange,
  { subject, relation, object }: Pick<ToldFact, 'subject' | 'relation' | 'object'>,
  ended: boolean,
): ExtractedFact {
  const plain = { negated: false, hypothetical: false, when: null, confidence: 0.8 }
  return { ...plain, subject, relation, object, ended, start, end }
}

/**
 * Words that the facts which a change means may be found by; empty where it means the newest, or those of its own
 * subject and relation alone.
 */
export function wordsToFind(change: ExtractedChange): string {
  const { kind, subject, relation, words, around } = change
  if (kind === 'corrected' || (kind === 'replaced' && !isToldElsewhere(change))) return ''
  if (kind === 'ended' && /^is(?:_a)?$/.test(relation)) return ''
  const relations = kind === 'replaced' ? [relation, ...relationsLeft(relation)] : relationsOfKind(words)
  const named = kind === 'replaced' ? subject : `${words} ${around}`
  return `${named} ${relations.join(' ')}`.replaceAll('_', ' ')
}
