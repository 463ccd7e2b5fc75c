import type { ChunkId, Namespace } from '../../core/ids.ts'
import { dot, type Vector } from '../../core/vectors.ts'
import type { StatementLink } from '../model.ts'
import type { ItemWrite, LinkDraft } from '../ports.ts'
import { certain, closesNothing } from './certainty.ts'
import type { RelateParts } from './parts.ts'

/** Texts as alike as this tell of the same thing. */
const oneThing = 0.6

const isSure = ({ probability }: StatementLink) => probability >= certain

/**
 * The end of something sounds like the end of its neighbours, too, but a text seldom ends two things: of the texts that it
 * makes out of date only the likeliest is, with those that tell of the same thing. The others stay current, behind it.
 * What its facts take the place of (`settled`) goes in any case.
 */
export async function likeliestOnly(
  { episodic }: Pick<RelateParts, 'episodic'>,
  namespace: Namespace,
  item: ItemWrite,
  { links, settled }: { readonly links: readonly LinkDraft[]; readonly settled: readonly LinkDraft[] },
): Promise<readonly LinkDraft[]> {
  const gone = new Set(settled.map(({ older }) => older))
  const open = links.filter((link) => isSure(link) && !gone.has(link.older))
  if (open.length === 0) return links
  // What was told later than the item may have made other texts out of date before the item came.
  const own = new Set(item.chunks.map(({ id }) => id))
  const later = [...new Set(open.map(({ newer }) => newer))].filter((id) => !own.has(id))
  const stored = (await Promise.all(later.map((id) => episodic.links(namespace, id)))).flat()
  const sure: readonly StatementLink[] = [...settled, ...links, ...stored].filter(isSure)
  const rivalsOf = ({ newer, older }: LinkDraft) =>
    sure.filter((link) => link.newer === newer && link.older !== older)
  if (open.every((link) => rivalsOf(link).length === 0)) return links
  const texts = await episodic.get(namespace, [...new Set(sure.map(({ older }) => older))])
  const vectors = new Map<ChunkId, Vector>([...texts, ...item.chunks].map(({ id, vector }) => [id, vector]))
  const isOneThing = (one: StatementLink, other: StatementLink) => {
    const [left, right] = [vectors.get(one.older), vectors.get(other.older)]
    return left !== undefined && right !== undefined && dot(left, right) >= oneThing
  }
  return links.map((link) => {
    if (!open.includes(link)) return link
    const best = rivalsOf(link).reduce<StatementLink>((a, b) => (b.probability > a.probability ? b : a), link)
    return best === link || isOneThing(link, best) ? link : { ...link, probability: closesNothing }
  })
}
