import type { Namespace, RelationshipId } from '../../core/ids.ts'
import type { ItemWrite, LinkDraft } from '../ports.ts'
import { certain, closesNothing, possible, supported } from './certainty.ts'
import { factsThatFollow, onOneMatter } from './follow.ts'
import { divided } from './in-time.ts'
import { type Judge, judgeOnce } from './judge-once.ts'
import { likeliestOnly } from './likeliest.ts'
import { endsOfTexts, type Near, nearStatements, pairOfTexts } from './near.ts'
import type { RelateParts } from './parts.ts'
import {
  closedOf,
  endsOfFacts,
  findRivals,
  isDenial,
  isOtherKind,
  isPlain,
  isTakenOver,
  mayReplace,
  ownRivals,
  pairOfFacts,
  pairOfOwn,
  settledFacts,
} from './rivals.ts'

/**
 * How a new item relates to what its persona was told, and to what is shared: gives the item with links to the statements
 * that it makes out of date and, where it was told in the past, from those that have made it so since. A fact takes the
 * place of its rivals only where the texts say so, those of its own text too; otherwise it stands beside them. Nothing is
 * judged when nothing is near.
 */
export async function relate(
  parts: RelateParts,
  namespace: Namespace,
  item: ItemWrite,
  signal?: AbortSignal,
): Promise<ItemWrite> {
  const [near, rivalries] = await Promise.all([
    nearStatements(parts, namespace, item),
    findRivals(parts, namespace, item),
  ])
  const own = ownRivals(item)
  if (near.length + rivalries.length + own.length === 0) return item
  const judge = judgeOnce(parts, signal)
  const [plain, open] = divided(rivalries, (rivalry) => isPlain(item, rivalry) || isTakenOver(parts, rivalry))
  await judge.ask([
    ...open.filter((rivalry) => mayReplace(item, rivalry)).map(pairOfFacts),
    ...own.map(pairOfOwn).filter(({ older, newer }) => older !== newer),
    ...near.map(pairOfTexts),
  ])
  const [judged, contested] = divided(
    open,
    (rivalry) =>
      judge.closing(pairOfFacts(rivalry)) >= (isDenial(rivalry) ? supported : certain) &&
      !isOtherKind(item, rivalry),
  )
  const both = own.filter((rivalry) => judge.closing(pairOfOwn(rivalry)) < certain)
  const facts = settledFacts(item, contested, both)
  const doubted = near.filter((one) => judge.closing(pairOfTexts(one)) >= possible)
  const settled = [
    ...plain.map((rivalry) => ({
      ...endsOfFacts(rivalry),
      kind: 'replaces' as const,
      probability: Math.max(certain, judge.closing(pairOfFacts(rivalry))),
      closes: [closedOf(rivalry)],
    })),
    ...judged.map((rivalry) =>
      linkOf(judge, pairOfFacts(rivalry), endsOfFacts(rivalry), [closedOf(rivalry)]),
    ),
  ]
  const speaking = await onOneMatter(parts.graph, namespace, item, doubted)
  const told = speaking.map((one) => linkOf(judge, pairOfTexts(one), endsOfTexts(one), []))
  const likeliest = await likeliestOnly(parts, namespace, item, { links: told, settled })
  const meant = await withMeant(judge, item, speaking, { told, likeliest })
  const links = [...settled, ...meant.map((link, at) => bounded(item, speaking[at], link))]
  const textOf = new Map([
    ...rivalries.map(({ rival }) => [rival.chunkId, rival.evidence] as const),
    ...near.map(({ other }) => [other.id, other.text] as const),
    ...item.chunks.map(({ id, text }) => [id, text] as const),
  ])
  const related = { item: { ...item, facts }, links, textOf }
  const followed = await factsThatFollow(parts, namespace, related, judge)
  return { ...item, facts, links: untilReplaced(item, onePerPair(followed)) }
}

function linkOf(
  judge: Judge,
  pair: { readonly older: string; readonly newer: string },
  texts: Pick<LinkDraft, 'newer' | 'older' | 'at'>,
  closes: readonly RelationshipId[],
): LinkDraft {
  return { ...texts, kind: judge.kind(pair), probability: judge.closing(pair), closes }
}

/** A text may end two things after all: the other one is meant, too, where a fact of the text speaks of it by itself. */
async function withMeant(
  judge: Judge,
  { facts }: ItemWrite,
  near: readonly Near[],
  { told, likeliest }: { readonly told: readonly LinkDraft[]; readonly likeliest: readonly LinkDraft[] },
): Promise<readonly LinkDraft[]> {
  const pairs = near.map(({ piece, other, since }, at) => {
    const [before = 0, after = 0] = [told[at]?.probability, likeliest[at]?.probability]
    const isHeldBack = since === null && before >= certain && after < certain
    const own = isHeldBack ? facts.filter(({ chunkId }) => chunkId === piece.id) : []
    return own.map(({ fact }) => ({ older: other.text, newer: fact }))
  })
  await judge.ask(pairs.flat())
  return likeliest.map((link, at) => {
    const isMeant = pairs[at]?.some((pair) => judge.closing(pair) >= supported)
    return isMeant ? (told[at] ?? link) : link
  })
}

/**
 * What is shared is everybody's: a persona's own text is shown before it and closes nothing of it. A document says what it
 * says: what the user told later stands before it for the questions that it answers.
 */
function bounded({ persona }: ItemWrite, near: Near | undefined, link: LinkDraft): LinkDraft {
  const most =
    near?.other.source === 'document' ? possible : near?.other.persona === persona ? 1 : closesNothing
  return { ...link, probability: Math.min(link.probability, most) }
}

/** What came after a piece was certainly out of date says nothing about it any more, unless it closes a fact of it. */
function untilReplaced({ chunks }: ItemWrite, links: readonly LinkDraft[]): readonly LinkDraft[] {
  return links.filter((link) => {
    if (!chunks.some(({ id }) => id === link.older)) return true
    const before = links.filter((other) => other.older === link.older && (other.at ?? 0) < (link.at ?? 0))
    const closed = new Set(before.flatMap(({ closes }) => closes))
    const isOutdated = before.some(({ probability }) => probability >= certain)
    return !isOutdated || link.closes.some((id) => !closed.has(id))
  })
}

/** One link for two texts: the surest, with everything that any of them closes. */
function onePerPair(links: readonly LinkDraft[]): readonly LinkDraft[] {
  const pairs = Map.groupBy(
    links.toSorted((a, b) => b.probability - a.probability),
    ({ newer, older }) => `${newer}\u0000${older}`,
  )
  return [...pairs.values()].flatMap((several) => {
    const [surest] = several
    const closes = [...new Set(several.flatMap((link) => link.closes))]
    return surest === undefined ? [] : [{ ...surest, closes }]
  })
}
