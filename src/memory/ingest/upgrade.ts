import type { Seconds } from '../../core/clock.ts'
import type { ChunkId, Namespace } from '../../core/ids.ts'
import type { ItemWrite, MemoryStores } from '../ports.ts'
import type { Duplicate } from './dedupe/find-duplicate.ts'
import { chunkConfidence } from './draft.ts'

export interface UpgradeParts {
  /** The text as it would have been stored. */
  readonly draft: ItemWrite
  readonly duplicate: Duplicate
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
  { draft, duplicate, now }: UpgradeParts,
): Promise<void> {
  const stored = new Map(draft.chunks.map(({ id }, at) => [id, duplicate.chunks[at] ?? duplicate.chunks[0]]))
  const idOf = (id: ChunkId) => stored.get(id)?.id ?? id
  const facts = draft.facts.map((fact) => ({ ...fact, chunkId: idOf(fact.chunkId) }))
  const links = draft.links.map((link) => ({ ...link, newer: idOf(link.newer) }))
  if (facts.length > 0) {
    const textHash = `upgrade:${draft.source}:${draft.textHash}`
    await journal.remember(namespace, { ...draft, textHash, facts, links, chunks: [] })
  }
  for (const { id } of duplicate.chunks) {
    await episodic.upgrade(namespace, id, draft.source, chunkConfidence(draft.source), now)
  }
}
