import type { ChunkId } from '../../core/ids.ts'
import type { Peaks, Turn } from './features.ts'

/** So many of the best texts are read for the titles of the others: the first step of a chain is among them. */
const readTexts = 8
/** Shorter titles stand in texts by chance. */
const shortestTitle = 4

const titlePattern = /^\s*([^:\n]{1,80}):\s/
const remark = /\s*\([^)]*\)\s*$/

export interface TitleMentions {
  /** The strength, 0 to 1, of the best matching text that speaks of a text's title. */
  readonly mentioned: ReadonlyMap<ChunkId, number>
  /** The strength of the best matching text whose title a text speaks of. */
  readonly speaking: ReadonlyMap<ChunkId, number>
  /** For each text those of the best matching ones that speak of its title, or whose title it speaks of. */
  readonly partners: ReadonlyMap<ChunkId, readonly Turn[]>
}

/**
 * For texts without a session that have a title ("Title: …"): which of the best matching texts speak of which other's.
 * A question that takes two steps shares little with its second text; the first one names it, or is named by it.
 */
export function titleMentions(turns: readonly Turn[], best: Peaks): TitleMentions {
  const titles = ownTitles(turns)
  const mentioned = new Map<ChunkId, number>()
  const speaking = new Map<ChunkId, number>()
  const partners = new Map<ChunkId, Turn[]>()
  const strongest = titles.size === 0 ? [] : strongestOf(turns, best)
  for (const { turn: strong, strength } of strongest) {
    for (const turn of turns) {
      if (turn.hit.chunk.itemId === strong.hit.chunk.itemId) continue
      const { id } = turn.hit.chunk
      const isMentioned = speaksOf(strong, titles.get(id))
      const isSpeaking = speaksOf(turn, titles.get(strong.hit.chunk.id))
      // The strongest come first.
      if (isMentioned && !mentioned.has(id)) mentioned.set(id, strength)
      if (isSpeaking && !speaking.has(id)) speaking.set(id, strength)
      if (!isMentioned && !isSpeaking) continue
      partners.set(id, [...(partners.get(id) ?? []), strong])
    }
  }
  return { mentioned, speaking, partners }
}

function strongestOf(turns: readonly Turn[], best: Peaks) {
  return turns
    .map((turn) => ({ turn, strength: strengthOf(turn, best) }))
    .toSorted((a, b) => b.strength - a.strength || (a.turn.hit.chunk.id < b.turn.hit.chunk.id ? -1 : 1))
    .slice(0, readTexts)
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

/** Half by words, half by late interaction, each over the best there is. */
function strengthOf({ words, match }: Turn, best: Peaks): number {
  const byWords = best.words > 0 ? words / best.words : 0
  const byMeaning = best.match > 0 ? Math.max(0, match) / best.match : 0
  return (byWords + byMeaning) / 2
}

/** Whether the text contains the title as whole words. */
function speaksOf({ hit: { chunk } }: Turn, title: string | undefined): boolean {
  if (title === undefined) return false
  const { text } = chunk
  for (let at = text.indexOf(title); at >= 0; at = text.indexOf(title, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + title.length])) return true
  }
  return false
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character)
}
