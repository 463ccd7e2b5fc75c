import type { ChunkId, Namespace, RelationshipId } from '../../core/ids.ts'
import { canonicalKey } from '../entities.ts'
import type { Fact, FactDraft, ItemWrite, LinkDraft } from '../ports.ts'
import { slotOf, toldTime } from '../slots.ts'
import { certain, closesNothing, likely, supported } from './certainty.ts'
import { isTrusted } from './in-time.ts'
import type { Judge } from './judge-once.ts'
import type { Near } from './near.ts'
import type { RelateParts } from './parts.ts'
import { says } from './rivals.ts'

/** Who a fact is about, and its slot. */
interface Place {
  readonly subject: string
  readonly slot: string
}

/** `launch party` and `party`, `user's standup` and `standup` may be one thing. */
const mayBeOne = (one: string, other: string) =>
  one === other || one.endsWith(` ${other}`) || other.endsWith(` ${one}`)

const isSame = (one: Place, other: Place) => mayBeOne(one.subject, other.subject) && one.slot === other.slot

/** By the slot of its relation: a plan takes nobody's place, and is about one thing all the same. */
const draftPlace = ({ subjectKey, relation, objectKey }: FactDraft): Place => ({
  subject: subjectKey,
  slot: slotOf(relation, objectKey),
})
const factPlace = ({ subjectName, relation, objectName }: Fact): Place => ({
  subject: canonicalKey(subjectName),
  slot: slotOf(relation, canonicalKey(objectName)),
})

const placeOf = (fact: FactDraft | Fact) => ('subjectKey' in fact ? draftPlace(fact) : factPlace(fact))

/**
 * Whether two statements are about different things: everything that both say stands in slots of one value, and they
 * share none. Where somebody lives now says nothing about what they work as, however much it sounds like a change.
 */
function isOtherMatter(said: readonly Place[], held: readonly Place[]): boolean {
  if (said.length === 0 || held.length === 0) return false
  if ([...said, ...held].some(({ slot }) => slot.includes('|'))) return false
  return !said.some((one) => held.some((other) => isSame(one, other)))
}

/** Those whose texts may be about the same thing. */
export async function onOneMatter(
  graph: RelateParts['graph'],
  namespace: Namespace,
  item: ItemWrite,
  near: readonly Near[],
): Promise<readonly Near[]> {
  if (near.length === 0) return near
  const known = await graph.factsOf(namespace, [...new Set(near.map(({ other }) => other.id))])
  return near.filter(({ piece, other }) => {
    const said = item.facts.filter(({ chunkId }) => chunkId === piece.id).map(draftPlace)
    const held = known.filter(({ chunkId }) => chunkId === other.id).map(factPlace)
    return !isOtherMatter(said, held)
  })
}

/** With a text that is certainly out of date go those of its facts that the newer text, judged once more, speaks of. */
export async function factsThatFollow(
  { graph, without }: RelateParts,
  namespace: Namespace,
  { item, links, textOf }: Related,
  judge: Judge,
): Promise<readonly LinkDraft[]> {
  const sureLinks = links.filter(({ probability }) => probability >= certain)
  if (sureLinks.length === 0) return links
  const own = new Set(item.chunks.map(({ id }) => id))
  const others = new Set(sureLinks.map(({ newer, older }) => (own.has(older) ? newer : older)))
  const told = toldTime(item)
  const known = await graph.factsOf(namespace, [...others])
  const open = known.filter(
    (fact) =>
      (fact.closedAt === null || fact.closedAt > told || without?.has(fact.closer ?? '')) &&
      isTrusted(item, fact) &&
      !item.facts.some((draft) => says(draft, fact)),
  )
  const placesOf = (id: ChunkId) =>
    [...item.facts, ...known].filter(({ chunkId }) => chunkId === id).map(placeOf)
  /** Whether the newer text tells a value for this place. */
  const isTaken = ({ newer }: LinkDraft, place: Place) => placesOf(newer).some((one) => isSame(one, place))
  /** What the newer text changes is known where it gives another value for something that the older one said. */
  const isAnswered = (link: LinkDraft) => placesOf(link.older).some((place) => isTaken(link, place))
  /** What else a text said may still hold; of one that says one thing, the fact need not be as sure as the text. */
  const saysOne = ({ older }: LinkDraft) =>
    [...item.facts, ...known].filter(({ chunkId }) => chunkId === older).length === 1
  const follows = (link: LinkDraft): readonly Following[] => {
    if (!sureLinks.includes(link)) return []
    const newer = textOf.get(link.newer) ?? ''
    const isOnly = saysOne(link)
    const retold = known.filter(({ chunkId }) => chunkId === link.newer)
    const told = own.has(link.older)
      ? item.facts.filter((fact) => !fact.ended && !retold.some((other) => says(fact, other)))
      : open
    return told
      .filter((fact) => fact.chunkId === link.older && !isOtherMatter(placesOf(link.newer), [placeOf(fact)]))
      .map((fact) => ({
        ...{ id: fact.id, fact, pair: { older: fact.fact, newer } },
        least: isOnly || isTaken(link, placeOf(fact)) ? supported : isAnswered(link) ? certain : likely,
      }))
  }
  /** Those of the older text that a link ends: by their ids, or because the newer text tells their end. */
  const endedBy = ({ older, newer }: LinkDraft, ids: ReadonlySet<string>) =>
    [...item.facts, ...known].filter(
      (fact) =>
        fact.chunkId === older &&
        (ids.has(fact.id) ||
          ('closedAt' in fact &&
            item.facts.some((draft) => draft.chunkId === newer && tellsEnd(draft, fact)))),
    )
  const candidates = links.map(follows)
  await judge.ask(candidates.flatMap((facts) => facts.map(({ pair }) => pair)))
  const closed = new Set(links.flatMap(({ closes }) => closes))
  return links.map((link, place) => {
    const facts = candidates[place] ?? []
    const spokenOf = facts.filter(({ pair, least }) => judge.closing(pair) >= least)
    const ended = new Set([...link.closes, ...spokenOf.map(({ id }) => id)])
    const gone = facts.filter(
      (one) => spokenOf.includes(one) || (link.kind === 'ends' && isDetail(one.fact, endedBy(link, ended))),
    )
    // All that the text says holds, so it cannot be out of date.
    const holds = saysOne(link) && facts.some(({ id }) => !closed.has(id)) && gone.length === 0
    const probability = holds ? Math.min(link.probability, closesNothing) : link.probability
    return { ...link, probability, closes: [...link.closes, ...gone.map(({ id }) => id)] }
  })
}

/** An item with its links so far, and the texts of both sides. */
interface Related {
  readonly item: ItemWrite
  readonly links: readonly LinkDraft[]
  readonly textOf: ReadonlyMap<ChunkId, string>
}

/**
 * Whether a fact only says when or how much of what has ended: "takes at every evening" beside "takes warfarin", of which
 * the text said "every evening". All its words are among those of an ended fact of the same subject.
 */
function isDetail(fact: Fact | FactDraft, ended: readonly (Fact | FactDraft)[]): boolean {
  const words = wordsOf(objectOf(fact))
  if (words.size === 0) return false
  return ended.some(
    (other) =>
      placeOf(other).subject === placeOf(fact).subject &&
      words.isSubsetOf(wordsOf(`${objectOf(other)} ${other.when ?? ''}`)),
  )
}

const tellsEnd = (draft: FactDraft, fact: Fact) =>
  draft.ended && draft.subjectKey === placeOf(fact).subject && says(draft, fact)

const objectOf = (fact: Fact | FactDraft) => ('objectKey' in fact ? fact.objectKey : fact.objectName)
const wordsOf = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu))

/** A fact that may go with its text. */
interface Following {
  readonly id: RelationshipId
  readonly fact: Fact | FactDraft
  readonly pair: { readonly older: string; readonly newer: string }
  /** How sure it must be that the newer text ends it. */
  readonly least: number
}
