import type { Seconds } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import type { ItemWrite, MemoryStores } from '../ports.ts'
import type { Twin } from './dedupe/find-twin.ts'
import { chunkConfidence } from './draft.ts'

export interface UpgradeParts {
  /** The text as it would have been stored. */
  readonly draft: ItemWrite
  readonly twin: Twin
  readonly now: Seconds
}

/**
 * A more trusted source repeated a stored text: its facts are stated again with the new trust, which raises the stored
 * ones and may make current what a stronger claim held back, then the chunks rise. The chunks last: until
 * then a retry sees an upgrade again.
 */
export async function upgrade(
  { journal, episodic }: Pick<MemoryStores, 'journal' | 'episodic'>,
  namespace: Namespace,
  { draft, twin, now }: UpgradeParts,
): Promise<void> {
  const stored = new Map(draft.chunks.map(({ id }, at) => [id, twin.chunks[at] ?? twin.chunks[0]]))
  const facts = draft.facts.map((fact) => ({
    ...fact,
    chunkId: stored.get(fact.chunkId)?.id ?? fact.chunkId,
  }))
  if (facts.length > 0) {
    const textHash = `upgrade:${draft.source}:${draft.textHash}`
    await journal.remember(namespace, { ...draft, textHash, facts, chunks: [] })
  }
  for (const { id } of twin.chunks) {
    await episodic.upgrade(namespace, id, draft.source, chunkConfidence(draft.source), now)
  }
}
