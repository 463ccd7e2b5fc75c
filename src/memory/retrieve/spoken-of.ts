import type { ChunkId } from '../../core/ids.ts'
import type { Peaks, Turn } from './turn.ts'

/** So many of the best texts are read for the titles of the others: the first step of a chain is among them. */
const readTexts = 8
/** Shorter titles stand in texts by chance. */
const shortestTitle = 4

const titlePattern = /^\s*([^:\n]{1,80}):\s/
const remark = /\s*\([^)]*\)\s*$/

/**
 * For texts without a session that have a title ("Title: …"): the strength, 0 to 1, of the best matching text that
 * speaks of it. A question that takes two steps shares nothing with its second text; the first one names it.
 */
export function spokenOf(turns: readonly Turn[], best: Peaks): ReadonlyMap<ChunkId, number> {
  const titles = ownTitles(turns)
  if (titles.size === 0) return new Map()
  const strongest = turns
    .map((turn) => ({ turn, strength: strengthOf(turn, best) }))
    .toSorted((a, b) => b.strength - a.strength || (a.turn.hit.chunk.id < b.turn.hit.chunk.id ? -1 : 1))
    .slice(0, readTexts)
  const spoken = new Map<ChunkId, number>()
  for (const { hit } of turns) {
    const title = titles.get(hit.chunk.id)
    if (title === undefined) continue
    const speaking = strongest.find(
      ({ turn }) => turn.hit.chunk.itemId !== hit.chunk.itemId && names(turn.hit.chunk.text, title),
    )
    if (speaking !== undefined) spoken.set(hit.chunk.id, speaking.strength)
  }
  return spoken
}

/** Titles that one text alone carries: what several texts begin with is a label, or somebody who speaks. */
function ownTitles(turns: readonly Turn[]): ReadonlyMap<ChunkId, string> {
  const titled = turns.flatMap(({ hit: { chunk } }) => {
    const title = chunk.sessionId === null && chunk.start === 0 ? titleOf(chunk.text) : ''
    return title.length < shortestTitle ? [] : [{ id: chunk.id, title }]
  })
  const counts = Map.groupBy(titled, ({ title }) => title)
  return new Map(
    titled.filter(({ title }) => counts.get(title)?.length === 1).map(({ id, title }) => [id, title]),
  )
}

function titleOf(text: string): string {
  return (titlePattern.exec(text)?.[1] ?? '').replace(remark, '').trim()
}

/** Half by words, half by meaning, each over the best there is. */
function strengthOf({ words, meaning }: Turn, best: Peaks): number {
  const byWords = best.words > 0 ? words / best.words : 0
  const byMeaning = best.meaning > 0 ? Math.max(0, meaning) / best.meaning : 0
  return (byWords + byMeaning) / 2
}

/** Whether the text contains the title as whole words. */
function names(text: string, title: string): boolean {
  for (let at = text.indexOf(title); at >= 0; at = text.indexOf(title, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + title.length])) return true
  }
  return false
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}
