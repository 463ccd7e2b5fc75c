import type { Namespace } from '../../core/ids.ts'
import { canonicalKey } from '../entities.ts'
import type { IngestItem } from '../memory.ts'
import type { Extraction, Fact, FactDraft, ItemWrite, MemoryStores } from '../ports.ts'
import { likely } from '../relation/certainty.ts'
import { settleAt, toldTime, trust } from '../slots.ts'
import type { ExtractReply, PreviewedFact, PreviewedReplacement } from '../views.ts'
import { draftPassage, type IngestParts, readPassage } from './ingest.ts'

/** What ingest would make of a text: its steps up to the write, which is left out. */
export async function previewIngest(
  parts: IngestParts,
  namespace: Namespace,
  item: IngestItem,
  signal?: AbortSignal,
): Promise<ExtractReply> {
  const started = parts.milliseconds()
  const passage = await readPassage(parts, namespace, item, signal)
  const duplicate = await passage.duplicate()
  const extraction = await passage.extraction()
  const { write, entities } = await draftPassage(parts, namespace, passage, extraction, signal)
  const known = await replacedBy(parts.stores, namespace, write)
  const [first] = duplicate?.chunks ?? []
  const knownIds = new Map(entities.map((entity) => [entity.key, entity.known?.id ?? null]))
  return {
    duplicate:
      duplicate === null || first === undefined
        ? null
        : {
            id: first.id,
            similarity: duplicate.similarity,
            upgrades: duplicate.chunks.some(({ source }) => trust[item.source] > trust[source]),
          },
    chunks: write.chunks.map(({ text, start, end }) => ({ text, start, end })),
    entities: write.entities.map(({ key, name, type, aliases }) => ({
      ...{ id: knownIds.get(key) ?? null, name, type, aliases },
    })),
    facts: await Promise.all(
      write.facts.map((fact) =>
        previewFact(parts.stores, namespace, { item, extraction, write, known, fact }),
      ),
    ),
    replaces: write.links.flatMap((link) => {
      const { kind, probability, older } = link
      if (older === null || probability < likely) return []
      const closes = link.closes.map((id) => ({ id, fact: known.facts.get(id)?.fact ?? '' }))
      return [{ id: older, fact: known.texts.get(older) ?? '', kind, probability, closes }]
    }),
    notice: extraction.notice,
    latencyMs: parts.milliseconds() - started,
  }
}

/** The older statements that the links of an item speak of. */
interface Replaced {
  readonly texts: ReadonlyMap<string, string>
  readonly facts: ReadonlyMap<string, Fact>
}

async function replacedBy(
  { episodic, graph }: MemoryStores,
  namespace: Namespace,
  { links }: ItemWrite,
): Promise<Replaced> {
  const [chunks, facts] = await Promise.all([
    episodic.get(
      namespace,
      links.flatMap(({ older }) => older ?? []),
    ),
    graph.get(
      namespace,
      links.flatMap(({ closes }) => closes),
    ),
  ])
  return {
    texts: new Map(chunks.map(({ id, text }) => [id, text])),
    facts: new Map(facts.map((fact) => [fact.id, fact])),
  }
}

interface Told {
  readonly item: IngestItem
  readonly extraction: Extraction
  readonly write: ItemWrite
  readonly known: Replaced
  readonly fact: FactDraft
}

/** As many of a slot as a fact could meet; the rest of a crowded one stands beside it. */
const mostRivals = 32

async function previewFact(
  { graph }: MemoryStores,
  namespace: Namespace,
  { item, extraction, write, known, fact }: Told,
): Promise<PreviewedFact> {
  const place = { persona: item.persona, subject: fact.subjectKey, slot: fact.slot, limit: mostRivals }
  const current = (await graph.rivals(namespace, place)).filter(({ slot }) => slot === fact.slot)
  const settlement = settleAt(
    current.map((other) => ({
      ...{ toldAt: other.createdAt, ...other },
      ...{ objectKey: canonicalKey(other.objectName), ended: false },
    })),
    { ...fact, source: item.source },
    { told: toldTime(write), at: write.createdAt },
  )
  const settled = current.filter(({ id }) => settlement.closes.some((closing) => closing.id === id))
  const isOvertaken = write.links.some(({ closes }) => closes.includes(fact.id))
  const { when, negated, ended, relation } = fact
  const nameOf = (key: string) => write.entities.find((entity) => entity.key === key)?.name ?? key
  return {
    ...{ fact: fact.fact, subject: nameOf(fact.subjectKey), relation, object: nameOf(fact.objectKey) },
    ...{ negated, ended, when, certainty: fact.extraction, confidence: fact.base },
    evidence: evidenceOf(item.text, extraction, fact),
    outcome: settlement.kind === 'confirm' ? 'known' : settlement.closed || isOvertaken ? 'history' : 'new',
    replaces: [
      ...judged(write, known, fact),
      ...settled.map(({ id, fact: text }) => ({
        ...{ id, fact: text, kind: ended ? ('ends' as const) : ('replaces' as const), probability: 1 },
      })),
    ].filter(({ id }, at, all) => all.findIndex((one) => one.id === id) === at),
  }
}

/** The facts of the same subject and slot that the relation model takes to be out of date. */
function judged({ links }: ItemWrite, { facts }: Replaced, fact: FactDraft): readonly PreviewedReplacement[] {
  const isRival = (old: Fact) =>
    canonicalKey(old.subjectName) === fact.subjectKey &&
    (fact.slot === old.slot || fact.slot.startsWith(`${old.slot}|`) || old.slot.startsWith(`${fact.slot}|`))
  return links
    .filter(({ newer }) => newer === fact.chunkId)
    .flatMap(({ closes, kind, probability }) =>
      closes.flatMap((id) => {
        const old = facts.get(id)
        return old === undefined || !isRival(old) ? [] : [{ id, fact: old.fact, kind, probability }]
      }),
    )
}

/** The words that a fact was read from, and where they stand. */
function evidenceOf(text: string, { facts }: Extraction, { evidence, relation, negated }: FactDraft) {
  const read = facts.find(
    (fact) =>
      fact.relation === relation && fact.negated === negated && text.slice(fact.start, fact.end) === evidence,
  )
  const start = read?.start ?? text.indexOf(evidence)
  return { text: evidence, start, end: start + evidence.length }
}
