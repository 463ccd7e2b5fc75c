import type { Parse } from '../parser/parser.ts'
import { isRole } from '../rules/vocabulary.ts'
import { singular } from './lemmas.ts'

const possessive = /^(?:my|our|your|his|her|their|'s)$/i
const notName =
  /^(?:I|I'm|January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)$/
const longestName = 3

/** A name right behind the role of its bearer: `my uncle Bob`. */
interface RoleName {
  readonly role: number
  readonly from: number
  readonly to: number
}

/** Finds the names that say who somebody's uncle, wife or dog is. */
export function roleNames(words: readonly string[]): RoleName[] {
  const found: RoleName[] = []
  for (let role = 1; role < words.length - 1; role++) {
    if (!isRole(singular((words[role] ?? '').toLowerCase())) || !isOwned(words, role)) continue
    let to = role
    while (to - role < longestName && isNamePart(words[to + 1])) to++
    if (to > role) found.push({ role, from: role + 1, to })
  }
  return found
}

function isOwned(words: readonly string[], role: number): boolean {
  // `my tutor is Professor Lee`: a title is no role of somebody's.
  if (/^\p{Lu}/u.test(words[role] ?? '')) return possessive.test(words[role - 1] ?? '')
  return [1, 2, 3].some((back) => possessive.test(words[role - back] ?? ''))
}

function isNamePart(word: string | undefined): boolean {
  return word !== undefined && /^\p{Lu}[\p{L}.'-]+$/u.test(word) && !notName.test(word)
}

/**
 * Parses without these names and puts them back below their roles: `my uncle drives` is plain where
 * `my uncle Bob drives` is not.
 */
export function parseAround(
  words: readonly string[],
  names: readonly RoleName[],
  parse: (words: readonly string[]) => Parse,
): Parse {
  if (names.length === 0) return parse(words)
  const isOut = (i: number) => names.some(({ from, to }) => i >= from && i <= to)
  const kept = words.map((_, i) => i).filter((i) => !isOut(i))
  const inner = parse(kept.map((i) => words[i] ?? ''))
  const place = new Map(kept.map((i, at) => [i, at]))
  const nameOf = (i: number) => names.find(({ from, to }) => i >= from && i <= to)
  /** What the parse says of a word that it saw; the other value for a name. */
  const read = <T>(list: readonly T[], i: number, ofName: T): T => {
    const at = place.get(i)
    const value = at === undefined ? ofName : list[at]
    return value === undefined ? ofName : value
  }
  return {
    upos: words.map((_, i) => read(inner.upos, i, 'PROPN')),
    xpos: words.map((_, i) => read(inner.xpos, i, 'NNP')),
    labels: words.map((_, i) => read(inner.labels, i, nameOf(i)?.from === i ? 'appos' : 'flat')),
    certainty: words.map((_, i) => read(inner.certainty, i, 1)),
    names: words.map((_, i) => read(inner.names, i, 'person')),
    heads: words.map((_, i) => {
      const name = nameOf(i)
      if (name) return i === name.from ? name.role : name.from
      const above = read(inner.heads, i, -1)
      return above < 0 ? -1 : (kept[above] ?? -1)
    }),
  }
}
