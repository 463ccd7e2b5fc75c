import type { ChunkId, Namespace } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { StatementLink } from '../model.ts'
import type { ItemWrite, LinkDraft } from '../ports.ts'
import { certain, closesNothing, likely } from './certainty.ts'
import type { RelateParts } from './parts.ts'

/** Texts as alike as this tell of the same thing. */
const oneThing = 0.6

const isLikely = ({ probability }: StatementLink) => probability >= likely

/** The links between texts that were judged, and those that follow from facts. */
interface Links {
  readonly links: readonly LinkDraft[]
  readonly settled: readonly LinkDraft[]
}

/**
 * The end of something sounds like the end of its neighbours, too, but a text seldom ends two things: of the texts that it
 * would make out of date only the likeliest is, with those that tell of the same thing, for which a likely end is enough
 * then. The others stay current, behind it. What its facts take the place of goes in any case.
 */
export async function likeliestOnly(
  { episodic }: Pick<RelateParts, 'episodic'>,
  namespace: Namespace,
  item: ItemWrite,
  { links, settled }: Links,
): Promise<readonly LinkDraft[]> {
  const open = links.filter(isLikely)
  if (open.length === 0) return links
  // What was told later than the item may have made other texts out of date before the item came.
  const own = new Set(item.chunks.map(({ id }) => id))
  const later = [...new Set(open.map(({ newer }) => newer))].filter((id) => !own.has(id))
  const stored = (await Promise.all(later.map((id) => episodic.links(namespace, id)))).flat()
  const all: readonly StatementLink[] = [...settled, ...open, ...stored.filter(isLikely)]
  if (new Set(all.map(({ older }) => older)).size === 1) return links
  const texts = await episodic.get(namespace, [...new Set(all.map(({ older }) => older))])
  const vectors = new Map<ChunkId, Vector>([...texts, ...item.chunks].map(({ id, vector }) => [id, vector]))
  const isOneThing = (one: StatementLink, other: StatementLink) => {
    const [left, right] = [vectors.get(one.older), vectors.get(other.older)]
    return left !== undefined && right !== undefined && dot(left, right) >= oneThing
  }
  const gone = new Set(settled.map(({ older }) => older))
  return links.map((link) => {
    const sorted = all
      .filter(({ newer }) => newer === link.newer)
      .toSorted((a, b) => b.probability - a.probability)
    const most = sorted[0]?.probability ?? 0
    if (!open.includes(link) || most < certain) return link
    const outdated: StatementLink[] = []
    for (const one of sorted) {
      const isLikeliest = one.probability === most || gone.has(one.older)
      if (isLikeliest || outdated.some((other) => isOneThing(one, other))) outdated.push(one)
    }
    const { probability } = link
    const goes = outdated.includes(link)
    return {
      ...link,
      probability: goes ? Math.max(certain, probability) : Math.min(closesNothing, probability),
    }
  })
}
