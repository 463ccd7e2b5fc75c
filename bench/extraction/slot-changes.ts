import { readFileSync } from 'node:fs'
import { factsOfChanges } from '../../src/memory/changes/facts-of-changes.ts'
import type { ToldFact } from '../../src/memory/changes/told.ts'
import { canonicalKey } from '../../src/memory/entities.ts'
import { type IncomingFact, type SlotFact, settle, slotOf } from '../../src/memory/slots.ts'
import { type ChangePair, changes, lookAlikes } from '../../src/models/extractor/examples/slot-pairs.ts'
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

/** Pairs of texts, and what they do right. */
export interface Pairs {
  readonly changes: readonly ChangePair[]
  readonly lookAlikes: readonly (readonly [older: string, newer: string])[]
}

/** How many changes close what they should, and how many look-alikes leave everything alone. */
export function slotScore(
  reader: Reader,
  { changes, lookAlikes }: Pairs,
): { closed: number; kept: number; mistakes: string[] } {
  const mistakes: string[] = []
  const closed = changes.filter(([older, newer, object]) => {
    const key = canonicalKey(object)
    const right = closedBy(reader, older, newer).some(({ objectKey }) => names(objectKey, key))
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

/** Whether one is the other, or a part of it in whole words: `Yaris` of a `Toyota Yaris`. */
const names = (a: string, b: string) => ` ${a} `.includes(` ${b} `) || ` ${b} `.includes(` ${a} `)

/** The plain pairs, in the words that the rules were first written for. */
export const plainPairs: Pairs = { changes, lookAlikes }

/** Pairs as people talk, half of which no rule had seen when they were written. */
export function freePairs(): Pairs {
  const rows = (file: string) =>
    readFileSync(new URL(`../../src/models/extractor/examples/${file}`, import.meta.url), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' => '))
  return {
    changes: rows('free-changes.txt').map(([older = '', newer = '', closed = '']) => [older, newer, closed]),
    lookAlikes: rows('free-look-alikes.txt').map(([older = '', newer = '']) => [older, newer]),
  }
}

if (process.argv[1] === import.meta.filename) {
  const reader = loadExtractor()
  for (const [title, pairs] of [
    ['free', freePairs()],
    ['plain', plainPairs],
  ] as const) {
    const { closed, kept, mistakes } = slotScore(reader, pairs)
    for (const mistake of mistakes) console.log(mistake)
    console.log(`${title} changes closed rightly: ${closed} of ${pairs.changes.length}`)
    console.log(`${title} look-alikes both kept: ${kept} of ${pairs.lookAlikes.length}`)
  }
}
