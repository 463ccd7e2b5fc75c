import { factsOfChanges } from '../../src/memory/changes/facts-of-changes.ts'
import type { ToldFact } from '../../src/memory/changes/told.ts'
import { canonicalKey } from '../../src/memory/entities.ts'
import { type IncomingFact, type SlotFact, settle, slotOf } from '../../src/memory/slots.ts'
import { changes, lookAlikes } from '../../src/models/extractor/examples/slot-pairs.ts'
import { loadExtractor, type Reader } from '../../src/models/extractor/read.ts'

interface Stored extends SlotFact {
  readonly place: string
  readonly subject: string
  readonly object: string
  readonly told: string
}

/** Reads two texts one after the other as ingest does; gives the older text's facts that the newer one closed. */
export function closedBy(reader: Reader, older: string, newer: string): Stored[] {
  const current = new Map<string, Stored>()
  const closed: Stored[] = []
  for (const [turn, text] of [older, newer].entries()) {
    const found = reader.extract({ text, source: 'user', speaker: null, now: 1_700_000_000 })
    const before = [...current.values()].map((fact): ToldFact => ({ ...fact, latest: true }))
    const facts = [...factsOfChanges(found.changes ?? [], before), ...found.facts]
    for (const [index, fact] of facts.entries()) {
      if (fact.hypothetical) continue
      const objectKey = canonicalKey(fact.object)
      const place = `${canonicalKey(fact.subject)}|${slotOf(fact.relation, objectKey)}`
      const { relation, negated, ended } = fact
      const incoming: IncomingFact = {
        id: `${turn}.${index}`,
        relation,
        objectKey,
        negated,
        ended,
        source: 'user',
      }
      const settlement = settle(
        [...current.values()].filter((one) => one.place === place),
        incoming,
      )
      if (settlement.kind === 'confirm') continue
      for (const id of settlement.closes) {
        const old = current.get(id)
        if (old && id.startsWith('0.') && turn === 1) closed.push(old)
        current.delete(id)
      }
      const { subject, object } = fact
      const told = `${subject} ${relation} ${object}`
      if (settlement.kind === 'store') current.set(incoming.id, { ...incoming, place, told, subject, object })
    }
  }
  return closed
}

/** How many changes close what they should, and how many look-alikes leave everything alone. */
export function slotScore(reader: Reader): { closed: number; kept: number; mistakes: string[] } {
  const mistakes: string[] = []
  const closed = changes.filter(([older, newer, object]) => {
    const right = closedBy(reader, older, newer).some(({ objectKey }) => objectKey === canonicalKey(object))
    if (!right) mistakes.push(`not closed: ${older} | ${newer}`)
    return right
  }).length
  const kept = lookAlikes.filter(([older, newer]) => {
    const wrong = closedBy(reader, older, newer)
    for (const { told } of wrong) mistakes.push(`wrongly closed: ${older} | ${newer} | ${told}`)
    return wrong.length === 0
  }).length
  return { closed, kept, mistakes }
}

if (process.argv[1] === import.meta.filename) {
  const { closed, kept, mistakes } = slotScore(loadExtractor())
  for (const mistake of mistakes) console.log(mistake)
  console.log(`changes closed rightly: ${closed} of ${changes.length}`)
  console.log(`look-alikes both kept: ${kept} of ${lookAlikes.length}`)
}
