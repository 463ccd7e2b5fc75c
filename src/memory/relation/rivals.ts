import type { Seconds } from '../../core/clock.ts'
import type { Namespace } from '../../core/ids.ts'
import { canonicalKey } from '../entities.ts'
import type { Fact, FactDraft, ItemWrite } from '../ports.ts'
import { besideSlot, contradicts, toldTime, trust } from '../slots.ts'
import { inTime, isTrustedInTime, laterThan, whenLater } from './in-time.ts'
import type { RelateParts } from './parts.ts'

const mostRivals = 4

/** A stored fact that a new one contradicts. */
export interface Rivalry {
  readonly fact: FactDraft
  readonly rival: Fact
  readonly since: Seconds | null
}

export const pairOfFacts = ({ fact, rival, since }: Rivalry) => inTime(since, fact.evidence, rival.evidence)
export const endsOfFacts = ({ fact, rival, since }: Rivalry) => ({
  ...inTime(since, fact.chunkId, rival.chunkId),
  ...whenLater(since),
})
export const closedOf = ({ fact, rival, since }: Rivalry) => inTime(since, fact.id, rival.id).older

/** Two values that one text gives for one place, in the order in which it tells them. */
export interface OwnRivalry {
  readonly fact: FactDraft
  readonly before: FactDraft
}

export const pairOfOwn = ({ fact, before }: OwnRivalry) => ({ older: before.evidence, newer: fact.evidence })

export function ownRivals({ facts }: ItemWrite): readonly OwnRivalry[] {
  const values = facts.filter(({ negated, ended }) => !negated && !ended)
  return values.flatMap((fact, at) => {
    const { subjectKey, slot, objectKey } = fact
    const before = values
      .slice(0, at)
      .findLast((one) => one.subjectKey === subjectKey && one.slot === slot && one.objectKey !== objectKey)
    return before === undefined ? [] : [{ fact, before }]
  })
}

/** The facts that contradict those of the item when it was told, and since; the store itself keeps those of a more trusted source. */
export async function findRivals(
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

export function says(fact: FactDraft, { relation, objectName, negated }: Fact): boolean {
  return fact.relation === relation && fact.objectKey === canonicalKey(objectName) && fact.negated === negated
}

/** The parts of documents look alike: no fact of one replaces that of another. */
export const mayReplace = (item: ItemWrite, { rival }: Rivalry) =>
  item.source !== 'document' || rival.source !== 'document'

/**
 * A contradiction that needs no judge: of something that a less trusted source said, of a denial the very fact that it
 * denies, or the same sentence with another value of the same kind. A denial may be of one day or one place alone.
 */
export function isPlain(item: ItemWrite, rivalry: Rivalry): boolean {
  const { fact, rival, since } = rivalry
  if (!mayReplace(item, rivalry) || isOtherKind(item, rivalry)) return false
  if (trust[item.source] !== trust[rival.source]) return true
  if (fact.objectKey === canonicalKey(rival.objectName))
    return isDenial(rivalry) && inTime(since, fact.negated, rival.negated).older
  const [own, old] = [nameOf(item, fact), rival.objectName]
  const frame = frameOf(fact.evidence, own)
  return frame !== null && frame === frameOf(rival.evidence, old) && isNamed(own) === isNamed(old)
}

/** What an item takes the place of had replaced it: so does the value that the item has instead. */
export const isTakenOver = ({ without }: RelateParts, { rival, fact, since }: Rivalry) =>
  since === null && !fact.negated && !fact.ended && without?.has(rival.closer ?? '') === true

/** One denies the very fact that the other states: that is a second sign beside what the texts say. */
export const isDenial = ({ fact, rival }: Rivalry) =>
  fact.relation === rival.relation &&
  fact.objectKey === canonicalKey(rival.objectName) &&
  fact.negated !== rival.negated

/** A sentence without its value; null where the value does not stand in it once. */
function frameOf(sentence: string, value: string): string | null {
  const parts = sentence.trim().split(value)
  return parts.length === 2 ? parts.join('\u0000') : null
}

const isNamed = (value: string) => /^\p{Lu}/u.test(value)

/** A word in the place of a name; whoever writes without capitals has no names. */
export const isOtherKind = (item: ItemWrite, { fact, rival }: Rivalry) =>
  !isNamed(nameOf(item, fact)) && isNamed(rival.objectName) && fact.evidence !== fact.evidence.toLowerCase()

const nameOf = ({ entities }: ItemWrite, { objectKey }: FactDraft) =>
  entities.find(({ key }) => key === objectKey)?.name ?? objectKey

/** A fact that does not take the place of its rivals stands beside them; a word where they have a name is no value at all. */
export function settledFacts(
  item: ItemWrite,
  contested: readonly Rivalry[],
  alike: readonly OwnRivalry[],
): readonly FactDraft[] {
  const rivalsOf = Map.groupBy(contested, ({ fact }) => fact)
  const second = new Set(alike.map(({ fact }) => fact))
  return item.facts.flatMap((fact) => {
    const rivals = rivalsOf.get(fact) ?? []
    if (rivals.length === 0) return second.has(fact) ? [{ ...fact, slot: besideSlot(fact) }] : [fact]
    const isNoValue = rivals.some((rivalry) => rivalry.since === null && isOtherKind(item, rivalry))
    return isNoValue && !fact.ended ? [] : [{ ...fact, slot: besideSlot(fact) }]
  })
}
