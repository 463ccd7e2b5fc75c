import type { Seconds } from '../../core/clock.ts'
import type { ChunkId, Namespace, RelationshipId } from '../../core/ids.ts'
import { canonicalKey } from '../entities.ts'
import { type Chunk, type Retained, withShared } from '../model.ts'
import type {
  EpisodicStore,
  Fact,
  FactDraft,
  FoundChunk,
  GraphStore,
  ItemWrite,
  LinkDraft,
  StatementRelation,
} from '../ports.ts'
import { besideSlot, contradicts, slotOf, toldTime, trust } from '../slots.ts'
import { certain, likely, possible } from './certainty.ts'
import { type Judge, judgeOnce } from './judge-once.ts'

/** Texts less alike than this speak of other things: all but a few of the pairs that replace each other are nearer. */
const leastCosine = 0.15

/** Near texts that are judged: those with something to replace are among the nearest, and each costs as much as a text. */
const nearest = 3

/** Of a long text only the first pieces are compared: what changes a statement is told in few words. */
const mostPieces = 4

const mostRivals = 4

/** Of an item that was told in the past so many are looked at, because those told before it and after it are told apart. */
const nearestInTime = 24

export interface RelateParts {
  readonly episodic: Pick<EpisodicStore, 'nearest'>
  readonly graph: Pick<GraphStore, 'rivals' | 'factsOf'>
  readonly relation: StatementRelation
  /** Memories that the item takes the place of: it is related as if they had never been told. */
  readonly without?: ReadonlySet<string>
}

/**
 * How a new item relates to what its persona was told, and to what is shared: gives the item with links to the statements
 * that it makes out of date and, where it was told in the past, from those that have made it so since. A fact takes the
 * place of its rivals only where the texts say so; otherwise it stands beside them. Nothing is judged when nothing is near.
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
  if (near.length + rivalries.length === 0) return item
  const judge = judgeOnce(parts.relation, signal)
  const [plain, open] = divided(rivalries, (rivalry) => isPlain(item, rivalry))
  await judge.ask([
    ...open.filter((rivalry) => mayReplace(item, rivalry)).map(pairOfFacts),
    ...near.map(pairOfTexts),
  ])
  const [judged, contested] = divided(
    open,
    (rivalry) => judge.closing(pairOfFacts(rivalry)) >= certain && !isOtherKind(item, rivalry),
  )
  const facts = settledFacts(item, contested)
  const doubted = near.filter((one) => judge.closing(pairOfTexts(one)) >= possible)
  const links = [
    ...plain.map((rivalry) => ({
      ...ends(rivalry),
      kind: 'replaces' as const,
      probability: certain,
      closes: [closedOf(rivalry)],
    })),
    ...judged.map((rivalry) => linkOf(judge, pairOfFacts(rivalry), ends(rivalry), [closedOf(rivalry)])),
    ...(await onOneMatter(parts.graph, namespace, item, doubted)).map((one) =>
      bounded(item, one, linkOf(judge, pairOfTexts(one), endsOfTexts(one), [])),
    ),
  ]
  const textOf = new Map([
    ...rivalries.map(({ rival }) => [rival.chunkId, rival.evidence] as const),
    ...near.map(({ other }) => [other.id, other.text] as const),
    ...item.chunks.map(({ id, text }) => [id, text] as const),
  ])
  const related = { item: { ...item, facts }, links, textOf }
  const followed = await factsThatFollow(parts, namespace, related, judge)
  return { ...item, facts, links: untilReplaced(item, onePerPair(followed)) }
}

/** A stored text that a piece of the new one may be about. */
interface Near {
  readonly piece: Chunk
  readonly other: FoundChunk
  /** When the other was told, where that is later than the item. */
  readonly since: Seconds | null
}

/** A stored fact that a new one contradicts. */
interface Rivalry {
  readonly fact: FactDraft
  readonly rival: Fact
  readonly since: Seconds | null
}

const inTime = <T>(since: Seconds | null, own: T, other: T) =>
  since === null ? { older: other, newer: own } : { older: own, newer: other }
const at = (since: Seconds | null) => (since === null ? {} : { at: since })

const pairOfTexts = ({ piece, other, since }: Near) => inTime(since, piece.text, other.text)
const endsOfTexts = ({ piece, other, since }: Near) => ({
  ...inTime(since, piece.id, other.id),
  ...at(since),
})
const pairOfFacts = ({ fact, rival, since }: Rivalry) => inTime(since, fact.evidence, rival.evidence)
const ends = ({ fact, rival, since }: Rivalry) => ({
  ...inTime(since, fact.chunkId, rival.chunkId),
  ...at(since),
})
const closedOf = ({ fact, rival, since }: Rivalry) => inTime(since, fact.id, rival.id).older

/** A less trusted source never replaces what a more trusted one said. */
const isTrusted = (newer: Pick<Chunk, 'source'>, older: Pick<Chunk, 'source'>) =>
  trust[newer.source] >= trust[older.source]

/** Whether what was told later may replace what was told earlier. */
const isTrustedInTime = (item: ItemWrite, other: Pick<Chunk, 'source'>, since: Seconds | null) =>
  since === null ? isTrusted(item, other) : isTrusted(other, item)

/** When something was told again or first after the item was; null: it was told before. */
function laterThan(item: ItemWrite, { createdAt, toldAt = createdAt }: Retained): Seconds | null {
  const told = toldTime(item)
  if (createdAt > told) return createdAt
  return toldAt > told ? toldAt : null
}

/** The parts of documents look alike: no fact of one replaces that of another. */
const mayReplace = (item: ItemWrite, { rival }: Rivalry) =>
  item.source !== 'document' || rival.source !== 'document'

function divided<T>(list: readonly T[], test: (one: T) => boolean): [T[], T[]] {
  return [list.filter(test), list.filter((one) => !test(one))]
}

/**
 * A contradiction that needs no judge: of something that a less trusted source said, a denial of the very fact or its
 * opposite, or the same sentence with another value of the same kind.
 */
function isPlain(item: ItemWrite, rivalry: Rivalry): boolean {
  const { fact, rival } = rivalry
  if (!mayReplace(item, rivalry)) return false
  if (trust[item.source] !== trust[rival.source]) return true
  if (fact.objectKey === canonicalKey(rival.objectName))
    return fact.relation === rival.relation && fact.negated !== rival.negated
  const [own, old] = [nameOf(item, fact), rival.objectName]
  const frame = frameOf(fact.evidence, own)
  return frame !== null && frame === frameOf(rival.evidence, old) && isNamed(own) === isNamed(old)
}

/** A sentence without its value; null where the value does not stand in it once. */
function frameOf(sentence: string, value: string): string | null {
  const parts = sentence.trim().split(value)
  return parts.length === 2 ? parts.join('\u0000') : null
}

const isNamed = (value: string) => /^\p{Lu}/u.test(value)

/** A word in the place of a name; whoever writes without capitals has no names. */
const isOtherKind = (item: ItemWrite, { fact, rival }: Rivalry) =>
  !isNamed(nameOf(item, fact)) && isNamed(rival.objectName) && fact.evidence !== fact.evidence.toLowerCase()

const nameOf = ({ entities }: ItemWrite, { objectKey }: FactDraft) =>
  entities.find(({ key }) => key === objectKey)?.name ?? objectKey

/** A fact that does not take the place of its rivals stands beside them; a word where they have a name is no value at all. */
function settledFacts(item: ItemWrite, contested: readonly Rivalry[]): readonly FactDraft[] {
  const rivalsOf = Map.groupBy(contested, ({ fact }) => fact)
  return item.facts.flatMap((fact) => {
    const rivals = rivalsOf.get(fact) ?? []
    if (rivals.length === 0) return [fact]
    const isNoValue = rivals.some((rivalry) => rivalry.since === null && isOtherKind(item, rivalry))
    return isNoValue && !fact.ended ? [] : [{ ...fact, slot: besideSlot(fact) }]
  })
}

/** The texts nearest to each piece that it may replace, or that may have replaced it since, nearest first. */
async function nearStatements(
  { episodic, without }: RelateParts,
  namespace: Namespace,
  item: ItemWrite,
): Promise<readonly Near[]> {
  // The parts of documents look alike; their versions are told apart by their key.
  if (item.source === 'document') return []
  const limit = toldTime(item) === Number.POSITIVE_INFINITY && without === undefined ? nearest : nearestInTime
  const personas = withShared(item.persona)
  const found = await Promise.all(
    item.chunks.slice(0, mostPieces).map(async (piece) => {
      const hits = await episodic.nearest(namespace, personas, piece.vector, limit)
      return hits
        .filter(({ chunk, cosine }) => cosine >= leastCosine && !without?.has(chunk.id))
        .map(({ chunk, cosine }) => ({ piece, other: chunk, cosine, since: laterThan(item, chunk) }))
    }),
  )
  const [older, newer] = divided(
    found
      .flat()
      .filter(({ other, since }) => isTrustedInTime(item, other, since))
      .toSorted((a, b) => b.cosine - a.cosine),
    ({ since }) => since === null,
  )
  const told = toldTime(item)
  const isOutdated = ({ replaced }: FoundChunk) =>
    replaced !== null && replaced.probability >= certain && replaced.at <= told && !without?.has(replaced.by)
  return [...older.filter(({ other }) => !isOutdated(other)).slice(0, nearest), ...newer.slice(0, nearest)]
}

/** Who a fact is about, and its slot. */
interface Place {
  readonly subject: string
  readonly slot: string
}

const isSame = (one: Place, other: Place) => one.subject === other.subject && one.slot === other.slot

const draftPlace = ({ subjectKey, slot }: FactDraft): Place => ({ subject: subjectKey, slot })
const factPlace = ({ subjectName, relation, objectName }: Fact): Place => ({
  subject: canonicalKey(subjectName),
  slot: slotOf(relation, canonicalKey(objectName)),
})

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
async function onOneMatter(
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

/** The facts that contradict those of the item when it was told, and since; the store itself keeps those of a more trusted source. */
async function findRivals(
  { graph, without }: RelateParts,
  namespace: Namespace,
  item: ItemWrite,
): Promise<readonly Rivalry[]> {
  const { facts, persona } = item
  const told = toldTime(item)
  const isPast = told !== Number.POSITIVE_INFINITY
  const found = await Promise.all(
    facts.map(async (fact) => {
      const place = {
        ...{ persona, subject: fact.subjectKey, slot: fact.slot, limit: mostRivals },
        ...(isPast ? { at: told } : {}),
        ...(without === undefined ? {} : { without: [...without] }),
      }
      const held = await graph.rivals(namespace, place)
      const later = isPast ? await graph.rivals(namespace, { ...place, later: true }) : []
      return [...held, ...later]
        .map((rival) => ({ fact, rival, since: laterThan(item, rival) }))
        .filter(({ rival, since }) => isTrustedInTime(item, rival, since) && isRival(fact, rival, since))
    }),
  )
  return found.flat()
}

function isRival(fact: FactDraft, rival: Fact, since: Seconds | null): boolean {
  const objectKey = canonicalKey(rival.objectName)
  if (since !== null && fact.ended) return false
  if (fact.ended) return objectKey === fact.objectKey && !rival.negated
  if (isEnd(rival)) return objectKey === fact.objectKey && !fact.negated
  return !says(fact, rival) && contradicts({ ...rival, objectKey }, { ...fact, source: rival.source })
}

/** It was told as an end and never held. */
const isEnd = ({ closedAt, createdAt, closer }: Fact) => closedAt === createdAt && closer === null

function says(fact: FactDraft, { relation, objectName, negated }: Fact): boolean {
  return fact.relation === relation && fact.objectKey === canonicalKey(objectName) && fact.negated === negated
}

function linkOf(
  judge: Judge,
  pair: { readonly older: string; readonly newer: string },
  texts: Pick<LinkDraft, 'newer' | 'older' | 'at'>,
  closes: readonly RelationshipId[],
): LinkDraft {
  return { ...texts, kind: judge.kind(pair), probability: judge.closing(pair), closes }
}

/**
 * What is shared is everybody's: a persona's own text is shown before it and closes nothing of it. A document says what it
 * says: what the user told later stands before it for the questions that it answers.
 */
function bounded({ persona }: ItemWrite, { other }: Near, link: LinkDraft): LinkDraft {
  const most = other.source === 'document' ? possible : other.persona === persona ? 1 : likely
  return { ...link, probability: Math.min(link.probability, most) }
}

/** With a text that is certainly out of date go its facts: the only one, or those that the newer text speaks of. */
async function factsThatFollow(
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
  const placeOf = (fact: FactDraft | Fact) => ('subjectKey' in fact ? draftPlace(fact) : factPlace(fact))
  const placesOf = (id: ChunkId) =>
    [...item.facts, ...known].filter(({ chunkId }) => chunkId === id).map(placeOf)
  /** Whether the newer text tells a value for this place. */
  const isTaken = ({ newer }: LinkDraft, place: Place) => placesOf(newer).some((one) => isSame(one, place))
  /** What the newer text changes is known where it gives another value for something that the older one said. */
  const isAnswered = (link: LinkDraft) => placesOf(link.older).some((place) => isTaken(link, place))
  const follows = (link: LinkDraft): readonly Following[] => {
    if (!sureLinks.includes(link)) return []
    const newer = textOf.get(link.newer) ?? ''
    const retold = known.filter(({ chunkId }) => chunkId === link.newer)
    const told = own.has(link.older)
      ? item.facts.filter((fact) => !fact.ended && !retold.some((other) => says(fact, other)))
      : open
    return told
      .filter((fact) => fact.chunkId === link.older && !isOtherMatter(placesOf(link.newer), [placeOf(fact)]))
      .map((fact) => ({
        ...{ id: fact.id, pair: { older: fact.fact, newer } },
        least: isAnswered(link) && !isTaken(link, placeOf(fact)) ? certain : likely,
      }))
  }
  /** What else a text said may still hold, so each of several facts is judged, also where only one is open. */
  const saysOne = ({ older }: LinkDraft) =>
    [...item.facts, ...known].filter(({ chunkId }) => chunkId === older).length === 1
  const candidates = links.map((link) => ({ only: saysOne(link), facts: follows(link) }))
  await judge.ask(candidates.flatMap(({ only, facts }) => (only ? [] : facts.map(({ pair }) => pair))))
  return links.map((link, place) => {
    const { only = false, facts = [] } = candidates[place] ?? {}
    const gone = facts.filter(({ pair, least }) => only || judge.closing(pair) >= least)
    return { ...link, closes: [...link.closes, ...gone.map(({ id }) => id)] }
  })
}

/** An item with its links so far, and the texts of both sides. */
interface Related {
  readonly item: ItemWrite
  readonly links: readonly LinkDraft[]
  readonly textOf: ReadonlyMap<ChunkId, string>
}

/** A fact that may go with its text. */
interface Following {
  readonly id: RelationshipId
  readonly pair: { readonly older: string; readonly newer: string }
  /** How sure it must be that the newer text ends it. */
  readonly least: number
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
